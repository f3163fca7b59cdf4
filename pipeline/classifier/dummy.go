package classifier

import (
	"context"
	"io"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

const dummyKind = "dummy"

type dummyName struct{}

func (dummyName) name() string { return dummyKind }

// Dummy ignores the features and predicts the same for every row. For classes that
// is the most frequent class of the training rows, the earlier one at a tie, with
// the classes' shares as probabilities. For a numeric target it is the mean. It is
// the baseline that a useful classifier must beat.
type Dummy struct {
	fitted[dummyName]
}

var _ Classifier = (*Dummy)(nil)

// FitFrame counts the classes of f, or takes the mean of its target.
func (d *Dummy) FitFrame(ctx context.Context, f *dataset.Frame) error {
	rows, err := anyTraining(dummyKind, f)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	fit := &dummyFit{columns: columns{rows.features, rows.classes}}
	if rows.target != nil {
		for _, v := range rows.target {
			fit.mean += v / float64(len(rows.target))
		}
	} else {
		fit.counts = lists.Tally(len(rows.classes), rows.codes)
	}
	d.learned = fit
	return nil
}

// dummyFit is what was learned.
type dummyFit struct {
	columns
	counts []int // rows of each class; nil for a mean
	mean   float64
}

func (d *dummyFit) predict(ctx context.Context, f *dataset.Frame) (*Prediction, error) {
	picked, err := f.Pick(d.Features)
	if err == nil {
		err = picked.CheckComplete(dummyKind)
	}
	if err != nil {
		return nil, err
	}
	if d.counts == nil {
		return &Prediction{Values: slices.Repeat([]float64{d.mean}, f.Rows())}, ctx.Err()
	}
	return likely(ctx, f.Rows(), d.Classes, func(_ int, to []float64) { d.predictRow(nil, to) })
}

func (d *dummyFit) predictRow(_, to []float64) {
	if d.counts == nil {
		to[0] = d.mean
		return
	}
	clear(to)
	addShares(to, d.counts)
}

// dummyState is the JSON of a saved Dummy.
type dummyState struct {
	stateHeader
	columns
	Counts []int    `json:"counts,omitempty"`
	Mean   *float64 `json:"mean,omitempty"`
}

func (d *dummyFit) state() any {
	s := dummyState{stateHeader: stateHeader{stateVersion, dummyKind}, columns: d.columns, Counts: d.counts}
	if d.counts == nil {
		s.Mean = &d.mean
	}
	return s
}

// LoadFrom reads what SaveTo wrote.
func (d *Dummy) LoadFrom(r io.Reader) error {
	s, err := readState[dummyState](r, dummyKind, stateVersion)
	if err != nil {
		return err
	}
	fit := &dummyFit{columns: s.columns, counts: s.Counts}
	err = checkNames("features", s.Features, 1)
	if s.Mean != nil {
		fit.mean, fit.counts, fit.Classes = *s.Mean, nil, nil
	} else if err == nil {
		err = checkCounts(s.Counts, s.Classes)
	}
	if err := damaged(dummyKind, err); err != nil {
		return err
	}
	d.learned = fit
	return nil
}

// checkCounts wants the rows of each class, at least one.
func checkCounts(counts []int, classes []string) error {
	if err := checkNames("classes", classes, 1); err != nil {
		return err
	}
	table := lists.Map(counts, func(count int) float64 { return float64(count) })
	if slices.ContainsFunc(counts, func(count int) bool { return count < 1 }) {
		return errNoRows
	}
	return checkTable("counts", [][]float64{table}, 1, len(classes))
}

// String names the classifier.
func (d *Dummy) String() string { return "dummy()" }

// Fit is FitFrame for any golearn grid.
func (d *Dummy) Fit(g base.FixedDataGrid) error { return fitGrid(d, g) }

// Load reads a golearn model archive.
func (d *Dummy) Load(path string) error { return loadFile(d, path) }

// LoadWithPrefix reads from an archive of several classifiers.
func (d *Dummy) LoadWithPrefix(r *base.ClassifierDeserializer, prefix string) error {
	return loadPrefix(d, r, prefix)
}
