package classifier

import (
	"math"
)

// shortlist collects the rows that may be among the k nearest of one query.
type shortlist struct {
	k     int
	upper []float64 // heap of the k smallest upper ends, the largest on top
	rows  []int
	lower []float64 // of rows
}

func (l *shortlist) reset() {
	l.upper, l.rows, l.lower = l.upper[:0], l.rows[:0], l.lower[:0]
}

// worst is the k-th smallest upper end so far: a row above it is not wanted.
func (l *shortlist) worst() float64 {
	if len(l.upper) < l.k {
		return math.Inf(1)
	}
	return l.upper[0]
}

// offer considers a block of rows, given their products with the query. A row is
// passed over if even the largest error of the block leaves it above the worst;
// where numbers overflowed to NaN it stays a candidate.
func (l *shortlist) offer(from int, products []float64, square float64, b *rowBlock) {
	slack := estimateError(b.columns, square, b.largest) - square
	limit := l.worst() + slack
	squares := b.square[:len(products)]
	for j, product := range products {
		if squares[j]-2*product > limit {
			continue
		}
		margin := estimateError(b.columns, square, squares[j])
		estimate := square - 2*product + squares[j]
		l.consider(from+j, estimate-margin, estimate+margin)
		limit = l.worst() + slack
	}
}

// consider takes a row whose distance lies between lower and upper.
func (l *shortlist) consider(row int, lower, upper float64) {
	if lower > l.worst() {
		return
	}
	l.rows = append(l.rows, row)
	l.lower = append(l.lower, lower)
	if math.IsNaN(upper) {
		upper = math.Inf(1)
	}
	if len(l.upper) < l.k {
		l.upper = append(l.upper, upper)
		l.rise(len(l.upper) - 1)
	} else if upper < l.upper[0] {
		l.upper[0] = upper
		l.sink()
	}
	if len(l.rows) > 4*l.k+64 {
		l.compact()
	}
}

// compact drops the rows that have fallen behind.
func (l *shortlist) compact() {
	worst, kept := l.worst(), 0
	for i, lower := range l.lower {
		if lower > worst {
			continue
		}
		l.rows[kept], l.lower[kept] = l.rows[i], lower
		kept++
	}
	l.rows, l.lower = l.rows[:kept], l.lower[:kept]
}

func (l *shortlist) rise(i int) {
	for parent := (i - 1) / 2; i > 0 && l.upper[i] > l.upper[parent]; parent = (i - 1) / 2 {
		l.upper[i], l.upper[parent] = l.upper[parent], l.upper[i]
		i = parent
	}
}

func (l *shortlist) sink() {
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < len(l.upper) && l.upper[child+1] > l.upper[child] {
			child++
		}
		if child >= len(l.upper) || l.upper[i] >= l.upper[child] {
			return
		}
		l.upper[i], l.upper[child] = l.upper[child], l.upper[i]
		i = child
	}
}
