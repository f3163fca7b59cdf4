package spectral

import (
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// Leading returns the m leading eigenpairs of a, which is not changed, by
// reduction to tridiagonal form: 4/3·n³ flop for the reduction and 2·n²·m for
// the vectors. Residuals are below n·ε·‖A‖.
//
// It is an error when m is not between 1 and the order, when an entry is not
// finite, or when an eigenvalue overflows.
func Leading(a mat.Symmetric, m int) (*Pairs, error) {
	n := subspace.OrderOf(a)
	if err := checkCount(m, n); err != nil {
		return nil, err
	}
	s, err := load(a)
	if err != nil {
		return nil, err
	}
	defer s.release()
	if s.zero {
		return zeroPairs(n, m), nil
	}
	values, z, residuals, err := leading(s.a, n, m)
	if err != nil {
		return nil, err
	}
	p := &Pairs{Values: values, Residuals: residuals, Converged: true, Certified: true}
	p.Vectors = mat.NewDense(n, m, nil)
	transpose(kernel.Matrix(p.Vectors.RawMatrix()), z)
	s.unscaleBounds(p.Residuals)
	if _, err := s.unscale(p.Values); err != nil {
		return nil, err
	}
	return p, nil
}

// leading returns the m leading eigenpairs of the matrix of order n whose
// upper triangle is in a, padded with zeros. It overwrites a, whose norm is
// near 1. Vectors are the rows of z.
func leading(a kernel.Matrix, n, m int) (values []float64, z kernel.Matrix, residuals []float64, err error) {
	r := reduce(a, n)
	defer r.release()
	norm := r.norm()
	limits := r.split(norm)
	z = kernel.NewMatrix(m, n)
	values, residuals = make([]float64, m), make([]float64, m)
	if !byInverse(n, m) || !r.inverse(z, limits, norm, values, residuals) {
		if err := r.conquer(z, values, residuals); err != nil {
			return nil, z, nil, err
		}
	}
	for i := range residuals {
		residuals[i] += float64(n) * epsilon * norm
	}
	r.transform(z)
	return values, z, residuals, nil
}

// Full returns all eigenpairs of a, as Leading does.
func Full(a mat.Symmetric) (*Pairs, error) { return Leading(a, subspace.OrderOf(a)) }

// Values returns the r leading eigenvalues of a, descending; r equal to the
// order gives all of them. Errors are those of Leading.
func Values(a mat.Symmetric, r int) ([]float64, error) {
	n := subspace.OrderOf(a)
	if err := checkCount(r, n); err != nil {
		return nil, err
	}
	s, err := load(a)
	if err != nil {
		return nil, err
	}
	defer s.release()
	if s.zero {
		return make([]float64, r), nil
	}
	reduced := reduce(s.a, n)
	defer reduced.release()
	t := reduced.tridiagonal
	norm := t.norm()
	limits := t.split(norm)
	if r > n/8 && (gonum.Implementation{}).Dsterf(n, t.d, t.e) {
		return s.unscale(lists.Make(r, func(i int) float64 { return t.d[n-1-i] }))
	}
	return s.unscale(lists.Map(t.leading(r, limits, norm), func(p place) float64 { return p.value }))
}

// byInverse says whether m vectors of order n are cheaper by bisection and
// inverse iteration than by divide and conquer. The former keeps vectors
// orthogonal at a cost that grows with m².
func byInverse(n, m int) bool { return n <= leafOrder || m <= max(n/5, min(n/2, 100)) }

// inverse finds the vectors of T by inverse iteration; false if one failed.
func (r *reduction) inverse(z kernel.Matrix, limits []int, norm float64, values, residuals []float64) bool {
	places := r.leading(z.Rows, limits, norm)
	for i, at := range places {
		values[i] = at.value
	}
	return r.vectors(z, places, limits, norm, residuals)
}

// conquer finds the vectors of T by divide and conquer.
func (r *reduction) conquer(z kernel.Matrix, values, residuals []float64) error {
	t := tridiagonal{d: append([]float64(nil), r.d...), e: append([]float64(nil), r.e...)}
	found, err := t.divideAndConquer(z)
	if err != nil {
		return err
	}
	copy(values, found)
	for i, v := range values {
		residuals[i] = r.residual(z.Row(i), v)
	}
	return nil
}

// zeroPairs are eigenpairs of the zero matrix.
func zeroPairs(n, m int) *Pairs {
	p := &Pairs{Values: make([]float64, m), Vectors: mat.NewDense(n, m, nil), Residuals: make([]float64, m), Converged: true, Certified: true}
	for i := range m {
		p.Vectors.Set(i, i, 1)
	}
	return p
}

// transpose sets dst to srcᵀ.
func transpose(dst, src kernel.Matrix) {
	const block = 16
	for i0 := 0; i0 < src.Rows; i0 += block {
		for j0 := 0; j0 < src.Cols; j0 += block {
			for i := i0; i < min(src.Rows, i0+block); i++ {
				row := src.Row(i)
				for j := j0; j < min(src.Cols, j0+block); j++ {
					dst.Data[j*dst.Stride+i] = row[j]
				}
			}
		}
	}
}
