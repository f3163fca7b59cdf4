package classifier

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
)

const logisticKind = "logistic"

// Logistic is multinomial logistic regression with an L2 penalty. It minimises
//
//	Σᵢ −log p(yᵢ | xᵢ) + ½·L2·Σ_c ‖w_c‖²,  p(c | x) ∝ exp(w_cᵀx + b_c)
//
// over one weight vector w_c and one intercept b_c per class. Intercepts are not
// penalised. With two classes the penalty is ½·L2·‖w₁ − w₀‖², the usual binary
// logistic regression. This is scikit-learn's LogisticRegression with C = 1/L2, so
// that its weights and probabilities carry over.
//
// The penalty acts on the columns as they are given: put a standardize step in
// front where their units differ. The solver rescales them for itself, which
// changes its speed and not the minimum.
//
// The zero value is usable. A fit costs about 4·n·p·classes operations in each
// evaluation of the loss, needs dozens to hundreds of evaluations, and reads the
// numbers in place.
type Logistic struct {
	// L2 is the weight of the penalty, above 0; 0 means 1. Larger is smoother.
	L2 float64
	// MaxIterations bounds the steps of the solver; 0 means 1000.
	MaxIterations int
	// Tolerance ends the fit when no entry of the gradient of the mean loss is
	// larger, per column scaled to unit size; 0 means 1e-5.
	Tolerance float64

	fit *logisticFit
}

// logisticFit is what was learned. It is never changed.
type logisticFit struct {
	features, classes []string
	weights           *mat.Dense // classes×p, for the columns as given
	intercepts        []float64
	iterations        int
	status            string  // "converged", "iteration_limit", "deadline", "cancelled" or "stalled"
	gradient          float64 // largest entry at the end, as Tolerance counts it
	tolerance         float64
}

var (
	_ Probabilistic = (*Logistic)(nil)
	_ Warner        = (*Logistic)(nil)
)

// FitFrame fits to the numeric features of f. It needs at least two classes, and
// no missing or categorical feature. When ctx ends, the fit so far is kept with
// the status "deadline" or "cancelled"; see Warnings.
func (l *Logistic) FitFrame(ctx context.Context, f *dataset.Frame) error {
	if err := l.checkOptions(); err != nil {
		return err
	}
	rows, err := numericTraining(logisticKind, f)
	if err != nil {
		return err
	}
	if len(rows.classes) < 2 {
		return fmt.Errorf("logistic: all %d training rows have the class %q, and at least two classes are needed",
			f.Rows(), rows.classes[0])
	}
	fit, err := fitLogistic(ctx, rows, l.L2, l.MaxIterations, l.Tolerance)
	if err != nil {
		return err
	}
	l.fit = fit
	return nil
}

// checkOptions refuses options out of range; those left 0 stand for defaults.
func (l *Logistic) checkOptions() error {
	switch {
	case !(l.L2 >= 0) || math.IsInf(l.L2, 1):
		return fmt.Errorf("logistic: l2 is %v, and must be a positive number (0 means 1)", l.L2)
	case l.MaxIterations < 0:
		return fmt.Errorf("logistic: the limit of iterations is %d, and must be positive (0 means 1000)", l.MaxIterations)
	case !(l.Tolerance >= 0) || math.IsInf(l.Tolerance, 1):
		return fmt.Errorf("logistic: the tolerance is %v, and must be a positive number (0 means 1e-5)", l.Tolerance)
	}
	return nil
}

// ProbabilitiesFrame gives p(c | x) for each row and class.
func (l *Logistic) ProbabilitiesFrame(ctx context.Context, f *dataset.Frame) (*mat.Dense, error) {
	if l.fit == nil {
		return nil, notFitted(logisticKind)
	}
	x, err := numericInput(logisticKind, f, l.fit.features)
	if err != nil {
		return nil, err
	}
	out := newProbabilities(f.Rows(), len(l.fit.classes))
	for i := range f.Rows() {
		scores := out.RawRowView(i)
		for c, intercept := range l.fit.intercepts {
			scores[c] = intercept + floats.Dot(x.RawRowView(i), l.fit.weights.RawRowView(c))
		}
		softmax(scores)
	}
	return out, ctx.Err()
}

// PredictFrame gives each row the class of the largest probability, the earlier
// class at a tie.
func (l *Logistic) PredictFrame(ctx context.Context, f *dataset.Frame) (*dataset.Factor, error) {
	return mostLikely(ctx, l, f)
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
	if l.fit == nil {
		return nil, nil
	}
	return mat.DenseCopyOf(l.fit.weights), append([]float64(nil), l.fit.intercepts...)
}

// Status says how the fit ended: "converged", "iteration_limit", "deadline",
// "cancelled", or "stalled" where rounding kept the solver from getting down to
// the tolerance. It is "" before Fit.
func (l *Logistic) Status() string {
	if l.fit == nil {
		return ""
	}
	return l.fit.status
}

// Warnings says so if the fit ended before it had converged.
func (l *Logistic) Warnings() []string {
	if l.fit == nil || l.fit.status == "converged" {
		return nil
	}
	return []string{fmt.Sprintf(
		"logistic stopped (%s) after %d iterations with gradient %.3g, above the tolerance %.3g; standardize the columns, raise max_iterations or l2",
		l.fit.status, l.fit.iterations, l.fit.gradient, l.fit.tolerance)}
}

// Classes are the classes of the training rows, in level order.
func (l *Logistic) Classes() []string {
	if l.fit == nil {
		return nil
	}
	return append([]string(nil), l.fit.classes...)
}

// Inputs are the names of the training columns.
func (l *Logistic) Inputs() []string {
	if l.fit == nil {
		return nil
	}
	return append([]string(nil), l.fit.features...)
}

// logisticState is the JSON of a saved Logistic.
type logisticState struct {
	stateHeader
	L2            float64     `json:"l2"`
	MaxIterations int         `json:"max_iterations"`
	Tolerance     float64     `json:"tolerance"`
	Features      []string    `json:"features"`
	Classes       []string    `json:"classes"`
	Weights       [][]float64 `json:"weights"` // one row per class
	Intercepts    []float64   `json:"intercepts"`
	Iterations    int         `json:"iterations"`
	Status        string      `json:"status"`
	Gradient      float64     `json:"gradient"`
}

// SaveTo writes options, weights and intercepts as JSON.
func (l *Logistic) SaveTo(w io.Writer) error {
	if l.fit == nil {
		return notFitted(logisticKind)
	}
	return writeState(w, logisticState{
		stateHeader: stateHeader{stateVersion, logisticKind},
		L2:          l.L2, MaxIterations: l.MaxIterations, Tolerance: l.Tolerance,
		Features: l.fit.features, Classes: l.fit.classes,
		Weights: rowsOf(l.fit.weights), Intercepts: l.fit.intercepts,
		Iterations: l.fit.iterations, Status: l.fit.status, Gradient: l.fit.gradient,
	})
}

// LoadFrom reads what SaveTo wrote.
func (l *Logistic) LoadFrom(r io.Reader) error {
	var s logisticState
	if err := readState(r, logisticKind, &s); err != nil {
		return err
	}
	loaded := Logistic{L2: s.L2, MaxIterations: s.MaxIterations, Tolerance: s.Tolerance}
	err := damaged(logisticKind,
		loaded.checkOptions(),
		checkNames("features", s.Features, 1),
		checkNames("classes", s.Classes, 2),
		checkTable("weights", s.Weights, len(s.Classes), len(s.Features)),
		checkTable("intercepts", [][]float64{s.Intercepts}, 1, len(s.Classes)))
	if err != nil {
		return err
	}
	loaded.fit = &logisticFit{
		features: s.Features, classes: s.Classes,
		weights: denseOf(s.Weights), intercepts: s.Intercepts,
		iterations: s.Iterations, status: s.Status, gradient: s.Gradient, tolerance: loaded.Tolerance,
	}
	*l = loaded
	return nil
}

// String names the classifier and its options.
func (l *Logistic) String() string {
	l2 := l.L2
	if l2 == 0 {
		l2 = 1
	}
	return fmt.Sprintf("logistic(l2=%v)", l2)
}

// Fit is FitFrame for any golearn grid.
func (l *Logistic) Fit(g base.FixedDataGrid) error { return fitGrid(l, g) }

// Predict is PredictFrame for any golearn grid; see base.Classifier.
func (l *Logistic) Predict(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	return predictGrid(l, g)
}

// GetMetadata describes the classifier to golearn.
func (l *Logistic) GetMetadata() base.ClassifierMetadataV1 { return golearn.Metadata(logisticKind) }

// Save writes a golearn model archive.
func (l *Logistic) Save(path string) error { return saveFile(l, path) }

// Load reads a golearn model archive.
func (l *Logistic) Load(path string) error { return loadFile(l, path) }

// SaveWithPrefix writes into an archive of several classifiers.
func (l *Logistic) SaveWithPrefix(w *base.ClassifierSerializer, prefix string) error {
	return savePrefix(l, w, prefix)
}

// LoadWithPrefix reads from an archive of several classifiers.
func (l *Logistic) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(l, r, prefix)
}
