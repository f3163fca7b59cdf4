package solver

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
)

// scores returns the diagonal of the proxy at the current point. With WᵀAW =
// Q·diag(g)·Qᵀ and Z = AW it is score_i = ‖(Z·Q·g^{-1/2})_i‖², over the g that are
// not rounding errors. Rows of Z·Q·g^{-1/2} are returned too, and all until the next call.
// At an embedding WᵀAW is diagonal already.
func (r *run) scores(ctx context.Context) (scores []float64, rows picked, err error) {
	if r.room == nil {
		r.room = kernel.Borrow()
	}
	if at, ok := r.at.(*rowsAscender); ok && at.c.route == RouteGram && r.best != nil && r.best.values[0] > 0 && r.p.Epsilon == 0 {
		scores = r.room.Floats(r.a.Order())
		return scores, at.proxy(scores, r.best), nil
	}
	if r.foretell != nil {
		if r.foretold, err = r.foretell(ctx, r); err != nil {
			return nil, nil, err
		}
	}
	z, g, err := r.product(ctx)
	if err != nil {
		return nil, nil, err
	}
	if g[0] <= 0 { // W lies in the null space and says nothing
		return r.a.Diag(), pickedFrom(z), nil
	}
	return proxyOf(z, g), pickedFrom(z), nil
}

// picked returns some rows of a matrix (|columns|×m); columns is not empty.
type picked func(columns []int) *mat.Dense

// pickedFrom returns those of z.
func pickedFrom(z *mat.Dense) picked {
	return func(columns []int) *mat.Dense { return subspace.Rows(z, columns) }
}

// proxyOf returns the diagonal of the proxy, Z being AW and g the diagonal of WᵀAW, descending, g₁ > 0. It
// changes Z to Z·g^{-1/2}.
func proxyOf(z *mat.Dense, g []float64) []float64 {
	scale := make([]float64, len(g))
	for j, v := range g {
		if v > rankTolerance*g[0] {
			scale[j] = 1 / math.Sqrt(v)
		}
	}
	d, _ := z.Dims()
	scores := make([]float64, d)
	eachRow(len(scores), len(scale), func(i int) {
		row, sum := z.RawRowView(i), 0.0
		for j, f := range scale[:len(row)] {
			v := row[j] * f
			row[j] = v
			sum += v * v
		}
		scores[i] = sum
	})
	return scores
}

// product returns (A + εI)W·Q, where Q diagonalises Wᵀ(A + εI)W, and that diagonal, descending.
func (r *run) product(ctx context.Context) (z *mat.Dense, g []float64, err error) {
	d, eps := r.a.Order(), r.p.Epsilon
	if f := r.foretold; f != nil && f.gained != nil {
		both := mat.NewDense(d, 2*r.m, r.room.Floats(2*d*r.m))
		r.at.(*rowsAscender).mulBoth(kernel.Matrix(both.RawMatrix()), r.best, f.gained)
		f.told = floats.Sum(proxyOf(both.Slice(0, d, r.m, 2*r.m).(*mat.Dense), f.gained.values))
		return both.Slice(0, d, 0, r.m).(*mat.Dense), r.best.values, nil
	}
	z = mat.NewDense(d, r.m, r.room.Floats(d*r.m))
	if r.best == nil {
		if err := r.a.Mul(ctx, z, r.w0); err != nil {
			return nil, nil, err
		}
		for i := range r.a.Order() {
			floats.AddScaled(z.RawRowView(i), eps, r.w0.RawRowView(i))
		}
		g, err = rotateToDiagonal(z, r.w0)
		return z, g, err
	}
	if err := r.at.mulRows(ctx, z, r.best); err != nil {
		return nil, nil, err
	}
	g = slices.Clone(r.best.values)
	floats.AddConst(eps, g)
	for i, row := range r.best.support {
		floats.AddScaled(z.RawRowView(row), eps, r.best.vectors.RawRowView(i))
	}
	return z, g, nil
}

// rotateToDiagonal replaces z by z·Q, where WᵀZ = Q·diag(g)·Qᵀ, and returns
// g, descending.
func rotateToDiagonal(z, w *mat.Dense) ([]float64, error) {
	_, m := z.Dims()
	var wz mat.Dense
	wz.Mul(w.T(), z)
	sym := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			sym.SetSym(i, j, (wz.At(i, j)+wz.At(j, i))/2)
		}
	}
	g, q, err := leadingPairs(sym, m)
	if err != nil {
		return nil, err
	}
	var rotated mat.Dense
	rotated.Mul(z, q)
	z.Copy(&rotated)
	return g, nil
}
