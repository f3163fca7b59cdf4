package solver

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver/spectral"
)

// embedding is a support with the leading eigenpairs of its block.
type embedding struct {
	support   []int
	values    []float64  // m, descending
	vectors   *mat.Dense // k×m
	objective float64    // sum of values

	block *mat.SymDense // A_SS where that is at hand and not large; nil otherwise
	rows  *gramPairs    // those of X_SX_Sᵀ that the pairs were found by; nil otherwise
}

// gains reports whether an embedding explains more than another by more than rounding: of equal ones the first
// stays, so that rounding does not choose.
func (e *embedding) gains(on *embedding) bool { return e.objective > on.objective*(1+gainTolerance) }

// newEmbedding takes the pairs of a block; nil where there is none.
func newEmbedding(support []int, p *spectral.Pairs, block *mat.SymDense) *embedding {
	if len(support) > directOrder {
		block = nil
	}
	return &embedding{support: support, values: p.Values, vectors: p.Vectors, objective: lists.Sum(p.Values), block: block}
}

// ascender works on one support after another and keeps what the next one has
// in common with the last. It is used by one goroutine.
type ascender interface {
	// embed solves max Tr(VᵀA_SSV), VᵀV = I. Start, if not nil, is k×any and
	// its columns are near the answer.
	embed(ctx context.Context, support []int, m int, start *mat.Dense) (*embedding, error)

	// mulRows stores A·W in dst (d×m), W the embedding's vectors on its
	// support.
	mulRows(ctx context.Context, dst *mat.Dense, e *embedding) error
}

func ascenderOf(a Covariance) ascender {
	if c, ok := a.(*Data); ok && c.route != RouteCovariance {
		return &rowsAscender{c: c}
	}
	if c, ok := a.(*Stream); ok && c.Route() != RouteCovariance {
		return &streamAscender{c: c}
	}
	return blockAscender{a}
}

// blockAscender asks the operator anew each time.
type blockAscender struct{ a Covariance }

func (s blockAscender) embed(ctx context.Context, support []int, m int, start *mat.Dense) (*embedding, error) {
	b, err := s.a.Block(ctx, support)
	if err != nil {
		return nil, err
	}
	p, err := leadingBlock(ctx, b, m, start)
	if err != nil {
		return nil, err
	}
	return newEmbedding(support, p, b), nil
}

func (s blockAscender) mulRows(ctx context.Context, dst *mat.Dense, e *embedding) error {
	return s.a.MulRows(ctx, dst, e.support, e.vectors)
}

// leadingBlock returns the m leading pairs of a block: directly where it is
// small, and from start, or from random columns, otherwise.
func leadingBlock(ctx context.Context, b *mat.SymDense, m int, start *mat.Dense) (*spectral.Pairs, error) {
	if b.SymmetricDim() <= directOrder {
		return spectral.Leading(b, m)
	}
	return spectral.Refine(ctx, b, m, spectral.Settings{Start: start})
}

// rowsAscender works on rows, of which it copies none: it keeps the block of the
// last support and computes of the next one what is new.
type rowsAscender struct {
	c       *Data
	support []int // of block; nil before the first
	block   kernel.Matrix

	ahead *crossed // what the next supports need; nil for nothing
}

// crossed are the covariances of columns (rows) with others, both ascending.
type crossed struct {
	rows, others []int
	products     kernel.Matrix
}

// foresee computes in one reading of the columns what move will need for supports of equal size, one after
// the other. The numbers are those that it would compute.
func (s *rowsAscender) foresee(supports [][]int) {
	if len(supports) < 2 || s.c.n < len(supports[0]) {
		return
	}
	rows, others, last := s.support, []int{}, s.support
	for _, support := range supports {
		fresh := lacking(support, last)
		if 2*len(fresh) > len(support) {
			return // move computes the whole block
		}
		others, rows, last = append(others, fresh...), slices.Concat(rows, support), support
	}
	if rows, others = distinct(rows), distinct(others); len(others) > 0 && !s.ahead.has(rows, others) {
		s.ahead = &crossed{rows, others, s.c.cross(rows, others)}
	}
}

// has reports whether the covariances of columns (rows) with others are there.
func (c *crossed) has(rows, others []int) bool {
	return c != nil && lacking(others, c.others) == nil && lacking(rows, c.rows) == nil
}

func (s *rowsAscender) embed(ctx context.Context, support []int, m int, start *mat.Dense) (*embedding, error) {
	if s.c.n < len(support) {
		return s.embedByGram(ctx, support, m)
	}
	s.move(support)
	block := symmetric(s.block)
	p, err := leadingBlock(ctx, block, m, start)
	if err != nil {
		return nil, err
	}
	return newEmbedding(support, p, block), nil
}

// lacking returns the columns that are not in support, which is ascending.
func lacking(columns, support []int) []int {
	return lists.Where(columns, func(j int) bool {
		_, found := slices.BinarySearch(support, j)
		return !found
	})
}

// move makes the block that of support.
func (s *rowsAscender) move(support []int) {
	k := len(support)
	from := make([]int, k) // where the old block has it; −1 if nowhere
	fresh := []int{}
	for p, j := range support {
		var kept bool
		if from[p], kept = slices.BinarySearch(s.support, j); !kept {
			from[p] = -1
			fresh = append(fresh, j)
		}
	}
	old := s.block
	s.support = slices.Clone(support)
	switch {
	case 2*len(fresh) > k:
		s.block = kernel.Matrix{} // not needed any more
		s.block = s.c.block(support)
	case len(fresh) > 0 || old.Rows != k:
		s.block = kernel.NewMatrix(k, k)
		s.fill(old, from, fresh)
	}
}

// fill copies to the block what old has, from there, and computes the products
// with the fresh columns.
func (s *rowsAscender) fill(old kernel.Matrix, from, fresh []int) {
	products := s.cross(fresh)
	at := 0 // which of the fresh ones is next
	for p, i := range from {
		row := s.block.Row(p)
		if i < 0 {
			for q := range row {
				v := products.Row(q)[at]
				row[q], s.block.Row(q)[p] = v, v
			}
			at++
			continue
		}
		kept := old.Row(i)
		for q, j := range from {
			if j >= 0 {
				row[q] = kept[j]
			}
		}
	}
}

// cross returns the covariances of the support with fresh columns of it.
func (s *rowsAscender) cross(fresh []int) kernel.Matrix {
	if !s.ahead.has(s.support, fresh) {
		return s.c.cross(s.support, fresh)
	}
	b := kernel.NewMatrix(len(s.support), len(fresh))
	for p, i := range s.support {
		from, _ := slices.BinarySearch(s.ahead.rows, i)
		for q, j := range fresh {
			at, _ := slices.BinarySearch(s.ahead.others, j)
			b.Row(p)[q] = s.ahead.products.Row(from)[at]
		}
	}
	return b
}

func (s *rowsAscender) mulRows(ctx context.Context, dst *mat.Dense, e *embedding) error {
	return s.c.MulRows(ctx, dst, e.support, e.vectors)
}
