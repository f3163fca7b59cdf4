package classifier

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Rows are compared in blocks of queryBlock × trainBlock, whose inner products
// are one matrix product.
const (
	queryBlock = 64
	trainBlock = 256
)

// neighborSearch finds the nearest rows of x.
//
// The distance of a and b, both centred at the training mean, is first estimated
// by ‖a‖² − 2aᵀb + ‖b‖², which a matrix product gives for a whole block. The
// estimate only serves to exclude: a row is a candidate unless the lower end of
// its error interval lies above the k-th smallest upper end. Distances of
// candidates are computed again as Σ(a−b)², and these decide. The result is that
// of computing Σ(a−b)² everywhere, near duplicates and ties included.
type neighborSearch struct {
	x     *mat.Dense // n×p, shared
	mean  []float64
	scale float64 // a power of two that brings squares into range
}

func newNeighborSearch(x *mat.Dense) *neighborSearch {
	n, p := x.Dims()
	s := &neighborSearch{x: x, mean: make([]float64, p), scale: 1}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			s.mean[j] += v / float64(n)
		}
	}
	widest := 0.0
	for i := range n {
		for j, v := range x.RawRowView(i) {
			widest = max(widest, math.Abs(v-s.mean[j]))
		}
	}
	if widest > 0 && !math.IsInf(widest, 0) {
		_, exponent := math.Frexp(widest)
		s.scale = math.Ldexp(1, min(-exponent, 1000))
	}
	return s
}

// nearest calls see for each row i of queries with the indices of its k nearest
// rows of x, the nearest first. Calls come from several goroutines, for each i
// one; rows is valid during the call only.
func (s *neighborSearch) nearest(ctx context.Context, queries *mat.Dense, k int, see func(i int, rows []int)) error {
	q, _ := queries.Dims()
	var stopped atomic.Bool
	eachPart((q+queryBlock-1)/queryBlock, func(part int) {
		if stopped.Load() || ctx.Err() != nil {
			stopped.Store(true)
			return
		}
		first := part * queryBlock
		last := min(first+queryBlock, q)
		for i, list := range s.shortlists(queries, first, last, k) {
			see(first+i, s.decide(queries.RawRowView(first+i), list, k))
		}
	})
	if stopped.Load() {
		return ctx.Err()
	}
	return nil
}

// shortlists gives the candidates of the queries first…last−1.
func (s *neighborSearch) shortlists(queries *mat.Dense, first, last, k int) []*shortlist {
	n, p := s.x.Dims()
	a := newRowBlock(last-first, p)
	b := newRowBlock(min(trainBlock, n), p)
	s.fill(a, queries, first, last)
	products := blas64.General{Rows: last - first, Cols: b.capacity, Stride: b.capacity, Data: make([]float64, (last-first)*b.capacity)}
	lists := make([]*shortlist, last-first)
	for i := range lists {
		lists[i] = &shortlist{k: k}
	}
	for from := 0; from < n; from += b.capacity {
		to := min(from+b.capacity, n)
		s.fill(b, s.x, from, to)
		products.Cols = to - from
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, a.general(last-first), b.general(to-from), 0, products)
		for i, list := range lists {
			row := products.Data[i*products.Stride:]
			for j := range to - from {
				estimate := a.square[i] - 2*row[j] + b.square[j]
				margin := estimateError(p, a.square[i], b.square[j])
				list.offer(from+j, estimate-margin, estimate+margin)
			}
		}
	}
	return lists
}

// estimateError bounds how far ‖a‖² − 2aᵀb + ‖b‖² on the rounded, centred rows
// and Σ(a−b)² on the rows as they are may differ, both in floating point. With
// the unit roundoff u, each of the three sums of p terms has a relative error of
// at most (p+1)·u against the sum of absolute terms; centring adds 2u to each
// entry, and Σ(a−b)² itself (p+2)·u. All are below 4(p+8)·u·(‖a‖²+‖b‖²) in sum,
// since |aᵀb| ≤ (‖a‖²+‖b‖²)/2. The bound is used with a factor 2 of safety; the
// last term stands for squares that underflow, and is nothing beside the data's
// own width, which the scale has made about 1.
func estimateError(p int, a, b float64) float64 {
	const u = 0x1p-53
	return 8*float64(p+8)*u*(a+b) + 0x1p-1000
}

// decide orders the candidates by distance, then index, and keeps k.
func (s *neighborSearch) decide(query []float64, list *shortlist, k int) []int {
	type candidate struct {
		row      int
		distance float64
	}
	var candidates []candidate
	for i, row := range list.rows {
		if list.lower[i] > list.worst() {
			continue
		}
		sum := 0.0
		for j, v := range s.x.RawRowView(row) {
			d := (query[j] - v) * s.scale
			sum += d * d
		}
		candidates = append(candidates, candidate{row, sum})
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.row, b.row))
	})
	rows := make([]int, k)
	for i := range rows {
		rows[i] = candidates[i].row
	}
	return rows
}

// fill copies rows from…to−1 of x, centred and scaled, with their squared norms.
func (s *neighborSearch) fill(b *rowBlock, x *mat.Dense, from, to int) {
	for i := range to - from {
		row := b.data[i*b.columns : (i+1)*b.columns]
		sum := 0.0
		for j, v := range x.RawRowView(from + i) {
			row[j] = (v - s.mean[j]) * s.scale
			sum += row[j] * row[j]
		}
		b.square[i] = sum
	}
}

// rowBlock holds up to capacity rows for one matrix product.
type rowBlock struct {
	capacity, columns int
	data, square      []float64
}

func newRowBlock(rows, columns int) *rowBlock {
	return &rowBlock{rows, columns, make([]float64, rows*columns), make([]float64, rows)}
}

func (b *rowBlock) general(rows int) blas64.General {
	return blas64.General{Rows: rows, Cols: b.columns, Stride: b.columns, Data: b.data}
}

// shortlist collects the rows that may be among the k nearest of one query.
type shortlist struct {
	k     int
	upper []float64 // heap of the k smallest upper ends, the largest on top
	rows  []int
	lower []float64 // of rows
}

// worst is the k-th smallest upper end so far: a row above it is not wanted.
func (l *shortlist) worst() float64 {
	if len(l.upper) < l.k {
		return math.Inf(1)
	}
	return l.upper[0]
}

// offer considers a row whose distance lies between lower and upper. Where these
// overflowed to NaN the row stays a candidate.
func (l *shortlist) offer(row int, lower, upper float64) {
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
