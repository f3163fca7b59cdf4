package spectral

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// Leading returns the m leading eigenpairs of a.
func Leading(a mat.Symmetric, m int) (*Pairs, error) {
	n := a.SymmetricDim()
	if err := checkCount(m, n); err != nil {
		return nil, err
	}
	for i := range n {
		for j := i; j < n; j++ {
			if err := checkFinite(i, j, a.At(i, j)); err != nil {
				return nil, err
			}
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(a, true) {
		return nil, errors.New("spectral: the eigendecomposition did not converge")
	}
	all := eig.Values(nil)
	var vec mat.Dense
	eig.VectorsTo(&vec)
	p := &Pairs{Values: make([]float64, m), Vectors: mat.NewDense(n, m, nil), Residuals: make([]float64, m), Converged: true, Certified: true}
	for j := range m {
		p.Values[j] = all[n-1-j]
		for i := range n {
			p.Vectors.Set(i, j, vec.At(i, n-1-j))
		}
		p.Residuals[j] = float64(n) * 0x1p-50 * max(all[n-1], -all[0])
	}
	return p, nil
}

// Full returns all eigenpairs of a.
func Full(a mat.Symmetric) (*Pairs, error) { return Leading(a, a.SymmetricDim()) }

// Values returns the r leading eigenvalues of a, descending.
func Values(a mat.Symmetric, r int) ([]float64, error) {
	p, err := Leading(a, r)
	if err != nil {
		return nil, err
	}
	return p.Values, nil
}
