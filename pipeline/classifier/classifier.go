package classifier

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/transformer"
)

// Classifier is the last step of a pipeline. It is a complete golearn classifier,
// so golearn's own tools accept it. It also reads frames directly, without a
// conversion to golearn's bytes. If the frame's class column is a numeric target
// (dataset.Frame.Target), it predicts numbers instead of classes. A classifier that
// cannot predict numbers returns an error.
//
// Columns are matched by name: a reordered input gives the same answer, extra
// columns are ignored, and all missing ones are named in one error. Classes are
// matched by their text, whatever the order of an input's levels. A fitted
// classifier may be used by several goroutines. Only fitting reads its options.
// Input frames are never changed, and no reference to their memory is kept.
type Classifier interface {
	base.Classifier

	// FitFrame learns from the features and the class of f, and replaces what was
	// learned before. After an error the classifier is unchanged. If ctx ends
	// first, the error is the context's.
	FitFrame(ctx context.Context, f *dataset.Frame) error

	// PredictFrame predicts each row of f. A class column of f is ignored and may
	// be absent. A row gives the same answer alone and in a larger table.
	PredictFrame(ctx context.Context, f *dataset.Frame) (*Prediction, error)

	// Classes are the classes that occurred in training, in the order of the
	// training class's levels. It is nil before Fit, and if numbers are predicted.
	Classes() []string

	// Inputs are the names of the columns that PredictFrame needs, in training
	// order; nil before Fit.
	Inputs() []string

	// SaveTo writes the fitted state and the options as JSON with a "version" and a
	// "type"; numbers are exact. LoadFrom reads it back. A damaged or unknown file
	// is an error and leaves the classifier unchanged.
	SaveTo(w io.Writer) error
	LoadFrom(r io.Reader) error
}

// Prediction is what a classifier predicts for n rows: classes or, if it was fitted
// to a numeric target, Values.
type Prediction struct {
	// Classes has one class for each row; its levels are the classifier's Classes.
	Classes *dataset.Factor
	// Probabilities is n×len(Classes.Levels), or nil if the classifier estimates
	// none. Rows sum to 1, and the predicted class has the largest entry.
	Probabilities *mat.Dense
	// Values has one number for each row.
	Values []float64
}

// Warner is a Classifier that reports warnings about its last fit, such as an
// iteration limit that was reached. Warnings is nil if there are none.
type Warner interface {
	Warnings() []string
}

// Owner is a Classifier that keeps its training rows. FitOwned is FitFrame for a
// frame that nobody will change, so the classifier need not copy it.
type Owner interface {
	FitOwned(ctx context.Context, f *dataset.Frame) error
}

// notFitted is the error of using a classifier before Fit or Load; it wraps
// transformer.ErrNotFitted.
func notFitted(kind string) error {
	return fmt.Errorf("%s: %w", kind, transformer.ErrNotFitted)
}

// trainingRows are a frame's features and class, checked and ready for fitting.
type trainingRows struct {
	features []string
	x        *mat.Dense // n×p, shared with the frame; nil where it was not asked for
	classes  []string   // those that occur, in level order; nil for numbers
	codes    []int      // n, indices into classes
	target   []float64  // n, the numbers to predict; nil for classes
}

// numericTraining checks that f can be learned from by a classifier of numbers.
func numericTraining(kind string, f *dataset.Frame) (*trainingRows, error) {
	t, err := classTraining(kind, f)
	if err != nil {
		return nil, err
	}
	t.x = f.Numeric()
	return t, checkNumeric(kind, f)
}

// levelTraining is classTraining for a classifier that reads categorical columns too.
func levelTraining(kind string, f *dataset.Frame) (*trainingRows, error) {
	t, err := classTraining(kind, f)
	if err != nil {
		return nil, err
	}
	return t, f.CheckLevels(kind)
}

// classTraining checks the class and the features of f, but not their kinds.
func classTraining(kind string, f *dataset.Frame) (*trainingRows, error) {
	t, err := anyTraining(kind, f)
	if err == nil && t.target != nil {
		return nil, fmt.Errorf("%s predicts classes, and %q is a numeric target (data.task: regression): end the pipeline with ridge, linear, knn or dummy",
			kind, f.ClassName())
	}
	return t, err
}

// targetTraining checks that f has a numeric target and numeric features.
func targetTraining(kind string, f *dataset.Frame) (*trainingRows, error) {
	t, err := anyTraining(kind, f)
	if err != nil {
		return nil, err
	}
	if t.target == nil {
		return nil, fmt.Errorf("%s predicts numbers, and the column %q holds classes: say data.task: regression if it is a number, or take a classifier",
			kind, f.ClassName())
	}
	t.x = f.Numeric()
	return t, checkNumeric(kind, f)
}

// anyTraining checks what is to be predicted and the features of f, but not
// their kinds.
func anyTraining(kind string, f *dataset.Frame) (*trainingRows, error) {
	if f == nil {
		return nil, fmt.Errorf("%s: there are no training rows: the frame is nil", kind)
	}
	class := f.Class()
	if class == nil {
		return nil, fmt.Errorf("%s: the training rows have no class column: name it (data.label, --label)", kind)
	}
	if f.Rows() == 0 {
		return nil, fmt.Errorf("%s: there are no training rows", kind)
	}
	if len(f.Columns()) == 0 {
		return nil, fmt.Errorf("%s: there is no feature column beside the class %q", kind, f.ClassName())
	}
	if err := f.CheckComplete(kind); err != nil {
		return nil, err
	}
	if target := f.Target(); target != nil {
		return &trainingRows{features: f.Names(), target: target}, nil
	}
	return classRows(f.Names(), class), nil
}

// classRows are training rows of classes: of those levels that occur.
func classRows(features []string, class *dataset.Factor) *trainingRows {
	occur := lists.Occurring(len(class.Levels), class.Codes)
	place := make([]int, len(class.Levels))
	for i, level := range occur {
		place[level] = i
	}
	// A frame's class has no missing cell.
	return &trainingRows{features: features, classes: lists.At(class.Levels, occur), codes: lists.At(place, class.Codes)}
}

// numericInput gives the named columns of f as an n×p matrix, without a copy
// where f has them as they are.
func numericInput(kind string, f *dataset.Frame, names []string) (*mat.Dense, error) {
	picked, err := f.Pick(names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	if err := checkNumeric(kind, picked); err != nil {
		return nil, err
	}
	return picked.Numeric(), picked.CheckComplete(kind)
}

// checkNumeric names the categorical feature columns, if there are any.
func checkNumeric(kind string, f *dataset.Frame) error {
	if text := f.CategoricalNames(); len(text) > 0 {
		return fmt.Errorf("%s works on numbers, and these columns are categorical: %s; put a onehot step before it, or drop them",
			kind, strings.Join(lists.Map(text, strconv.Quote), ", "))
	}
	return nil
}

// majority is the index of the largest entry, the first one at a tie.
func majority[T int | float64](of []T) int {
	best := 0
	for i, value := range of {
		if value > of[best] {
			best = i
		}
	}
	return best
}

// likely predicts for each of n rows the class of largest probability, the earlier
// one at a tie. row writes the probabilities of row i and may be called from any
// goroutine.
func likely(ctx context.Context, n int, classes []string, row func(i int, to []float64)) (*Prediction, error) {
	p := &Prediction{Probabilities: newProbabilities(n, len(classes)),
		Classes: &dataset.Factor{Levels: slices.Clone(classes), Codes: make([]int32, n)}}
	return p, eachRow(ctx, n, 128, func(i int) {
		to := p.Probabilities.RawRowView(i)
		row(i, to)
		p.Classes.Codes[i] = int32(majority(to))
	})
}

// eachRow calls do for the rows 0…n−1, a block of them after the other, from
// several goroutines, until ctx ends.
func eachRow(ctx context.Context, n, block int, do func(i int)) error {
	var stopped atomic.Bool
	kernel.Parallel((n+block-1)/block, func(_, part int) {
		if stopped.Load() || ctx.Err() != nil {
			stopped.Store(true)
			return
		}
		for i := part * block; i < min(n, (part+1)*block); i++ {
			do(i)
		}
	})
	if stopped.Load() {
		return ctx.Err()
	}
	return nil
}

// newProbabilities is an n×classes matrix of zeros; n may be 0.
func newProbabilities(n, classes int) *mat.Dense {
	if n == 0 {
		return new(mat.Dense)
	}
	return mat.NewDense(n, classes, nil)
}
