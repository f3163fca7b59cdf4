package spectral

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// random makes the columns that a start lacks.
type random struct{ rng *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 0x6b72796c6f76))} }

// fill sets all elements to independent normal numbers, which prefer no
// direction.
func (r random) fill(m kernel.Matrix) {
	for i := range m.Rows {
		row := m.Row(i)
		for j := range row {
			row[j] = r.rng.NormFloat64()
		}
	}
}

// A vector is made orthogonal to others once more if that left less than
// loss of its length: rounding has then spoilt the orthogonality.
// repeatedLoss is the ratio for the repetition.
const (
	loss         = 0.02
	repeatedLoss = 0.5
)

// orthonormalise makes the rows of block orthonormal and orthogonal to the first
// size rows of the basis. It returns a factor R with old row c = Σ_p R[p][c]·new
// row p + rows of the basis. Rows that are not longer than their floor count as
// zero; random ones take their place, with zeros in R: the block keeps its width,
// and a space that the iteration has exhausted is left.
//
// before holds the lengths that the rows had before they were first projected.
func (l *lanczos) orthonormalise(block kernel.Matrix, before []float64, floor float64) kernel.Matrix {
	factor, worst := gramSchmidt(block, before, floor)
	again := worst < loss
	for p := range block.Rows {
		if factor.Row(p)[p] == 0 {
			l.source.fill(block.Slice(p, p+1, 0, l.n))
			again = true
		}
	}
	const rounds = 6
	for round := 0; again && round < rounds; round++ {
		lengths := rowNorms(block)
		l.project(block)
		f, worst := gramSchmidt(block, lengths, 0)
		again = worst < repeatedLoss
		r := kernel.NewMatrix(block.Rows, block.Rows)
		kernel.Gemm(false, false, 1, f, factor, 0, r)
		factor = r
	}
	return factor
}

// project takes from the rows of block their parts in the basis.
func (l *lanczos) project(block kernel.Matrix) {
	if l.size == 0 {
		return
	}
	q := l.basis.Slice(0, l.size, 0, l.n)
	c := kernel.NewMatrix(block.Rows, l.size)
	kernel.Gemm(false, true, 1, block, q, 0, c)
	kernel.Gemm(false, false, -1, c, q, 1, block)
}

// gramSchmidt makes the rows of block orthonormal, the longest that is left
// first, and returns R with old row c = Σ_p R[p][c]·new row p. Rows that are
// not longer than floor when their turn comes are left as they are, with zeros
// in row p of R. worst is the least ratio of a row's length at its turn to
// that in before.
func gramSchmidt(block kernel.Matrix, before []float64, floor float64) (r kernel.Matrix, worst float64) {
	w := block.Rows
	r, worst = kernel.NewMatrix(w, w), 1
	lengths := rowNorms(block)
	open := slices.Repeat([]bool{true}, w)
	for range w {
		p := longestNow(block, lengths, open)
		if !(lengths[p] > floor) {
			return r, worst
		}
		open[p] = false
		worst = min(worst, lengths[p]/before[p])
		row := block.Row(p)
		scale(row, 1/lengths[p])
		r.Row(p)[p] = lengths[p]
		for c := range w {
			if !open[c] {
				continue
			}
			other := block.Row(c)
			s := kernel.Dot(row, other)
			r.Row(p)[c] = s
			kernel.Axpy(-s, row, other)
			lengths[c] = math.Sqrt(max(0, (lengths[c]-s)*(lengths[c]+s))) // by Pythagoras, but for rounding
		}
	}
	return r, worst
}

// longestNow is longest where lengths are known up to rounding, which may be all that is left of one. It sets that of
// its answer to what the row now has.
func longestNow(block kernel.Matrix, lengths []float64, open []bool) int {
	for {
		p := longest(lengths, open)
		told := lengths[p]
		lengths[p] = math.Sqrt(kernel.Dot(block.Row(p), block.Row(p)))
		if lengths[p] > 0.9*told || longest(lengths, open) == p {
			return p
		}
	}
}

// longest returns the first open index with the greatest length.
func longest(lengths []float64, open []bool) int {
	at := -1
	for i, v := range lengths {
		if open[i] && (at < 0 || v > lengths[at]) {
			at = i
		}
	}
	return at
}

func rowNorms(m kernel.Matrix) []float64 {
	return lists.Make(m.Rows, func(i int) float64 { return math.Sqrt(kernel.Dot(m.Row(i), m.Row(i))) })
}

func scale(x []float64, f float64) {
	for i := range x {
		x[i] *= f
	}
}
