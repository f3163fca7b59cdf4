package baseline

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Defaults of TPowerParams. They are those of the authors' program, except that its
// tolerance is absolute.
const (
	DefaultTPowerIterations = 50
	DefaultTPowerTolerance  = 1e-6
)

// TPowerParams are the parameters of TPower and Deflate. The zero value is
// usable.
type TPowerParams struct {
	MaxIterations int     // steps for one vector; 0 means DefaultTPowerIterations
	Tolerance     float64 // relative change of xᵀAx that ends them; 0 means DefaultTPowerTolerance

	// Flat starts from equal weights on the k largest diagonal entries
	// instead of the unit vector of the largest one.
	Flat bool
}

// check returns all that is wrong with p for k of d columns and m components.
func (p TPowerParams) check(k, m, d int) error {
	return errors.Join(
		param.Sizes(k, m, d),
		param.AtLeast("MaxIterations", "max iterations", p.MaxIterations, 1, "the default"),
		param.Finite("Tolerance", "tolerance", p.Tolerance),
	)
}

func (p TPowerParams) withDefaults() TPowerParams {
	p.MaxIterations = cmp.Or(p.MaxIterations, DefaultTPowerIterations)
	p.Tolerance = cmp.Or(p.Tolerance, DefaultTPowerTolerance)
	return p
}

// TPower is TPower (G) of the paper. The truncated power method finds the first
// sparse eigenvector; its k columns are the support of all m components. Iterations
// and Status are those of the power method; Trace holds the objective of the refit
// alone.
//
// Source: X.-T. Yuan, T. Zhang: Truncated Power Method for Sparse Eigenvalue
// Problems, JMLR 14, 2013.
func TPower(ctx context.Context, a solver.Covariance, k, m int, p TPowerParams) (*solver.Solution, error) {
	if err := p.check(k, m, subspace.Order(a)); err != nil {
		return nil, err
	}
	v, err := powerIteration(ctx, a, nil, k, p.withDefaults())
	if err != nil {
		return nil, err
	}
	return refit(ctx, a, v.support, m, v.steps, v.status)
}

// sparseVector is a unit vector x: zero but for entries on the support.
type sparseVector struct {
	support []int
	entries *mat.Dense // len(support)×1
	value   float64    // xᵀAx
	steps   int
	status  solver.Status
}

// truncateVector returns the k entries of s of largest magnitude, normalised.
func truncateVector(s *mat.Dense, k int) sparseVector {
	support := subspace.TopK(subspace.RowSquares(s), k)
	entries := subspace.Rows(s, support)
	if norm := mat.Norm(entries, 2); norm > 0 {
		entries.Scale(1/norm, entries)
	} else {
		entries.Set(0, 0, 1) // A·x = 0: nothing is left to explain
	}
	return sparseVector{support: support, entries: entries}
}

// powerIteration runs the truncated power method on (I − x_p x_pᵀ)…(I −
// x_1x_1ᵀ)·A·(I − x_1x_1ᵀ)…(I − x_p x_pᵀ) for the vectors x_1…x_p taken out
// before.
func powerIteration(ctx context.Context, a solver.Covariance, taken []sparseVector, k int, p TPowerParams) (sparseVector, error) {
	d := a.Order()
	s := mat.NewDense(d, 1, nil)
	diag, err := deflatedDiag(ctx, a, taken)
	if err != nil {
		return sparseVector{}, err
	}
	x := firstVector(diag, k, p.Flat)
	if err := multiplyDeflated(ctx, s, a, taken, x); err != nil {
		return sparseVector{}, err
	}
	x = truncateVector(s, k)
	for {
		if err := multiplyDeflated(ctx, s, a, taken, x); err != nil {
			if ctx.Err() == nil {
				return sparseVector{}, err
			}
			x.status = solver.EndOf(ctx)
			return x, nil
		}
		value := point{x.support, x.entries}.value(s)
		change := math.Abs(value - x.value)
		x.value = value
		switch {
		case x.steps > 0 && change <= p.Tolerance*math.Abs(value):
			x.status = solver.Converged
			return x, nil
		case ctx.Err() != nil:
			x.status = solver.EndOf(ctx)
			return x, nil
		case x.steps == p.MaxIterations:
			x.status = solver.IterationLimit
			return x, nil
		}
		next := truncateVector(s, k)
		next.value, next.steps = value, x.steps+1
		x = next
	}
}

// firstVector returns the start that the diagonal suggests.
func firstVector(diag []float64, k int, flat bool) sparseVector {
	if !flat {
		k = 1
	}
	x := sparseVector{support: subspace.TopK(diag, k), entries: mat.NewDense(k, 1, nil)}
	for i := range k {
		x.entries.Set(i, 0, 1/math.Sqrt(float64(k)))
	}
	return x
}

// multiplyDeflated stores P·A·Pᵀ·x in dst (d×1), where P takes out the
// vectors in taken, first to last.
func multiplyDeflated(ctx context.Context, dst *mat.Dense, a solver.Covariance, taken []sparseVector, x sparseVector) error {
	if len(taken) == 0 {
		return a.MulRows(ctx, dst, x.support, x.entries)
	}
	dense := mat.NewDense(a.Order(), 1, nil)
	for p, i := range x.support {
		dense.Set(i, 0, x.entries.At(p, 0))
	}
	for i := len(taken) - 1; i >= 0; i-- {
		taken[i].takeOut(dense)
	}
	if err := a.Mul(ctx, dst, dense); err != nil {
		return err
	}
	for _, t := range taken {
		t.takeOut(dst)
	}
	return nil
}

// takeOut replaces s by (I − xxᵀ)·s.
func (x sparseVector) takeOut(s *mat.Dense) {
	var c float64
	for p, i := range x.support {
		c += x.entries.At(p, 0) * s.At(i, 0)
	}
	for p, i := range x.support {
		s.Set(i, 0, s.At(i, 0)-c*x.entries.At(p, 0))
	}
}

// deflatedDiag returns the diagonal of the deflated matrix. With y = Bx the
// deflation B' = (I − xxᵀ)B(I − xxᵀ) has the entries b'_ii = b_ii − 2x_i·y_i +
// (xᵀy)·x_i².
func deflatedDiag(ctx context.Context, a solver.Covariance, taken []sparseVector) ([]float64, error) {
	diag := append([]float64(nil), a.Diag()...)
	y := mat.NewDense(a.Order(), 1, nil)
	for n, x := range taken {
		if err := multiplyDeflated(ctx, y, a, taken[:n], x); err != nil {
			return nil, err
		}
		c := point{x.support, x.entries}.value(y)
		for p, i := range x.support {
			xi := x.entries.At(p, 0)
			diag[i] += xi * (c*xi - 2*y.At(i, 0))
		}
	}
	return diag, nil
}

// dense returns x as a column of length d.
func (x sparseVector) dense(d int) []float64 {
	col := make([]float64, d)
	for p, i := range x.support {
		col[i] = x.entries.At(p, 0)
	}
	if peak := col[floats.MaxIdx(lists.Map(col, math.Abs))]; peak < 0 {
		floats.Scale(-1, col)
	}
	return col
}
