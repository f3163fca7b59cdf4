package baseline

import (
	"context"
	"math"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// admm is the alternating direction method of multipliers for
//
//	max ⟨A, X⟩ − λ·‖X‖₁,₁  over the Fantope of order d and trace m,
//
// split into X in the Fantope and a sparse Z, with the scaled multiplier U.
// a is divided by its largest |a_ij|, and λ with it, so that the penalty ρ
// and both residuals have no unit.
type admm struct {
	a   *mat.SymDense
	m   int
	p   FPSParams
	rho float64

	z, u       *mat.SymDense
	iterations int
	status     solver.Status
}

// newADMM starts from zero.
func newADMM(a *mat.SymDense, m int, p FPSParams) *admm {
	d := a.SymmetricDim()
	return &admm{a: a, m: m, p: p, rho: 1, z: mat.NewSymDense(d, nil), u: mat.NewSymDense(d, nil)}
}

// run iterates for the penalty lambda from where it stands.
func (s *admm) run(ctx context.Context, lambda float64) error {
	tolerance := s.p.Tolerance * math.Sqrt(float64(s.m))
	for range s.p.MaxIterations {
		if ctx.Err() != nil {
			s.status = solver.EndOf(ctx)
			return nil
		}
		primal, dual, err := s.step(lambda)
		if err != nil {
			return err
		}
		s.iterations++
		if s.p.Step != nil {
			s.p.Step(s.iterations, inner(s.a, s.z))
		}
		if primal < tolerance && dual < tolerance {
			s.status = solver.Converged
			return nil
		}
		switch {
		case primal > 10*dual:
			s.rho *= 2
			s.u.ScaleSym(0.5, s.u)
		case dual > 10*primal:
			s.rho /= 2
			s.u.ScaleSym(2, s.u)
		}
	}
	s.status = solver.IterationLimit
	return nil
}

// step does one round and returns ‖X − Z‖_F and ρ·‖Z − Z_before‖_F.
func (s *admm) step(lambda float64) (primal, dual float64, err error) {
	d := s.a.SymmetricDim()
	target := mat.NewSymDense(d, nil)
	eachUpper(d, func(i, j int, _ float64) {
		target.SetSym(i, j, s.z.At(i, j)-s.u.At(i, j)+s.a.At(i, j)/s.rho)
	})
	x, err := projectFantope(target, s.m)
	if err != nil {
		return 0, 0, err
	}
	eachUpper(d, func(i, j int, weight float64) {
		xv, uv, before := x.At(i, j), s.u.At(i, j), s.z.At(i, j)
		zv := kernel.Soften(xv+uv, lambda/s.rho)
		s.z.SetSym(i, j, zv)
		s.u.SetSym(i, j, uv+xv-zv)
		primal += weight * (xv - zv) * (xv - zv)
		dual += weight * (zv - before) * (zv - before)
	})
	return math.Sqrt(primal), s.rho * math.Sqrt(dual), nil
}

// eachUpper calls use for i ≤ j with the number of entries that (i, j) stands
// for.
func eachUpper(d int, use func(i, j int, weight float64)) {
	for i := range d {
		use(i, i, 1)
		for j := i + 1; j < d; j++ {
			use(i, j, 2)
		}
	}
}

// inner returns ⟨A, B⟩.
func inner(a, b *mat.SymDense) float64 {
	var sum float64
	eachUpper(a.SymmetricDim(), func(i, j int, weight float64) {
		sum += weight * a.At(i, j) * b.At(i, j)
	})
	return sum
}
