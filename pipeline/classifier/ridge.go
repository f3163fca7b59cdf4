package classifier

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/kernel"
)

const (
	ridgeKind  = "ridge"
	linearKind = "linear"
)

type ridgeName struct{}

func (ridgeName) name() string { return ridgeKind }

type linearName struct{}

func (linearName) name() string { return linearKind }

// Ridge predicts a numeric target by wᵀx + b, and minimises
//
//	Σᵢ (yᵢ − wᵀxᵢ − b)² + L2·‖w‖².
//
// The intercept is not penalised. This is scikit-learn's Ridge with alpha = L2. The
// columns are not rescaled: if their units differ, put a standardize step in front.
// The zero value is usable. A fit costs about n·p² operations, or n²·p if there are
// fewer rows than columns.
type Ridge struct {
	// L2 is the weight of the penalty, above 0; 0 means 1. Larger is smoother.
	L2 float64

	fitted[ridgeName]
}

// Linear predicts a numeric target by wᵀx + b, with w (length p) and b from least
// squares without a penalty. If several w are best, it takes the one of least norm.
type Linear struct {
	fitted[linearName]
}

var (
	_ Classifier = (*Ridge)(nil)
	_ Classifier = (*Linear)(nil)
)

// FitFrame fits to the numeric features and the target of f.
func (r *Ridge) FitFrame(ctx context.Context, f *dataset.Frame) error {
	l2 := cmp.Or(r.L2, 1)
	if err := joined(ridgeKind, positive("l2", l2)); err != nil {
		return err
	}
	fit, err := fitSquares(ctx, ridgeKind, f, l2)
	if err == nil {
		r.learned = fit
	}
	return err
}

// FitFrame fits to the numeric features and the target of f.
func (l *Linear) FitFrame(ctx context.Context, f *dataset.Frame) error {
	fit, err := fitSquares(ctx, linearKind, f, 0)
	if err == nil {
		l.learned = fit
	}
	return err
}

// squaresFit is what was learned.
type squaresFit struct {
	columns
	kind      string
	l2        float64
	weights   []float64
	intercept float64
}

func fitSquares(ctx context.Context, kind string, f *dataset.Frame, l2 float64) (*squaresFit, error) {
	rows, err := targetTraining(kind, f)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w, b, err := leastSquares(rows.x, rows.target, l2)
	err = cmp.Or(err, ctx.Err())
	if err == nil && !finite(append(slices.Clone(w), b)) {
		err = fmt.Errorf("%s: the numbers are too large: rescale the columns or the target", kind)
	}
	if err != nil {
		return nil, err
	}
	return &squaresFit{columns{rows.features, nil}, kind, l2, w, b}, nil
}

func finite(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v-v != 0 })
}

func (s *squaresFit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	x, err := numericInput(s.kind, f, s.Features)
	if err != nil {
		return nil, err
	}
	p := &Prediction{Values: make([]float64, f.Rows())}
	return p, eachRow(ctx, f.Rows(), 128, func(i int) { s.predictRow(x.RawRowView(i), p.Values[i:i+1]) })
}

func (s *squaresFit) predictRow(row, to []float64) { to[0] = s.intercept + kernel.Dot(row, s.weights) }

// Weights are w, a copy, and b; nil before Fit.
func (r *Ridge) Weights() (weights *mat.VecDense, intercept float64) {
	return squaresWeights(r.learned)
}

// Weights are w, a copy, and b; nil before Fit.
func (l *Linear) Weights() (weights *mat.VecDense, intercept float64) {
	return squaresWeights(l.learned)
}

func squaresWeights(l learned) (*mat.VecDense, float64) {
	fit, ok := l.(*squaresFit)
	if !ok {
		return nil, 0
	}
	return mat.NewVecDense(len(fit.weights), slices.Clone(fit.weights)), fit.intercept
}

// squaresState is the JSON of a saved Ridge or Linear.
type squaresState struct {
	stateHeader
	L2 float64 `json:"l2,omitempty"`
	columns
	Weights   []float64 `json:"weights"`
	Intercept float64   `json:"intercept"`
}

func (s *squaresFit) state() any {
	return squaresState{stateHeader{stateVersion, s.kind}, s.l2, s.columns, s.weights, s.intercept}
}

func loadSquares(r io.Reader, kind string) (*squaresFit, error) {
	s, err := readState[squaresState](r, kind, stateVersion)
	if err != nil {
		return nil, err
	}
	var penalty error
	if kind == ridgeKind {
		penalty = positive("l2", s.L2)
	}
	err = damaged(kind, penalty, checkNames("features", s.Features, 1),
		checkTable("weights", [][]float64{s.Weights}, 1, len(s.Features)))
	if err != nil {
		return nil, err
	}
	return &squaresFit{columns{s.Features, nil}, kind, s.L2, s.Weights, s.Intercept}, nil
}

// LoadFrom reads what SaveTo wrote.
func (r *Ridge) LoadFrom(from io.Reader) error {
	fit, err := loadSquares(from, ridgeKind)
	if err == nil {
		*r = Ridge{fit.l2, fitted[ridgeName]{fit}}
	}
	return err
}

// LoadFrom reads what SaveTo wrote.
func (l *Linear) LoadFrom(from io.Reader) error {
	fit, err := loadSquares(from, linearKind)
	if err == nil {
		l.learned = fit
	}
	return err
}

// String names the regression and its options.
func (r *Ridge) String() string { return fmt.Sprintf("ridge(l2=%v)", cmp.Or(r.L2, 1)) }

// String names the regression.
func (l *Linear) String() string { return "linear()" }

// Fit is FitFrame for any golearn grid.
func (r *Ridge) Fit(g base.FixedDataGrid) error { return fitGrid(r, g) }

// Fit is FitFrame for any golearn grid.
func (l *Linear) Fit(g base.FixedDataGrid) error { return fitGrid(l, g) }

// Load reads a golearn model archive.
func (r *Ridge) Load(path string) error { return loadFile(r, path) }

// Load reads a golearn model archive.
func (l *Linear) Load(path string) error { return loadFile(l, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (r *Ridge) LoadWithPrefix(from *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(r, from, prefix)
}

// LoadWithPrefix reads from an archive of several classifiers.
func (l *Linear) LoadWithPrefix(from *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(l, from, prefix)
}
