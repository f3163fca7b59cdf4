package solver

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// faulty is an operator whose products fail from some call on, as those of a
// file that cannot be read do.
type faulty struct {
	Covariance
	left atomic.Int64 // calls that still succeed
	err  error        // of the others
	end  func()
}

func (f *faulty) fails() error {
	if f.left.Add(-1) >= 0 {
		return nil
	}
	if f.end != nil {
		f.end()
	}
	return f.err
}

func (f *faulty) Mul(ctx context.Context, dst, w *mat.Dense) error {
	if err := f.fails(); err != nil {
		return err
	}
	return f.Covariance.Mul(ctx, dst, w)
}

func (f *faulty) MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	if err := f.fails(); err != nil {
		return err
	}
	return f.Covariance.MulRows(ctx, dst, support, v)
}

func (f *faulty) Block(ctx context.Context, support []int) (*mat.SymDense, error) {
	if err := f.fails(); err != nil {
		return nil, err
	}
	return f.Covariance.Block(ctx, support)
}

func (f *faulty) Entries(ctx context.Context) (*mat.SymDense, error) {
	if err := f.fails(); err != nil {
		return nil, err
	}
	return f.Covariance.Entries(ctx)
}

func (f *faulty) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	if err := f.fails(); err != nil {
		return nil, nil, err
	}
	return f.Covariance.Leading(ctx, r)
}

// uses are the ways in which an operator is worked with.
func uses(k, m int) map[string]func(context.Context, Covariance) error {
	solve := func(p Params) func(context.Context, Covariance) error {
		p.Features, p.Components = k, m
		return func(ctx context.Context, a Covariance) error {
			_, err := Solve(ctx, a, p)
			return err
		}
	}
	return map[string]func(context.Context, Covariance) error{
		"go":       solve(Params{Method: MethodGo}),
		"ipu":      solve(Params{}),
		"random":   solve(Params{Start: StartRandom, Restarts: 2}),
		"thorough": solve(Params{Effort: EffortThorough}),
		"exact":    solve(Params{Effort: EffortExact}),
		"sdp":      solve(Params{SDPIterations: 10}),
		"path": func(ctx context.Context, a Covariance) error {
			_, err := Path(ctx, a, Params{Components: m}, []int{k, k + 1, k + 2})
			return err
		},
		"exchange": func(ctx context.Context, a Covariance) error {
			_, err := Exchange(ctx, a, []int{0, 1, 2, 3, 4}, m, ExchangeParams{})
			return err
		},
		"ledger": func(ctx context.Context, a Covariance) error {
			s, err := Refit(ctx, a, []int{0, 1, 2, 3, 4}, m)
			if err == nil {
				_, err = Ledger(ctx, a, s, nil)
			}
			return err
		},
	}
}

// TestProductsThatFail: whichever call fails, the error comes back.
func TestProductsThatFail(t *testing.T) {
	const d, k, m = 30, 5, 2
	rng := rand.New(rand.NewPCG(1, 9))
	whole := mustMatrix(t, gaussianScatter(rng.Uint64(), d))
	lost := errors.New("row 17 is lost")
	for name, use := range uses(k, m) {
		t.Run(name, func(t *testing.T) {
			for calls := 0; ; calls++ {
				f := &faulty{Covariance: whole, err: lost}
				f.left.Store(int64(calls))
				err := use(t.Context(), f)
				if f.left.Load() >= 0 {
					if err != nil {
						t.Fatalf("no call failed: %v", err)
					}
					if calls == 0 {
						t.Fatal("no call was made")
					}
					return
				}
				if !errors.Is(err, lost) {
					t.Fatalf("call %d failed, and the error is %v", calls+1, err)
				}
			}
		})
	}
}

// TestProductsThatEnd: where the context ends within a call, the error is the
// context's or there is a solution that says so.
func TestProductsThatEnd(t *testing.T) {
	const d, k, m = 30, 5, 2
	whole := mustMatrix(t, gaussianScatter(3, d))
	for name, use := range uses(k, m) {
		t.Run(name, func(t *testing.T) {
			for calls := 0; ; calls++ {
				ctx, cancel := context.WithCancel(t.Context())
				f := &faulty{Covariance: whole, err: context.Canceled, end: cancel}
				f.left.Store(int64(calls))
				err := use(ctx, f)
				cancel()
				if f.left.Load() >= 0 {
					return
				}
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatalf("ended in call %d: %v", calls+1, err)
				}
			}
		})
	}
}
