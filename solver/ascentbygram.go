package solver

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// embedByGram takes the eigenvectors of the n×n matrix X_SX_Sᵀ where that is
// the smaller one.
func (s *rowsAscender) embedByGram(ctx context.Context, support []int, m int) (*embedding, error) {
	n, k := s.c.n, len(support)
	room, gramRoom := kernel.Borrow(), kernel.Borrow()
	defer room.Release()
	defer gramRoom.Release()
	xs, g := room.Matrix(n, k), gramRoom.Matrix(n, n)
	kernel.Gather(xs, s.c.view(support))
	kernel.Gram(g, kernel.View{X: xs})
	scaleAll(g, 1/float64(n-1))
	p, err := byGram(ctx, g, m, k, func(out, q kernel.Matrix) {
		kernel.Gemm(true, false, 1/float64(n-1), xs, q, 0, out)
	})
	if err != nil {
		return nil, err
	}
	e := newEmbedding(support, p.pairs(), nil)
	e.rows = p
	return e, nil
}

// onRows returns X_SV·diag(θ)^{-1/2}/(n−1) (n×m), zero for a value that is rounding.
func (s *rowsAscender) onRows(e *embedding) kernel.Matrix {
	n, k, m := s.c.n, len(e.support), len(e.values)
	least := rankTolerance * e.values[0]
	if e.rows != nil {
		return e.rows.rows(m, least)
	}
	room := kernel.Borrow()
	defer room.Release()
	xs, v, t := room.Matrix(n, k), kernel.NewMatrix(k, m), kernel.NewMatrix(n, m)
	kernel.Gather(xs, s.c.view(e.support))
	for p := range k {
		row := v.Row(p)
		for c, u := range e.vectors.RawRowView(p) {
			if theta := e.values[c]; theta > least {
				row[c] = u / (math.Sqrt(theta) * float64(n-1))
			}
		}
	}
	kernel.Gemm(false, false, 1, xs, v, 0, t)
	return t
}

// proxy sets scores to those of run.scores at an embedding of which Z = AW is not formed, but the rows that are
// asked for.
func (s *rowsAscender) proxy(scores []float64, e *embedding) (z picked) {
	t := s.onRows(e)
	s.c.squares(scores, t)
	return func(columns []int) *mat.Dense { return s.c.times(columns, t) }
}

// explains returns what an embedding explains of all columns, Σ‖Aw‖²/θ. By the Gram matrix G of the rows, where that
// is small, it is (n − 1)·Σ tᵀGt with t as onRows has it.
func (s *rowsAscender) explains(e *embedding) float64 {
	room := kernel.Borrow()
	defer room.Release()
	if s.c.wide() {
		t := s.onRows(e)
		gt := kernel.NewMatrix(t.Rows, t.Cols)
		kernel.Gemm(false, false, float64(t.Rows-1), s.c.gramMatrix(room), t, 0, gt)
		explained := 0.0
		for i := range t.Rows {
			explained += kernel.Dot(t.Row(i), gt.Row(i))
		}
		return explained
	}
	scores := room.Floats(s.c.d)
	s.proxy(scores, e)
	return lists.Sum(scores)
}
