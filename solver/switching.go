package solver

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver/spectral"
)

const (
	// passOrder is the number of columns for each of which forming A costs as much
	// as a fused pass with passColumns columns. The operations are n·d² against
	// 64·n·d, at the same rate.
	passOrder   = 60
	passColumns = 16

	// usualPasses is about how many products a block iteration takes where the spectrum
	// falls and as many pairs are wanted as a block has columns; of ten pairs it takes
	// four.
	usualPasses = 8

	// convergedResidual is the residual, relative to λ₁, at which the support has
	// mostly settled.
	convergedResidual = 1e-5

	// earlyDoubt is by how much more the products that are left must cost after the
	// second one; residuals then seldom fall at their final rate.
	earlyDoubt = 1.5

	// switchOrder bounds the order of an A that may be formed in the middle of the
	// iteration (11 MiB). manyOrder bounds that of one that is formed at once (32
	// MiB). switchShare is how much larger X is.
	switchOrder = 1200
	manyOrder   = 2048
	switchShare = 4

	// flatOrder is the order up to which an A that was formed is decomposed: products
	// with it are cheaper where few suffice, and here they do not.
	flatOrder = 640
)

// mayForm reports whether A may be formed for r leading pairs of n×d rows.
func mayForm(n, d, r int) bool {
	return n >= switchShare*d && (d <= switchOrder || d <= manyOrder && productsFor(d, r) >= formingPrice(d, r))
}

// formingPrice is what forming A costs, in passes with as many columns as the iteration
// for r pairs takes.
func formingPrice(d, r int) float64 {
	return float64(d) / passOrder * passColumns / float64(spectral.Settings{}.Need(d, r).Columns)
}

// productsFor is about how many such passes that iteration takes.
func productsFor(d, r int) float64 {
	return usualPasses * max(1, float64(r)/float64(spectral.Settings{}.Need(d, r).Columns))
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
	formed *Data  // the same covariance with A formed; nil before it is
	why    string // it was formed
}

// newSwitching returns nil where A is not to be formed.
func (c *Data) newSwitching(r int) *switching {
	if !mayForm(c.n, c.d, r) {
		return nil
	}
	s := &switching{Data: c, price: formingPrice(c.d, r)}
	s.want(productsFor(c.d, r), fmt.Sprintf("the products for %d pairs would cost more than forming A", r))
	if !s.wanted && flatProducts >= s.price && c.flat(r, s.price) {
		s.want(flatProducts, fmt.Sprintf("the spectrum is flat: the products for %d pairs would cost more than forming A", r))
	}
	return s
}

// leading returns the pairs of A where it is formed at once, and iterates elsewhere.
func (s *switching) leading(ctx context.Context, r int, settings spectral.Settings) (*spectral.Pairs, error) {
	settled := settings.Converged
	if !s.wanted {
		if settled != nil {
			settings.Converged = func(p *spectral.Pairs) bool {
				s.look(p)
				return s.wanted && s.flat() || settled(p)
			}
		}
		if p, err := krylov(ctx, s, r, settings); err != nil || !s.wanted || s.formed != nil {
			return p, err
		}
	}
	a, err := s.form(ctx)
	switch {
	case err != nil:
		return nil, err
	case s.flat():
		return a.direct(r)
	}
	return a.leading(ctx, r, settled)
}

// want has A formed where the products that are left cost more.
func (s *switching) want(left float64, why string) {
	if left >= s.price {
		s.wanted, s.why = true, why
	}
}

// flat reports whether A is decomposed once it is formed.
func (s *switching) flat() bool { return s.d <= flatOrder }

// look decides by the rate at which the residuals fall whether A is formed.
func (s *switching) look(p *spectral.Pairs) {
	worst := maxOf(p.Residuals) / p.Values[0]
	rate := worst / s.worst
	s.worst = worst
	if s.wanted || p.Passes < 2 || !(worst > convergedResidual) {
		return
	}
	left := math.Inf(1)
	if rate < 1 {
		left = math.Log(convergedResidual/worst) / math.Log(rate)
	}
	if p.Passes == 2 {
		left /= earlyDoubt
	}
	s.want(left, fmt.Sprintf("the spectrum is flat: after %d products those that were left would have cost more than forming A", p.Passes))
}

// form returns A, which the twin of the rows keeps.
func (s *switching) form(ctx context.Context) (*matrix, error) {
	s.formed = explicit(s.Data).(*Data)
	return s.formed.form(ctx)
}

// Mul stores A·x in dst.
func (s *switching) Mul(ctx context.Context, dst, x *mat.Dense) error {
	if !s.wanted {
		return s.Data.Mul(ctx, dst, x)
	}
	a, err := s.form(ctx)
	if err != nil {
		return err
	}
	return a.Mul(ctx, dst, x)
}
