package solver

import (
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
)

// order returns d.
func (s *spectrum) order() int {
	if s.lifted != nil {
		return s.lifted.d
	}
	d, _ := s.found.Dims()
	return d
}

// vectors returns the eigenvectors (d×r), shared.
func (s *spectrum) vectors() *mat.Dense {
	if s.found == nil {
		return s.lifted.vectors()
	}
	return s.found
}

// rows returns the rows of the eigenvectors (|support|×r).
func (s *spectrum) rows(support []int) *mat.Dense {
	if s.found == nil {
		return s.lifted.rowsOf(support)
	}
	return subspace.Rows(s.found, support)
}

// near returns the rows in support of the m leading eigenvectors: near those of
// the block where the support holds most of them. Nil for a block that is decomposed.
func (s *spectrum) near(support []int, m int) *mat.Dense {
	if len(support) <= directOrder {
		return nil
	}
	return s.rows(support).Slice(0, len(support), 0, m).(*mat.Dense)
}

// lowRankScores returns diag(A_m), to whose eigenvalues ε is added.
func (s *spectrum) lowRankScores(m int, epsilon float64) []float64 {
	scores := make([]float64, s.order())
	s.lowRank(scores, m, epsilon)
	return scores
}

// lowRankSupport returns the permitted support with the largest of them.
func (s *spectrum) lowRankSupport(c *choice, m int, epsilon float64) []int {
	room := kernel.Borrow()
	defer room.Release()
	scores := room.Floats(s.order())
	s.lowRank(scores, m, epsilon)
	return c.top(scores)
}

// lowRank sets scores to diag(A_m), to whose eigenvalues ε is added.
func (s *spectrum) lowRank(scores []float64, m int, epsilon float64) {
	if s.lifted != nil && epsilon == 0 {
		s.lifted.explained(scores, m)
		return
	}
	vectors, weights := s.vectors(), make([]float64, m)
	for j := range weights {
		weights[j] = s.values[j] + epsilon
	}
	eachRow(len(scores), m, func(i int) {
		row, sum := vectors.RawRowView(i)[:m], 0.0
		for j, u := range row {
			sum += weights[j] * u * u
		}
		scores[i] = sum
	})
}
