package spectral

import "github.com/fspca/fspca/internal/kernel"

// rank2Symv subtracts v·wᵀ + w·vᵀ from the symmetric matrix whose upper
// triangle is in a, and sets y to its product with x.
func rank2Symv(y []float64, a kernel.Matrix, x, v, w []float64) {
	for i := range a.Rows {
		row := a.Row(i)[i:]
		kernel.Axpy(-v[i], w[i:], row)
		kernel.Axpy(-w[i], v[i:], row)
	}
	kernel.Symv(y, a, x)
}
