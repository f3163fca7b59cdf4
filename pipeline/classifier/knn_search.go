package classifier

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// Rows are compared in blocks of queryBlock × trainBlock, whose inner products
// are one matrix product.
const (
	queryBlock = 256
	trainBlock = 512
)

// neighborSearch finds the nearest rows of x.
//
// The distance of a and b, both centred at the training mean, is first estimated by
// ‖a‖² − 2aᵀb + ‖b‖². One matrix product gives it for a whole block. The estimate
// only serves to exclude: a row is a candidate unless the lower end of its error
// interval lies above the k-th smallest upper end. Distances of candidates are
// computed again as Σ(a−b)², and these decide. The result is that of computing
// Σ(a−b)² everywhere, near duplicates and ties included.
type neighborSearch struct {
	x     *mat.Dense // n×p, its own
	ready func()     // finds what follows, once
	mean  []float64
	scale float64 // a power of two that brings squares into range
}

// newNeighborSearch searches among the rows of x, or of a copy of it. It does not look at them before the
// first query.
func newNeighborSearch(x *mat.Dense, copied bool) *neighborSearch {
	if copied {
		n, p := x.Dims()
		own := mat.NewDense(n, p, nil)
		kernel.Parallel((n+fitRows-1)/fitRows, func(_, task int) {
			for i := task * fitRows; i < min(n, (task+1)*fitRows); i++ {
				copy(own.RawRowView(i), x.RawRowView(i))
			}
		})
		x = own
	}
	s := &neighborSearch{x: x}
	s.ready = sync.OnceFunc(s.look)
	return s
}

// look finds mean and scale.
func (s *neighborSearch) look() {
	n, p := s.x.Dims()
	s.mean, s.scale = make([]float64, p), 1
	tasks := (n + fitRows - 1) / fitRows
	low, high := make([][]float64, tasks), make([][]float64, tasks)
	kernel.Parallel(tasks, func(_, task int) {
		first := task * fitRows
		lo, hi := slices.Clone(s.x.RawRowView(first)), slices.Clone(s.x.RawRowView(first))
		for i := first; i < min(n, first+fitRows); i++ {
			for j, v := range s.x.RawRowView(i) {
				if v < lo[j] {
					lo[j] = v
				} else if v > hi[j] {
					hi[j] = v
				}
			}
		}
		low[task], high[task] = lo, hi
	})
	kernel.Moments(s.mean, nil, kernel.Matrix(s.x.RawMatrix()))
	widest := 0.0 // |v − mean| at most, over all cells
	for task := range tasks {
		for j, mean := range s.mean {
			widest = max(widest, math.Abs(high[task][j]-mean), math.Abs(low[task][j]-mean))
		}
	}
	if widest > 0 && !math.IsInf(widest, 0) {
		_, exponent := math.Frexp(widest)
		s.scale = math.Ldexp(1, min(-exponent, 1000))
	}
}

// fitRows is the number of rows that one goroutine looks at in one go.
const fitRows = 1024

// nearest calls see for each row i of queries with its k nearest rows of x, the
// nearest first. Calls come from several goroutines, for each i one; the slice is
// valid during the call only.
func (s *neighborSearch) nearest(ctx context.Context, queries *mat.Dense, k int, see func(i int, found []neighbor)) error {
	s.ready()
	q, _ := queries.Dims()
	var stopped atomic.Bool
	blocks := (q + queryBlock - 1) / queryBlock
	rooms := make([]*searchRoom, kernel.Workers(blocks))
	kernel.Parallel(blocks, func(worker, part int) {
		if rooms[worker] == nil {
			rooms[worker] = s.newRoom(min(queryBlock, q), k)
		}
		first := part * queryBlock
		last := min(first+queryBlock, q)
		if stopped.Load() || !rooms[worker].fill(ctx, s, queries, first, last) {
			stopped.Store(true)
			return
		}
		for i := first; i < last; i++ {
			see(i, rooms[worker].decide(s, queries.RawRowView(i), i-first, k))
		}
	})
	if stopped.Load() {
		return ctx.Err()
	}
	return nil
}

// neighbor is a training row with its squared distance, times the square of the
// search's scale.
type neighbor struct {
	row      int
	distance float64
}

// searchRoom is what one goroutine needs to search for a block of queries.
type searchRoom struct {
	query, train *rowBlock
	products     kernel.Matrix
	lists        []shortlist
	candidates   []neighbor
}

func (s *neighborSearch) newRoom(queries, k int) *searchRoom {
	n, p := s.x.Dims()
	r := &searchRoom{query: newRowBlock(queries, p), train: newRowBlock(min(trainBlock, n), p)}
	r.products = kernel.NewMatrix(queries, len(r.train.square))
	r.lists = make([]shortlist, queries)
	for i := range r.lists {
		r.lists[i].k = k
	}
	return r
}

// fill collects the candidates of the queries first…last−1; false when ctx ended.
func (r *searchRoom) fill(ctx context.Context, s *neighborSearch, queries *mat.Dense, first, last int) bool {
	n, _ := s.x.Dims()
	r.query.fill(s, queries, first, last)
	for i := range last - first {
		r.lists[i].reset()
	}
	for from := 0; from < n; from += trainBlock {
		if ctx.Err() != nil {
			return false
		}
		to := min(from+trainBlock, n)
		r.train.fill(s, s.x, from, to)
		products := r.products.Slice(0, last-first, 0, to-from)
		kernel.Gemm(false, true, 1, r.query.rows(last-first), r.train.rows(to-from), 0, products)
		for i := range last - first {
			r.lists[i].offer(from, products.Row(i), r.query.square[i], r.train)
		}
	}
	return true
}

// decide orders the candidates of a query by distance, then index, and keeps k.
func (r *searchRoom) decide(s *neighborSearch, query []float64, at, k int) []neighbor {
	list := &r.lists[at]
	worst := list.worst()
	r.candidates = r.candidates[:0]
	for i, row := range list.rows {
		if list.lower[i] > worst {
			continue
		}
		r.candidates = append(r.candidates, neighbor{row, s.distance(query, row)})
	}
	slices.SortFunc(r.candidates, compareNeighbors)
	return r.candidates[:k]
}

// estimateError bounds the difference of two values, both computed in floating
// point: ‖a‖² − 2aᵀb + ‖b‖² on the rounded, centred rows and Σ(a−b)² on the
// original rows. With the unit roundoff u, each of the three sums of p terms
// errs by at most (p+1)·u times the sum of absolute terms; centring
// adds 2u to each entry, and Σ(a−b)² itself (p+2)·u. All are below
// 4(p+8)·u·(‖a‖²+‖b‖²) in sum, since |aᵀb| ≤ (‖a‖²+‖b‖²)/2. The bound is used with
// a factor 2 of safety; the last term stands for squares that underflow, and is
// nothing beside the data's own width, which the scale has made about 1.
func estimateError(p int, a, b float64) float64 {
	const u = 0x1p-53
	return 8*float64(p+8)*u*(a+b) + 0x1p-1000
}

// rowBlock holds rows, centred and scaled, for one matrix product.
type rowBlock struct {
	columns      int
	data, square []float64
	largest      float64 // of square
}

func newRowBlock(rows, columns int) *rowBlock {
	return &rowBlock{columns: columns, data: make([]float64, rows*columns), square: make([]float64, rows)}
}

// fill copies rows from…to−1 of x with their squared norms.
func (b *rowBlock) fill(s *neighborSearch, x *mat.Dense, from, to int) {
	b.largest = 0
	for i := range to - from {
		row := b.data[i*b.columns : (i+1)*b.columns]
		from := x.RawRowView(from + i)[:len(row)]
		mean := s.mean[:len(row)]
		for j, v := range from {
			row[j] = (v - mean[j]) * s.scale
		}
		b.square[i] = kernel.Dot(row, row)
		b.largest = max(b.largest, b.square[i]) // NaN stays: no row is then left out
	}
}

func (b *rowBlock) rows(rows int) kernel.Matrix {
	return kernel.Matrix{Rows: rows, Cols: b.columns, Stride: b.columns, Data: b.data[:rows*b.columns]}
}
