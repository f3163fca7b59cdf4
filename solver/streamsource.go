package solver

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver/spectral"
)

// source is what all operators on the same rows share.
type source struct {
	from     Rows
	n, width int // rows and columns
	opt      StreamOptions
	block    int // rows read at a time

	center   []float64     // the means of all columns; nil if uncentred
	measured *blockMoments // of all columns
	scatter  kernel.Matrix // A of all columns, each times 2^(−exponent/2) of its moment; no rows if it was not formed
	sample   kernel.Matrix // every 32nd row, or 256 of them, if kept
	opening  *opening      // the first product; nil: none
	products Products      // with the centred rows, where these are elsewhere; nil: they are read

	weighted *weightedRows // what from is, with weights; nil without

	passes  atomic.Int64
	sampled atomic.Int64

	reading sync.Mutex // one pass at a time; guards what follows
	blocks  [streamParts]*block
	sums    []uint64 // of the numbers of the blocks
}

// block is a block of rows.
type block struct {
	from int
	x    kernel.Matrix
	err  error

	data   *mat.Dense // room for it
	pass   *kernel.Pass
	center []float64 // that of pass
	wide   int       // the columns for which it was made
}

// streamBlock is about the bytes of a block: large beside the sums to which its
// products are added, and small beside any memory.
const streamBlock = 8 << 20

// blockRows is how many rows of d columns are read at a time: a multiple of the rows that the kernels keep in
// registers, 12, for each of two workers.
func blockRows(d int) int {
	const unit = 24
	return max(3*unit, streamBlock/(8*d)/unit*unit)
}

func newSource(from Rows, n, d int, opt StreamOptions) *source {
	s := &source{from: from, n: n, width: d, opt: opt, block: opt.Block}
	if s.block == 0 {
		s.block = blockRows(d)
	}
	s.block = min(s.block, n)
	s.sums = make([]uint64, (n+s.block-1)/s.block)
	return s
}

// LeastBlock returns the fewest rows of d columns that are worth reading at a time, for StreamOptions.Block.
// A stream of n rows then takes so many bytes less than StreamMemory says.
func LeastBlock(n, d int) (rows int, less int64) {
	const unit, bytes = 24, 1 << 20
	s := Shape{Rows: n, Columns: d}.bounded()
	n, d = max(1, s.Rows), max(1, s.Columns)
	usual := min(n, blockRows(d))
	rows = min(usual, max(3*unit, bytes/(8*d)/unit*unit))
	return rows, 2 * (doubles(usual, d) - doubles(rows, d))
}

// StreamMemory returns the peak memory, in bytes, of NewStream and one fit of m
// components on k of d columns: if A is formed, and if it is not. The latter
// does not count the sample of the rows, which is kept if there is room. Scaled
// is as in Shape.
func StreamMemory(n, d, k, m int, scaled bool) (formed, passes int64) {
	s := Shape{Rows: n, Columns: d}.bounded()
	n, d = s.Rows, s.Columns
	k = max(1, min(k, d))
	m = max(1, min(m, k))
	block := blockRows(max(1, d))
	buffers := 2*doubles(min(block, n), d) + packing
	formed = buffers + doubles(d, d)
	f := footprint{Shape: Shape{Rows: n, Columns: d, Scaled: scaled}, k: k, m: m, route: RouteCovariance}
	f.pairs = f.pairsFor("")
	if formed += max(f.spectrum(), f.ascent()); scaled {
		formed += doubles(d, d)
	}
	f.route, f.Rows = RouteImplicit, min(block, n)
	first := 2 // the first product and what it is of, and once more where they are scaled
	if scaled {
		first = 4
	}
	if k+foretoldColumns <= fewColumns { // the columns of A that come with the last product
		passes += doubles(3*fewColumns, d)
	}
	opening := doubles(first*d, spectral.Settings{}.Need(d, f.pairs).Columns)
	passes += buffers + max(f.spectrum(), 3*doubles(d, k)) + doubles(3*d, f.pairs+16) + opening
	return formed, passes
}

// each calls f with the blocks in order. The next one is read meanwhile.
func (s *source) each(ctx context.Context, f func(*block) error) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	pass := int(s.passes.Add(1))
	ctx, cancel := context.WithCancel(ctx)
	free, filled := make(chan *block, len(s.blocks)), make(chan *block, len(s.blocks))
	s.makeBlocks()
	for _, b := range s.blocks {
		free <- b
	}
	go s.fill(ctx, free, filled)
	defer func() {
		cancel()
		for b := range filled { // until the reader has ended
			free <- b
		}
	}()
	for b := range filled {
		if b.err != nil {
			return b.err
		}
		if err := f(b); err != nil {
			return err
		}
		if s.opt.Progress != nil {
			s.opt.Progress(pass, b.from+b.x.Rows, s.n)
		}
		free <- b
	}
	return nil
}

// fill reads block after block, and ends after the last or after an error.
func (s *source) fill(ctx context.Context, free <-chan *block, filled chan<- *block) {
	defer close(filled)
	for from := 0; from < s.n; from += s.block {
		b := <-free
		if b.err = ctx.Err(); b.err == nil {
			done := kernel.Occupy()
			b.err = s.read(ctx, b, from)
			done()
		}
		filled <- b
		if b.err != nil {
			return
		}
	}
}

// read fills a block and compares it with what it held in the first pass.
func (s *source) read(ctx context.Context, b *block, from int) error {
	rows := min(s.block, s.n-from)
	dst := b.data
	if rows < s.block {
		dst = b.data.Slice(0, rows, 0, s.width).(*mat.Dense)
	}
	got, sum, err := readSum(ctx, s.from, from, dst)
	if err != nil {
		return err
	}
	if got != rows {
		return fmt.Errorf("the rows end after %d, want %d", from+got, s.n)
	}
	if x := kernel.Matrix(dst.RawMatrix()); x.Rows != b.x.Rows {
		b.x, b.pass = x, nil
	}
	b.from = from
	at := from / s.block
	if s.sums[at] == 0 {
		s.sums[at] = sum
	}
	if s.sums[at] != sum {
		return fmt.Errorf("rows %d to %d of %d: %w", from+1, from+rows, s.n, ErrChanged)
	}
	return nil
}

// summing rows sum up what they read while it is in the cache.
type summing interface {
	ReadSum(ctx context.Context, from int, dst *mat.Dense) (n int, sum uint64, err error)
}

// readSum is Read with a checksum of the rows, not 0.
func readSum(ctx context.Context, rows Rows, from int, dst *mat.Dense) (n int, sum uint64, err error) {
	if s, ok := rows.(summing); ok {
		n, sum, err = s.ReadSum(ctx, from, dst)
		return n, max(1, sum), err
	}
	if n, err = rows.Read(ctx, from, dst); err != nil || n < 1 {
		return n, 1, err
	}
	x := kernel.Matrix(dst.RawMatrix())
	return n, sumOf(x.Slice(0, min(n, x.Rows), 0, x.Cols)), nil
}

// sumOf returns a checksum of the numbers of x, not 0.
func sumOf(x kernel.Matrix) uint64 {
	var d kernel.Digest
	if x.Stride == x.Cols {
		d.Add(x.Data[:x.Rows*x.Cols])
		return d.Sum()
	}
	for i := range x.Rows {
		d.Add(x.Row(i))
	}
	return d.Sum()
}

// passFor returns a pass over the block for products with so many columns.
func (b *block) passFor(center []float64, columns int) *kernel.Pass {
	if columns = max(16, columns); b.pass == nil || b.wide != columns || !sameSlice(b.center, center) {
		if b.pass != nil {
			b.pass.Release()
		}
		b.wide, b.center = columns, center
		b.pass = kernel.NewPass(b.x, center, b.wide)
	}
	return b.pass
}

// sameSlice reports whether two slices are the same numbers in memory.
func sameSlice(a, b []float64) bool {
	return len(a) == len(b) && unsafe.SliceData(a) == unsafe.SliceData(b)
}
