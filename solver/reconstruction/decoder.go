package reconstruction

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
)

// Decoder returns D = AW(WᵀAW)† (d×m), with which μ + Dz is the least-squares
// reconstruction of all columns from the components z = Wᵀ(x − μ). W has the
// loadings on the support (ascending) and may be that of either criterion; for
// Solve's, D = A_·S·V. The rows of excluded columns, and of those that do not
// vary, are zero.
//
// A ridge λ > 0 gives AW(Wᵀ(A + λ·diag A)W)†, which shrinks the coefficients of
// the chosen columns: for m = k ridge regression of all columns on them. Few rows
// need it.
func Decoder(ctx context.Context, a solver.Covariance, support []int, loadings *mat.Dense, exclude []int, ridge float64) (*mat.Dense, error) {
	if !(ridge >= 0) || math.IsInf(ridge, 0) {
		return nil, fmt.Errorf("the ridge is %v: want a finite number, 0 or more", ridge)
	}
	if err := checkSupport(subspace.Order(a), support, loadings); err != nil {
		return nil, err
	}
	o, err := newOperator(a, exclude)
	if err != nil {
		return nil, err
	}
	d, err := o.decoder(ctx, support, loadings, ridge)
	if err != nil {
		return nil, err
	}
	return d.matrix, nil
}

// decoder is D and the variance that it explains without a ridge, scaled like the
// operator.
type decoder struct {
	matrix    *mat.Dense
	explained float64
}

// inverseTolerance is the eigenvalue of WᵀAW with a unit diagonal, relative to
// the largest, below which a direction is dropped.
const inverseTolerance = 1e-12

// decoder solves for D. With Z = AW and G = WᵀZ scaled to a unit diagonal,
// G = QΓQᵀ, D = ZQΓ⁻¹Qᵀ and the variance explained is ‖ZQΓ^{-½}‖².
func (o *operator) decoder(ctx context.Context, support []int, loadings *mat.Dense, ridge float64) (*decoder, error) {
	_, m := loadings.Dims()
	z := mat.NewDense(o.d, m, nil)
	if err := o.a.MulRows(ctx, z, support, loadings); err != nil {
		return nil, err
	}
	for j := range o.d {
		if o.diag[j] == 0 {
			clear(z.RawRowView(j))
		}
	}
	g, scale := o.gram(support, loadings, z, ridge)
	pairs, err := spectral.Full(g)
	if err != nil {
		return nil, err
	}
	half := kernel.NewMatrix(m, m) // S·Q·Γ^{-½}, S the diagonal of scales
	for t, v := range pairs.Values {
		if !(v > inverseTolerance*pairs.Values[0]) {
			continue
		}
		root := 1 / math.Sqrt(v)
		for i := range m {
			half.Row(i)[t] = scale[i] * pairs.Vectors.At(i, t) * root
		}
	}
	rotated, out := kernel.NewMatrix(o.d, m), mat.NewDense(o.d, m, nil)
	kernel.Gemm(false, false, 1, kernel.Matrix(z.RawMatrix()), half, 0, rotated)
	kernel.Gemm(false, true, 1, rotated, half, 0, kernel.Matrix(out.RawMatrix()))
	d := &decoder{matrix: out}
	for j := range o.d {
		d.explained += o.scale * kernel.Dot(rotated.Row(j), rotated.Row(j))
	}
	return d, nil
}

// gram returns WᵀZ + λ·Wᵀ·diag(A)·W with its rows and columns multiplied by scale, which makes
// its diagonal 1, or 0 for a component without variance.
func (o *operator) gram(support []int, loadings, z *mat.Dense, ridge float64) (*mat.SymDense, []float64) {
	_, m := loadings.Dims()
	var raw mat.Dense
	chosen := mat.NewDense(len(support), m, nil)
	for p, j := range support {
		own := ridge * o.diag[j] / o.scale
		for t, w := range loadings.RawRowView(p) {
			chosen.Set(p, t, z.At(j, t)+own*w)
		}
	}
	raw.Mul(loadings.T(), chosen)
	scale := make([]float64, m)
	for t := range scale {
		if v := raw.At(t, t); v > 0 {
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
