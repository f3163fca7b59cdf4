package selector_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"github.com/fspca/fspca/transformer"
	"github.com/fspca/fspca/transformer/transformertest"
)

// TestConformance runs the suite of every step on the selector, in each of its modes.
func TestConformance(t *testing.T) {
	for name, opt := range map[string]selector.Options{
		"selected":     {},
		"projection":   {Output: selector.Projection},
		"both":         {Output: selector.Both},
		"standardized": {Output: selector.Both, Standardize: true},
		"uncentered":   {Output: selector.Both, Uncentered: true, Standardize: true},
		"go":           {Output: selector.Projection, Method: "go"},
		"random":       {Output: selector.Both, Init: "random", Restarts: 3, Seed: 7},
	} {
		opt.Features, opt.Components = 4, 2
		t.Run(name, func(t *testing.T) {
			transformertest.Run(t, func() transformer.Transformer { return selector.New(opt) })
		})
	}
}

// sample draws n rows of d columns that share three factors, each column at its own scale, so that
// no two scores are equal.
func sample(seed uint64, n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	load := mat.NewDense(d, 3, nil)
	for j := range d {
		for f := range 3 {
			load.Set(j, f, rng.NormFloat64())
		}
	}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		factors := [3]float64{3 * rng.NormFloat64(), 2 * rng.NormFloat64(), rng.NormFloat64()}
		for j := range d {
			v := 5 + 0.7*rng.NormFloat64()
			for f, s := range factors {
				v += s * load.At(j, f)
			}
			x.Set(i, j, v*(1+0.1*float64(j%7)))
		}
	}
	return x
}

func names(d int) []string {
	return lists.Make(d, func(j int) string { return fmt.Sprintf("gene%03d", j) })
}

// fit returns the model of x.
func fit(t interface {
	Helper()
	Fatal(...any)
}, x *mat.Dense, opt selector.Options) *selector.Model {
	t.Helper()
	_, d := x.Dims()
	s := selector.New(opt)
	must.OK(t, s.FitMatrix(context.Background(), x, names(d)))
	return s.Model()
}

// wantError checks that err is there and holds each of the texts.
func wantError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", texts)
		return
	}
	for _, s := range texts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("the error does not say %q: %v", s, err)
		}
	}
}

// near compares matrices up to a tolerance relative to the largest entry of want.
func near(got, want mat.Matrix, tolerance float64) bool {
	r, c := want.Dims()
	if gr, gc := got.Dims(); gr != r || gc != c {
		return false
	}
	peak := 0.0
	for i := range r {
		for j := range c {
			peak = max(peak, math.Abs(want.At(i, j)))
		}
	}
	return mat.EqualApprox(got, want, tolerance*peak)
}

// shared returns the path of a file of the shared data, and skips the test without it.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir := must.Get(os.Getwd())(t)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			t.Skip("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there", path)
	}
	return path
}

func TestFitErrors(t *testing.T) {
	x := sample(1, 20, 6)
	for _, c := range []struct {
		name string
		opt  selector.Options
		want []string
	}{
		{"nothing set", selector.Options{}, []string{"features k = 0", "components m = 0"}},
		{"k above d", selector.Options{Features: 7, Components: 2}, []string{"7", "d = 6", "n = 20"}},
		{"m above k", selector.Options{Features: 2, Components: 3}, []string{"k = 2", "m = 3"}},
		{"unknown method", selector.Options{Features: 3, Components: 2, Method: "gpu"}, []string{`"gpu"`, `"ipu"`}},
		{"unknown start", selector.Options{Features: 3, Components: 2, Init: "zero"}, []string{`"zero"`, `"random"`}},
		{"unknown output", selector.Options{Features: 3, Components: 2, Output: "all"}, []string{`"all"`, `"both"`}},
		{"negative ε", selector.Options{Features: 3, Components: 2, Epsilon: -1}, []string{"epsilon", "-1"}},
	} {
		s := selector.New(c.opt)
		err := s.FitMatrix(context.Background(), x, nil)
		wantError(t, err, append(c.want, "fspca: ")...)
		if s.Model() != nil {
			t.Errorf("%s: there is a model after an error", c.name)
		}
		wantError(t, s.FitCovariance(context.Background(), mat.NewDiagDense(6, []float64{6, 5, 4, 3, 2, 1}), nil), c.want[0])
	}
}

func TestFitMatrixErrors(t *testing.T) {
	s := selector.New(selector.Options{Features: 2, Components: 1})
	ctx := context.Background()
	holes := sample(1, 5, 3)
	holes.Set(2, 1, math.NaN())
	holes.Set(4, 1, math.NaN())
	wantError(t, s.FitMatrix(ctx, holes, nil), "fspca", "row 3", `"x2"`, "2", "impute", "drop")
	infinite := sample(1, 5, 3)
	infinite.Set(2, 1, math.Inf(1))
	wantError(t, s.FitMatrix(ctx, infinite, nil), `"x2"`, "row 3", "Inf")
	wantError(t, s.FitMatrix(ctx, sample(1, 5, 3), []string{"a", "b"}), "2 names", "3 columns")
	wantError(t, s.FitMatrix(ctx, sample(1, 5, 3), []string{"a", "b", "a"}), `"a"`)
	wantError(t, s.FitMatrix(ctx, sample(1, 1, 3), nil), "too few rows: 1")
	wantError(t, s.FitMatrix(ctx, mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2}), nil), "constant")
	if err := s.FitMatrix(ctx, mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2}), nil); !errors.Is(err, solver.ErrConstant) {
		t.Errorf("constant data: %v does not wrap solver.ErrConstant", err)
	}
	wantError(t, s.FitCovariance(ctx, mat.NewSymDense(2, []float64{1, 2, 2, 1}), nil), "semidefinite")
	wantError(t, s.FitCovariance(ctx, mat.NewSymDense(2, []float64{1, 2, 2, 1}), []string{"p", "q"}), `"p" and "q"`)
	wantError(t, s.FitCovariance(ctx, &mat.SymDense{}, nil), "empty")
	wantError(t, s.FitCovariance(ctx, nil, nil), "nil")
	wantError(t, s.FitCovariance(ctx, (*mat.SymDense)(nil), nil), "nil")
	scaled := func(by float64) *mat.Dense {
		x := mat.NewDense(4, 2, []float64{1, 2, 3, 2, 4, 2, 2, 2})
		x.Scale(by, x)
		return x
	}
	for _, by := range []float64{1e-300, 1e-200} {
		wantError(t, s.FitMatrix(ctx, scaled(by), []string{"a", "b"}), `"a" varies`, "multiply")
	}
	for _, by := range []float64{1e200, 1e307} {
		wantError(t, s.FitMatrix(ctx, scaled(by), []string{"a", "b"}), `column "a"`, "overflows", "divide")
	}
	for _, by := range []float64{1e-150, 1e150} {
		if err := s.FitMatrix(ctx, scaled(by), nil); err != nil {
			t.Errorf("data times %g: %v", by, err)
		}
	}
	wantError(t, s.FitCovariance(ctx, mat.NewSymDense(2, []float64{1, 0, 0, 1}), []string{"a"}), "1 name for")
}

func TestFitCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := selector.New(selector.Options{Features: 3, Components: 2})
	if err := s.FitMatrix(ctx, sample(1, 20, 9), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it began: got the error %v, want context.Canceled", err)
	}

	// Cancelled at the first step, the best so far is a model.
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	s = selector.New(selector.Options{Features: 5, Components: 2, Init: "random", Restarts: 50, Progress: func(solver.Progress) {
		calls++
		cancel()
	}})
	must.OK(t, s.FitMatrix(ctx, sample(1, 40, 30), nil))
	if m := s.Model(); calls == 0 || m.Status() != solver.Cancelled || len(m.Support()) != 5 {
		t.Errorf("cancelled at step %d: status %q, support %v", calls, m.Status(), m.Support())
	}
	if s.Model().Options().Progress != nil {
		t.Error("the model keeps the callback")
	}
}

func TestParseOutput(t *testing.T) {
	for text, want := range map[string]selector.Output{
		"": selector.Selected, "selected": selector.Selected, "projection": selector.Projection, "both": selector.Both,
	} {
		if got, err := selector.ParseOutput(text); got != want || err != nil {
			t.Errorf("%q: got %q and the error %v, want %q", text, got, err, want)
		}
	}
	_, err := selector.ParseOutput("Both")
	wantError(t, err, `"Both"`, `"both"`, `"projection"`)
}

// TestBaselines: the methods of the paper's comparison fit, are saved and are read like our own.
func TestBaselines(t *testing.T) {
	x := sample(12, 30, 10)
	best := fit(t, x, selector.Options{Features: 4, Components: 2, Method: "brute_force"}).Objective()
	for _, method := range baseline.Methods() {
		m := fit(t, x, selector.Options{Features: 4, Components: 2, Method: string(method)})
		if m.Objective() > best*(1+1e-12) {
			t.Errorf("%s: objective %v above the best, %v", method, m.Objective(), best)
		}
		var b bytes.Buffer
		must.Get(m.WriteTo(&b))(t)
		loaded, err := selector.ReadModel(&b)
		if err != nil {
			t.Errorf("%s: %v", method, err)
		} else if loaded.Options().Method != string(method) {
			t.Errorf("%s: loaded as %q", method, loaded.Options().Method)
		}
	}
}
