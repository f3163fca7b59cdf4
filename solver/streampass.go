package solver

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
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
	in = c.onRows(in)
	return c.product(ctx, kernel.Matrix(dst.RawMatrix()), func(b *block, sum kernel.Matrix) {
		b.passFor(c.center, in.Cols).AddFused(sum, in)
	})
}

// onRows returns D·W in the rows of the columns that are the operator's, of all columns.
func (c *Stream) onRows(w kernel.Matrix) kernel.Matrix {
	if c.factor != nil {
		w = scaledRows(w, c.factor)
	}
	if c.columns == nil {
		return w
	}
	all := kernel.NewMatrix(c.width, w.Cols)
	for p, j := range c.columns {
		copy(all.Row(j), w.Row(p))
	}
	return all
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
	return c.chosenProduct(ctx, kernel.Matrix(dst.RawMatrix()), support, in)
}

// chosenProduct is MulRows by a pass over the rows.
func (c *Stream) chosenProduct(ctx context.Context, out kernel.Matrix, support []int, v kernel.Matrix) error {
	return c.product(ctx, out, func(b *block, sum kernel.Matrix) {
		b.passFor(c.center, v.Cols).AddLeftOf(sum, c.view(b.x).view(support), v)
	})
}

// product stores in out the sum of what of adds for the blocks, which is XᵀT
// for all columns, as D·XᵀT/(n−1) of the operator's.
func (c *Stream) product(ctx context.Context, out kernel.Matrix, of func(b *block, sum kernel.Matrix)) error {
	sums, release := newSums(c.width, out.Cols)
	defer release()
	err := c.split(ctx, func(part int, b *block) error {
		of(b, sums[part])
		return nil
	})
	if err != nil {
		return err
	}
	c.finishProduct(out, sums.total())
	return nil
}

// finishProduct stores D·XᵀT/(n−1) of the operator's columns in out, from XᵀT for all columns.
func (c *Stream) finishProduct(out, sum kernel.Matrix) {
	for p := range c.d {
		copy(out.Row(p), sum.Row(at(c.columns, p)))
	}
	finishRows(out, c.n, c.factor)
}

// Block returns A_SS, in one pass over the rows where A was not formed.
func (c *Stream) Block(ctx context.Context, support []int) (*mat.SymDense, error) {
	if err := checkIndices(c.d, support); err != nil {
		return nil, err
	}
	if a := c.formed(); a != nil {
		return a.Block(ctx, support)
	}
	if c.products != nil {
		sum := kernel.NewMatrix(len(support), len(support))
		err := c.elsewhere(ctx, sum, support, support, unitMatrix(len(support)))
		kernel.Mirror(sum)
		return symmetric(sum), err
	}
	sums, release := newSums(len(support), len(support))
	defer release()
	err := c.split(ctx, func(part int, b *block) error {
		kernel.AddCross(sums[part], c.view(b.x).view(support))
		return nil
	})
	sum := kernel.NewMatrix(len(support), len(support))
	sum.Copy(sums.total())
	kernel.Mirror(sum)
	scaleAll(sum, 1/float64(c.n-1))
	return symmetric(sum), err
}

// columnsOf stores A_·S in dst (d×|S|), in one pass.
func (c *Stream) columnsOf(ctx context.Context, dst kernel.Matrix, support []int) error {
	if c.products != nil {
		return c.elsewhere(ctx, dst, nil, support, unitMatrix(len(support)))
	}
	if len(support) <= fewColumns { // to pack all columns costs more than these products
		return c.chosenProduct(ctx, dst, support, unitMatrix(len(support)))
	}
	dst.Zero()
	sums := sums{dst, kernel.NewMatrix(dst.Rows, dst.Cols)}
	err := c.split(ctx, func(part int, b *block) error {
		v := c.view(b.x)
		kernel.AddCrossOf(sums[part], v.view(nil), v.view(support))
		return nil
	})
	scaleAll(sums.total(), 1/float64(c.n-1))
	return err
}

// fewColumns is the largest number of columns of A that are products with columns of the rows as they are.
const fewColumns = 32

// streamAscender keeps the columns of A of the last support: each step of IPU
// takes one pass for those that are new, and none where there are none.
type streamAscender struct {
	c       *Stream
	support []int         // or, once more was foreseen, what holds it
	columns kernel.Matrix // A_·S

	// likely returns the columns that may be asked for next, and are read with those of a support that are not
	// there; nil for none.
	likely func(support []int) []int
}

// foresee takes one pass for what the next supports need. The numbers are those that embed would compute.
func (s *streamAscender) foresee(ctx context.Context, supports [][]int) error {
	return s.move(ctx, distinct(slices.Concat(s.support, slices.Concat(supports...))))
}

// holds reports whether the columns of support are there.
func (s *streamAscender) holds(support []int) bool { return lacking(support, s.support) == nil }

func (s *streamAscender) embed(ctx context.Context, support []int, m int, start *mat.Dense) (*embedding, error) {
	if !s.holds(support) {
		wanted := support
		if s.likely != nil {
			wanted = distinct(slices.Concat(support, s.likely(support)))
		}
		if err := s.move(ctx, wanted); err != nil {
			return nil, err
		}
	}
	at := make([]int, len(support))
	for p, j := range support {
		at[p], _ = slices.BinarySearch(s.support, j)
	}
	b := kernel.NewMatrix(len(support), len(support))
	for p, i := range support {
		row, columns := b.Row(p), s.columns.Row(i)
		for q, j := range at {
			row[q] = columns[j]
		}
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
	return newEmbedding(support, p, symmetric(b)), nil
}

// move makes the columns those of support.
func (s *streamAscender) move(ctx context.Context, support []int) error {
	fresh := lacking(support, s.support)
	if len(fresh) == 0 && len(support) == len(s.support) {
		return nil
	}
	found := kernel.NewMatrix(s.c.d, len(fresh))
	if len(fresh) > 0 {
		if err := s.c.columnsOf(ctx, found, fresh); err != nil {
			return err
		}
	}
	s.take(support, fresh, found)
	return nil
}

// take makes the columns those of support, of which the fresh ones were found.
func (s *streamAscender) take(support, fresh []int, found kernel.Matrix) {
	columns := found
	if len(fresh) < len(support) {
		columns = kernel.NewMatrix(s.c.d, len(support))
		from := make([]int, len(support)) // the place among the old ones, or −1
		for p, j := range support {
			var kept bool
			if from[p], kept = slices.BinarySearch(s.support, j); !kept {
				from[p] = -1
			}
		}
		for i := range s.c.d {
			row, old, new, next := columns.Row(i), s.columns.Row(i), found.Row(i), 0
			for p, at := range from {
				if at >= 0 {
					row[p] = old[at]
				} else {
					row[p] = new[next]
					next++
				}
			}
		}
	}
	s.support, s.columns = slices.Clone(support), columns
}

func (s *streamAscender) mulRows(ctx context.Context, dst *mat.Dense, e *embedding) error {
	if !s.holds(e.support) {
		if err := s.move(ctx, e.support); err != nil {
			return err
		}
	}
	s.times(dst, e.support, e.vectors)
	return nil
}

// explains returns what an embedding explains of all columns, those of its support being there.
func (s *streamAscender) explains(e *embedding) float64 {
	z := mat.NewDense(s.c.d, len(e.values), nil)
	s.times(z, e.support, e.vectors)
	return floats.Sum(proxyOf(z, e.values))
}

// times stores A·W in dst, as MulRows does, from the columns of support, which are there.
func (s *streamAscender) times(dst *mat.Dense, support []int, v *mat.Dense) {
	_, m := v.Dims()
	w := kernel.NewMatrix(len(s.support), m)
	for p, j := range support {
		at, _ := slices.BinarySearch(s.support, j)
		copy(w.Row(at), v.RawRowView(p))
	}
	kernel.Gemm(false, false, 1, s.columns, w, 0, kernel.Matrix(dst.RawMatrix()))
}

// held is a covariance some of whose columns are there.
type held struct {
	Covariance
	at *streamAscender
}

// MulRows reads no rows where the columns of support are there.
func (h held) MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	if !h.at.holds(support) {
		return h.Covariance.MulRows(ctx, dst, support, v)
	}
	h.at.times(dst, support, v)
	return nil
}
