package solver

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// Mul stores A·W in dst (both d×c), in one pass over the rows where A was not
// formed.
func (c *Stream) Mul(ctx context.Context, dst, w *mat.Dense) error {
	_, in, err := operands(c.d, c.d, dst, w)
	if err != nil {
		return err
	}
	if a := c.formed(); a != nil {
		return a.Mul(ctx, dst, w)
	}
	if c.products != nil {
		return c.elsewhere(ctx, kernel.Matrix(dst.RawMatrix()), nil, nil, in)
	}
	if c.factor != nil {
		in = scaledRows(in, c.factor)
	}
	if c.columns != nil {
		all := kernel.NewMatrix(c.width, in.Cols)
		for p, j := range c.columns {
			copy(all.Row(j), in.Row(p))
		}
		in = all
	}
	return c.product(ctx, dst, func(b *block, part kernel.Matrix) {
		b.passFor(c.center, in.Cols).Fused(part, in)
	})
}

// MulRows stores A·W in dst (d×c) for a W that is v on the rows in support and
// zero elsewhere. It takes one pass where A was not formed.
func (c *Stream) MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	_, in, err := operandsOf(c.d, dst, support, v)
	if err != nil {
		return err
	}
	if a := c.formed(); a != nil {
		return a.MulRows(ctx, dst, support, v)
	}
	if c.products != nil {
		return c.elsewhere(ctx, kernel.Matrix(dst.RawMatrix()), nil, support, in)
	}
	return c.product(ctx, dst, func(b *block, part kernel.Matrix) {
		b.passFor(c.center, in.Cols).LeftOf(part, c.view(b.x).view(support), in)
	})
}

// product stores in dst the sum of what of gives for the blocks, which is XᵀT
// for all columns, as D·XᵀT/(n−1) of the operator's.
func (c *Stream) product(ctx context.Context, dst *mat.Dense, of func(b *block, part kernel.Matrix)) error {
	out := kernel.Matrix(dst.RawMatrix())
	sum, part := kernel.NewMatrix(c.width, out.Cols), kernel.NewMatrix(c.width, out.Cols)
	err := c.each(ctx, func(b *block) error {
		of(b, part)
		addTo(sum, part)
		return nil
	})
	if err != nil {
		return err
	}
	for p := range c.d {
		copy(out.Row(p), sum.Row(at(c.columns, p)))
	}
	finishRows(out, c.n, c.factor)
	return nil
}

// Block returns A_SS, in one pass over the rows where A was not formed.
func (c *Stream) Block(ctx context.Context, support []int) (*mat.SymDense, error) {
	if err := checkIndices(c.d, support); err != nil {
		return nil, err
	}
	if a := c.formed(); a != nil {
		return a.Block(ctx, support)
	}
	sum := kernel.NewMatrix(len(support), len(support))
	if c.products != nil {
		err := c.elsewhere(ctx, sum, support, support, unitMatrix(len(support)))
		kernel.Mirror(sum)
		return symmetric(sum), err
	}
	err := c.each(ctx, func(b *block) error {
		kernel.AddCross(sum, c.view(b.x).view(support))
		return nil
	})
	kernel.Mirror(sum)
	scaleAll(sum, 1/float64(c.n-1))
	return symmetric(sum), err
}

// columnsOf stores A_·S in dst (d×|S|), in one pass.
func (c *Stream) columnsOf(ctx context.Context, dst kernel.Matrix, support []int) error {
	if c.products != nil {
		return c.elsewhere(ctx, dst, nil, support, unitMatrix(len(support)))
	}
	dst.Zero()
	part := kernel.NewMatrix(c.d, len(support))
	err := c.each(ctx, func(b *block) error {
		v := c.view(b.x)
		kernel.CrossOf(part, v.view(nil), v.view(support))
		addTo(dst, part)
		return nil
	})
	scaleAll(dst, 1/float64(c.n-1))
	return err
}

// addTo adds m to sum, of the same shape.
func addTo(sum, m kernel.Matrix) {
	for i := range sum.Rows {
		kernel.Axpy(1, m.Row(i), sum.Row(i))
	}
}

// streamAscender keeps the columns of A of the last support: each step of IPU
// takes one pass for those that are new, and none where there are none.
type streamAscender struct {
	c       *Stream
	support []int
	columns kernel.Matrix // A_·S
}

func (s *streamAscender) embed(ctx context.Context, support []int, m int, start *mat.Dense) (*embedding, error) {
	if err := s.move(ctx, support); err != nil {
		return nil, err
	}
	b := kernel.NewMatrix(len(support), len(support))
	for p, i := range support {
		copy(b.Row(p), s.columns.Row(i))
	}
	for p := range support { // rounding: both triangles from one
		for q := range p {
			b.Row(q)[p] = b.Row(p)[q]
		}
	}
	p, err := leadingBlock(ctx, symmetric(b), m, start)
	if err != nil {
		return nil, err
	}
	return newEmbedding(support, p, nil), nil
}

// move makes the columns those of support.
func (s *streamAscender) move(ctx context.Context, support []int) error {
	had := lists.Index(s.support)
	var fresh []int
	from := make([]int, len(support)) // the place among the old ones, or −1 − that among the fresh
	for p, j := range support {
		old, kept := had[j]
		if from[p] = old; !kept {
			from[p] = -1 - len(fresh)
			fresh = append(fresh, j)
		}
	}
	if len(fresh) == 0 && len(support) == len(s.support) {
		return nil
	}
	found := kernel.NewMatrix(s.c.d, len(fresh))
	if len(fresh) > 0 {
		if err := s.c.columnsOf(ctx, found, fresh); err != nil {
			return err
		}
	}
	columns := kernel.NewMatrix(s.c.d, len(support))
	for i := range s.c.d {
		row, old, new := columns.Row(i), []float64(nil), found.Row(i)
		if s.support != nil {
			old = s.columns.Row(i)
		}
		for p, at := range from {
			if at >= 0 {
				row[p] = old[at]
			} else {
				row[p] = new[-1-at]
			}
		}
	}
	s.support, s.columns = append([]int(nil), support...), columns
	return nil
}

func (s *streamAscender) mulRows(ctx context.Context, dst *mat.Dense, e *embedding) error {
	if err := s.move(ctx, e.support); err != nil {
		return err
	}
	kernel.Gemm(false, false, 1, s.columns, kernel.Matrix(e.vectors.RawMatrix()), 0, kernel.Matrix(dst.RawMatrix()))
	return nil
}
