package selector

import (
	"math"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/transformer"
)

// Check compares new rows with those of the fit. A figure that a model from an older file lacks is
// nil.
type Check struct {
	Rows int `json:"rows"`

	// Drift is the largest drift of a column. Outside is the number of rows with a cell outside of the
	// range of its column in the fit.
	Drift   *float64 `json:"drift,omitempty"`
	Outside *int     `json:"outside,omitempty"`

	// Residual is the root mean squared residual of the fit, over rows and chosen columns.
	Residual *float64 `json:"residual,omitempty"`

	Columns    []ColumnCheck    `json:"columns"`    // the chosen ones
	Components []ComponentCheck `json:"components"` // in order
	Cells      []RowCheck       `json:"cells"`      // a line for each row
}

// ColumnCheck is a chosen column then (in the fit) and now.
type ColumnCheck struct {
	Name string `json:"name"`

	// Drift is the larger of |mean now − then| and |deviation now − then|, in standard deviations of the
	// fit. For a column that did not vary and has another value now it is math.MaxFloat64.
	Drift *float64 `json:"drift,omitempty"`

	LowThen      *float64 `json:"low_then,omitempty"`
	HighThen     *float64 `json:"high_then,omitempty"`
	MeanThen     *float64 `json:"mean_then,omitempty"`
	VarianceThen *float64 `json:"variance_then,omitempty"`

	LowNow      float64  `json:"low_now"`
	HighNow     float64  `json:"high_now"`
	MeanNow     float64  `json:"mean_now"`
	VarianceNow *float64 `json:"variance_now,omitempty"` // nil for one row

	Outside *int `json:"outside,omitempty"` // rows outside of the range of the fit
}

// ComponentCheck is the share of the chosen columns' variance (each divided by its scale with
// Options.Standardize) that a component explains.
type ComponentCheck struct {
	Name string   `json:"name"`
	Then *float64 `json:"then,omitempty"`
	Now  *float64 `json:"now,omitempty"` // nil for one row, and where nothing varies
}

// RowCheck is one row: its root mean squared residual over the chosen columns (divided by their scale
// with Options.Standardize); and the columns in which it is outside of the range of the fit.
type RowCheck struct {
	Row      int      `json:"row"` // from 1
	Residual float64  `json:"residual"`
	Outside  []string `json:"outside,omitempty"`
}

// Check compares the rows of grid with those of the fit. It needs the chosen columns, numeric and
// complete.
func (m *Model) Check(grid base.FixedDataGrid) (*Check, error) {
	f, err := m.Transform(grid, Selected)
	if err != nil {
		return nil, err
	}
	if err := f.CheckComplete("fspca"); err != nil {
		return nil, err
	}
	x := f.Numeric()
	z, err := m.Project(x)
	if err != nil {
		return nil, err
	}
	back, err := m.Reconstruct(z)
	if err != nil {
		return nil, err
	}
	n, k := x.Dims()
	c := &Check{Rows: n, Cells: make([]RowCheck, n)}
	now := newSpread(k)
	for i := range n {
		now.add(x.RawRowView(i), 1)
		c.Cells[i] = RowCheck{Row: i + 1, Residual: m.residual(x.RawRowView(i), back.RawRowView(i)), Outside: m.outside(x.RawRowView(i))}
	}
	m.checkColumns(c, now)
	m.checkComponents(c, now, z)
	return c, nil
}

func (m *Model) residual(row, back []float64) float64 {
	sum := 0.0
	for i, v := range row {
		e := (v - back[i]) / at(m.scale, i, 1)
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(row)))
}

// outside returns the columns whose cell is out of the range of the fit; nil where that is not known.
func (m *Model) outside(row []float64) []string {
	t := m.training
	if t == nil {
		return nil
	}
	return lists.At(m.features, lists.Places(len(row), func(i int) bool { return t.outside(i, row[i]) }))
}

// checkColumns compares the columns.
func (m *Model) checkColumns(c *Check, now *spread) {
	variances := now.variances()
	for i, name := range m.features {
		e := ColumnCheck{Name: name, LowNow: now.low[i], HighNow: now.high[i], MeanNow: now.mean[i]}
		if variances != nil {
			e.VarianceNow = &variances[i]
		}
		if t := m.training; t != nil {
			e.LowThen, e.HighThen, e.MeanThen, e.VarianceThen = copied(&t.Low[i]), copied(&t.High[i]), copied(&t.Mean[i]), copied(&t.Variance[i])
			drift := t.drift(i, e)
			e.Drift, e.Outside = &drift, new(int)
		}
		c.Columns = append(c.Columns, e)
	}
	if m.training != nil {
		c.sumUp()
	}
}

// sumUp takes the figures of the columns and the rows together.
func (c *Check) sumUp() {
	c.Drift, c.Outside = new(float64), new(int)
	place := make(map[string]*int)
	for _, e := range c.Columns {
		*c.Drift = max(*c.Drift, *e.Drift)
		place[e.Name] = e.Outside
	}
	for _, r := range c.Cells {
		if len(r.Outside) > 0 {
			*c.Outside++
		}
		for _, name := range r.Outside {
			*place[name]++
		}
	}
}

// constant reports whether column i did not vary, nor varies with cells from low to high
// (transformer.WithinRounding).
func (t *training) constant(i int, low, high float64) bool {
	return transformer.WithinRounding(min(t.Low[i], low), max(t.High[i], high), 0)
}

// outside reports whether a cell is out of the range of column i.
func (t *training) outside(i int, v float64) bool {
	return (v < t.Low[i] || v > t.High[i]) && !t.constant(i, v, v)
}

// drift is ColumnCheck.Drift of column i; the variance now may be unknown.
func (t *training) drift(i int, now ColumnCheck) float64 {
	shift, sd := math.Abs(now.MeanNow-t.Mean[i]), math.Sqrt(t.Variance[i])
	if now.VarianceNow != nil {
		shift = max(shift, math.Abs(math.Sqrt(*now.VarianceNow)-sd))
	}
	switch {
	case shift == 0 || t.constant(i, now.LowNow, now.HighNow):
		return 0
	case sd == 0 || t.constant(i, t.Low[i], t.High[i]):
		return math.MaxFloat64
	}
	return min(math.MaxFloat64, shift/sd)
}

// lostRounding is the share of the variance, for each chosen column, that rounding alone may seem to lose.
const lostRounding = 1e-15

// checkComponents compares the shares of the components.
func (m *Model) checkComponents(c *Check, now *spread, z *mat.Dense) {
	components := len(m.variances)
	scores := newSpread(components)
	for i := range c.Rows {
		scores.add(z.RawRowView(i), 1)
	}
	then, thenTotal := m.then()
	nowShares, nowTotal := scores.moments(m.options.Uncentered), 0.0
	for i, v := range now.moments(m.options.Uncentered) {
		nowTotal += v / at(m.scale, i, 1) / at(m.scale, i, 1)
	}
	kept := 0.0
	for j := range components {
		e := ComponentCheck{Name: componentName(j)}
		part := m.part(j)
		if thenTotal > 0 {
			e.Then = known(part * then[j] / thenTotal)
			kept += *e.Then
		}
		if nowTotal > 0 {
			e.Now = known(part * nowShares[j] / nowTotal)
		}
		c.Components = append(c.Components, e)
	}
	if thenTotal > 0 {
		count := m.count()
		lost := 1 - kept
		if lost <= lostRounding*float64(len(m.features)) {
			lost = 0
		}
		rms := math.Sqrt(lost * thenTotal / float64(len(m.features)) * (count - 1) / count)
		c.Residual = &rms
	}
}

// count is the number of rows of the fit, or the sum of their weights.
func (m *Model) count() float64 {
	if m.weight != 0 {
		return m.weight
	}
	return float64(m.rows)
}

// then returns the variances of the scores in the fit, and that of all chosen columns together, 0 where
// it is not known.
func (m *Model) then() (scores []float64, total float64) {
	t := m.training
	if t == nil {
		return nil, 0
	}
	for i, v := range t.Variance {
		if m.options.Uncentered {
			v += t.Mean[i] * t.Mean[i] * m.count() / (m.count() - 1)
		}
		total += v / at(m.scale, i, 1) / at(m.scale, i, 1)
	}
	if m.decoder == nil {
		return m.variances, total
	}
	scores = make([]float64, len(m.variances)) // of variance 1
	for j, v := range m.variances {
		if v > 0 {
			scores[j] = 1
		}
	}
	return scores, total
}

// part is the variance of the chosen columns that a score of variance 1 stands for: the squared norm of
// the component's column in what rebuilds them.
func (m *Model) part(j int) float64 {
	back := m.loadings
	if m.decoder != nil {
		back = m.decoder
	}
	return mat.Dot(back.ColView(j), back.ColView(j))
}

// moments returns the variances, or the second moments about 0; zeros for a single row.
func (s *spread) moments(aboutZero bool) []float64 {
	out := s.variances()
	if out == nil {
		return make([]float64, len(s.mean))
	}
	for j, mean := range s.mean {
		if aboutZero {
			out[j] += mean * mean * s.weight / (s.weight - 1)
		}
	}
	return out
}
