package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// Sums hold what a covariance needs of some rows: their number, the means, squared
// deviations and ranges of the columns and, if wanted, the products of all columns
// about their means. Merged sums of the parts of a table are those of the whole,
// up to rounding. The zero value is that of no rows.
type Sums struct {
	opt      SumOptions
	measured *blockMoments // nil: no rows
	scatter  kernel.Matrix // the lower triangle of XᵀX of the centred columns, or of the columns if uncentred; no rows if not formed
}

// SumOptions say what is summed, and how.
type SumOptions struct {
	// Uncentered leaves the columns as they are; see DataOptions.
	Uncentered bool

	// Form also sums the products of all pairs of columns, which gives A. Then d
	// is at most MaxEntriesOrder.
	Form bool

	// Block is as in StreamOptions.
	Block int

	// Units, if not nil, are powers of two by which the columns are multiplied.
	// Sums.Units says when they are needed.
	Units []float64
}

// Sum reads the rows once and sums them. One row is enough, since other sums may
// be merged with these. The same rows and options give the same bytes. Errors:
// those of NewStream.
func Sum(ctx context.Context, from Rows, opt SumOptions) (*Sums, error) {
	n, d, err := opt.check(from)
	if err != nil {
		return nil, err
	}
	if opt.Units != nil {
		from = &scaledSource{from, opt.Units}
	}
	s := newSource(from, n, d, StreamOptions{Uncentered: opt.Uncentered, Block: opt.Block})
	if opt.Form {
		s.scatter = kernel.NewMatrix(d, d)
	}
	first, err := s.firstCenter(ctx)
	if err != nil {
		return nil, err
	}
	m, err := s.sum(ctx, n, d, first)
	if err != nil {
		return nil, err
	}
	s.finish(m, first, nil, 1)
	opt.Units = slices.Clone(opt.Units)
	return &Sums{opt: opt, measured: m, scatter: s.scatter}, nil
}

// check returns the size of the rows, or what is wrong with them or with the options.
func (opt SumOptions) check(from Rows) (n, d int, err error) {
	n, d, err = dimsOf(from)
	switch {
	case err != nil:
	case n < 1:
		err = errNoRow
	case opt.Block < 0:
		err = fmt.Errorf("block is %d: want a number of at least 0", opt.Block)
	case opt.Form && d > MaxEntriesOrder:
		err = fmt.Errorf("order %d: %w", d, ErrTooLarge)
	case opt.Units != nil && len(opt.Units) != d:
		err = fmt.Errorf("there are %d units, want one for each of %d columns", len(opt.Units), d)
	}
	return n, d, err
}

// sum reads the rows for their moments, and sums their products about first.
func (s *source) sum(ctx context.Context, n, d int, first []float64) (*blockMoments, error) {
	m := newBlockMoments(n, d)
	err := s.each(ctx, func(b *block) error {
		if err := m.add(b); err != nil {
			return err
		}
		s.accumulate(b, first, nil)
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.settle()
	return m, nil
}

// scaledSource are rows with their columns multiplied by units.
type scaledSource struct {
	Rows
	units []float64
}

// Read stores the rows from, from+1, … in dst.
func (s *scaledSource) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	n, err := s.Rows.Read(ctx, from, dst)
	for i := range max(0, n) {
		row := dst.RawRowView(i)
		for j, u := range s.units {
			row[j] *= u
		}
	}
	return n, err
}

// Rows returns the number of rows.
func (s *Sums) Rows() int {
	if s == nil || s.measured == nil {
		return 0
	}
	return s.measured.rows
}

// Order returns the number of columns d.
func (s *Sums) Order() int {
	if s == nil || s.measured == nil {
		return 0
	}
	return len(s.measured.mean)
}

// Merge adds the sums of other rows, by the formulas of Chan, Golub and LeVeque
// (1983). It is an error if the two differ in columns or options; s is then
// unchanged.
func (s *Sums) Merge(t *Sums) error {
	switch {
	case s == nil || t == nil:
		return errors.New("there are no sums to merge")
	case t.measured == nil:
		return nil
	case s.measured == nil:
		*s = Sums{opt: t.opt, measured: t.measured.clone(), scatter: t.scatter}
		s.scatter.Data = slices.Clone(t.scatter.Data)
		return nil
	case s.Order() != t.Order():
		return fmt.Errorf("sums of %d columns and of %d do not go together", s.Order(), t.Order())
	case s.opt.Uncentered != t.opt.Uncentered || s.opt.Form != t.opt.Form || !slices.Equal(s.opt.Units, t.opt.Units):
		return errors.New("sums that were made with other options do not go together")
	}
	a, b := s.measured, t.measured
	if s.opt.Form {
		s.mergeScatter(t)
	}
	a.mergeAll(b)
	return nil
}

// mergeScatter adds the products of t, and those of the means.
func (s *Sums) mergeScatter(t *Sums) {
	a, b := s.measured, t.measured
	delta := make([]float64, len(a.mean))
	if !s.opt.Uncentered {
		for j := range delta {
			delta[j] = b.mean[j] - a.mean[j]
		}
	}
	weight := float64(a.rows) * (float64(b.rows) / float64(a.rows+b.rows))
	for i := range s.scatter.Rows {
		row, other := s.scatter.Row(i), t.scatter.Row(i)[:i+1]
		f := weight * delta[i]
		for j, v := range other {
			row[j] += v + f*delta[j]
		}
	}
}

// Units returns nil, or the SumOptions.Units with which the rows must be summed
// again, because the squares of some columns leave the range of float64. The
// other columns have the unit 1.
func (s *Sums) Units() []float64 {
	if s == nil || s.measured == nil || s.opt.Units != nil {
		return nil
	}
	units, _ := s.measured.units()
	return units
}

// Covariance returns the covariance of the rows, up to rounding that of NewStream.
// If A was not formed, products computes its products; otherwise products is nil.
// Errors: fewer than two rows, those of NewData, or sums that need Units.
func (s *Sums) Covariance(products Products) (*Stream, error) {
	n, d := s.Rows(), s.Order()
	switch {
	case n < 2:
		return nil, enoughRows(n)
	case s.opt.Form != (products == nil):
		return nil, errors.New("give products if A was not summed (without the option Form), and nil if it was")
	case s.Units() != nil:
		return nil, errors.New("squares of the columns leave the range of float64: sum the rows in other units (Sums.Units)")
	}
	m := s.measured.clone()
	m.leave(s.opt.Units)
	from := &source{n: n, width: d, opt: StreamOptions{Uncentered: s.opt.Uncentered}, measured: m, products: products}
	if !s.opt.Uncentered {
		from.center = m.mean
	}
	if s.opt.Form {
		from.scatter = kernel.NewMatrix(d, d)
		for i := range d {
			row := from.scatter.Row(i)
			for j, v := range s.scatter.Row(i)[:i+1] {
				row[j] = v / float64(n-1)
			}
		}
		kernel.Mirror(from.scatter)
	}
	c := &Stream{source: from, d: d, moments: newMoments(make([]float64, len(m.mean)), m.mean, m.squares, m.exponents, n, s.opt.Uncentered)}
	var err error
	c.diag, err = c.moments.variances(nil)
	return c, err
}

// leave undoes the units, which were powers of two.
func (m *blockMoments) leave(units []float64) {
	if units == nil {
		return
	}
	m.exponents = make([]int, len(units))
	for j, u := range units {
		_, e := math.Frexp(u)
		m.exponents[j] = -2 * (e - 1)
		m.mean[j], m.lo[j], m.hi[j] = m.mean[j]/u, m.lo[j]/u, m.hi[j]/u
	}
}

func (m *blockMoments) clone() *blockMoments {
	c := newBlockMoments(m.n, len(m.mean))
	c.rows = m.rows
	for _, p := range []struct{ to, from []float64 }{{c.mean, m.mean}, {c.squares, m.squares}, {c.lo, m.lo}, {c.hi, m.hi}} {
		copy(p.to, p.from)
	}
	return c
}
