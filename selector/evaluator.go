package selector

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/transformer"
)

// Evaluator measures how well a model rebuilds rows that arrive in several tables. The figures are
// those of Model.Evaluate on all rows together, bit for bit.
type Evaluator struct {
	m         *Model
	errs, all []float64 // of the columns: squares of what is missed, and of the spread
	low, high []float64 // the range of the cells and the mean
	residuals []float64

	chances []float64 // what each random choice misses
	row, z  []float64
	unit    float64 // a power of two in which weights are counted, so that sums of large ones stay finite; 0: none yet
}

// NewEvaluator returns an Evaluator without rows. It is an error if the model has no decoder.
func (m *Model) NewEvaluator() (*Evaluator, error) {
	if err := m.decodes(); err != nil {
		return nil, err
	}
	d := len(m.rebuilt.names)
	mean := lists.Make(d, func(j int) float64 { return at(m.rebuilt.mean, j, 0) })
	return &Evaluator{m: m, errs: make([]float64, d), all: make([]float64, d), low: slices.Clone(mean), high: slices.Clone(mean),
		chances: make([]float64, len(m.rebuilt.chances)), row: make([]float64, d), z: make([]float64, len(m.variances))}, nil
}

// Add measures the rows of a table with the columns Model.Rebuilt. Weights are as in EvaluateWeighted;
// the caller has checked that they are numbers of at least 0.
func (e *Evaluator) Add(grid base.FixedDataGrid, weights []float64) error {
	if e.m == nil {
		return errors.New("fspca: the evaluator has no model: make it by NewEvaluator")
	}
	back, err := e.m.Rebuild(grid)
	if err != nil {
		return err
	}
	f, err := frameOf(grid)
	if err == nil {
		f, err = pickNumeric(f, e.m.rebuilt.names, true)
	}
	if err != nil {
		return err
	}
	if weights != nil && len(weights) != f.Rows() {
		return fmt.Errorf("fspca: got %d weights for %d rows", len(weights), f.Rows())
	}
	for i := range f.Rows() {
		e.addRow(f.Numeric().RawRowView(i), back.Numeric().RawRowView(i), at(weights, i, 1))
	}
	return nil
}

// addRow measures what back misses of a row x of weight w.
func (e *Evaluator) addRow(x, back []float64, w float64) {
	r, residual := e.m.rebuilt, 0.0
	if _, exponent := math.Frexp(w); e.unit == 0 && w > 0 {
		e.unit = math.Ldexp(1, -max(-1000, min(exponent, 1000)))
	}
	w *= e.unit
	for j, v := range x {
		scale, mean := at(r.scale, j, 1), at(r.mean, j, 0)
		miss, spread := (v-back[j])/scale, (v-mean)/scale
		e.errs[j] += w * miss * miss
		e.all[j] += w * spread * spread
		residual += miss * miss
		e.row[j] = spread
		e.low[j], e.high[j] = min(e.low[j], v), max(e.high[j], v)
	}
	for c := range e.chances {
		e.chances[c] += w * r.chances[c].misses(e.row, e.z)
	}
	e.residuals = append(e.residuals, math.Sqrt(residual/float64(len(x))))
}

// Evaluation returns the figures of all rows so far; nil for a zero Evaluator.
func (e *Evaluator) Evaluation() *Evaluation {
	if e.m == nil {
		return nil
	}
	out := &Evaluation{Rows: len(e.residuals), Residuals: slices.Clone(e.residuals)}
	var miss, spread float64
	for j, name := range e.m.rebuilt.names {
		one := ColumnEvaluation{Name: name}
		if !transformer.WithinRounding(e.low[j], e.high[j], 0) {
			one.R2 = explained(e.errs[j], e.all[j])
		}
		out.Columns = append(out.Columns, one)
		miss, spread = miss+e.errs[j], spread+e.all[j]
	}
	out.R2 = explained(miss, spread)
	if f := e.m.figures; f != nil {
		out.RandomInFit, out.Noise = copied(f.Random), copied(f.Noise)
	}
	if len(e.chances) > 0 && out.R2 != nil {
		var sum float64
		for _, missed := range e.chances {
			sum += 1 - missed/spread
		}
		out.Random = known(sum / float64(len(e.chances)))
	}
	return out
}
