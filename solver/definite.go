package solver

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// checkDefinite returns a lower bound, at most 0, of all eigenvalues of a. If a is
// not positive semidefinite up to rounding (see NewMatrix), the error names the
// place. The entries that errors tell are those of a times unit.
func checkDefinite(a *mat.SymDense, diag []float64, unit float64) (least float64, err error) {
	d, peak := len(diag), max(0, slices.Max(diag))
	slack := definiteTolerance * math.Sqrt(float64(d)) * peak
	for i, v := range diag {
		if v < -slack || (v < 0 && peak == 0) {
			return 0, &EntryError{Row: i, Col: i, Value: v * unit, Reason: "a variance is 0 or more"}
		}
	}
	for i := range d {
		for j, v := range upperRow(a, i) {
			j += i
			if bound := math.Sqrt(math.Max(diag[i], 0)) * math.Sqrt(math.Max(diag[j], 0)); math.Abs(v) > bound+slack {
				return 0, &EntryError{Row: i, Col: j, Value: v * unit, Reason: fmt.Sprintf("a covariance is at most √(%v·%v) = %v", diag[i]*unit, diag[j]*unit, bound*unit)}
			}
		}
	}
	if peak == 0 {
		return 0, nil
	}
	if d > choleskyOrder {
		return -slack, checkRitz(a, slack, unit)
	}
	return checkFactor(a, diag, unit, slack)
}

// checkFactor is checkDefinite by a Cholesky factorisation.
func checkFactor(a *mat.SymDense, diag []float64, unit, slack float64) (least float64, err error) {
	d, peak := len(diag), slices.Max(diag)
	shifted := mat.NewSymDense(d, nil)
	var chol mat.Cholesky
	// Most matrices are semidefinite to all digits, which bounds profit from.
	for _, shift := range []float64{roundingTolerance * float64(d) * peak, slack} {
		shifted.CopySym(a)
		for i := range d {
			shifted.SetSym(i, i, diag[i]+shift)
		}
		if chol.Factorize(shifted) {
			return -shift, nil
		}
	}
	row, pivot := failingPivot(shifted)
	return 0, fmt.Errorf("rows and columns 0 to %d have an eigenvalue below %.3g (pivot %.3g in row %d)", row, -slack*unit, pivot*unit, row)
}

// failingPivot returns the row in which the Cholesky factorisation of a
// meets its first pivot that is not positive, and that pivot.
func failingPivot(a *mat.SymDense) (row int, pivot float64) {
	d := a.SymmetricDim()
	l := mat.NewDense(d, d, nil)
	for i := range d {
		li := l.RawRowView(i)
		for j := range i + 1 {
			s := a.At(i, j)
			for p, v := range l.RawRowView(j)[:j] {
				s -= li[p] * v
			}
			if j < i {
				li[j] = s / l.At(j, j)
				continue
			}
			if s <= 0 {
				return i, s
			}
			li[i] = math.Sqrt(s)
		}
	}
	return d - 1, 0
}

// checkRitz runs 40 Lanczos steps from a fixed start. It returns an error if the
// smallest Ritz value, an upper bound of the smallest eigenvalue, is below −slack.
func checkRitz(a *mat.SymDense, slack, unit float64) error {
	d := a.SymmetricDim()
	rng := rand.New(rand.NewPCG(1, uint64(d)))
	v, previous, w := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
	for i := range d {
		v.SetVec(i, rng.NormFloat64())
	}
	v.ScaleVec(1/mat.Norm(v, 2), v)
	const steps = 40
	t := mat.NewSymDense(steps, nil)
	for j := range steps {
		w.MulVec(a, v)
		alpha := mat.Dot(w, v)
		t.SetSym(j, j, alpha)
		if j == steps-1 {
			break
		}
		w.AddScaledVec(w, -alpha, v)
		if j > 0 {
			w.AddScaledVec(w, -t.At(j, j-1), previous)
		}
		beta := mat.Norm(w, 2)
		if beta <= slack {
			break
		}
		t.SetSym(j, j+1, beta)
		previous, v, w = v, w, previous
		v.ScaleVec(1/beta, v)
	}
	var eig mat.EigenSym
	if !eig.Factorize(t, false) {
		return errors.New("the eigenvalues of a 40×40 matrix did not converge")
	}
	if low := eig.Values(nil)[0]; low < -slack {
		return fmt.Errorf("it has an eigenvalue of at most %.3g, below %.3g", low*unit, -slack*unit)
	}
	return nil
}
