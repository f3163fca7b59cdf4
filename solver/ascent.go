package solver

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver/spectral"
)

// embedding is a support with the leading eigenpairs of its block.
type embedding struct {
	support   []int
	values    []float64  // m, descending
	vectors   *mat.Dense // k×m
	objective float64    // sum of values
}

func newEmbedding(support []int, p *spectral.Pairs) *embedding {
	e := &embedding{support: support, values: p.Values, vectors: p.Vectors}
	for _, v := range p.Values {
		e.objective += v
	}
	return e
}

// ascender works on one support after another and keeps what the next one has
// in common with the last. It is used by one goroutine.
type ascender interface {
	// embed solves max Tr(VᵀA_SSV), VᵀV = I. Start, if not nil, is k×any and
	// its columns are near the answer.
	embed(ctx context.Context, support []int, m int, start *mat.Dense) (*embedding, error)

	// mulRows stores A·W in dst (d×m), W the embedding's vectors on its
	// support.
	mulRows(dst *mat.Dense, e *embedding)
}

func ascenderOf(a Covariance) ascender {
	if c, ok := a.(*Data); ok && !c.formed() {
		return &rowsAscender{c: c}
	}
	return blockAscender{a}
}

// blockAscender asks the operator anew each time.
type blockAscender struct{ a Covariance }

func (s blockAscender) embed(ctx context.Context, support []int, m int, start *mat.Dense) (*embedding, error) {
	p, err := leadingBlock(ctx, s.a.Block(support), m, start)
	if err != nil {
		return nil, err
	}
	return newEmbedding(support, p), nil
}

func (s blockAscender) mulRows(dst *mat.Dense, e *embedding) {
	s.a.MulRows(dst, e.support, e.vectors)
}

// leadingBlock returns the m leading pairs of a block: directly where it is
// small, and from start, or from random columns, otherwise.
func leadingBlock(ctx context.Context, b *mat.SymDense, m int, start *mat.Dense) (*spectral.Pairs, error) {
	if b.SymmetricDim() <= directOrder {
		return spectral.Leading(b, m)
	}
	return spectral.Refine(ctx, b, m, spectral.Settings{Start: start})
}

// gatherLimit is the number of entries up to which the chosen columns are
// copied whatever their share of X (16 MiB).
const gatherLimit = 2 << 20

// rowsAscender works on rows: it keeps the chosen columns, centred and
// scaled, side by side, and their scalar products, and replaces those that
// change.
type rowsAscender struct {
	c       *Data
	columns []int         // which column of X each slot holds
	slot    map[int]int   // the inverse
	xs      kernel.Matrix // n×k, by slot
	block   kernel.Matrix // k×k = X_SᵀX_S/(n−1), by slot; not kept where n < k
}

func (s *rowsAscender) embed(ctx context.Context, support []int, m int, start *mat.Dense) (*embedding, error) {
	k := len(support)
	if !s.gathers(k) {
		return blockAscender{s.c}.embed(ctx, support, m, start)
	}
	s.hold(support)
	if s.c.n < k {
		return s.embedByGram(ctx, support, m)
	}
	b := kernel.NewMatrix(k, k)
	for p, i := range support {
		row, from := b.Row(p), s.block.Row(s.slot[i])
		for q, j := range support {
			row[q] = from[s.slot[j]]
		}
	}
	p, err := leadingBlock(ctx, symmetric(b), m, start)
	if err != nil {
		return nil, err
	}
	return newEmbedding(support, p), nil
}

// gathers reports whether k columns are few enough to be copied: a fifth of
// X, or little.
func (s *rowsAscender) gathers(k int) bool { return gathers(s.c.n, s.c.d, k) }

func gathers(n, d, k int) bool { return 5*k <= d || n*k <= gatherLimit }

// embedByGram takes the eigenvectors of the n×n matrix X_SX_Sᵀ where that is
// the smaller one.
func (s *rowsAscender) embedByGram(ctx context.Context, support []int, m int) (*embedding, error) {
	n, k := s.c.n, len(support)
	g := kernel.NewMatrix(n, n)
	kernel.Gram(g, kernel.View{X: s.xs})
	scaleAll(g, 1/float64(n-1))
	p, err := leadingByGram(ctx, g, m, k, func(out, q kernel.Matrix) {
		kernel.Gemm(true, false, 1/float64(n-1), s.xs, q, 0, out)
	})
	if err != nil {
		return nil, err
	}
	sorted := mat.NewDense(k, m, nil)
	for i, j := range support {
		sorted.SetRow(i, p.Vectors.RawRowView(s.slot[j]))
	}
	p.Vectors = sorted
	return newEmbedding(support, p), nil
}

// hold makes the slots hold the columns in support.
func (s *rowsAscender) hold(support []int) {
	fresh := slices.DeleteFunc(slices.Clone(support), func(j int) bool { _, ok := s.slot[j]; return ok })
	if len(s.columns) != len(support) || 2*len(fresh) > len(support) {
		s.holdAll(support)
		return
	}
	if len(fresh) == 0 {
		return
	}
	var slots []int
	for p, j := range s.columns {
		if _, kept := slices.BinarySearch(support, j); !kept {
			slots = append(slots, p)
			delete(s.slot, j)
		}
	}
	added := kernel.NewMatrix(s.c.n, len(fresh))
	kernel.Gather(added, s.c.view(fresh))
	for q, j := range fresh {
		s.columns[slots[q]], s.slot[j] = j, slots[q]
	}
	for i := range s.c.n {
		row := s.xs.Row(i)
		for q, v := range added.Row(i) {
			row[slots[q]] = v
		}
	}
	if s.c.n >= len(support) {
		s.updateBlock(added, slots)
	}
}

// updateBlock recomputes the scalar products with the columns in slots.
func (s *rowsAscender) updateBlock(added kernel.Matrix, slots []int) {
	products := kernel.NewMatrix(len(s.columns), len(slots))
	kernel.Gemm(true, false, 1/float64(s.c.n-1), s.xs, added, 0, products)
	for q, to := range slots {
		for p := range s.columns {
			v := products.Row(p)[q]
			s.block.Row(p)[to], s.block.Row(to)[p] = v, v
		}
	}
}

// holdAll gathers every column anew.
func (s *rowsAscender) holdAll(support []int) {
	n, k := s.c.n, len(support)
	s.columns, s.slot = slices.Clone(support), make(map[int]int, k)
	for p, j := range support {
		s.slot[j] = p
	}
	if s.xs.Cols != k {
		s.xs = kernel.NewMatrix(n, k)
	}
	kernel.Gather(s.xs, s.c.view(support))
	if n < k {
		return
	}
	s.block = kernel.NewMatrix(k, k)
	kernel.Cross(s.block, kernel.View{X: s.xs})
	scaleAll(s.block, 1/float64(n-1))
}

func (s *rowsAscender) mulRows(dst *mat.Dense, e *embedding) {
	k := len(e.support)
	if !s.gathers(k) {
		w := mat.NewDense(s.c.d, len(e.values), nil)
		for p, i := range e.support {
			w.SetRow(i, e.vectors.RawRowView(p))
		}
		s.c.Mul(dst, w)
		return
	}
	s.hold(e.support)
	v := mat.NewDense(k, len(e.values), nil)
	for p, j := range e.support {
		v.SetRow(s.slot[j], e.vectors.RawRowView(p))
	}
	s.c.mulScores(dst, s.xs, v)
}
