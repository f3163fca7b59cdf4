package reproduce

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver/spectral"
	"gonum.org/v1/gonum/mat"
)

// spectrum is a full decomposition of A, from which bounds are computed for
// any k. Values are descending, and none is negative.
type spectrum struct {
	values  []float64
	squares *mat.Dense // u_ji² of eigenvector i in column i
	diag    []float64
}

func newSpectrum(a *mat.SymDense) (*spectrum, error) {
	pairs, err := spectral.Full(a)
	if err != nil {
		return nil, err
	}
	d := a.SymmetricDim()
	s := &spectrum{values: pairs.Values, squares: pairs.Vectors, diag: make([]float64, d)}
	s.squares.MulElem(s.squares, s.squares)
	for i := range d {
		s.values[i] = math.Max(s.values[i], 0)
		s.diag[i] = a.At(i, i)
	}
	return s, nil
}

// sum returns λ_{from+1} + … + λ_to.
func (s *spectrum) sum(from, to int) float64 {
	return lists.Sum(s.values[min(from, len(s.values)):min(to, len(s.values))])
}

// largestSum returns the sum of the k largest scores.
func largestSum(scores []float64, k int) float64 {
	sorted := slices.Clone(scores)
	slices.Sort(sorted)
	return lists.Sum(sorted[len(sorted)-k:])
}

// above returns Σ_i (λ_i − σ)_+ u_ji² for each row j: the diagonal of the part
// of A above σ.
func (s *spectrum) above(sigma float64) []float64 {
	d := len(s.values)
	out := make([]float64, d)
	for j := range d {
		for i, u := range s.squares.RawRowView(j) {
			if s.values[i] <= sigma {
				break
			}
			out[j] += (s.values[i] - sigma) * u
		}
	}
	return out
}

// kyFan is the bound K_m(A): dense PCA.
func (s *spectrum) kyFan(m int) float64 { return s.sum(0, m) }

// diagonal is the bound Σ of the k largest a_ii.
func (s *spectrum) diagonal(k int) float64 { return largestSum(s.diag, k) }

// proof is the bound in the proof of the paper's theorem: Σ of the k largest
// entries of diag(A_m), plus λ_{m+1} + … + λ_{2m}.
func (s *spectrum) proof(k, m int) float64 {
	scores := make([]float64, len(s.values))
	for j := range scores {
		for i, u := range s.squares.RawRowView(j)[:m] {
			scores[j] += s.values[i] * u
		}
	}
	return largestSum(scores, k) + s.sum(m, 2*m)
}

// epsilon is the theorem's ε = min(d·G₁/k, d·G₂/m).
func (s *spectrum) epsilon(k, m int) float64 {
	d := float64(len(s.values))
	tail := s.sum(m, 2*m)
	return min(d*tail/s.sum(0, m)/float64(k), d*tail/s.sum(0, len(s.values))/float64(m))
}

// theorem is what the paper's theorem says of the optimum when Go reaches
// value: at most value/(1 − ε), and nothing for ε ≥ 1.
func (s *spectrum) theorem(value float64, k, m int) float64 {
	eps := s.epsilon(k, m)
	if eps >= 1 {
		return math.Inf(1)
	}
	return value / (1 - eps)
}

// threshold is the bound min over σ of m·σ + Σ of the k largest of above(σ),
// by golden section: A ⪯ σI + (A − σI)_+, and the function of σ is convex.
func (s *spectrum) threshold(k, m int) float64 {
	f := func(sigma float64) float64 { return float64(m)*sigma + largestSum(s.above(sigma), k) }
	golden := (math.Sqrt(5) - 1) / 2
	lo, hi := s.values[len(s.values)-1], s.values[0]
	p, q := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fp, fq := f(p), f(q)
	best := min(f(lo), f(hi), fp, fq)
	for range 60 {
		if fp <= fq {
			hi, q, fq = q, p, fp
			p = hi - golden*(hi-lo)
			fp = f(p)
		} else {
			lo, p, fp = p, q, fq
			q = lo + golden*(hi-lo)
			fq = f(q)
		}
		best = min(best, fp, fq)
	}
	return best
}
