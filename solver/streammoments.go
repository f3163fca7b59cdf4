package solver

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// measuring sums the blocks of a source: the moments, and A or a sample of the rows
// where there is room, and a first product.
type measuring struct {
	*source
	m     [streamParts]*blockMoments // of each part; where A is formed, the first is of all
	first []float64                  // the centre about which all is summed; nil if uncentred

	sampledFirst bool // the sample was read before
}

func (s *source) beginMeasuring(ctx context.Context) (*measuring, error) {
	first, err := s.firstCenter(ctx)
	if err != nil {
		return nil, err
	}
	s.makeRoom()
	m := &measuring{source: s, first: first}
	for part := range m.m {
		m.m[part] = newBlockMoments(s.n, s.width)
	}
	m.about(first)
	return m, nil
}

// about sets the first centre.
func (s *measuring) about(first []float64) {
	s.first = first
	for _, m := range s.m {
		m.about = first
	}
}

// forms reports whether A is formed. It is one sum, too large for one of each part.
func (s *source) forms() bool { return s.scatter.Rows > 0 }

// take adds a block.
func (s *measuring) take(b *block) error {
	if !s.forms() {
		return s.takePart(b.from/s.block%streamParts, b)
	}
	if err := s.m[0].add(b); err != nil {
		return err
	}
	s.accumulate(b, s.first, nil)
	return nil
}

// takePart adds a block to the sums of its part.
func (s *measuring) takePart(part int, b *block) error {
	s.keep(b)
	s.opening.add(part, b, s.first)
	return s.m[part].add(b)
}

// run takes all blocks.
func (s *measuring) run(ctx context.Context) error {
	if s.forms() {
		return s.each(ctx, s.take)
	}
	return s.split(ctx, s.takePart)
}

// end returns the moments of all blocks. It reads the rows where squares leave the
// range of float64.
func (s *measuring) end(ctx context.Context) (moments, error) {
	m := s.m[0]
	for _, part := range s.m[1:] {
		m.mergeAll(part)
	}
	units, err := s.rescale(ctx, m, s.first)
	if err != nil {
		return moments{}, err
	}
	s.measured = m
	if !s.opt.Uncentered {
		s.center = m.mean
	}
	s.finish(m, s.first, units, 1/float64(s.n-1))
	kernel.Mirror(s.scatter)
	all := newMoments(make([]float64, len(m.mean)), m.mean, m.squares, m.exponents, s.n, s.opt.Uncentered)
	s.opening = s.opening.finish(s.n, m.mean, s.first, all)
	return all, nil
}

// measure reads the rows once.
func (s *source) measure(ctx context.Context) (moments, error) {
	m, err := s.beginMeasuring(ctx)
	if err == nil {
		err = m.open(ctx)
	}
	if err == nil {
		err = m.run(ctx)
	}
	if err != nil {
		return moments{}, err
	}
	return m.end(ctx)
}

// makeRoom takes the memory for A, or for the sample.
func (s *source) makeRoom() {
	fits := func(need int64) bool { return s.opt.Memory == 0 || need <= s.opt.Memory }
	blocks := doubles(2*s.block, s.width)
	if square := doubles(s.width, s.width); s.width <= MaxEntriesOrder && fits(blocks+square) {
		s.scatter = kernel.NewMatrix(s.width, s.width)
		return
	}
	if rows := min(s.n/sketchStride, mostSampled); rows >= sketchRows && fits(blocks+doubles(rows, s.width)) && s.opt.Memory > 0 {
		s.sample = kernel.NewMatrix(rows, s.width)
	}
}

// keep copies the rows of the sample.
func (s *measuring) keep(b *block) {
	if s.sample.Rows == 0 || s.sampledFirst {
		return
	}
	stride := s.n / s.sample.Rows
	for i := range b.x.Rows {
		if at := (b.from + i) / stride; (b.from+i)%stride == 0 && at < s.sample.Rows {
			copy(s.sample.Row(at), b.x.Row(i))
		}
	}
}

// mostSampled bounds the rows of the sample, so that the memory does not grow with
// the table.
const mostSampled = 256

// accumulate adds the products of a block, about the first centre, to A.
func (s *source) accumulate(b *block, first, units []float64) {
	if s.scatter.Rows > 0 {
		kernel.AddCross(s.scatter, kernel.View{X: b.x, Mean: first, Factor: units})
	}
}

// firstCenter returns the mean of up to 32 rows spread over the table, about
// which all is summed: kernel.Moments says why that loses nothing. Nil if uncentred.
func (s *source) firstCenter(ctx context.Context) ([]float64, error) {
	if s.opt.Uncentered {
		return nil, nil
	}
	const spread = 32
	some := kernel.NewMatrix(min(spread, s.n), s.width)
	if err := s.readSpread(ctx, some); err != nil {
		return nil, err
	}
	return centerOf(some), nil
}

// readSpread reads rows that are spread over the table.
func (s *source) readSpread(ctx context.Context, some kernel.Matrix) error {
	stride := s.n / some.Rows
	for i := range some.Rows {
		got, err := s.from.Read(ctx, i*stride, mat.NewDense(1, s.width, some.Row(i)))
		if err != nil {
			return err
		}
		if got != 1 {
			return fmt.Errorf("the rows end before %d, want %d", i*stride+1, s.n)
		}
	}
	return nil
}

// centerOf returns the means of some rows as a first centre.
func centerOf(some kernel.Matrix) []float64 {
	center := make([]float64, some.Cols)
	kernel.Moments(center, nil, some)
	for j, v := range center {
		if v-v != 0 { // an infinite number or an overflow: found later
			center[j] = 0
		}
	}
	return center
}

// finish turns the sums about the first centre into those about the means, times f:
// A for 1/(n−1). Its lower triangle, that is.
func (s *source) finish(m *blockMoments, first, units []float64, f float64) {
	a := s.scatter
	if a.Rows == 0 {
		return
	}
	shift := make([]float64, s.width) // the mean from the first centre
	for j := range shift {
		if first != nil {
			shift[j] = m.mean[j] - first[j]
		}
		if units != nil {
			shift[j] *= units[j]
		}
	}
	n := float64(s.n)
	still := func(j int) bool { return first != nil && m.squares[j] == 0 }
	for i := range a.Rows {
		row := a.Row(i)[:i+1]
		for j := range row {
			if row[j] = (row[j] - n*shift[i]*shift[j]) * f; still(i) || still(j) {
				row[j] = 0
			}
		}
	}
}

// rescale makes another pass for columns whose squares leave the range of float64.
// It computes their moments, and A, from columns divided by units, which are powers
// of two. It sets those of constant columns. Nil units are all 1.
func (s *source) rescale(ctx context.Context, m *blockMoments, first []float64) (units []float64, err error) {
	m.settle()
	if units, m.exponents = m.units(); units == nil {
		return nil, nil
	}
	s.scatter.Zero()
	again := newBlockMoments(s.n, s.width)
	err = s.each(ctx, func(b *block) error {
		s.accumulate(b, first, units)
		scaled := kernel.NewMatrix(b.x.Rows, b.x.Cols)
		kernel.Gather(scaled, kernel.View{X: b.x, Factor: units})
		return again.add(&block{from: b.from, x: scaled})
	})
	for j, e := range m.exponents {
		if e != 0 {
			m.mean[j], m.squares[j] = math.Ldexp(again.mean[j], e/2), again.squares[j]
		}
	}
	return units, err
}
