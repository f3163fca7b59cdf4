package selector

import (
	"context"
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver/reconstruction"
)

// HeldOut says how well the chosen columns predict all columns (except Options.Exclude) on rows outside of
// the fit: R² as in Evaluation. A figure is nil if no column differs from its mean, or if it costs too
// much.
type HeldOut struct {
	R2           *float64 `json:"r2,omitempty"`            // by least squares on the chosen columns
	R2Components *float64 `json:"r2_components,omitempty"` // by the components
	Random       *float64 `json:"random,omitempty"`        // the mean of 10 random choices of as many columns
}

// HeldOut fits the reconstruction of all columns from the chosen ones to train, the rows of the fit, and
// measures it on test. Both need all columns of the fit, numeric and complete, and the column of
// Options.Weight, if there is one: a row of weight 2 counts twice.
func (m *Model) HeldOut(ctx context.Context, train, test base.FixedDataGrid) (*HeldOut, error) {
	if err := m.fitted(); err != nil {
		return nil, err
	}
	f, err := frameOf(train)
	if err != nil {
		return nil, err
	}
	o := m.options
	o.Bootstrap = 0
	s := New(o)
	t, err := s.openFrame(f)
	if err != nil {
		return nil, err
	}
	x, err := o.testRows(test, t.names)
	if err != nil {
		return nil, err
	}
	h := &HeldOut{}
	if h.R2Components, err = o.rebuiltShare(ctx, t, m.support, m.loadings, x); err != nil {
		return nil, err
	}
	k := len(m.support)
	if h.R2, err = o.rebuiltShare(ctx, t, m.support, unit(k), x); err != nil || h.R2 == nil {
		return h, err
	}
	n, d := x.x.RawMatrix().Rows+t.rows, len(t.names)
	if float64(n)*float64(d)*float64(k)*randomChoices > figureWork {
		return h, nil
	}
	if h.Random, err = o.randomShare(ctx, t, k, x); err != nil {
		return nil, err
	}
	return h, nil
}

// testRows are the numbers of the named columns of other rows, and the weights of these.
func (o Options) testRows(test base.FixedDataGrid, names []string) (rows weighed, err error) {
	g, err := frameOf(test)
	if err != nil {
		return rows, err
	}
	if o.Weight != "" { // the weights of rows held out may be few
		if rows.weights, err = columnOfWeights(g, o.Weight); err != nil {
			return rows, err
		}
	}
	if g, err = pick(g, names); err != nil {
		return rows, err
	}
	if err := g.CheckComplete("fspca"); err != nil {
		return rows, err
	}
	rows.x = g.Numeric()
	return rows, nil
}

// randomShare is the mean R² of random choices of k columns.
func (o Options) randomShare(ctx context.Context, t *table, k int, x weighed) (*float64, error) {
	params, err := o.params(t.names)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for i := range uint64(randomChoices) {
		choice, err := reconstruction.RandomChoice(t.a, o.chanceParams(k, k, params), i)
		if err != nil {
			return nil, fmt.Errorf("fspca: held out: %w", err)
		}
		r2, err := o.rebuiltShare(ctx, t, choice, unit(k), x)
		if err != nil {
			return nil, err
		}
		sum += *r2
	}
	return known(sum / randomChoices), nil
}

// weighed are rows with their weights, nil for 1 each.
type weighed struct {
	x       *mat.Dense
	weights []float64
}

// unit is the identity of order k.
func unit(k int) *mat.Dense {
	return mat.DenseCopyOf(mat.NewDiagDense(k, slices.Repeat([]float64{1}, k)))
}

// rebuiltShare is R² of the rows of x, all columns of t, by the components of loadings on the support.
func (o Options) rebuiltShare(ctx context.Context, t *table, support []int, loadings *mat.Dense, rows weighed) (*float64, error) {
	_, exclude, err := o.lists(t.names)
	if err != nil {
		return nil, err
	}
	d, err := reconstruction.Decoder(ctx, t.a, support, loadings, exclude, o.Ridge)
	if err != nil {
		return nil, fmt.Errorf("fspca: held out: %w", err)
	}
	left := lists.Marks(len(t.names), exclude)
	n, c := rows.x.Dims()
	_, m := loadings.Dims()
	row, z := make([]float64, c), make([]float64, m)
	var miss, spread float64
	for i := range n {
		t.standardise(row, rows.x.RawRowView(i))
		weight := at(rows.weights, i, 1)
		clear(z)
		for p, j := range support {
			for q, w := range loadings.RawRowView(p) {
				z[q] += w * row[j]
			}
		}
		for j, v := range row {
			if left[j] {
				continue
			}
			e := v
			for q, w := range d.RawRowView(j) {
				e -= w * z[q]
			}
			miss, spread = miss+weight*e*e, spread+weight*v*v
		}
	}
	return explained(miss, spread), nil
}

// standardise writes a row of the table to dst as the operator has it: centred and scaled.
func (t *table) standardise(dst, row []float64) {
	for j, v := range row {
		dst[j] = (v - at(t.mean, j, 0)) / at(t.scale, j, 1)
	}
}
