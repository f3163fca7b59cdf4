package solver

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// gramPairs are the r leading pairs of A = XᵀX/(n−1) by those of G = XXᵀ/(n−1): with Gq = λq the vector
// Xᵀq/√λ is an eigenvector of XᵀX. It is made when it is asked for: most that is done with the pairs takes Q.
type gramPairs struct {
	of                spectral.Pairs // of G
	values, residuals []float64      // r; a value that is nothing but rounding is 0
	q                 kernel.Matrix  // n×min(r, n): the eigenvectors of G
	d                 int
	transpose         func(out, q kernel.Matrix) // stores D(X − 1μᵀ)ᵀQ/(n−1) in its first argument
	data              *Data                      // A, whose columns are not embedded ones

	once  sync.Once
	found *mat.Dense
}

// byGram returns the r leading pairs of the d columns of which gram is G.
func byGram(ctx context.Context, gram kernel.Matrix, r, d int, transpose func(out, q kernel.Matrix)) (*gramPairs, error) {
	n := gram.Rows
	pairs, err := leadingFull(ctx, gram, min(r, n), nil)
	if err != nil {
		return nil, err
	}
	g := &gramPairs{of: *pairs, values: pairs.Values, residuals: pairs.Residuals, q: kernel.Matrix(pairs.Vectors.RawMatrix()), d: d, transpose: transpose}
	floor := 1e-15 * float64(n) * g.values[0] // nothing but rounding
	for j, v := range g.values {
		if v <= floor {
			g.values[j] = 0
		}
	}
	for len(g.values) < r {
		g.values = append(g.values, 0)
		g.residuals = append(g.residuals, floor)
	}
	return g, nil
}

// vectors returns the eigenvectors of A (d×r), shared.
func (g *gramPairs) vectors() *mat.Dense {
	g.once.Do(func() {
		r := len(g.values)
		g.found = mat.NewDense(g.d, r, nil)
		g.transpose(kernel.Matrix(g.found.RawMatrix()).Slice(0, g.d, 0, g.q.Cols), g.q)
		for j, v := range g.values[:g.q.Cols] {
			if v == 0 {
				g.found.Slice(0, g.d, j, j+1).(*mat.Dense).Zero()
			}
		}
		if g.apart() {
			normaliseColumns(g.found)
		} else {
			subspace.Orthonormalise(g.found)
		}
	})
	return g.found
}

// wellApart is λ_r/λ₁ above which eigenvectors found through the Gram matrix
// are orthogonal to all but the last two or three digits.
const wellApart = 1e-3

// apart reports whether the vectors Xᵀq_i are orthogonal to each other: they are to about ε·λ₁/√(λ_iλ_j).
func (g *gramPairs) apart() bool { return g.values[len(g.values)-1] > wellApart*g.values[0] }

// rowsOf returns some rows of the eigenvectors.
func (g *gramPairs) rowsOf(columns []int) *mat.Dense {
	if !g.apart() {
		return subspace.Rows(g.vectors(), columns)
	}
	rows := g.data.times(columns, g.rows(len(g.values), 0))
	for p := range columns {
		for j, v := range rows.RawRowView(p) {
			rows.Set(p, j, v/math.Sqrt(g.values[j]))
		}
	}
	return rows
}

// bare returns the pairs without their vectors.
func (g *gramPairs) bare() *spectral.Pairs {
	p := g.of
	p.Values, p.Residuals, p.Vectors = slices.Clone(g.values), slices.Clone(g.residuals), nil
	return &p
}

// pairs returns the pairs; their vectors are shared.
func (g *gramPairs) pairs() *spectral.Pairs {
	p := g.bare()
	p.Vectors = g.vectors()
	return p
}

// explained sets scores to diag(A_m).
func (g *gramPairs) explained(scores []float64, m int) { g.data.squares(scores, g.rows(m, 0)) }

// rows returns Q/√(n−1) (n×m), zero for a value that is not above least. The squares in a row of DXᵀ times that add
// up to what the pairs explain of a column.
func (g *gramPairs) rows(m int, least float64) kernel.Matrix {
	t := kernel.NewMatrix(g.q.Rows, m)
	m = min(m, g.q.Cols)
	f := 1 / math.Sqrt(float64(g.q.Rows-1))
	for i := range t.Rows {
		row := t.Row(i)
		for j, v := range g.q.Row(i)[:m] {
			if g.values[j] > least {
				row[j] = v * f
			}
		}
	}
	return t
}

// byGram returns the r leading pairs by the Gram matrix.
func (c *Data) byGram(ctx context.Context, r int) (*gramPairs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.pairs.of(r, func() (*gramPairs, error) {
		room := kernel.Borrow()
		defer room.Release()
		g, err := byGram(ctx, c.gramMatrix(room), r, c.d, c.mulTranspose)
		if err == nil {
			g.data = c
		}
		return g, err
	})
}

// squares sets dst to the squared lengths of the rows of D(X − 1μᵀ)ᵀT for T n×c.
func (c *Data) squares(dst []float64, t kernel.Matrix) {
	if slices.ContainsFunc(c.factor, beyondSquares) {
		c.squaresOfProduct(dst, t)
		return
	}
	c.reads.Add(1)
	if c.columns == nil {
		kernel.LeftSquares(dst, c.x, c.center, t)
	} else {
		room := kernel.Borrow()
		defer room.Release()
		all := room.Floats(c.x.Cols)
		kernel.LeftSquares(all, c.x, c.center, t)
		for p, j := range c.columns {
			dst[p] = all[j]
		}
	}
	if c.factor != nil {
		floats.Mul(dst, c.factor)
		floats.Mul(dst, c.factor)
	}
}

// beyondSquares reports whether the squares of what a factor scales may leave the range of float64.
func beyondSquares(f float64) bool { return f < 0x1p-400 || f > 0x1p+400 }

// squaresOfProduct is squares of the product, which is scaled first.
func (c *Data) squaresOfProduct(dst []float64, t kernel.Matrix) {
	room := kernel.Borrow()
	defer room.Release()
	z := room.Matrix(c.d, t.Cols)
	c.mulTranspose(z, t)
	f := float64(c.n-1) * float64(c.n-1)
	for j := range dst {
		dst[j] = kernel.Dot(z.Row(j), z.Row(j)) * f
	}
}

// times returns rows of D(X − 1μᵀ)ᵀT for T n×c, those of some columns, of which there are any.
func (c *Data) times(columns []int, t kernel.Matrix) *mat.Dense {
	room := kernel.Borrow()
	defer room.Release()
	xs, out := room.Matrix(t.Rows, len(columns)), mat.NewDense(len(columns), t.Cols, nil)
	kernel.Gather(xs, c.view(columns))
	kernel.Gemm(true, false, 1, xs, t, 0, kernel.Matrix(out.RawMatrix()))
	return out
}
