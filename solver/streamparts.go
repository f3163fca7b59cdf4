package solver

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// streamParts is in how many parts rows are summed: block i belongs to part i mod streamParts.
const streamParts = 2

// split calls f with all blocks, each part's in order. One goroutine reads a block, sums it up and multiplies
// it while the processor's cache holds it. Another does so with the block of the other part at the same time:
// what f adds up is apart for each part.
func (s *source) split(ctx context.Context, f func(part int, b *block) error) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	s.makeBlocks()
	p := &splitting{source: s, ctx: ctx, f: f, pass: int(s.passes.Add(1)), failed: s.n}
	p.finished.L = &p.lock
	_, p.together = s.from.(summing)
	done := kernel.Share(streamParts)
	var group sync.WaitGroup
	for _, b := range s.blocks {
		group.Go(func() { p.work(b) })
	}
	group.Wait()
	done()
	if p.panicked != nil {
		panic(p.panicked)
	}
	return p.err
}

// splitting is a pass whose blocks are split in parts.
type splitting struct {
	*source
	ctx      context.Context
	f        func(part int, b *block) error
	pass     int
	together bool       // the rows may be read by several goroutines at once
	order    sync.Mutex // held while others are read

	lock     sync.Mutex // guards what follows
	finished sync.Cond
	next     int              // the first row that nobody has taken
	blocks   [streamParts]int // that are done, of each part
	rows     int              // that are done
	failed   int              // the first row of the block that failed first; n if none has
	err      error            // its error
	panicked any
}

// work takes blocks until none is left.
func (p *splitting) work(b *block) {
	defer func() {
		if r := recover(); r != nil {
			p.fail(0, nil, r)
		}
	}()
	for {
		from, err := p.take(b)
		if from >= p.n {
			return
		}
		if err == nil {
			part := from / p.block % streamParts
			if !p.await(part, from) {
				return
			}
			err = p.f(part, b)
		}
		if err != nil {
			p.fail(from, err, nil)
			return
		}
		p.done(b)
	}
}

// take reads the next block. It returns its first row, n if there is none.
func (p *splitting) take(b *block) (from int, err error) {
	if !p.together {
		p.order.Lock()
		defer p.order.Unlock()
	}
	if from = p.following(); from >= p.n {
		return from, nil
	}
	if err := p.ctx.Err(); err != nil {
		return from, err
	}
	return from, p.read(p.ctx, b, from)
}

// following returns the first row of the block that is to be read next; n if there is none.
func (p *splitting) following() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.failed < p.n {
		return p.n
	}
	from := p.next
	p.next += p.block
	return from
}

// await returns true once all earlier blocks of the part are done, false if one never will be.
func (p *splitting) await(part, from int) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	for p.blocks[part] < from/p.block/streamParts && p.failed == p.n {
		p.finished.Wait()
	}
	return p.blocks[part] == from/p.block/streamParts
}

// done counts a block, unless another failed before.
func (p *splitting) done(b *block) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.blocks[b.from/p.block%streamParts]++
	p.rows += b.x.Rows
	p.finished.Broadcast()
	if p.opt.Progress != nil && p.failed == p.n {
		p.opt.Progress(p.pass, p.rows, p.n)
	}
}

// fail keeps the error of the block that comes first, or what was raised.
func (p *splitting) fail(from int, err error, raised any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if from < p.failed {
		p.failed, p.err = from, err
	}
	if raised != nil {
		p.panicked = raised
	}
	p.finished.Broadcast()
}

// makeBlocks makes the room of the blocks where it is not there yet.
func (s *source) makeBlocks() {
	for i := range s.blocks {
		if s.blocks[i] == nil {
			s.blocks[i] = &block{data: mat.NewDense(s.block, s.width, nil)}
		}
	}
}

// sums are matrices to which the products of each part are added.
type sums [streamParts]kernel.Matrix

// newSums returns zeros in scratch space, which is given back by release.
func newSums(rows, columns int) (s sums, release func()) {
	room := kernel.Borrow()
	all := room.Matrix(streamParts*rows, columns)
	all.Zero()
	for part := range s {
		s[part] = all.Slice(part*rows, (part+1)*rows, 0, columns)
	}
	return s, room.Release
}

// total returns the sum of all parts, which is that of the first from then on.
func (s sums) total() kernel.Matrix {
	for part := 1; part < streamParts; part++ {
		for i := range s[0].Rows {
			kernel.Axpy(1, s[part].Row(i), s[0].Row(i))
		}
	}
	return s[0]
}
