package spectral

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// Opening is the first block of an iteration and its product, which are known before it.
type Opening struct {
	X *mat.Dense // order×c, orthonormal columns
	Y *mat.Dense // A·X
}

// Open returns the block with which Krylov begins for m pairs of an operator of order n, whatever Start s has:
// random columns, which are improved by s.Sketch, orthonormal. It is nil where Krylov decomposes
// the operator directly. It is an error if n is above 2²⁷, if m is not between 1 and n, or if the sketch
// fails.
func Open(ctx context.Context, n, m int, s Settings) (*mat.Dense, error) {
	const largest = 1 << 27
	if n > largest {
		return nil, fmt.Errorf("spectral: an operator of order %d: want at most %d", n, largest)
	}
	if err := checkCount(m, n); err != nil {
		return nil, err
	}
	s.Start, s.Opening = nil, nil
	if err := s.check(n); err != nil {
		return nil, err
	}
	width := s.width(m)
	if decomposes(n, m, blockWidth(m, s.Start)) {
		return nil, nil
	}
	l := &lanczos{settings: s, n: n, m: m, width: width, source: newRandom(s.Seed)}
	l.basis = kernel.NewMatrix(width, n)
	l.x, l.y = mat.NewDense(n, width, nil), mat.NewDense(n, width, nil)
	if err := l.start(ctx); err != nil {
		return nil, err
	}
	transpose(kernel.Matrix(l.x.RawMatrix()), l.basis)
	return l.x, nil
}

// decomposes reports whether Krylov decomposes an operator of order n directly.
func decomposes(n, m, width int) bool { return n <= 4*width || m > n/4 }

// opened reports whether the first block and its product are known.
func (l *lanczos) opened() bool {
	o := l.settings.Opening
	if o == nil || l.settings.Start != nil {
		return false
	}
	_, columns := o.X.Dims()
	return columns == l.width
}

// check says what is wrong with an opening for an operator of order n.
func (o *Opening) check(n int) error {
	if o == nil {
		return nil
	}
	for _, m := range []*mat.Dense{o.X, o.Y} {
		if m == nil || m.IsEmpty() || m.RawMatrix().Rows != n || m.RawMatrix().Cols != o.X.RawMatrix().Cols {
			return fmt.Errorf("spectral: the opening is not two matrices of %d rows and as many columns", n)
		}
	}
	return nil
}
