package solver

import (
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
)

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

	about []float64 // a centre near the means, by which blocks are summed; nil: each has its own
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
	kernel.Spreads(m.part, m.spread, m.lo, m.hi, m.about, b.x)
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
