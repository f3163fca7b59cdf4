package synthetic

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Instance names one random covariance. Scheme is required; the zero value of
// the other fields is usable.
type Instance struct {
	Scheme Scheme
	Basis  Basis  // "" is Haar; ignored by E and F
	Order  int    // d; 0 is the paper's 20
	Seed   uint64 // of the experiment
	Index  uint64 // of the realisation within it
}

// Matrix returns the covariance, symmetric and positive semidefinite.
func (i Instance) Matrix() (*mat.SymDense, error) {
	a, err := i.Product()
	if err != nil {
		return nil, err
	}
	return Symmetric(a), nil
}

// Symmetric returns the symmetric part of a square matrix.
func Symmetric(a *mat.Dense) *mat.SymDense {
	d, _ := a.Dims()
	s := mat.NewSymDense(d, nil)
	for r := range d {
		for c := r; c < d; c++ {
			s.SetSym(r, c, (a.At(r, c)+a.At(c, r))/2)
		}
	}
	return s
}

// Product returns the covariance as the product that defines it comes out of
// floating-point arithmetic: UΛUᵀ is then symmetric up to rounding only,
// which a program that does not symmetrise hands to its eigensolver. Matrix
// is its symmetric part.
func (i Instance) Product() (*mat.Dense, error) {
	d := i.Order
	if d == 0 {
		d = Order
	}
	values, err := i.Scheme.Eigenvalues(d)
	if err != nil {
		return nil, err
	}
	basis := i.Basis
	if basis == "" {
		basis = Haar
	}
	if !slices.Contains(Bases(), basis) {
		return nil, fmt.Errorf("unknown basis %q: want %q, %q or %q", i.Basis, Haar, Uniform, Singular)
	}
	if d < 1 {
		return nil, fmt.Errorf("order is %d: want at least 1", d)
	}
	if values == nil {
		rng := i.stream("none", d)
		x := fill(d, d, rng, i.Scheme == F)
		var a mat.Dense
		a.Mul(x, x.T())
		return &a, nil
	}
	return fromSpectrum(values, i.stream(basis, d), basis)
}

// fromSpectrum returns λ_d·I + U(Λ − λ_d·I)Uᵀ. It uses only the eigenvectors whose
// eigenvalue differs from the last, so a large order stays cheap.
func fromSpectrum(values []float64, rng *rand.Rand, basis Basis) (*mat.Dense, error) {
	d := len(values)
	last := values[d-1]
	r := slices.Index(values, last)
	var u *mat.Dense
	if basis == Singular {
		var err error
		if u, err = leftSingular(fill(d, d, rng, false), r); err != nil {
			return nil, err
		}
	} else {
		u = orthonormal(fill(d, r, rng, basis == Haar))
	}
	scaled := mat.DenseCopyOf(u)
	for j, v := range values[:r] {
		for p := range d {
			scaled.Set(p, j, scaled.At(p, j)*(v-last))
		}
	}
	var a mat.Dense
	a.Mul(scaled, u.T())
	for p := range d {
		a.Set(p, p, a.At(p, p)+last)
	}
	return &a, nil
}

// leftSingular returns the r leading left singular vectors of x.
func leftSingular(x *mat.Dense, r int) (*mat.Dense, error) {
	d, _ := x.Dims()
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThinU) {
		return nil, fmt.Errorf("the singular values of a random matrix of order %d did not converge", d)
	}
	var u mat.Dense
	svd.UTo(&u)
	return mat.DenseCopyOf(u.Slice(0, d, 0, r)), nil
}

// stream returns the random numbers of this instance, of order d, and of no
// other.
func (i Instance) stream(basis Basis, d int) *rand.Rand {
	key := fmt.Sprintf("fspca synthetic scheme=%s basis=%s order=%d seed=%d index=%d", i.Scheme, basis, d, i.Seed, i.Index)
	return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(key))))
}

// fill returns an r×c matrix with entries from N(0, 1) or U[0, 1], in row
// order.
func fill(r, c int, rng *rand.Rand, gaussian bool) *mat.Dense {
	x := mat.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			if gaussian {
				x.Set(i, j, rng.NormFloat64())
			} else {
				x.Set(i, j, rng.Float64())
			}
		}
	}
	return x
}

// orthonormal replaces x by its thin Q. The signs of its columns cancel in
// UΛUᵀ. mat.QR would form a square Q.
func orthonormal(x *mat.Dense) *mat.Dense {
	raw := x.RawMatrix()
	tau := make([]float64, raw.Cols)
	work := make([]float64, 64*max(raw.Cols, 1))
	lapack64.Geqrf(raw, tau, work, len(work))
	lapack64.Orgqr(raw, tau, work, len(work))
	return x
}
