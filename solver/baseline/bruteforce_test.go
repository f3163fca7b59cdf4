package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/solver"
)

func TestBruteForceEqualsPlainEnumeration(t *testing.T) {
	for i := range 60 {
		rng := rand.New(rand.NewPCG(3, uint64(i)))
		d := 2 + rng.IntN(9)
		k := 1 + rng.IntN(d)
		m := 1 + rng.IntN(k)
		a := randomCovariance(rng, 1+rng.IntN(2*d), d)
		best, support, count := math.Inf(-1), []int(nil), 0
		oracle.EachSubset(d, k, func(s []int) {
			count++
			if f := oracle.Objective(a, s, m); f > best*(1+1e-13) {
				best, support = f, slices.Clone(s)
			}
		})
		s := must.Get(BruteForce(context.Background(), mustMatrix(t, a), k, m, nil))(t)
		if math.Abs(s.Objective-best) > 1e-11*best || s.Nodes != count || s.Status != solver.Proved || s.UpperBound < best || s.Gap > 1e-12 {
			t.Errorf("case %d (d %d, k %d, m %d): %v on %v after %d supports (%s), want %v on %v after %d", i, d, k, m, s.Objective, s.Support, s.Nodes, s.Status, best, support, count)
		}
	}
}

func TestBruteForceTakesTheFirstOfEquals(t *testing.T) {
	a := mat.NewSymDense(6, nil)
	for i := range 6 {
		a.SetSym(i, i, 2)
	}
	s := must.Get(BruteForce(context.Background(), mustMatrix(t, a), 3, 2, nil))(t)
	if !slices.Equal(s.Support, []int{0, 1, 2}) {
		t.Errorf("support %v", s.Support)
	}
}

func TestBruteForceLimits(t *testing.T) {
	a := mustMatrix(t, randomCovariance(rand.New(rand.NewPCG(1, 1)), 80, 60))
	_, err := BruteForce(context.Background(), a, 30, 3, nil)
	if !errors.Is(err, ErrTooManySupports) || !strings.Contains(err.Error(), "1.18e+17") {
		t.Errorf("error %v", err)
	}
	ctx, end := countdown.Event()
	seen := 0
	s := must.Get(BruteForce(ctx, a, 5, 2, func(p solver.Progress) {
		seen = p.Iteration
		end()
	}))(t)
	if s.Status != solver.Deadline || len(s.Support) != 5 || s.UpperBound <= s.Objective {
		t.Errorf("status %s, support %v, bound %v, objective %v", s.Status, s.Support, s.UpperBound, s.Objective)
	}
	if seen == 0 {
		t.Error("no progress was reported")
	}
}
