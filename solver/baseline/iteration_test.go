package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// cyclic is a matrix on which SOAP goes back and forth between two supports
// (found by search).
func cyclic(t *testing.T) solver.Covariance {
	x := mat.NewDense(5, 5, []float64{
		-1, -1, 0, -2, -2,
		-1, -1, 1, -2, -2,
		-3, 2, 0, 3, 0,
		3, -1, 2, -2, 0,
		-3, 1, -1, 1, 0,
	})
	a := mat.NewSymDense(5, nil)
	a.SymOuterK(1, x)
	return mustMatrix(t, a)
}

func TestCycleIsFoundAndItsBestPointKept(t *testing.T) {
	s := must.Get(SOAP(context.Background(), cyclic(t), 2, RandomStart(5, 2, 1, 861), IterationParams{}))(t)
	if s.Status != solver.Cycle || !s.Status.Early() {
		t.Fatalf("status %s after %d steps, trace %v", s.Status, s.Iterations, s.Trace)
	}
	if s.Iterations > 10 {
		t.Errorf("the cycle of length 2 was found after %d steps", s.Iterations)
	}
	if math.Abs(s.Objective-28) > 1e-9 {
		t.Errorf("objective %v, the cycle has 21 and 28", s.Objective)
	}
	fell := false
	for i := 1; i < len(s.Trace); i++ {
		fell = fell || s.Trace[i] < s.Trace[i-1]-1
	}
	if !fell {
		t.Errorf("the trace %v never falls", s.Trace)
	}
}

// TestRepetitionOfAnyPeriod runs the engine on a map whose period is known.
func TestRepetitionOfAnyPeriod(t *testing.T) {
	const d = 12
	diag := mat.NewSymDense(d, nil)
	for i := range d {
		diag.SetSym(i, i, float64(1+i))
	}
	a := mustMatrix(t, diag)
	for period := 1; period <= 9; period++ {
		for lead := range 4 {
			step := 0
			unit := func(i int) point { return point{[]int{i}, mat.NewDense(1, 1, []float64{1})} }
			rotate := func(*mat.Dense) point {
				step++
				if step < lead {
					return unit(9 + step%3)
				}
				return unit(step % period)
			}
			start := mat.NewDense(d, 1, nil)
			start.Set(11, 0, 1)
			s := must.Get(iterate(context.Background(), a, 1, start, IterationParams{}, rotate))(t)
			want := solver.Cycle
			if period == 1 {
				want = solver.Converged
			}
			if s.Status != want || s.Iterations > lead+4*period+2 {
				t.Errorf("period %d after %d: %s in %d steps", period, lead, s.Status, s.Iterations)
			}
			if s.Support[0] != period-1 {
				t.Errorf("period %d after %d: kept column %d, the best of the cycle is %d", period, lead, s.Support[0], period-1)
			}
		}
	}
}

func TestLimitsAreStatuses(t *testing.T) {
	a := mustMatrix(t, randomCovariance(rand.New(rand.NewPCG(5, 5)), 40, 30))
	s := must.Get(SRT(context.Background(), a, 8, RandomStart(30, 3, 1, 1), IterationParams{MaxIterations: 3}))(t)
	if s.Status != solver.IterationLimit || s.Iterations != 3 {
		t.Errorf("%s after %d steps, want the limit of 3", s.Status, s.Iterations)
	}
	for _, method := range []solver.Method{MethodSOAP, MethodSRT} {
		ctx, cancel := context.WithCancel(context.Background())
		steps := 0
		s := must.Get(Solve(ctx, a, solver.Params{Features: 8, Components: 3, Method: method, Start: solver.StartRandom, Progress: func(p solver.Progress) {
			steps++
			if p.Iteration == 2 {
				cancel()
			}
		}}))(t)
		if s.Status != solver.Cancelled || s.Iterations != 2 || steps != 2 {
			t.Errorf("%s: %s after %d steps and %d calls", method, s.Status, s.Iterations, steps)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, method := range Methods() {
		if method == MethodBruteForce {
			continue // has its first support at once
		}
		s, err := Solve(ctx, a, solver.Params{Features: 8, Components: 3, Method: method})
		if !errors.Is(err, context.Canceled) && (err != nil || s.Status != solver.Cancelled) {
			t.Errorf("%s on an ended context: %v, %v", method, s, err)
		}
	}
}
