package classifier

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/param"
)

const svmKind = "linear_svm"

type svmName struct{}

func (svmName) name() string { return svmKind }

// LinearSVM is a linear support vector machine. For each class against the others
// it minimises
//
//	Σᵢ aᵢ·max(0, 1 − tᵢ·(wᵀxᵢ + b))² + ½·L2·‖w‖²,  tᵢ = 1 for the class and −1 for the others,
//
// and predicts the class with the largest wᵀx + b. With two classes there is one w.
// This is scikit-learn's LinearSVC with C = 1/L2, except that b is not penalised
// (its intercept_scaling → ∞). Shifting a column therefore changes no prediction.
// It estimates no probabilities.
//
// The zero value is usable. For cost and units see Logistic.
type LinearSVM struct {
	// L2 is the weight of the penalty, above 0; 0 means 1. Larger is smoother.
	L2 float64
	// ClassWeight is "none" (also "") or "balanced"; see Logistic.
	ClassWeight string
	// ClassWeights holds the weight of a row of each class; see Logistic.
	ClassWeights map[string]float64
	// MaxIterations bounds the steps of the solver; 0 means 1000.
	MaxIterations int
	// Tolerance is as for Logistic; 0 means 1e-5.
	Tolerance float64

	fitted[svmName]
}

var (
	_ Classifier = (*LinearSVM)(nil)
	_ Warner     = (*LinearSVM)(nil)
)

func (s *LinearSVM) defaults() (LinearSVM, error) {
	full := LinearSVM{L2: cmp.Or(s.L2, 1), ClassWeight: cmp.Or(s.ClassWeight, param.Unweighted), ClassWeights: maps.Clone(s.ClassWeights),
		MaxIterations: cmp.Or(s.MaxIterations, 1000), Tolerance: cmp.Or(s.Tolerance, 1e-5)}
	return full, joined(svmKind, positive("l2", full.L2), positive("tolerance", full.Tolerance),
		checkClassWeights(full.ClassWeight, full.ClassWeights), atLeast("max_iterations", full.MaxIterations, 1))
}

// FitFrame fits to the numeric features of f, which needs at least two classes.
func (s *LinearSVM) FitFrame(ctx context.Context, f *dataset.Frame) error {
	full, err := s.defaults()
	if err != nil {
		return err
	}
	rows, weights, err := weightedRows(svmKind, f, full.ClassWeight, full.ClassWeights)
	if err != nil {
		return err
	}
	fit, err := fitLinear(ctx, svmKind, rows, linearFit{
		loss: &hingeLoss{weights},
		l2:   full.L2, curvature: 2, limit: full.MaxIterations, tolerance: full.Tolerance})
	if err != nil {
		return err
	}
	s.learned = &svmFit{*fit, full}
	return nil
}

// svmFit is what was learned.
type svmFit struct {
	scores
	options LinearSVM
}

func (s *svmFit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	x, err := numericInput(svmKind, f, s.Features)
	if err != nil {
		return nil, err
	}
	p := &Prediction{Classes: &dataset.Factor{Levels: slices.Clone(s.Classes), Codes: make([]int32, f.Rows())}}
	err = eachRow(ctx, f.Rows(), 128, func(i int) {
		to := make([]float64, len(s.Classes))
		s.of(x.RawRowView(i), to)
		p.Classes.Codes[i] = int32(majority(to))
		if slices.ContainsFunc(to, func(v float64) bool { return v-v != 0 }) {
			p.Classes.Codes[i] = dataset.Missing
		}
	})
	if i := slices.Index(p.Classes.Codes, dataset.Missing); err == nil && i >= 0 {
		err = tooFar(svmKind, i)
	}
	return p, err
}

// predictRow stores the scores.
func (s *svmFit) predictRow(row, to []float64) { s.of(row, to) }

// unlikely says that there are no probabilities.
func (s *LinearSVM) unlikely() {}

// Weights are the weight vectors, classes×p, and the intercepts, one per class;
// copies, nil before Fit. With two classes they are −w/2 and w/2.
func (s *LinearSVM) Weights() (weights *mat.Dense, intercepts []float64) {
	fit, ok := s.learned.(*svmFit)
	if !ok {
		return nil, nil
	}
	return mat.DenseCopyOf(fit.weights), slices.Clone(fit.intercepts)
}

// Warnings has one entry if the last fit ended before it converged, and is nil
// otherwise.
func (s *LinearSVM) Warnings() []string {
	if fit, ok := s.learned.(*svmFit); ok {
		return fit.warnings(svmKind)
	}
	return nil
}

// svmState is the JSON of a saved LinearSVM.
type svmState struct {
	stateHeader
	L2          float64 `json:"l2"`
	ClassWeight string  `json:"class_weight"`

	ClassWeights map[string]float64 `json:"weights_of_classes,omitempty"`

	MaxIterations int     `json:"max_iterations"`
	Tolerance     float64 `json:"tolerance"`
	scoresState
}

func (s *svmFit) state() any {
	o := s.options
	return svmState{stateHeader{stateVersion, svmKind}, o.L2, o.ClassWeight, o.ClassWeights, o.MaxIterations, o.Tolerance, s.scores.state()}
}

// LoadFrom reads what SaveTo wrote.
func (s *LinearSVM) LoadFrom(r io.Reader) error {
	state, err := readState[svmState](r, svmKind, stateVersion)
	if err != nil {
		return err
	}
	loaded := LinearSVM{L2: state.L2, ClassWeight: state.ClassWeight, ClassWeights: state.ClassWeights, MaxIterations: state.MaxIterations, Tolerance: state.Tolerance}
	full, bad := loaded.defaults()
	scores, worse := state.scoresState.read(len(state.Classes), 2)
	if err := damaged(svmKind, bad, worse); err != nil {
		return err
	}
	loaded.learned = &svmFit{*scores, full}
	*s = loaded
	return nil
}

// String names the classifier and its options.
func (s *LinearSVM) String() string { return fmt.Sprintf("linear_svm(l2=%v)", cmp.Or(s.L2, 1)) }

// Fit is FitFrame for any golearn grid.
func (s *LinearSVM) Fit(g base.FixedDataGrid) error { return fitGrid(s, g) }

// Load reads a golearn model archive.
func (s *LinearSVM) Load(path string) error { return loadFile(s, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (s *LinearSVM) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(s, r, prefix)
}
