package solver

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// measuring sums the blocks of a source: the moments, and A or a sample of the rows
// where there is room.
type measuring struct {
	*source
	m     [streamParts]*blockMoments // of each part; where A is formed, the first is of all
	first []float64                  // the centre about which products are summed
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
	return m, nil
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
	return newMoments(m.mean, m.squares, m.exponents, s.n, s.opt.Uncentered), nil
}

// measure reads the rows once.
func (s *source) measure(ctx context.Context) (moments, error) {
	m, err := s.beginMeasuring(ctx)
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
func (s *source) keep(b *block) {
	if s.sample.Rows == 0 {
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
// which products are summed: kernel.Moments says why that loses nothing. Nil if
// uncentred or if A is not formed.
func (s *source) firstCenter(ctx context.Context) ([]float64, error) {
	if s.opt.Uncentered {
		return nil, nil
	}
	const spread = 32
	rows := min(spread, s.n)
	sample := kernel.NewMatrix(rows, s.width)
	for i := range rows {
		row := mat.NewDense(1, s.width, sample.Row(i))
		got, err := s.from.Read(ctx, i*(s.n/rows), row)
		if err != nil {
			return nil, err
		}
		if got != 1 {
			return nil, fmt.Errorf("the rows end before %d, want %d", i*(s.n/rows)+1, s.n)
		}
	}
	center := make([]float64, s.width)
	kernel.Moments(center, nil, sample)
	for j, v := range center {
		if v-v != 0 { // an infinite number or an overflow: found later
			center[j] = 0
		}
	}
	return center, nil
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

// settle sets the moments of constant columns.
func (m *blockMoments) settle() {
	for j, v := range m.lo {
		if v == m.hi[j] {
			m.mean[j], m.squares[j] = v, 0
		}
	}
}

// units returns powers of two for the columns whose squares leave the range of
// float64, 1 for the others, and the exponents of the squares; nil if there are none.
func (m *blockMoments) units() (units []float64, exponents []int) {
	for j, v := range m.squares {
		if m.lo[j] == m.hi[j] || v >= leastSquares && v <= mostSquares {
			continue
		}
		if units == nil {
			units, exponents = slices.Repeat([]float64{1}, len(m.mean)), make([]int, len(m.mean))
		}
		_, e := math.Frexp(max(-m.lo[j], m.hi[j]))
		e = max(-1000, min(1000, e))
		units[j], exponents[j] = math.Ldexp(1, -e), 2*e
	}
	return units, exponents
}

// blockMoments are the means, the sums of squared deviations and the ranges of
// the columns of the blocks so far.
type blockMoments struct {
	n, rows       int // of the whole, and so far
	mean, squares []float64
	lo, hi        []float64
	exponents     []int // of squares; nil: all 0
	part, spread  []float64
}

func newBlockMoments(n, d int) *blockMoments {
	m := &blockMoments{n: n, mean: make([]float64, d), squares: make([]float64, d), lo: make([]float64, d), hi: make([]float64, d),
		part: make([]float64, d), spread: make([]float64, d)}
	for j := range m.lo {
		m.lo[j], m.hi[j] = math.Inf(1), math.Inf(-1)
	}
	return m
}

// add merges the moments of a block by the formula of Chan, Golub and LeVeque
// (1983). The error names the first number that is not finite.
func (m *blockMoments) add(b *block) error {
	kernel.Spreads(m.part, m.spread, m.lo, m.hi, b.x)
	for j, v := range m.part {
		if v-v != 0 || m.spread[j] != m.spread[j] {
			if err := blameBlock(b); err != nil {
				return err
			}
		}
	}
	m.merge(b.x.Rows, m.part, m.spread)
	return nil
}

// merge adds the means and squares of other rows.
func (m *blockMoments) merge(rows int, mean, squares []float64) {
	m.rows += rows
	share := float64(rows) / float64(m.rows)
	for j, v := range mean {
		delta := v - m.mean[j]
		m.mean[j] += delta * share
		m.squares[j] += squares[j] + delta*delta*share*float64(m.rows-rows)
	}
}

// mergeAll merges the moments of other blocks, and their ranges.
func (m *blockMoments) mergeAll(other *blockMoments) {
	if other.rows == 0 {
		return
	}
	m.merge(other.rows, other.mean, other.squares)
	for j := range m.lo {
		m.lo[j], m.hi[j] = min(m.lo[j], other.lo[j]), max(m.hi[j], other.hi[j])
	}
}

// blameBlock returns the error for the first number of a block that is not finite.
func blameBlock(b *block) error {
	for i := range b.x.Rows {
		for j, v := range b.x.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the data: %w", &EntryError{Row: b.from + i, Col: j, Value: v, Reason: "want a finite number"})
			}
		}
	}
	return nil
}
