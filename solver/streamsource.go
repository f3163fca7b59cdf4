package solver

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
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
	products Products      // with the centred rows, where these are elsewhere; nil: they are read

	weighted *weightedRows // what from is, with weights; nil without

	passes  atomic.Int64
	sampled atomic.Int64

	reading sync.Mutex // one pass at a time; guards what follows
	blocks  [2]*block
	sums    []uint64 // of the numbers of the blocks
}

// block is a block of rows.
type block struct {
	from int
	x    kernel.Matrix
	err  error

	data *mat.Dense // room for it
	pass *kernel.Pass
	wide int // the columns for which pass was made
}

// streamBlock is about the bytes of a block: large beside the sums to which its
// products are added, and small beside any memory.
const streamBlock = 8 << 20

func newSource(from Rows, n, d int, opt StreamOptions) *source {
	s := &source{from: from, n: n, width: d, opt: opt, block: opt.Block}
	if s.block == 0 {
		s.block = max(64, streamBlock/(8*d))
	}
	s.block = min(s.block, n)
	s.sums = make([]uint64, (n+s.block-1)/s.block)
	return s
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
	block := max(64, streamBlock/(8*max(1, d)))
	buffers := 2*doubles(min(block, n), d) + packing
	formed = buffers + doubles(d, d)
	f := footprint{Shape: Shape{Rows: n, Columns: d, Scaled: scaled}, k: k, m: m, route: RouteCovariance}
	f.pairs = f.pairsFor("")
	if formed += max(f.spectrum(), f.ascent()); scaled {
		formed += doubles(d, d)
	}
	f.route, f.Rows = RouteImplicit, min(block, n)
	passes = buffers + max(f.spectrum(), 3*doubles(d, k)) + doubles(2*d, f.pairs+16)
	return formed, passes
}

// each calls f with the blocks in order. The next one is read meanwhile.
func (s *source) each(ctx context.Context, f func(*block) error) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	pass := int(s.passes.Add(1))
	ctx, cancel := context.WithCancel(ctx)
	free, filled := make(chan *block, len(s.blocks)), make(chan *block, len(s.blocks))
	for i := range s.blocks {
		if s.blocks[i] == nil {
			s.blocks[i] = &block{data: mat.NewDense(s.block, s.width, nil)}
		}
		free <- s.blocks[i]
	}
	go func() {
		defer close(filled)
		for from := 0; from < s.n; from += s.block {
			b := <-free
			if b.err = ctx.Err(); b.err == nil {
				b.err = s.read(ctx, b, from)
			}
			filled <- b
			if b.err != nil {
				return
			}
		}
	}()
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

// read fills a block and compares it with what it held in the first pass.
func (s *source) read(ctx context.Context, b *block, from int) error {
	rows := min(s.block, s.n-from)
	dst := b.data
	if rows < s.block {
		dst = b.data.Slice(0, rows, 0, s.width).(*mat.Dense)
	}
	got, err := s.from.Read(ctx, from, dst)
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
	sum, at := sumOf(b.x), from/s.block
	if s.sums[at] == 0 {
		s.sums[at] = sum
	}
	if s.sums[at] != sum {
		return fmt.Errorf("rows %d to %d of %d: %w", from+1, from+rows, s.n, ErrChanged)
	}
	return nil
}

// sumOf returns a checksum of the numbers of x, not 0. Two numbers are multiplied at a time, and the
// halves of the product of 128 bits are mixed, as wyhash does.
func sumOf(x kernel.Matrix) uint64 {
	const prime = 0x9e3779b97f4a7c15
	h0, h1, h2, h3 := uint64(1), uint64(2), uint64(3), uint64(4) // they do not wait for each other
	for i := range x.Rows {
		row := x.Row(i)
		for ; len(row) >= 8; row = row[8:] {
			h0, h1 = mixed(h0, row[0], row[1]), mixed(h1, row[2], row[3])
			h2, h3 = mixed(h2, row[4], row[5]), mixed(h3, row[6], row[7])
		}
		for _, v := range row {
			h0 = mixed(h0, v, 0)
		}
	}
	sum := h0
	for _, v := range [...]uint64{h1, h2, h3} {
		sum = (sum ^ v) * prime
		sum ^= sum >> 32
	}
	return max(1, sum)
}

// mixed adds two numbers to a sum.
func mixed(h uint64, a, b float64) uint64 {
	const some, other = 0xd1342543de82ef95, 0xaf251af3b0f025b5 // odd, half of their bits set
	high, low := bits.Mul64(math.Float64bits(a)^some, math.Float64bits(b)^h^other)
	return high ^ low ^ h>>1
}

// passFor returns a pass over the block for products with so many columns.
func (b *block) passFor(center []float64, columns int) *kernel.Pass {
	if b.pass == nil || b.wide < columns {
		b.wide = max(16, columns)
		b.pass = kernel.NewPass(b.x, center, b.wide)
	}
	return b.pass
}
