package reconstruction

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
)

// Decoder returns D = AW(WᵀAW)† (d×m). μ + Dz is the least-squares reconstruction
// of all columns from the components z = Wᵀ(x − μ). W holds the loadings (k×m) on
// the support (ascending), of either criterion; for those of Solve, D = A_·S·V. The
// rows of excluded columns, and of columns that do not vary, are zero.
//
// A ridge λ > 0 gives AW(Wᵀ(A + λ·diag A)W)†, which shrinks the coefficients of the
// chosen columns. For m = k that is ridge regression of all columns on them. Use it
// when there are few rows.
func Decoder(ctx context.Context, a solver.Covariance, support []int, loadings *mat.Dense, exclude []int, ridge float64) (*mat.Dense, error) {
	if !(ridge >= 0) || math.IsInf(ridge, 0) {
		return nil, fmt.Errorf("the ridge is %v: want a finite number, 0 or more", ridge)
	}
	if err := cmp.Or(checkSupport(subspace.Order(a), support, loadings), ctx.Err()); err != nil {
		return nil, err
	}
	o, err := newOperator(a, exclude)
	if err != nil {
		return nil, err
	}
	z, err := o.product(ctx, support, loadings)
	if err != nil {
		return nil, err
	}
	rotated, half, err := o.whitened(support, loadings, z, ridge)
	if err != nil {
		return nil, err
	}
	return decoderOf(rotated, half), nil
}

// decoderOf returns D from what whitened returns.
func decoderOf(rotated, half kernel.Matrix) *mat.Dense {
	d := mat.NewDense(rotated.Rows, half.Rows, nil)
	kernel.Gemm(false, true, 1, rotated, half, 0, kernel.Matrix(d.RawMatrix()))
	return d
}

// inverseTolerance is the eigenvalue of WᵀAW with a unit diagonal, relative to
// the largest, below which a direction is dropped.
const inverseTolerance = 1e-12

// product returns Z = AW.
func (o *operator) product(ctx context.Context, support []int, loadings *mat.Dense) (*mat.Dense, error) {
	_, m := loadings.Dims()
	z := mat.NewDense(o.d, m, nil)
	return z, o.a.MulRows(ctx, z, support, loadings)
}

// productOf returns Z = AW from A_·S.
func (o *operator) productOf(columns, loadings *mat.Dense) *mat.Dense {
	_, m := loadings.Dims()
	z := mat.NewDense(o.d, m, nil)
	kernel.Gemm(false, false, 1, kernel.Matrix(columns.RawMatrix()), kernel.Matrix(loadings.RawMatrix()), 0, kernel.Matrix(z.RawMatrix()))
	return z
}

// whitened returns ZQΓ^{-½} and QΓ^{-½} for Z = AW and G = WᵀZ = QΓQᵀ, which is scaled to a unit
// diagonal: D = ZQΓ⁻¹Qᵀ, and without a ridge the rows of ZQΓ^{-½} have the variances that D explains as
// their squares.
func (o *operator) whitened(support []int, loadings, z *mat.Dense, ridge float64) (rotated, half kernel.Matrix, err error) {
	for j := range o.d {
		if o.diag[j] == 0 {
			clear(z.RawRowView(j))
		}
	}
	shrink := shrinkage(ridge)
	g, scale := o.gram(support, loadings, z, ridge, shrink*shrink)
	pairs, err := spectral.Full(g)
	if err != nil {
		return rotated, half, err
	}
	_, m := loadings.Dims()
	half = kernel.NewMatrix(m, m) // S·Q·Γ^{-½}, S the diagonal of scales
	for t, v := range pairs.Values {
		if !(v > inverseTolerance*pairs.Values[0]) {
			continue
		}
		root := shrink / math.Sqrt(v)
		for i := range m {
			half.Row(i)[t] = scale[i] * pairs.Vectors.At(i, t) * root
		}
	}
	rotated = kernel.NewMatrix(o.d, m)
	kernel.Gemm(false, false, 1, kernel.Matrix(z.RawMatrix()), half, 0, rotated)
	return rotated, half, nil
}

// components returns the variance that the components explain of all columns, scaled like the operator.
// Z = AW; it is changed.
func (o *operator) components(support []int, loadings, z *mat.Dense) (float64, error) {
	rotated, _, err := o.whitened(support, loadings, z, 0)
	if err != nil {
		return 0, err
	}
	return lists.Sum(lists.Make(o.d, func(j int) float64 { return o.scale * kernel.Dot(rotated.Row(j), rotated.Row(j)) })), nil
}

// shrinkage returns a power of two whose square keeps products with the ridge λ from overflowing: 1 for
// λ < 1, else about 1/√λ.
func shrinkage(ridge float64) float64 {
	if ridge < 1 {
		return 1
	}
	_, exponent := math.Frexp(ridge)
	return math.Ldexp(1, -(exponent+1)/2)
}

// gram returns c·(WᵀZ + λ·Wᵀ·diag(A)·W) with its rows and columns multiplied by scale, which makes
// its diagonal 1, or 0 for a component without variance: one whose terms cancel, up to the share
// at which a column counts as spanned by the others.
func (o *operator) gram(support []int, loadings, z *mat.Dense, ridge, c float64) (*mat.SymDense, []float64) {
	_, m := loadings.Dims()
	var raw mat.Dense
	chosen, terms := mat.NewDense(len(support), m, nil), make([]float64, m)
	for p, j := range support {
		variance := o.diag[j] / o.scale
		for t, w := range loadings.RawRowView(p) {
			chosen.Set(p, t, c*z.At(j, t)+c*ridge*variance*w)
			terms[t] += c * w * w * variance
		}
	}
	raw.Mul(loadings.T(), chosen)
	scale := make([]float64, m)
	for t := range scale {
		if v := raw.At(t, t); v > spanTolerance*terms[t] {
			scale[t] = 1 / math.Sqrt(v)
		}
	}
	g := mat.NewSymDense(m, nil)
	for t := range m {
		for u := range t + 1 {
			g.SetSym(t, u, scale[t]*scale[u]*(raw.At(t, u)/2+raw.At(u, t)/2))
		}
	}
	return g, scale
}
