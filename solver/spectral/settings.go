package spectral

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/subspace"
)

// Settings are the options of Krylov and Refine. The zero value is usable.
type Settings struct {
	// Tolerance is the largest residual ‖A·v − λ·v‖₂ of a pair that counts as
	// converged, relative to the largest |eigenvalue| seen; 0 means 10⁻¹⁰.
	// Values below the rounding errors of a product are raised to these.
	Tolerance float64

	// Start is an order×c matrix whose columns span a subspace near the
	// eigenvectors. The best columns come first; they need not be orthonormal.
	// Random columns are added unless c exceeds m and fills a block (m rounded up
	// to a multiple of 16). The caller must then ensure that no leading eigenvector
	// is orthogonal to all columns. Nil means random columns only.
	Start *mat.Dense

	// Sketch is an operator of the same order near A whose products are far
	// cheaper, such as the covariance of a thirtieth of the rows. Two products with
	// it improve the random columns as a start, which saves about one product with
	// A. Passes does not count them. Sketch is ignored if Start is given. Nil means
	// none.
	Sketch Operator

	// Opening is a first block as Open returns it, for as many columns, and its product: Krylov begins with
	// these. Its columns must not miss a leading eigenvector, as random ones do not. It is ignored
	// if Start is given, or if it has another number of columns than a block. Nil means none.
	Opening *Opening

	// Seed seeds the random columns. The same seed gives the same bytes.
	Seed uint64

	// MaxPasses bounds the products with a block of columns; 0 means 300.
	MaxPasses int

	// MaxBasis limits the number of basis vectors (each of length order) that are
	// kept; 0 means m plus 12 blocks. A smaller value than m plus 4 blocks is
	// raised to that.
	MaxBasis int

	// Converged, if not nil, is called after each pass with the current pairs,
	// which it must not change or keep. If it returns true, the iteration stops
	// with Pairs.Converged set. The tolerance stops it as well.
	Converged func(p *Pairs) bool

	// Aim is the residual, relative to the largest |eigenvalue| seen, at which
	// Converged may return true. If it is not 0, a product costs little, as with a
	// matrix at hand. Blocks then have at most 32 columns, and pairs are computed, and
	// Converged called, more rarely while residuals are far from Aim. An eigenvalue
	// with as many copies as a block has columns does not count as converged before
	// random columns have been tried. Aim is ignored if Converged is nil.
	Aim float64

	// Certify makes Refine prove that no leading pair was missed, by a Cholesky
	// factorisation if the cheap test does not suffice.
	Certify bool
}

// check says what is wrong with the settings for an operator of order n.
func (s *Settings) check(n int) error {
	if !(s.Tolerance >= 0) || math.IsInf(s.Tolerance, 0) {
		return fmt.Errorf("spectral: tolerance %v, want 0 (for 1e-10) or a positive number", s.Tolerance)
	}
	if !(s.Aim >= 0) || math.IsInf(s.Aim, 0) {
		return fmt.Errorf("spectral: aim %v, want 0 (for none) or a positive number", s.Aim)
	}
	if s.MaxPasses < 0 || s.MaxBasis < 0 {
		return fmt.Errorf("spectral: at most %d products and %d vectors, want 1 or more, or 0 for the default", s.MaxPasses, s.MaxBasis)
	}
	if s.Sketch != nil && subspace.Order(s.Sketch) != n {
		return fmt.Errorf("spectral: the sketch has order %d, the operator %d", subspace.Order(s.Sketch), n)
	}
	if err := s.Opening.check(n); err != nil || s.Start == nil {
		return err
	}
	r, c := s.Start.Caps()
	if !s.Start.IsEmpty() {
		r, c = s.Start.Dims()
	}
	if r != n || c == 0 {
		return fmt.Errorf("spectral: the start is %d×%d, want %d rows and at least one column", r, c, n)
	}
	for i := range r {
		for j, v := range s.Start.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("spectral: the start has %v in row %d, column %d (counted from 0), want finite numbers", v, i, j)
			}
		}
	}
	return nil
}

// tolerance returns the relative residual to reach for operators of order n.
func (s *Settings) tolerance(n int) float64 {
	return max(cmp.Or(s.Tolerance, 1e-10), 8*rounding(n))
}

// goal returns the relative residual at which the iteration is likely to end.
func (s *Settings) goal(n int) float64 {
	t := s.tolerance(n)
	if s.cheap() {
		t = max(t, s.Aim)
	}
	return t
}

// cheap reports whether a product costs no more than the pairs.
func (s *Settings) cheap() bool { return s.Converged != nil && s.Aim > 0 }

// rounding is the relative error that the residual of a pair of order n is
// taken to have by rounding alone.
func rounding(n int) float64 { return 4 * epsilon * math.Sqrt(float64(n)) }

func (s *Settings) maxPasses() int {
	if s.MaxPasses <= 0 {
		return 300
	}
	return s.MaxPasses
}

// capacity returns how many basis vectors are kept.
func (s *Settings) capacity(n, m, width int) int {
	c := s.MaxBasis
	if c <= 0 {
		c = m + 12*width
	}
	return min(max(c, m+4*width), n-width)
}

// widest bounds the columns of a block, and cheapWidest those where products are
// cheap: narrower blocks take more of them and far fewer vectors.
const (
	widest      = 64
	cheapWidest = 32
)

// width returns the number of columns of a block.
func (s *Settings) width(m int) int {
	if w := blockWidth(m, s.Start); !s.cheap() || w < cheapWidest {
		return w
	}
	return cheapWidest
}

// blockWidth returns how many columns a block has: enough for all copies of a
// repeated eigenvalue among the m leading ones, as long as that is not wide. A
// given start has a few random ones beside it.
func blockWidth(m int, start *mat.Dense) int {
	w := roundUp(m)
	if start != nil {
		if _, c := start.Dims(); c < w || c == m {
			w = roundUp(m + 2)
		}
	}
	return min(widest, w)
}

func roundUp(columns int) int {
	return (columns + blockColumns - 1) / blockColumns * blockColumns
}
