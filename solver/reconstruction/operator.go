package reconstruction

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
)

// operator is scale·PAP, where P keeps the targets: an excluded column is
// neither chosen nor reconstructed, as if it were not there. Scale is a power
// of four that brings the largest variance near 1, since the algorithms work
// with A².
type operator struct {
	a       solver.Covariance
	d       int
	targets []bool // nil: all
	scale   float64
	diag    []float64
	squares []float64 // the diagonal of the operator's square
	total   float64   // its trace
	vary    int       // how many columns vary
}

func newOperator(a solver.Covariance, exclude []int) (*operator, error) {
	return newOperatorIn(nil, a, exclude)
}

// newOperatorIn is newOperator with its diagonal in room where that is large enough.
func newOperatorIn(room []float64, a solver.Covariance, exclude []int) (*operator, error) {
	if _, err := param.Lists(a.Order(), nil, exclude); err != nil {
		return nil, err
	}
	o := &operator{a: a, d: a.Order(), diag: append(room, a.Diag()...)}
	if len(exclude) > 0 {
		o.targets = slices.Repeat([]bool{true}, o.d)
		for _, j := range exclude {
			o.targets[j], o.diag[j] = false, 0
		}
	}
	_, exponent := math.Frexp(floats.Max(o.diag))
	o.scale = math.Ldexp(1, -2*(exponent/2))
	for j, v := range o.diag {
		if v *= o.scale; v > 0 {
			o.vary++
		} else {
			v = 0
		}
		o.diag[j] = v
		o.total += v
	}
	if o.total == 0 {
		return nil, solver.ErrConstant
	}
	return o, nil
}

// square fills in squares.
func (o *operator) square(ctx context.Context) (err error) {
	if o.squares, err = solver.ColumnSquares(ctx, o.a, o.scale, o.targets); err != nil {
		return err
	}
	for j := range o.squares {
		if o.diag[j] == 0 {
			o.squares[j] = 0
		}
	}
	return nil
}

// columns returns the operator's columns in support as the rows of a matrix.
func (o *operator) columns(ctx context.Context, support []int) (kernel.Matrix, error) {
	rows := kernel.NewMatrix(len(support), o.d)
	order := slices.Clone(support)
	slices.Sort(order)
	columns, err := solver.Columns(ctx, o.a, order)
	if err != nil {
		return rows, err
	}
	at := lists.Index(order)
	for p, j := range support {
		o.store(rows.Row(p), columns, at[j])
	}
	return rows, nil
}

// store writes column p of the d×c matrix m, scaled and masked, to row.
func (o *operator) store(row []float64, m *mat.Dense, p int) {
	for i := range row {
		if o.diag[i] > 0 {
			row[i] = o.scale * m.At(i, p)
		}
	}
}

// times returns the operator's products with the rows of v, which are 0 where
// a column is masked.
func (o *operator) times(ctx context.Context, v kernel.Matrix) (kernel.Matrix, error) {
	w, product := mat.NewDense(o.d, v.Rows, nil), mat.NewDense(o.d, v.Rows, nil)
	for p := range v.Rows {
		w.SetCol(p, v.Row(p))
	}
	out := kernel.NewMatrix(v.Rows, o.d)
	if err := o.a.Mul(ctx, product, w); err != nil {
		return out, err
	}
	for p := range v.Rows {
		o.store(out.Row(p), product, p)
	}
	return out, nil
}

// Order and Mul make the operator one of package spectral.
func (o *operator) Order() int { return o.d }

// Mul stores the product with w in dst, both d×c.
func (o *operator) Mul(ctx context.Context, dst, w *mat.Dense) error {
	masked := mat.DenseCopyOf(w)
	for i := range o.d {
		if o.diag[i] == 0 {
			clear(masked.RawRowView(i))
		}
	}
	if err := o.a.Mul(ctx, dst, masked); err != nil {
		return err
	}
	for i := range o.d {
		row := dst.RawRowView(i)
		for p := range row {
			if o.diag[i] == 0 {
				row[p] = 0
			} else {
				row[p] *= o.scale
			}
		}
	}
	return nil
}

// directOrder is the order up to which a masked operator is decomposed as a
// matrix.
const directOrder = 1000

// leading returns r leading eigenvalues and the eigenvectors as columns.
func (o *operator) leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	if o.targets == nil {
		values, vectors, err := o.a.Leading(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		values = slices.Clone(values)
		floats.Scale(o.scale, values)
		return values, vectors, nil
	}
	kept := o.varying()
	if len(kept) > directOrder {
		pairs, err := spectral.Krylov(ctx, o, r, spectral.Settings{})
		if err != nil {
			return nil, nil, err
		}
		return pairs.Values, pairs.Vectors, nil
	}
	return o.leadingOf(ctx, kept, r)
}

// leadingOf is leading for few columns that vary: those of their block.
func (o *operator) leadingOf(ctx context.Context, kept []int, r int) ([]float64, *mat.Dense, error) {
	values, vectors := make([]float64, r), mat.NewDense(o.d, r, nil)
	block, err := o.a.Block(ctx, kept)
	if err != nil {
		return nil, nil, err
	}
	pairs, err := spectral.Leading(block, min(r, len(kept)))
	if err != nil {
		return nil, nil, err
	}
	for i, v := range pairs.Values {
		values[i] = o.scale * v
	}
	for p, j := range kept {
		copy(vectors.RawRowView(j), pairs.Vectors.RawRowView(p))
	}
	return values, vectors, nil
}

// varying returns the columns that vary, without the excluded.
func (o *operator) varying() []int {
	return lists.Places(o.d, func(j int) bool { return o.diag[j] > 0 })
}

// table keeps columns of the operator and of its square once they have been
// asked for.
type table struct {
	op   *operator
	rows map[int]*column
}

// column is A_·j and A·A_·j.
type column struct{ once, twice []float64 }

// tableBytes bounds what a table keeps.
const tableBytes = 256 << 20

// fetch makes the columns in support available.
func (t *table) fetch(ctx context.Context, support []int) error {
	missing := lists.Where(support, func(j int) bool { return t.rows[j] == nil })
	if (len(t.rows)+len(missing))*t.op.d*16 > tableBytes {
		clear(t.rows)
		missing = support
	}
	const batch = 256
	for start := 0; start < len(missing); start += batch {
		part := missing[start:min(len(missing), start+batch)]
		once, err := t.op.columns(ctx, part)
		if err != nil {
			return err
		}
		twice, err := t.op.times(ctx, once)
		if err != nil {
			return err
		}
		for p, j := range part {
			t.rows[j] = &column{once.Row(p), twice.Row(p)}
		}
	}
	return nil
}
