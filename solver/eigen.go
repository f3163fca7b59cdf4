package solver

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver/spectral"
)

// smallOrder is the order up to which LAPACK's plain algorithm, in memory
// that is reused, is faster than package spectral.
const smallOrder = 56

// eigen decomposes one small symmetric matrix after another in the same
// memory. It is used by one goroutine.
type eigen struct {
	n      int
	a      []float64 // n×n, row-major: the matrix, then the eigenvectors as columns
	values []float64 // n, ascending
	work   []float64
}

// reset makes room for a matrix of order n, whose upper triangle the caller
// then stores in a.
func (e *eigen) reset(n int) {
	e.n = n
	if e.work == nil || cap(e.a) < n*n {
		e.a = make([]float64, n*n)
		e.values = make([]float64, n)
		e.work = make([]float64, max(1, 34*n))
	}
	e.a, e.values = e.a[:n*n], e.values[:n]
}

// solve replaces a by its eigenvectors, column j belonging to values[j].
func (e *eigen) solve() error {
	if e.n <= smallOrder {
		return e.run(lapack.EVCompute)
	}
	p, err := spectral.Full(mat.NewSymDense(e.n, e.a))
	if err != nil {
		return err
	}
	for j, v := range p.Values {
		e.values[e.n-1-j] = v
	}
	for i := range e.n {
		row := e.a[i*e.n : (i+1)*e.n]
		for j, v := range p.Vectors.RawRowView(i) {
			row[e.n-1-j] = v
		}
	}
	return nil
}

// solveValues finds the eigenvalues alone and spoils a.
func (e *eigen) solveValues() error {
	if e.n <= smallOrder {
		return e.run(lapack.EVNone)
	}
	values, err := spectral.Values(mat.NewSymDense(e.n, e.a), e.n)
	if err != nil {
		return err
	}
	for j, v := range values {
		e.values[e.n-1-j] = v
	}
	return nil
}

func (e *eigen) run(job lapack.EVJob) error {
	a := blas64.Symmetric{N: e.n, Stride: max(1, e.n), Data: e.a, Uplo: blas.Upper}
	if !lapack64.Syev(job, a, e.values, e.work, len(e.work)) {
		return fmt.Errorf("the eigenvalues of a matrix of order %d did not converge", e.n)
	}
	return nil
}
