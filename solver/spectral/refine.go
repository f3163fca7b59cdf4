package spectral

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
)

// refineOrder is the order up to which a matrix is decomposed directly, for
// that is then no slower.
const refineOrder = 448

// Refine returns the m leading eigenpairs of a, which is not changed, from a
// subspace near the eigenvectors in s.Start. It makes a few passes of 32·n² flop
// each; Leading needs 4/3·n³. Refine calls Leading if that is cheaper (small orders
// or many pairs), or if the iteration has not converged after s.MaxPasses (0: 40).
//
// Values are Ritz values: they never exceed the eigenvalues, and their sum is what
// the vectors explain, even if a pair was missed. Random columns are always added
// to the start and get at least three passes, so that a leading eigenvector that
// the start lacks is found. Certified says that this is proved: λ_i(A) ≤ Values[i]
// + tolerance·‖A‖ for every i ≤ m. The test (see certificate) costs n² flop and
// succeeds if the spectrum outside of the basis is small compared with λ_m. With
// s.Certify, a Cholesky factorisation of the deflated matrix (n³/3 flop) decides
// the other cases. If that fails, Refine calls Leading.
//
// Errors are those of Krylov and Leading.
func Refine(ctx context.Context, a mat.Symmetric, m int, s Settings) (*Pairs, error) {
	n := subspace.OrderOf(a)
	if err := checkCount(m, n); err != nil {
		return nil, err
	}
	if err := s.check(n); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, errStopped(0, err)
	}
	if n <= refineOrder || n < 8*blockWidth(m, s.Start) {
		return Leading(a, m)
	}
	return refine(ctx, a, m, s)
}

// refine is Refine where the iteration pays.
func refine(ctx context.Context, a mat.Symmetric, m int, s Settings) (*Pairs, error) {
	if s.MaxPasses <= 0 {
		s.MaxPasses = 40
	}
	op := newUpper(a)
	l := newLanczos(op, m, s)
	defer l.release()
	p, err := l.run(ctx)
	if errors.Is(err, errNotFinite) || err == nil && (!p.Converged || l.norm == 0) {
		return Leading(a, m)
	}
	if err != nil {
		return p, err
	}
	if p.Certified = l.certified(op); !p.Certified && s.Certify {
		if p.Certified = op.dominates(p, s.tolerance(op.Order())); !p.Certified {
			return Leading(a, m)
		}
	}
	return p, nil
}

// upper is a matrix of which only the upper triangle is read, as an operator.
type upper struct {
	a        kernel.Matrix
	diagonal kernel.Matrix // scratch: a block on the diagonal, both triangles
}

// upperBlock is how many rows of the triangle are multiplied at a time.
const upperBlock = 192

func newUpper(a mat.Symmetric) *upper {
	n := a.SymmetricDim()
	u := &upper{diagonal: kernel.NewMatrix(min(n, upperBlock), min(n, upperBlock))}
	if raw, ok := rawUpper(a); ok {
		u.a = raw
		return u
	}
	u.a = kernel.NewMatrix(n, n)
	for i := range n {
		copyRow(u.a.Row(i), a, i)
	}
	return u
}

// Order returns the number of rows.
func (u *upper) Order() int { return u.a.Rows }

// Mul stores A·x in dst: what is right of the diagonal block of some rows
// serves twice, for it also stands, transposed, below.
func (u *upper) Mul(_ context.Context, dst, x *mat.Dense) error {
	y, q := kernel.Matrix(dst.RawMatrix()), kernel.Matrix(x.RawMatrix())
	y.Zero()
	n, c := u.a.Rows, q.Cols
	for i0 := 0; i0 < n; i0 += upperBlock {
		i1 := min(n, i0+upperBlock)
		yi, qi := y.Slice(i0, i1, 0, c), q.Slice(i0, i1, 0, c)
		kernel.Gemm(false, false, 1, u.diagonalBlock(i0, i1), qi, 1, yi)
		if i1 == n {
			break
		}
		right := u.a.Slice(i0, i1, i1, n)
		kernel.Gemm(false, false, 1, right, q.Slice(i1, n, 0, c), 1, yi)
		kernel.Gemm(true, false, 1, right, qi, 1, y.Slice(i1, n, 0, c))
	}
	return nil
}

// diagonalBlock returns both triangles of rows i0 to i1.
func (u *upper) diagonalBlock(i0, i1 int) kernel.Matrix {
	b := u.diagonal.Slice(0, i1-i0, 0, i1-i0)
	for i := range b.Rows {
		copy(b.Row(i)[i:], u.a.Row(i0 + i)[i0+i:i1])
		for j := i + 1; j < b.Rows; j++ {
			b.Row(j)[i] = b.Row(i)[j]
		}
	}
	return b
}
