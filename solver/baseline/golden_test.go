package baseline

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// goldenCase is a matrix and what testdata/golden.py, which shares no code
// with this package, finds on it.
type goldenCase struct {
	K, M      int
	A, W0     [][]float64
	SOAP, SRT struct {
		Trace    []float64
		Supports [][]int
	}
	TPower struct {
		Support   []int
		Steps     int
		Objective float64
	}
	Deflation struct {
		Vectors             [][]float64
		Explained, Adjusted float64
	}
	CSSP struct {
		Support   []int
		Objective float64
		Encoder   *float64
	}
	FPS struct {
		Lambda  float64
		Optimum float64
		Steps   int
		Z       [][]float64
	}
}

const goldenTolerance = 1e-8

func goldenCases(t *testing.T) []goldenCase {
	t.Helper()
	b := must.Get(os.ReadFile("testdata/golden.json"))(t)
	var cases []goldenCase
	must.OK(t, json.Unmarshal(b, &cases))
	if len(cases) != 20 {
		t.Fatalf("%d cases", len(cases))
	}
	return cases
}

func denseOf(rows [][]float64) *mat.Dense {
	x := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		x.SetRow(i, r)
	}
	return x
}

func covarianceOf(t *testing.T, rows [][]float64) solver.Covariance {
	t.Helper()
	s := must.Get(solver.SymmetricFromDense(denseOf(rows)))(t)
	return must.Get(solver.NewMatrix(s))(t)
}

// near reports whether two numbers agree to goldenTolerance of scale.
func near(got, want, scale float64) bool {
	return math.Abs(got-want) <= goldenTolerance*scale
}

func TestIterationsAgreeWithNumPy(t *testing.T) {
	for i, g := range goldenCases(t) {
		a := covarianceOf(t, g.A)
		for _, tc := range []struct {
			name     string
			method   iterative
			trace    []float64
			supports [][]int
		}{{"SOAP", SOAP, g.SOAP.Trace, g.SOAP.Supports}, {"SRT", SRT, g.SRT.Trace, g.SRT.Supports}} {
			for _, steps := range []int{1, 7, 40} {
				s := must.Get(tc.method(context.Background(), a, g.K, denseOf(g.W0), IterationParams{MaxIterations: steps}))(t)
				for j, v := range s.Trace {
					if !near(v, tc.trace[j], tc.trace[j]) {
						t.Errorf("case %d %s: objective %v in place %d, NumPy has %v", i, tc.name, v, j, tc.trace[j])
						break
					}
				}
				if last := tc.supports[len(s.Trace)-1]; s.Status != solver.Cycle && !slices.Equal(s.Support, last) {
					t.Errorf("case %d %s after %d steps: support %v, NumPy has %v", i, tc.name, steps, s.Support, last)
				}
				if s.Status == solver.Converged && !near(s.Objective, tc.trace[len(tc.trace)-1], s.Objective) {
					t.Errorf("case %d %s: converged to %v, NumPy after %d steps to %v", i, tc.name, s.Objective, len(tc.trace)-1, tc.trace[len(tc.trace)-1])
				}
			}
		}
	}
}

func TestTruncatedPowerAgreesWithNumPy(t *testing.T) {
	ctx := context.Background()
	for i, g := range goldenCases(t) {
		a := covarianceOf(t, g.A)
		s := must.Get(TPower(ctx, a, g.K, g.M, TPowerParams{}))(t)
		if !slices.Equal(s.Support, g.TPower.Support) || s.Iterations != g.TPower.Steps || !near(s.Objective, g.TPower.Objective, s.Objective) {
			t.Errorf("case %d: TPower %v, %d steps, %v; NumPy has %+v", i, s.Support, s.Iterations, s.Objective, g.TPower)
		}
		v := must.Get(Deflate(ctx, a, g.K, g.M, TPowerParams{}))(t)
		if !mat.EqualApprox(v.Vectors, denseOf(g.Deflation.Vectors), goldenTolerance) {
			t.Errorf("case %d: deflated vectors\n%v\nNumPy has\n%v", i, mat.Formatted(v.Vectors), mat.Formatted(denseOf(g.Deflation.Vectors)))
		}
		if !near(v.Explained, g.Deflation.Explained, v.Explained) || !near(v.Adjusted, g.Deflation.Adjusted, v.Adjusted) {
			t.Errorf("case %d: deflation explains %v (adjusted %v), NumPy has %v (%v)", i, v.Explained, v.Adjusted, g.Deflation.Explained, g.Deflation.Adjusted)
		}
	}
}

func TestCSSPAgreesWithNumPy(t *testing.T) {
	for i, g := range goldenCases(t) {
		s := must.Get(CSSP(context.Background(), covarianceOf(t, g.A), g.K, g.M))(t)
		if !slices.Equal(s.Support, g.CSSP.Support) || !near(s.Objective, g.CSSP.Objective, s.Objective) {
			t.Errorf("case %d: %v, %v; NumPy has %+v", i, s.Support, s.Objective, g.CSSP)
		}
		if e := g.CSSP.Encoder; e != nil && !near(s.Trace[0], *e, s.Objective) {
			t.Errorf("case %d: the encoder explains %v, NumPy has %v", i, s.Trace[0], *e)
		}
	}
}

func TestFPSAgreesWithNumPy(t *testing.T) {
	for i, g := range goldenCases(t) {
		a := covarianceOf(t, g.A)
		r := must.Get(FPS(context.Background(), a, g.M, g.FPS.Lambda, FPSParams{}))(t)
		if r.Iterations != g.FPS.Steps {
			t.Errorf("case %d: %d steps, NumPy takes %d", i, r.Iterations, g.FPS.Steps)
		}
		z := mat.NewSymDense(a.Order(), nil)
		eachUpper(len(r.Active), func(p, q int, _ float64) {
			z.SetSym(r.Active[p], r.Active[q], r.Z.At(p, q))
		})
		if !mat.EqualApprox(z, denseOf(g.FPS.Z), goldenTolerance) {
			t.Errorf("case %d (λ = %v): Z differs from NumPy's", i, g.FPS.Lambda)
		}
		tight := must.Get(FPS(context.Background(), a, g.M, g.FPS.Lambda, FPSParams{MaxIterations: 20000, Tolerance: 1e-10}))(t)
		var value float64
		eachUpper(len(tight.Active), func(p, q int, weight float64) {
			zv := tight.Z.At(p, q)
			value += weight * (g.A[tight.Active[p]][tight.Active[q]]*zv - g.FPS.Lambda*math.Abs(zv))
		})
		if tight.Status != solver.Converged || !near(value, g.FPS.Optimum, value) {
			t.Errorf("case %d (λ = %v): the optimum is %v (%s), NumPy without screening finds %v", i, g.FPS.Lambda, value, tight.Status, g.FPS.Optimum)
		}
	}
}
