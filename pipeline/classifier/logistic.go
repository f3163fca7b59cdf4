package classifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/param"
)

const logisticKind = "logistic"

type logisticName struct{}

func (logisticName) name() string { return logisticKind }

// Logistic is multinomial logistic regression with a penalty. It minimises
//
//	Σᵢ −aᵢ·log p(yᵢ | xᵢ) + ½·L2·Σ_c ‖w_c‖² + L1·Σ_c ‖w_c‖₁,  p(c | x) ∝ exp(w_cᵀx + b_c)
//
// over one weight vector w_c and one intercept b_c per class. Intercepts are not
// penalised; aᵢ is 1 unless ClassWeight says otherwise. With two classes the
// penalties are ½·L2·‖w₁ − w₀‖² and L1·‖w₁ − w₀‖₁, the usual binary logistic
// regression. This is scikit-learn's LogisticRegression with C = 1/L2; weights and
// probabilities carry over from one to the other.
//
// The penalty acts on the columns as they are given: if their units differ, put a
// standardize step in front. The solver rescales them internally, which changes its
// speed but not the minimum.
//
// The zero value is usable. A fit takes some Newton steps, each a few dozen passes
// over the rows. It does not copy the numbers.
type Logistic struct {
	// Penalty is "l2" (also ""), "l1" or "elastic", which has both.
	Penalty string
	// L2 is the weight of the squares, above 0; 0 means 1. Larger is smoother.
	L2 float64
	// L1 is the weight of the absolute values, above 0; 0 means 1. The larger it
	// is, the more weights are exactly 0.
	L1 float64
	// ClassWeight is "none" (also ""), or "balanced": a row of a class with n_c of
	// the n rows counts n/(classes·n_c) times.
	ClassWeight string
	// ClassWeights, if not nil, is used instead of ClassWeight. It holds the weight
	// of a row of each class, above 0; a class that is not named has weight 1. A
	// name that is not a level of the class is an error.
	ClassWeights map[string]float64
	// MaxIterations bounds the steps of the solver; 0 means 1000.
	MaxIterations int
	// Tolerance ends the fit when (objective − minimum)/objective is proved to be
	// at most this; 0 means 1e-5.
	Tolerance float64

	fitted[logisticName]
}

var (
	_ Classifier = (*Logistic)(nil)
	_ Warner     = (*Logistic)(nil)
)

// defaults are the options with those left 0 filled in; errors name all that are
// out of range.
func (l *Logistic) defaults() (Logistic, error) {
	full := *l
	full.fitted = fitted[logisticName]{}
	full.ClassWeights = maps.Clone(l.ClassWeights)
	full.Penalty = cmp.Or(l.Penalty, "l2")
	full.ClassWeight = cmp.Or(l.ClassWeight, param.Unweighted)
	full.MaxIterations = cmp.Or(l.MaxIterations, 1000)
	full.Tolerance = cmp.Or(l.Tolerance, 1e-5)
	full.L2, full.L1 = cmp.Or(l.L2, 1), cmp.Or(l.L1, 1)
	err := joined(logisticKind,
		oneOf("penalty", full.Penalty, "l2", "l1", "elastic"),
		checkClassWeights(full.ClassWeight, full.ClassWeights),
		positive("l2", full.L2), positive("l1", full.L1), positive("tolerance", full.Tolerance),
		atLeast("max_iterations", full.MaxIterations, 1))
	if err == nil {
		err = joined(logisticKind, l.Check())
	}
	switch full.Penalty {
	case "l2":
		full.L1 = 0
	case "l1":
		full.L2 = 0
	}
	return full, err
}

// Check returns an error where the penalty does not use an option that is given.
func (l *Logistic) Check() error {
	var problems []error
	if l.L1 != 0 && (l.Penalty == "" || l.Penalty == "l2") {
		problems = append(problems, param.Plain("L1", l.L1, "l1 is for penalty: l1 or elastic").Beside("Penalty"))
	}
	if l.L2 != 0 && l.Penalty == "l1" {
		problems = append(problems, param.Plain("L2", l.L2, "l2 is for penalty: l2 or elastic").Beside("Penalty"))
	}
	return errors.Join(problems...)
}

// FitFrame fits to the numeric features of f. It needs at least two classes, and
// no missing or categorical feature.
func (l *Logistic) FitFrame(ctx context.Context, f *dataset.Frame) error {
	full, err := l.defaults()
	if err != nil {
		return err
	}
	rows, weights, err := weightedRows(logisticKind, f, full.ClassWeight, full.ClassWeights)
	if err != nil {
		return err
	}
	var loss scoreLoss = &softmaxLoss{weights}
	if len(rows.classes) == 2 {
		loss = &binaryLoss{weights}
	}
	fit, err := fitLinear(ctx, logisticKind, rows, linearFit{loss: loss, l1: full.L1, l2: full.L2, curvature: .25,
		limit: full.MaxIterations, tolerance: full.Tolerance})
	if err != nil {
		return err
	}
	l.learned = &logisticFit{scores: *fit, options: full}
	return nil
}

// logisticFit is what was learned.
type logisticFit struct {
	scores
	options Logistic
}

func (l *logisticFit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	x, err := numericInput(logisticKind, f, l.Features)
	if err != nil {
		return nil, err
	}
	return likely(ctx, f.Rows(), l.Classes, func(i int, to []float64) { l.predictRow(x.RawRowView(i), to) })
}

func (l *logisticFit) predictRow(row, to []float64) {
	l.of(row, to)
	softmax(to)
}

// softmax turns scores into probabilities in place and returns log Σ exp(scores),
// without overflow.
func softmax(scores []float64) float64 {
	top := scores[majority(scores)]
	sum := 0.0
	for c, score := range scores {
		scores[c] = math.Exp(score - top)
		sum += scores[c]
	}
	for c := range scores {
		scores[c] /= sum
	}
	return top + math.Log(sum)
}

// Weights are the weight vectors, classes×p, and the intercepts, one per class;
// copies, nil before Fit.
func (l *Logistic) Weights() (weights *mat.Dense, intercepts []float64) {
	fit, ok := l.learned.(*logisticFit)
	if !ok {
		return nil, nil
	}
	return mat.DenseCopyOf(fit.weights), slices.Clone(fit.intercepts)
}

// Status says how the fit ended: "converged", "iteration_limit" or "stalled".
// Stalled means that rounding errors prevented the proof that the objective is
// within the tolerance. Status is "" before Fit.
func (l *Logistic) Status() string {
	if fit, ok := l.learned.(*logisticFit); ok {
		return fit.status
	}
	return ""
}

// Warnings has one entry if the last fit ended before it converged, and is nil
// otherwise.
func (l *Logistic) Warnings() []string {
	if fit, ok := l.learned.(*logisticFit); ok {
		return fit.warnings(logisticKind)
	}
	return nil
}

// logisticVersion is 2 since the tolerance bounds the objective; before, it
// bounded the gradient.
const logisticVersion = 2

// logisticState is the JSON of a saved Logistic.
type logisticState struct {
	stateHeader
	Penalty     string  `json:"penalty,omitempty"`
	L2          float64 `json:"l2"`
	L1          float64 `json:"l1,omitempty"`
	ClassWeight string  `json:"class_weight,omitempty"`

	ClassWeights map[string]float64 `json:"weights_of_classes,omitempty"`

	MaxIterations int     `json:"max_iterations"`
	Tolerance     float64 `json:"tolerance"`
	scoresState
	Gradient float64 `json:"gradient,omitempty"` // of version 1
}

func (l *logisticFit) state() any {
	o := l.options
	return logisticState{stateHeader: stateHeader{logisticVersion, logisticKind},
		Penalty: o.Penalty, L2: o.L2, L1: o.L1, ClassWeight: o.ClassWeight, ClassWeights: o.ClassWeights,
		MaxIterations: o.MaxIterations, Tolerance: o.Tolerance, scoresState: l.scores.state()}
}

// LoadFrom reads what SaveTo wrote, in this version or an older one.
func (l *Logistic) LoadFrom(r io.Reader) error {
	s, err := readState[logisticState](r, logisticKind, logisticVersion)
	if err != nil {
		return err
	}
	loaded := Logistic{Penalty: s.Penalty, L2: s.L2, L1: s.L1, ClassWeight: s.ClassWeight, ClassWeights: s.ClassWeights, MaxIterations: s.MaxIterations, Tolerance: s.Tolerance}
	if s.Version == 1 {
		loaded.Tolerance = 0 // it meant something else
	}
	full, bad := loaded.defaults()
	scores, worse := s.scoresState.read(len(s.Classes), 2)
	if err := damaged(logisticKind, bad, worse); err != nil {
		return err
	}
	loaded.learned = &logisticFit{scores: *scores, options: full}
	*l = loaded
	return nil
}

// String names the classifier and its options.
func (l *Logistic) String() string {
	full, err := l.defaults()
	switch {
	case err != nil || full.Penalty == "l2":
		return fmt.Sprintf("logistic(l2=%v)", full.L2)
	case full.Penalty == "l1":
		return fmt.Sprintf("logistic(l1=%v)", full.L1)
	}
	return fmt.Sprintf("logistic(l1=%v, l2=%v)", full.L1, full.L2)
}

// Fit is FitFrame for any golearn grid.
func (l *Logistic) Fit(g base.FixedDataGrid) error { return fitGrid(l, g) }

// Load reads a golearn model archive.
func (l *Logistic) Load(path string) error { return loadFile(l, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (l *Logistic) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(l, r, prefix)
}
