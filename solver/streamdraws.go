package solver

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// Drawn returns the rows of from at the ascending places at, counted from 0; a
// place may be repeated. It is an error if there are no rows, or if a place is out
// of range.
func Drawn(from Rows, at []int) (Rows, error) {
	n, _, err := dimsOf(from)
	if err != nil {
		return nil, err
	}
	for i, row := range at {
		if row < 0 || row >= n || i > 0 && row < at[i-1] {
			return nil, fmt.Errorf("place %d is row %d of %d: want ascending rows from 0 on", i+1, row, n)
		}
	}
	return &drawnRows{from, at}, nil
}

type drawnRows struct {
	from Rows
	at   []int
}

// Dims returns the number of rows and of columns.
func (r *drawnRows) Dims() (n, d int) {
	_, d = r.from.Dims()
	return len(r.at), d
}

// Read reads the rows between the first and the last that are wanted, some at a time.
func (r *drawnRows) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	want, d := dst.Dims()
	want = min(want, len(r.at)-from)
	var read *mat.Dense
	first, got := 0, 0 // the rows in it
	for i := range want {
		row := r.at[from+i]
		if row >= first+got {
			last := r.at[from+want-1]
			if read == nil {
				read = mat.NewDense(min(last-row+1, 1<<9), d, nil)
			}
			var err error
			if got, err = r.from.Read(ctx, row, read); err != nil {
				return 0, err
			}
			if first = row; got < 1 {
				return i, nil
			}
		}
		copy(dst.RawRowView(i), read.RawRowView(row-first))
	}
	return max(0, want), nil
}

// NewStreams returns the covariances of several draws of the same rows in one
// pass. Each is what NewStream gives for Drawn, bit for bit. Memory and Weights
// are those of each draw. A draw without a covariance, such as one in which no
// column varies, has an error in errs. The last error concerns all draws.
func NewStreams(ctx context.Context, from Rows, draws [][]int, opt StreamOptions) (streams []*Stream, errs []error, err error) {
	n, d, err := dimsOf(from)
	if err != nil {
		return nil, nil, err
	}
	if opt.Block < 0 || opt.Memory < 0 || opt.Weights != nil {
		return nil, nil, fmt.Errorf("block is %d and memory %d: want numbers of at least 0, and no weights", opt.Block, opt.Memory)
	}
	parts := make([]*drawing, len(draws))
	for i, at := range draws {
		if parts[i], err = newDrawing(ctx, from, at, d, opt); err != nil {
			return nil, nil, fmt.Errorf("draw %d: %w", i+1, err)
		}
	}
	err = newSource(from, n, d, opt).each(ctx, func(b *block) error {
		for _, p := range parts {
			if err := p.pick(b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	streams, errs = make([]*Stream, len(draws)), make([]error, len(draws))
	for i, p := range parts {
		m, err := p.end(ctx)
		if err != nil {
			return nil, nil, err
		}
		streams[i], errs[i] = newStream(p.source, m)
	}
	return streams, errs, nil
}

// drawing gathers the rows of a draw into blocks, as its source would read them.
type drawing struct {
	*measuring
	at     []int
	next   int // the first row of the draw that has not come
	filled int // rows of the block
	room   kernel.Matrix
}

func newDrawing(ctx context.Context, from Rows, at []int, d int, opt StreamOptions) (*drawing, error) {
	if err := enoughRows(len(at)); err != nil {
		return nil, err
	}
	rows, err := Drawn(from, at)
	if err != nil {
		return nil, err
	}
	opt.Progress = nil
	s := newSource(rows, len(at), d, opt)
	s.passes.Store(1)
	m, err := s.beginMeasuring(ctx)
	if err != nil {
		return nil, err
	}
	return &drawing{measuring: m, at: at, room: kernel.NewMatrix(s.block, d)}, nil
}

// pick takes the rows of the draw that are in a block of all rows.
func (p *drawing) pick(b *block) error {
	for p.next < len(p.at) && p.at[p.next] < b.from+b.x.Rows {
		copy(p.room.Row(p.filled), b.x.Row(p.at[p.next]-b.from))
		p.next++
		if p.filled++; p.filled < p.block && p.next < len(p.at) {
			continue
		}
		part := &block{from: p.next - p.filled, x: p.room.Slice(0, p.filled, 0, p.width)}
		p.filled = 0
		if err := p.take(part); err != nil {
			return err
		}
	}
	return nil
}
