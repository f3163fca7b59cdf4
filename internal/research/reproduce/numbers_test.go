package reproduce

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"gonum.org/v1/gonum/mat"
)

func TestPaperTableIsComplete(t *testing.T) {
	if n := len(paperFigures()); n != 6*5*3 {
		t.Fatalf("%d cells", n)
	}
	for at, f := range paperFigures() {
		for _, v := range []float64{f.ir, f.re, f.hf, f.irSpread, f.reSpread, f.hfSpread} {
			if v < 0 || v > 1 {
				t.Errorf("%+v: %+v", at, f)
			}
		}
		// The paper's spread of HF is p(1 − p), to which the rounding of p adds.
		if math.Abs(f.hfSpread-f.hf*(1-f.hf)) > 0.0101 {
			t.Errorf("%+v: spread %v of HF %v is not p(1 − p)", at, f.hfSpread, f.hf)
		}
	}
	if f := paperFigures()[cell{synthetic.D, "ipu", fromRandom}]; f.ir != 0.83 || f.hf != 0.97 || f.irSpread != 0.07 {
		t.Errorf("D, IPU, random: %+v", f)
	}
}

func TestDeviation(t *testing.T) {
	m := moments{n: 100, mean: 0.80, sd: 0.115}
	// 0.045 apart of which 0.005 is rounding; both means have a variance of
	// 0.115²/100.
	if got, want := deviation(m, 0.755, 0.11), 0.04/math.Sqrt(2*0.115*0.115/100); math.Abs(got-want) > 1e-9 {
		t.Errorf("deviation %v, want %v", got, want)
	}
	if got := deviation(m, 0.803, 0.11); got != 0 {
		t.Errorf("deviation %v within rounding", got)
	}
	if got, want := shareDeviation(0.5, 100, 0.605), 0.1/math.Sqrt(0.5525*0.4475*0.02); math.Abs(got-want) > 1e-9 {
		t.Errorf("deviation of a share %v, want %v", got, want)
	}
	if got := shareDeviation(1, 50, 1); got != 0 {
		t.Errorf("deviation of equal shares %v", got)
	}
	if got := shareDeviation(0, 50, 1); !(got > 10) {
		t.Errorf("deviation of opposite shares %v", got)
	}
}

func TestMoments(t *testing.T) {
	m := momentsOf([]float64{1, 2, 3, 6})
	if m.n != 4 || m.mean != 3 || math.Abs(m.sd-math.Sqrt(14.0/3)) > 1e-15 {
		t.Errorf("%+v", m)
	}
}

// Every bound holds on random matrices, and the threshold bound is exact
// where all eigenvalues but m are equal.
func TestBoundsHold(t *testing.T) {
	ctx := context.Background()
	for i := range 40 {
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		d := 5 + rng.IntN(6)
		k := 2 + rng.IntN(d-2)
		m := 1 + rng.IntN(min(k, d/2))
		x := mat.NewDense(d+2, d, nil)
		for r := range d + 2 {
			for c := range d {
				x.Set(r, c, rng.NormFloat64()*float64(1+c))
			}
		}
		a := scatter(x)
		c := must.Get(solver.NewMatrix(a))(t)
		best := must.Get(baseline.BruteForce(ctx, c, k, m, nil))(t)
		goes := must.Get(solver.GoLowRank(ctx, c, k, m, 0))(t)
		s := must.Get(newSpectrum(a))(t)
		for j, v := range s.bounds(goes.Objective, k, m) {
			if v < best.Objective*(1-1e-12) {
				t.Errorf("case %d (d %d, k %d, m %d): %s bound %v below the optimum %v", i, d, k, m, boundNames[j], v, best.Objective)
			}
		}
		if s.threshold(k, m) > min(s.kyFan(m), s.diagonal(k))*(1+1e-9) {
			t.Errorf("case %d: the threshold bound is worse than its ends", i)
		}
	}
	a := must.Get(synthetic.Instance{Scheme: synthetic.B, Seed: 3}.Matrix())(t)
	c := must.Get(solver.NewMatrix(a))(t)
	best := must.Get(baseline.BruteForce(ctx, c, 7, 3, nil))(t)
	s := must.Get(newSpectrum(a))(t)
	if v := s.threshold(7, 3); math.Abs(v-best.Objective) > 1e-6*v {
		t.Errorf("scheme B: threshold bound %v, optimum %v", v, best.Objective)
	}
}

func TestEachKeepsOrderAndStops(t *testing.T) {
	got := make([]int, 100)
	last := 0
	must.OK(t, each(context.Background(), 100, func(done int) { last = done }, func(i int) error { got[i] = i * i; return nil }))
	for i, v := range got {
		if v != i*i {
			t.Fatalf("place %d holds %d", i, v)
		}
	}
	if last != 100 {
		t.Errorf("progress ended at %d", last)
	}
	bad := errors.New("bad")
	if err := each(context.Background(), 1000, func(int) {}, func(i int) error {
		if i >= 3 {
			return bad
		}
		return nil
	}); !errors.Is(err, bad) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := each(ctx, 1000, func(int) { cancel() }, func(int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// dataDir returns where the paper's data sets are, if anywhere.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := must.Get(os.Getwd())(t)
	for range 6 {
		candidate := filepath.Join(dir, "..", "shared", "data")
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			if _, err := os.Stat(filepath.Join(candidate, "lymphoma_cov.npy")); err == nil {
				return candidate
			}
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Skip("the paper's data sets are not here")
	return ""
}

// The shares are those of an independent implementation.
func TestRealDataFromGo(t *testing.T) {
	ctx := context.Background()
	s := &session{Options: Options{DataDir: dataDir(t)}}
	sets, notes, err := s.load(ctx, realDataSets()[:3])
	if err != nil || len(sets) != 3 || len(notes) != 0 {
		t.Fatalf("%d sets, notes %v, error %v", len(sets), notes, err)
	}
	for _, tc := range []struct {
		data           string
		k              int
		goes, ipu      float64
		soap, srt, tpg float64 // from the convex relaxation
	}{
		{"lymphoma", 11, .1263, .1263, .1069, .1239, .0976},
		{"lymphoma", 50, .3457, .3482, .3246, .3107, .3107},
		{"lymphoma", 100, .4981, .4994, .4480, 0, .4150},
		{"nus_wide", 11, .1161, .1161, .1121, 0, .1184},
		{"nus_wide", 50, .4046, .4070, 0, 0, .3727},
		{"numbers", 50, .7212, .7212, .4691, .7211, .7211},
	} {
		for _, d := range sets {
			if d.data.id != tc.data {
				continue
			}
			m := d.data.components
			var leading float64
			for _, v := range d.a.values[:m] {
				leading += v - paperEpsilon
			}
			compare := func(name string, want float64, s *solver.Solution, err error) {
				if err != nil {
					t.Fatal(err)
				}
				if got := (s.Objective - float64(m)*paperEpsilon) / leading; want != 0 && math.Abs(got-want) > 0.0005 {
					t.Errorf("%s k = %d %s: %.4f, want %.4f", tc.data, tc.k, name, got, want)
				}
			}
			goes, err := solver.GoLowRank(ctx, d.a, tc.k, m, 0)
			compare("Go", tc.goes, goes, err)
			ipu, err := solver.IPU(ctx, d.a, tc.k, goes.W(d.a.Order()), solver.IPUParams{})
			compare("IPU", tc.ipu, ipu, err)
			convex := must.Get(convexStart(ctx, d.a, m, m, unitPenalty))(t)
			soap, err := baseline.SOAP(ctx, d.a, tc.k, convex, baseline.IterationParams{})
			compare("SOAP", tc.soap, soap, err)
			srt, err := baseline.SRT(ctx, d.a, tc.k, convex, baseline.IterationParams{})
			compare("SRT", tc.srt, srt, err)
			power, err := baseline.TPower(ctx, d.a, tc.k, m, baseline.TPowerParams{})
			compare("TPower (G)", tc.tpg, power, err)
		}
	}
}
