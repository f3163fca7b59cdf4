package baseline

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// faulty is an operator whose products fail from some call on, as those of a
// file that cannot be read do.
type faulty struct {
	solver.Covariance
	left int // calls that still succeed
}

var errLost = errors.New("row 17 is lost")

func (f *faulty) fails() error {
	if f.left--; f.left >= 0 {
		return nil
	}
	return errLost
}

func (f *faulty) Mul(ctx context.Context, dst, w *mat.Dense) error {
	return errors.Join(f.fails(), f.Covariance.Mul(ctx, dst, w))
}

func (f *faulty) MulRows(ctx context.Context, dst *mat.Dense, support []int, v *mat.Dense) error {
	return errors.Join(f.fails(), f.Covariance.MulRows(ctx, dst, support, v))
}

func (f *faulty) Block(ctx context.Context, support []int) (*mat.SymDense, error) {
	b, err := f.Covariance.Block(ctx, support)
	return b, errors.Join(f.fails(), err)
}

func (f *faulty) Entries(ctx context.Context) (*mat.SymDense, error) {
	a, err := f.Covariance.Entries(ctx)
	return a, errors.Join(f.fails(), err)
}

// TestProductsThatFail: whichever call fails, the error comes back.
func TestProductsThatFail(t *testing.T) {
	a := mustMatrix(t, randomCovariance(rand.New(rand.NewPCG(7, 12)), 40, 12))
	uses := map[string]func(solver.Covariance) error{
		"deflate": func(a solver.Covariance) error {
			_, err := Deflate(t.Context(), a, 4, 2, TPowerParams{})
			return err
		},
	}
	for _, method := range Methods() {
		uses[string(method)] = func(a solver.Covariance) error {
			_, err := Solve(t.Context(), a, solver.Params{Features: 4, Components: 2, Method: method})
			return err
		}
	}
	for name, use := range uses {
		for calls := 0; ; calls++ {
			f := &faulty{Covariance: a, left: calls}
			err := use(f)
			if f.left >= 0 {
				if err != nil || calls == 0 {
					t.Fatalf("%s: no call failed in %d: %v", name, calls, err)
				}
				break
			}
			if !errors.Is(err, errLost) {
				t.Fatalf("%s: call %d failed, and the error is %v", name, calls+1, err)
			}
		}
	}
}
