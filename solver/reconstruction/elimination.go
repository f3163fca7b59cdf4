package reconstruction

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver/spectral"
)

// roundingTolerance is the share of a column's variance that is rounding.
const roundingTolerance = 1e-13

// elimination is Cholesky elimination in a matrix that is at hand: E is what
// the columns added so far leave of it.
type elimination struct {
	a     kernel.Matrix
	e     kernel.Matrix // nil until asked for
	omega [][]float64
	g     []float64
	error float64 // of the gains, by rounding
}

func newElimination(a kernel.Matrix) *elimination {
	return &elimination{a: a, g: lists.Make(a.Rows, func(i int) float64 { return a.Row(i)[i] })}
}

// add eliminates a column unless those before span it.
func (e *elimination) add(p int32) {
	if !(e.g[p] > spanTolerance*e.a.Row(int(p))[p]) {
		return
	}
	omega := slices.Clone(e.a.Row(int(p)))
	for _, w := range e.omega {
		kernel.Axpy(-w[p], w, omega)
	}
	left := omega[p]
	if !(left > spanTolerance*e.a.Row(int(p))[p]) {
		e.g[p] = 0
		return
	}
	root := 1 / math.Sqrt(left)
	for j, v := range omega {
		omega[j] = v * root
		e.g[j] -= omega[j] * omega[j]
	}
	e.g[p] = 0
	e.error += stepError(kernel.Dot(omega, omega), e.a.Row(int(p))[p], left)
	e.omega = append(e.omega, omega)
}

// squares returns the diagonal of E².
func (e *elimination) squares() []float64 {
	n := e.a.Rows
	e.e = kernel.NewMatrix(n, n)
	e.e.Copy(e.a)
	for _, w := range e.omega {
		for i, v := range w {
			kernel.Axpy(-v, w, e.e.Row(i))
		}
	}
	return lists.Make(n, func(i int) float64 { return kernel.Dot(e.e.Row(i), e.e.Row(i)) })
}

// rounding is that of factor.
func (e *elimination) rounding() float64 { return float64(len(e.omega)) * e.error }

// value returns f_m of the columns added.
func (e *elimination) value(m int) (float64, error) {
	return kyFan(e.omega, m)
}

// kyFan returns the sum of the m largest eigenvalues of ΩΩᵀ.
func kyFan(omega [][]float64, m int) (float64, error) {
	if len(omega) <= m {
		return lists.Sum(lists.Map(omega, func(w []float64) float64 { return kernel.Dot(w, w) })), nil
	}
	s := mat.NewSymDense(len(omega), nil)
	for i, v := range omega {
		for j, w := range omega[:i+1] {
			s.SetSym(i, j, kernel.Dot(v, w))
		}
	}
	values, err := spectral.Values(s, m)
	return lists.Sum(values), err
}

// bound returns the least of the bounds on f_m with q more columns of free,
// rounding included: f_k of the columns in plus K_q(Γ_F), Γ_F what all of free
// explain of E; and, for m < k, f_m of all of them.
//
// A column of free that the others span to 1e-8 of its variance, but not to
// rounding, may stand for a direction of its own: as many leading eigenvalues
// of what is left allow for these.
func (e *elimination) bound(free []int32, q, m, k int) (float64, error) {
	inside := len(e.omega)
	whole := &elimination{a: e.a, omega: slices.Clone(e.omega), g: slices.Clone(e.g), error: e.error}
	rest := slices.Clone(free)
	for len(rest) > 0 {
		best, share := -1, spanTolerance
		for i, p := range rest {
			if v := whole.g[p] / e.a.Row(int(p))[p]; v > share {
				best, share = i, v
			}
		}
		if best < 0 {
			break
		}
		whole.add(rest[best])
		rest = append(rest[:best], rest[best+1:]...)
	}
	doubtful := lists.Count(rest, func(p int32) bool { return whole.g[p] > roundingTolerance*e.a.Row(int(p))[p] })
	var spare float64
	if doubtful > 0 {
		whole.squares()
		values, err := spectral.Values(mat.NewSymDense(e.a.Rows, whole.e.Data), min(q, doubtful))
		if err != nil {
			return 0, err
		}
		for _, v := range values {
			spare += max(0, v)
		}
	}
	already, err := e.value(k)
	if err != nil {
		return 0, err
	}
	more, err := kyFan(whole.omega[inside:], q)
	if err != nil {
		return 0, err
	}
	bound := already + more
	if m < k {
		all, err := kyFan(whole.omega, m)
		if err != nil {
			return 0, err
		}
		bound = min(bound, all)
	}
	return bound + spare + whole.rounding(), nil
}
