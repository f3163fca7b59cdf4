package solver

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver/spectral"
)

const (
	// passOrder is the number of columns for each of which forming A costs as much
	// as a fused pass with passColumns columns. The operations are n·d² against
	// 64·n·d; those of forming A take 1.4 times as long, as measured.
	passOrder   = 45
	passColumns = 16

	// usualPasses is about how many products a block iteration takes where the spectrum
	// falls and many pairs are wanted; of ten pairs it takes four.
	usualPasses = 8

	// convergedResidual is the residual, relative to λ₁, at which the support has
	// mostly settled.
	convergedResidual = 1e-5

	// switchOrder bounds the order of an A that is formed for the leading pairs alone,
	// 11 MiB, and switchShare how much larger X is.
	switchOrder = 1200
	switchShare = 4
)

// formedMidway reports whether the iteration for the leading pairs of n×d rows may
// form A.
func formedMidway(n, d int) bool {
	return d <= switchOrder && n >= switchShare*d
}

// switching is the covariance of rows that forms A where the products that are left
// would cost more: for many pairs at once, and where the spectrum turns out to be
// flat in the middle of the iteration. What decides is counted in columns of
// products and read from residuals, which are the same on any machine.
type switching struct {
	*Data
	price  float64 // of forming A, in passes with as many columns as the iteration's
	worst  float64 // the largest residual before
	wanted bool
	a      *matrix
}

// newSwitching returns nil where A is not to be formed.
func (c *Data) newSwitching(r int) *switching {
	if !formedMidway(c.n, c.d) {
		return nil
	}
	price := float64(c.d) / passOrder * passColumns / float64(spectral.BlockWidth(r))
	return &switching{Data: c, price: price, wanted: usualPasses >= price}
}

// leading returns the pairs of A where it is formed at once, and iterates elsewhere.
func (s *switching) leading(ctx context.Context, r int, settings spectral.Settings) (*spectral.Pairs, error) {
	if s.wanted {
		a, err := s.Data.form(ctx)
		if err != nil {
			return nil, err
		}
		return a.leading(ctx, r, settings.Converged)
	}
	if settled := settings.Converged; settled != nil {
		settings.Converged = func(p *spectral.Pairs) bool {
			s.look(p)
			return settled(p)
		}
	}
	return krylov(ctx, s, r, settings)
}

// look decides by the rate at which the residuals fall whether A is formed.
func (s *switching) look(p *spectral.Pairs) {
	worst := maxOf(p.Residuals) / p.Values[0]
	rate := worst / s.worst
	s.worst = worst
	if s.wanted || p.Passes < 3 || !(worst > convergedResidual) {
		return
	}
	left := math.Inf(1)
	if rate < 1 {
		left = math.Log(convergedResidual/worst) / math.Log(rate)
	}
	s.wanted = left >= s.price
}

// Mul stores A·x in dst.
func (s *switching) Mul(ctx context.Context, dst, x *mat.Dense) error {
	if s.wanted && s.a == nil {
		var err error
		if s.a, err = s.Data.form(ctx); err != nil {
			return err
		}
	}
	if s.a != nil {
		return s.a.Mul(ctx, dst, x)
	}
	return s.Data.Mul(ctx, dst, x)
}
