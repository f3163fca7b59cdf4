package classifier

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/saved"
)

const knnKind = "knn"

type knnName struct{}

func (knnName) name() string { return knnKind }

// KNN classifies a row by the votes of its nearest training rows in Euclidean
// distance, and predicts a numeric target by their mean. The search compares all
// rows and is exact.
//
// Ties are settled by the order of the training rows. Of rows at the same distance,
// the one with the lower index counts as nearer. Of classes with equally many
// votes, the class of the nearest neighbour wins. The columns are not rescaled: if
// their units differ, put a standardize step in front.
//
// The zero value is usable. Predicting q rows takes about 2·q·n·p operations. A
// saved KNN holds the training rows as text, some 10 to 20 bytes a number.
type KNN struct {
	// K is the number of neighbours that vote, at most the number of training
	// rows; 0 means 5.
	K int
	// Weights is "uniform" (also ""), or "distance": a vote counts 1/distance. If
	// there are rows at distance 0, only they vote.
	Weights string

	fitted[knnName]
}

var (
	_ Classifier = (*KNN)(nil)
	_ Owner      = (*KNN)(nil)
)

// knnFit is what was learned.
type knnFit struct {
	columns
	codes     []int     // class of each training row
	target    []float64 // or its number
	neighbors int
	weights   string
	search    *neighborSearch
	pools     rowPools
}

// FitFrame keeps a copy of the numeric features and the class or target of f.
func (k *KNN) FitFrame(ctx context.Context, f *dataset.Frame) error { return k.fit(ctx, f, true) }

// FitOwned is FitFrame for rows that nobody will change. It keeps f without copying
// it.
func (k *KNN) FitOwned(ctx context.Context, f *dataset.Frame) error { return k.fit(ctx, f, false) }

func (k *KNN) fit(ctx context.Context, f *dataset.Frame, copied bool) error {
	rows, err := anyTraining(knnKind, f)
	if err == nil {
		err = checkNumeric(knnKind, f)
	}
	if err != nil {
		return err
	}
	fit := &knnFit{columns: columns{rows.features, rows.classes}, codes: rows.codes, target: rows.target}
	if err := k.complete(fit, f.Rows(), func() *neighborSearch { return newNeighborSearch(f.Numeric(), copied) }); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	k.learned = fit
	return nil
}

// complete checks the options against the rows, and prepares the search.
func (k *KNN) complete(fit *knnFit, rows int, search func() *neighborSearch) error {
	fit.neighbors, fit.weights = cmp.Or(k.K, 5), cmp.Or(k.Weights, "uniform")
	if err := joined(knnKind, atLeast("k", fit.neighbors, 1), oneOf("weights", fit.weights, "uniform", "distance")); err != nil {
		return err
	}
	if fit.neighbors > rows {
		return fmt.Errorf("knn: %d neighbours are asked for, and there are only %d training rows: lower k or bring more rows",
			fit.neighbors, rows)
	}
	fit.search = search()
	return nil
}

func (k *knnFit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	x, err := numericInput(knnKind, f, k.Features)
	if err != nil {
		return nil, err
	}
	n := f.Rows()
	p := new(Prediction)
	see := func(i int, found []neighbor) { p.Values[i] = k.mean(found) }
	if k.target != nil {
		p.Values = make([]float64, n)
	} else {
		p.Classes = &dataset.Factor{Levels: slices.Clone(k.Classes), Codes: make([]int32, n)}
		p.Probabilities = newProbabilities(n, len(k.Classes))
		see = func(i int, found []neighbor) {
			p.Classes.Codes[i] = int32(k.vote(found, p.Probabilities.RawRowView(i)))
		}
	}
	if n == 0 {
		return p, nil
	}
	return p, k.search.nearest(ctx, x, k.neighbors, see)
}

// weigh is the weight of the i-th neighbour's vote.
func (k *knnFit) weigh(found []neighbor, i int) float64 {
	switch {
	case k.weights == "uniform":
		return 1
	case found[i].distance == found[0].distance: // both 0 too, or both beyond float64
		return 1
	case found[0].distance == 0: // the nearest: rows at distance 0 decide alone
		return 0
	}
	return math.Sqrt(found[0].distance / found[i].distance) // in (0, 1]: no overflow
}

// vote writes the share of each class and returns the one with the largest; at a
// tie, that of the nearest neighbour among those that tie.
func (k *knnFit) vote(found []neighbor, shares []float64) int {
	total := 0.0
	for i, at := range found {
		w := k.weigh(found, i)
		shares[k.codes[at.row]] += w
		total += w
	}
	most := shares[majority(shares)]
	class := 0
	for _, at := range slices.Backward(found) {
		if shares[k.codes[at.row]] == most {
			class = k.codes[at.row]
		}
	}
	for c := range shares {
		shares[c] /= total
	}
	return class
}

// mean is the weighted mean of the neighbours' numbers.
func (k *knnFit) mean(found []neighbor) float64 {
	sum, total := 0.0, 0.0
	for i, at := range found {
		w := k.weigh(found, i)
		sum += w * k.target[at.row]
		total += w
	}
	return sum / total
}

// knnState is the JSON of a saved KNN.
type knnState struct {
	stateHeader
	K       int    `json:"k"`
	Weights string `json:"weights,omitempty"`
	columns
	Codes  []int       `json:"codes,omitempty"` // class of each row, an index into classes
	Target []float64   `json:"target,omitempty"`
	Rows   [][]float64 `json:"rows"`
}

// knnVersion is 2 since there are weights and targets.
const knnVersion = 2

func (k *knnFit) state() any {
	return knnState{stateHeader{knnVersion, knnKind}, k.neighbors, k.weights, k.columns, k.codes, k.target, saved.Rows(k.search.x)}
}

// LoadFrom reads what SaveTo wrote, in this version or an older one.
func (k *KNN) LoadFrom(r io.Reader) error {
	s, err := readState[knnState](r, knnKind, knnVersion)
	if err != nil {
		return err
	}
	rows := max(len(s.Codes), len(s.Target), 1)
	err = checkNames("features", s.Features, 1)
	if err == nil {
		err = checkTable("rows", s.Rows, rows, len(s.Features))
	}
	if s.Target != nil {
		err = joined("target", err, checkTable("target", [][]float64{s.Target}, 1, rows))
		s.Classes, s.Codes = nil, nil
	} else {
		err = joined("classes", err, checkNames("classes", s.Classes, 1), checkCodes(s.Codes, len(s.Classes)), atLeast("codes", len(s.Codes), 1))
	}
	if err := damaged(knnKind, err); err != nil {
		return err
	}
	loaded := KNN{K: s.K, Weights: s.Weights}
	fit := &knnFit{columns: s.columns, codes: s.Codes, target: s.Target}
	if err := loaded.complete(fit, rows, func() *neighborSearch { return newNeighborSearch(saved.Dense(s.Rows), false) }); err != nil {
		return damaged(knnKind, err)
	}
	loaded.learned = fit
	*k = loaded
	return nil
}

// checkCodes wants indices of classes.
func checkCodes(codes []int, classes int) error {
	for i, code := range codes {
		if code < 0 || code >= classes {
			return fmt.Errorf("class %d of row %d is not among the %d classes", code, i+1, classes)
		}
	}
	return nil
}

// String names the classifier and its options.
func (k *KNN) String() string {
	if cmp.Or(k.Weights, "uniform") == "uniform" {
		return fmt.Sprintf("knn(k=%d)", cmp.Or(k.K, 5))
	}
	return fmt.Sprintf("knn(k=%d, weights=%s)", cmp.Or(k.K, 5), k.Weights)
}

// Fit is FitFrame for any golearn grid.
func (k *KNN) Fit(g base.FixedDataGrid) error { return fitGrid(k, g) }

// Load reads a golearn model archive.
func (k *KNN) Load(path string) error { return loadFile(k, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (k *KNN) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(k, r, prefix)
}
