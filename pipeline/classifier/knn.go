package classifier

import (
	"context"
	"fmt"
	"io"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
)

const knnKind = "knn"

// KNN classifies a row by the votes of its nearest training rows in Euclidean
// distance. The search compares all rows and is exact.
//
// Ties are settled by the order of the training rows: of rows at the same
// distance the one with the lower index is the nearer, and between classes with
// equally many votes the class of the nearest neighbour among them wins. The
// columns count as they are given: put a standardize step in front where their
// units differ.
//
// The zero value is usable. Predicting q rows takes about 2·q·n·p operations. A
// saved KNN holds the training rows as text, some 10 to 20 bytes a number.
type KNN struct {
	// K is the number of neighbours that vote, at most the number of training
	// rows; 0 means 5.
	K int

	fit *knnFit
}

// knnFit is what was learned. It is never changed.
type knnFit struct {
	features, classes []string
	codes             []int // class of each training row
	neighbors         int
	search            *neighborSearch
}

var _ Probabilistic = (*KNN)(nil)

// FitFrame keeps a copy of the numeric features and the class of f.
func (k *KNN) FitFrame(ctx context.Context, f *dataset.Frame) error {
	rows, err := numericTraining(knnKind, f)
	if err != nil {
		return err
	}
	fit, err := k.newFit(rows.features, rows.classes, rows.codes, mat.DenseCopyOf(rows.x))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	k.fit = fit
	return nil
}

func (k *KNN) newFit(features, classes []string, codes []int, x *mat.Dense) (*knnFit, error) {
	neighbors := k.K
	if neighbors == 0 {
		neighbors = 5
	}
	if neighbors < 0 {
		return nil, fmt.Errorf("knn: k, the number of neighbours, is %d, and must be positive (0 means 5)", neighbors)
	}
	if neighbors > len(codes) {
		return nil, fmt.Errorf("knn: %d neighbours are asked for, and there are only %d training rows: lower k or bring more rows",
			neighbors, len(codes))
	}
	return &knnFit{
		features: features, classes: classes, codes: codes,
		neighbors: neighbors, search: newNeighborSearch(x),
	}, nil
}

// votes lets the neighbours of each row vote: see gives for row i the votes of
// each class and the classes of the neighbours, the nearest first.
func (k *KNN) votes(ctx context.Context, f *dataset.Frame, see func(i int, votes, neighbors []int)) error {
	if k.fit == nil {
		return notFitted(knnKind)
	}
	x, err := numericInput(knnKind, f, k.fit.features)
	if err != nil || f.Rows() == 0 {
		return err
	}
	return k.fit.search.nearest(ctx, x, k.fit.neighbors, func(i int, rows []int) {
		votes := make([]int, len(k.fit.classes))
		classes := make([]int, len(rows))
		for j, row := range rows {
			classes[j] = k.fit.codes[row]
			votes[classes[j]]++
		}
		see(i, votes, classes)
	})
}

// PredictFrame gives each row the class with the most votes; at a tie, the class
// of the nearest neighbour among those that tie.
func (k *KNN) PredictFrame(ctx context.Context, f *dataset.Frame) (*dataset.Factor, error) {
	codes := make([]int32, f.Rows())
	err := k.votes(ctx, f, func(i int, votes, neighbors []int) {
		most := votes[majority(votes)]
		for _, class := range neighbors {
			if votes[class] == most {
				codes[i] = int32(class)
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return &dataset.Factor{Levels: k.Classes(), Codes: codes}, nil
}

// ProbabilitiesFrame gives each class its share of the votes.
func (k *KNN) ProbabilitiesFrame(ctx context.Context, f *dataset.Frame) (*mat.Dense, error) {
	if k.fit == nil {
		return nil, notFitted(knnKind)
	}
	out := newProbabilities(f.Rows(), len(k.fit.classes))
	err := k.votes(ctx, f, func(i int, votes, neighbors []int) {
		for class, count := range votes {
			out.Set(i, class, float64(count)/float64(len(neighbors)))
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Classes are the classes of the training rows, in level order.
func (k *KNN) Classes() []string {
	if k.fit == nil {
		return nil
	}
	return append([]string(nil), k.fit.classes...)
}

// Inputs are the names of the training columns.
func (k *KNN) Inputs() []string {
	if k.fit == nil {
		return nil
	}
	return append([]string(nil), k.fit.features...)
}

// knnState is the JSON of a saved KNN.
type knnState struct {
	stateHeader
	K        int         `json:"k"`
	Features []string    `json:"features"`
	Classes  []string    `json:"classes"`
	Codes    []int       `json:"codes"` // class of each row, an index into classes
	Rows     [][]float64 `json:"rows"`
}

// SaveTo writes the options and the training rows as JSON.
func (k *KNN) SaveTo(w io.Writer) error {
	if k.fit == nil {
		return notFitted(knnKind)
	}
	return writeState(w, knnState{
		stateHeader: stateHeader{stateVersion, knnKind},
		K:           k.fit.neighbors, Features: k.fit.features, Classes: k.fit.classes,
		Codes: k.fit.codes, Rows: rowsOf(k.fit.search.x),
	})
}

// LoadFrom reads what SaveTo wrote.
func (k *KNN) LoadFrom(r io.Reader) error {
	var s knnState
	if err := readState(r, knnKind, &s); err != nil {
		return err
	}
	err := damaged(knnKind,
		checkNames("features", s.Features, 1),
		checkNames("classes", s.Classes, 1),
		checkTable("rows", s.Rows, max(len(s.Codes), 1), len(s.Features)),
		checkCodes(s.Codes, len(s.Classes)))
	if err != nil {
		return err
	}
	loaded := KNN{K: s.K}
	if loaded.fit, err = loaded.newFit(s.Features, s.Classes, s.Codes, denseOf(s.Rows)); err != nil {
		return damaged(knnKind, err)
	}
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
	neighbors := k.K
	if neighbors == 0 {
		neighbors = 5
	}
	return fmt.Sprintf("knn(k=%d)", neighbors)
}

// Fit is FitFrame for any golearn grid.
func (k *KNN) Fit(g base.FixedDataGrid) error { return fitGrid(k, g) }

// Predict is PredictFrame for any golearn grid; see base.Classifier.
func (k *KNN) Predict(g base.FixedDataGrid) (base.FixedDataGrid, error) { return predictGrid(k, g) }

// GetMetadata describes the classifier to golearn.
func (k *KNN) GetMetadata() base.ClassifierMetadataV1 { return golearn.Metadata(knnKind) }

// Save writes a golearn model archive.
func (k *KNN) Save(path string) error { return saveFile(k, path) }

// Load reads a golearn model archive.
func (k *KNN) Load(path string) error { return loadFile(k, path) }

// SaveWithPrefix writes into an archive of several classifiers.
func (k *KNN) SaveWithPrefix(w *base.ClassifierSerializer, prefix string) error {
	return savePrefix(k, w, prefix)
}

// LoadWithPrefix reads from an archive of several classifiers.
func (k *KNN) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(k, r, prefix)
}
