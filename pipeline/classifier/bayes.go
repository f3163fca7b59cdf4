package classifier

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/saved"
)

const bayesKind = "naive_bayes"

type bayesName struct{}

func (bayesName) name() string { return bayesKind }

// NaiveBayes is Gaussian naive Bayes: within a class the columns are independent
// and normally distributed. Smoothing times the largest variance of a column is
// added to every variance, as in scikit-learn's GaussianNB. This avoids division by
// 0 for a column that does not vary within a class.
//
// The zero value is usable. A fit reads the rows three times.
type NaiveBayes struct {
	// Smoothing is the share of the largest column variance that is added to every
	// variance; 0 means 1e-9.
	Smoothing float64

	fitted[bayesName]
}

var _ Classifier = (*NaiveBayes)(nil)

// FitFrame fits to the numeric features of f.
func (b *NaiveBayes) FitFrame(ctx context.Context, f *dataset.Frame) error {
	smoothing := cmp.Or(b.Smoothing, 1e-9)
	if err := joined(bayesKind, positive("smoothing", smoothing)); err != nil {
		return err
	}
	rows, err := numericTraining(bayesKind, f)
	if err != nil {
		return err
	}
	g := fitGaussians(rows.x, rows.codes, len(rows.classes), smoothing)
	if err := ctx.Err(); err != nil {
		return err
	}
	fit, err := newBayesFit(columns{rows.features, rows.classes}, g, smoothing)
	if err != nil {
		return err
	}
	b.learned = fit
	return nil
}

// bayesFit is what was learned.
type bayesFit struct {
	columns
	*scoring
	smoothing float64
}

// newBayesFit refuses variances of 0 or near it: no density is finite then.
func newBayesFit(c columns, g *gaussians, smoothing float64) (*bayesFit, error) {
	for class := range c.Classes {
		for j, v := range g.variance.RawRowView(class) {
			if v-v != 0 || !(1/(2*v) <= math.MaxFloat64) {
				return nil, fmt.Errorf("naive_bayes: column %q has the variance %v in class %q: its numbers are all equal, like those of every column, too small or too large; drop or rescale it",
					c.Features[j], v, c.Classes[class])
			}
		}
	}
	return &bayesFit{c, g.scoring(), smoothing}, nil
}

func (b *bayesFit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	x, err := numericInput(bayesKind, f, b.Features)
	if err != nil {
		return nil, err
	}
	return likely(ctx, f.Rows(), b.Classes, func(i int, to []float64) { b.predictRow(x.RawRowView(i), to) })
}

func (b *bayesFit) predictRow(row, to []float64) {
	b.logs(row, to)
	softmax(to)
}

// bayesState is the JSON of a saved NaiveBayes.
type bayesState struct {
	stateHeader
	Smoothing float64 `json:"smoothing"`
	columns
	Prior    []float64   `json:"log_prior"`
	Mean     [][]float64 `json:"mean"` // one row per class
	Variance [][]float64 `json:"variance"`
}

func (b *bayesFit) state() any {
	return bayesState{stateHeader{stateVersion, bayesKind}, b.smoothing, b.columns, b.prior, saved.Rows(b.mean), saved.Rows(b.variance)}
}

// LoadFrom reads what SaveTo wrote.
func (b *NaiveBayes) LoadFrom(r io.Reader) error {
	s, err := readState[bayesState](r, bayesKind, stateVersion)
	if err != nil {
		return err
	}
	err = damaged(bayesKind,
		checkNames("features", s.Features, 1), checkNames("classes", s.Classes, 1), positive("smoothing", s.Smoothing),
		checkTable("log_prior", [][]float64{s.Prior}, 1, len(s.Classes)),
		checkTable("mean", s.Mean, len(s.Classes), len(s.Features)),
		checkTable("variance", s.Variance, len(s.Classes), len(s.Features)))
	if err != nil {
		return err
	}
	fit, err := newBayesFit(s.columns, &gaussians{s.Prior, saved.Dense(s.Mean), saved.Dense(s.Variance)}, s.Smoothing)
	if err != nil {
		return damaged(bayesKind, err)
	}
	*b = NaiveBayes{s.Smoothing, fitted[bayesName]{fit}}
	return nil
}

// Moments are the means and variances of the columns in each class, classes×p; copies, nil
// before Fit.
func (b *NaiveBayes) Moments() (means, variances *mat.Dense) {
	fit, ok := b.learned.(*bayesFit)
	if !ok {
		return nil, nil
	}
	return mat.DenseCopyOf(fit.mean), mat.DenseCopyOf(fit.variance)
}

// String names the classifier.
func (b *NaiveBayes) String() string { return "naive_bayes()" }

// Fit is FitFrame for any golearn grid.
func (b *NaiveBayes) Fit(g base.FixedDataGrid) error { return fitGrid(b, g) }

// Load reads a golearn model archive.
func (b *NaiveBayes) Load(path string) error { return loadFile(b, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (b *NaiveBayes) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(b, r, prefix)
}
