package classifier

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// separable is a loss whose second derivative does not mix the scores: Newton's
// step is then a system of p+1 equations for each score.
type separable interface{ separable() }

func (*binaryLoss) separable() {}
func (*hingeLoss) separable()  {}

// directCells and directColumns bound the tables on which Newton's equations are
// solved by factorising their matrix: beyond, forming it takes longer than
// conjugate gradients.
const (
	directCells   = 1 << 21
	directColumns = 300
)

// solvesDirectly reports whether direct is the way to a Newton step.
func (s *linearState) solvesDirectly() bool {
	_, apart := s.loss.(separable)
	return apart && s.l1 == 0 && s.x.Cols <= directColumns && s.x.Rows*(s.x.Cols+1) <= directCells
}

// direct solves H·step = r, score by score, by Cholesky factorisation. It reports
// whether all matrices could be factorised.
func (s *linearState) direct() bool {
	n, p := s.x.Rows, s.x.Cols
	rows := make([]float64, n*(p+1))
	one := make([]float64, s.k)
	for c := range s.k {
		if s.ctx.Err() != nil {
			return true // nobody looks at the step
		}
		active := 0
		for i := range n {
			clear(one)
			one[c] = 1
			s.loss.curve(i, s.slopes[i*s.k:(i+1)*s.k], one)
			if one[c] == 0 {
				continue
			}
			root := math.Sqrt(one[c])
			row := rows[active*(p+1) : (active+1)*(p+1)]
			for j, v := range s.x.Row(i) {
				row[j] = (v - s.mean[j]) * s.inverse[j] * root
			}
			row[p] = root
			active++
		}
		if !s.directScore(c, kernel.Matrix{Rows: active, Cols: p + 1, Stride: p + 1, Data: rows}) {
			return false
		}
	}
	s.sweep(s.step, s.stepScores, func(int, int) float64 { return 0 }, nil, nil)
	return true
}

// directScore solves for the weights and the intercept of one score, given the
// rows that curve it.
func (s *linearState) directScore(c int, rows kernel.Matrix) bool {
	p := s.x.Cols
	h := kernel.NewMatrix(p+1, p+1)
	if rows.Rows == 0 {
		return false
	}
	kernel.Cross(h, kernel.View{X: rows})
	for j, inverse := range s.inverse {
		h.Data[j*(p+2)] += s.l2 * inverse * inverse
		if inverse == 0 {
			h.Data[j*(p+2)] = 1 // its weight stays 0
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(mat.NewSymDense(p+1, h.Data)) {
		return false
	}
	right, solved := mat.NewVecDense(p+1, nil), mat.NewVecDense(p+1, nil)
	for j := range p + 1 {
		right.SetVec(j, s.r[j*s.k+c])
	}
	if err := cholesky.SolveVecTo(solved, right); err != nil {
		return false
	}
	for j := range p + 1 {
		s.step[j*s.k+c] = solved.AtVec(j)
	}
	return true
}
