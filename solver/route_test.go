package solver

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// factorRows returns n×d rows of a few sparse factors and noise, of the kind
// that the benchmarks use.
func factorRows(rng *rand.Rand, n, d int) *mat.Dense {
	const factors = 12
	loadings := mat.NewDense(factors, d, nil)
	for f := range factors {
		for range max(4, d/12) {
			loadings.Set(f, rng.IntN(d), rng.NormFloat64()*4/math.Pow(float64(f+1), 0.7))
		}
	}
	scores := mat.NewDense(n, factors, nil)
	for i := range n {
		for f := range factors {
			scores.Set(i, f, rng.NormFloat64())
		}
	}
	var x mat.Dense
	x.Mul(scores, loadings)
	offset := make([]float64, d)
	for j := range offset {
		offset[j] = 10 * rng.NormFloat64()
	}
	x.Apply(func(_, j int, v float64) float64 { return v + offset[j] + rng.NormFloat64() }, &x)
	return &x
}

// onRoute returns the operator of x on a given route, whatever its shape.
func onRoute(t testing.TB, x *mat.Dense, r Route) *Data {
	t.Helper()
	c := must.Get(NewData(x, DataOptions{}))(t)
	c.route = r
	return c
}

// rowRoutes are the routes of dense rows.
var rowRoutes = []Route{RouteCovariance, RouteGram, RouteImplicit}

// TestRoutesAreListed: every route of the package is in rowRoutes, or is not one of rows, and
// docs/algorithms.md tells when it is taken.
func TestRoutesAreListed(t *testing.T) {
	told := must.Get(os.ReadFile("../docs/algorithms.md"))(t)
	for _, name := range constantsOf(t, "route.go", "Route") {
		r := Route(name)
		if r == RouteMatrix || r == RouteOther {
			continue
		}
		if !slices.Contains(rowRoutes, r) {
			t.Errorf("no test takes the route %s: add it to rowRoutes", r)
		}
		if !strings.Contains(strings.ToLower(string(told)), "\n| "+name+" |") {
			t.Errorf("docs/algorithms.md does not say when the route %s is taken", r)
		}
	}
}

// constantsOf returns the texts of the constants of a type in a file of this package.
func constantsOf(t *testing.T, file, typeName string) []string {
	t.Helper()
	parsed := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
	var texts []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); ok && id.Name == typeName {
			text := must.Get(strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value))(t)
			texts = append(texts, text)
		}
		return true
	})
	if len(texts) < 3 {
		t.Fatalf("%d constants of the type %s in %s", len(texts), typeName, file)
	}
	return texts
}

// TestRoutesAgree: every route gives the support of the d×d matrix on 100
// problems. Where one did not, it would have to be a fixed point too, within
// rounding; the margins are printed then.
func TestRoutesAgree(t *testing.T) {
	differ := 0
	seeds := raced(100)
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 40))
		n, d := 30+rng.IntN(250), 30+rng.IntN(250)
		p := Params{Features: 5 + rng.IntN(20), Components: 1 + rng.IntN(5)}
		x := factorRows(rng, n, d)
		a := must.Get(onRoute(t, x, RouteCovariance).Entries(t.Context()))(t)
		want := mustSolve(t, mustMatrix(t, a), p)
		for _, r := range rowRoutes {
			got := mustSolve(t, onRoute(t, x, r), p)
			if got.Route != r && !(r == RouteImplicit && mayForm(n, d, p.Components+1) && got.Route == RouteCovariance) {
				t.Fatalf("route %s reported for %s", got.Route, r)
			}
			if math.Abs(got.LeadingVariance-want.LeadingVariance) > 1e-8*want.LeadingVariance {
				t.Errorf("seed %d %s: Tr(A_m) %v, want %v", seed, r, got.LeadingVariance, want.LeadingVariance)
			}
			if slices.Equal(got.Support, want.Support) {
				if math.Abs(got.Objective-want.Objective) > 1e-11*want.Objective {
					t.Errorf("seed %d %s: objective %v, want %v", seed, r, got.Objective, want.Objective)
				}
				continue
			}
			differ++
			t.Logf("seed %d (%d×%d, k=%d, m=%d) %s: %v, objectives differ by %.1e", seed, n, d, p.Features, p.Components, r,
				got.Support, (got.Objective-want.Objective)/want.Objective)
			if again := mustSolve(t, mustMatrix(t, a), Params{Features: p.Features, Components: p.Components, W0: got.W(d)}); !slices.Equal(again.Support, got.Support) {
				t.Errorf("seed %d %s: %v is not a fixed point", seed, r, got.Support)
			}
		}
	}
	if differ > 3 {
		t.Errorf("%d of %d supports differ between routes", differ, 3*seeds)
	}
}

// TestScaleOfRows: the support and the shares do not depend on the units of
// all columns together.
func TestScaleOfRows(t *testing.T) {
	x := factorRows(rand.New(rand.NewPCG(44, 1)), 60, 200)
	for _, r := range rowRoutes {
		want := mustSolve(t, onRoute(t, x, r), Params{Features: 12, Components: 3})
		for _, unit := range []float64{0x1p-460, 0x1p-60, 0x1p60, 0x1p460} {
			var y mat.Dense
			y.Scale(unit, x)
			got := mustSolve(t, onRoute(t, &y, r), Params{Features: 12, Components: 3})
			if !slices.Equal(got.Support, want.Support) || math.Abs(got.Objective/got.LeadingVariance-want.Objective/want.LeadingVariance) > 1e-9 {
				t.Errorf("%s, ×%g: %v %v, want %v %v", r, unit, got.Support, got.Objective/got.LeadingVariance, want.Support, want.Objective/want.LeadingVariance)
			}
		}
	}
}

// TestManyColumnsChosen: where k is beyond the number of rows, or most of the
// columns, steps take other ways; the answer stays that of the matrix.
func TestManyColumnsChosen(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	for _, size := range [][3]int{{40, 300, 100}, {300, 250, 200}, {90, 400, 390}} {
		n, d, k := size[0], size[1], size[2]
		x := factorRows(rng, n, d)
		a := must.Get(onRoute(t, x, RouteCovariance).Entries(t.Context()))(t)
		p := Params{Features: k, Components: 4}
		want := mustSolve(t, mustMatrix(t, a), p)
		for _, r := range rowRoutes {
			got := mustSolve(t, onRoute(t, x, r), p)
			checkSolution(t, a, got, k, 4)
			if !slices.Equal(got.Support, want.Support) {
				t.Errorf("%v %s: another support; objectives %v and %v", size, r, got.Objective, want.Objective)
			}
		}
	}
}

// TestSameBytesOnAnyNumberOfThreads: sums are taken in an order that does not
// depend on GOMAXPROCS.
func TestSameBytesOnAnyNumberOfThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, size := range [][2]int{{900, 700}, {1500, 100}, {60, 2000}} {
		x := factorRows(rng, size[0], size[1])
		var first *Solution
		for _, threads := range []int{1, 2, 3, 8} {
			runtime.GOMAXPROCS(threads)
			c := must.Get(NewData(x, DataOptions{}))(t)
			s := mustSolve(t, c, Params{Features: 30, Components: 6})
			if first == nil {
				first = s
				continue
			}
			if !slices.Equal(s.Support, first.Support) || s.Objective != first.Objective ||
				!slices.Equal(s.Values, first.Values) || !mat.Equal(s.Loadings, first.Loadings) || s.LeadingVariance != first.LeadingVariance {
				t.Errorf("%v: other bytes with %d threads: %v, %v", size, threads, s.Objective, first.Objective)
			}
		}
	}
}

// TestLeadingOfCrowdedSpectrum: so many eigenvalues next to the leading ones
// that products do not tell them apart; a matrix is decomposed then.
func TestLeadingOfCrowdedSpectrum(t *testing.T) {
	const d, r = directOrder + 52, 3
	values := make([]float64, d)
	for i := range values {
		values[i] = 1 - math.Pow(float64(i)/d, 4)
	}
	a := withSpectrum(rand.New(rand.NewPCG(4, 4)), values)
	got, vectors := must.Two(mustMatrix(t, a).Leading(t.Context(), r))(t)
	var av mat.Dense
	av.Mul(a, vectors)
	for j, v := range got {
		if math.Abs(v-values[j]) > 1e-12 {
			t.Errorf("eigenvalue %d is %v, want %v", j, v, values[j])
		}
		for i := range d {
			if e := av.At(i, j) - v*vectors.At(i, j); math.Abs(e) > 1e-10 {
				t.Fatalf("pair %d: residual %v in row %d", j, e, i)
			}
		}
	}
}

func BenchmarkFit(b *testing.B) {
	for _, size := range [][2]int{{62, 4026}, {300, 3000}, {2000, 500}, {500, 20000}, {100000, 784}, {20000, 5000}, {50000, 300}, {200, 100000}} {
		x := factorRows(rand.New(rand.NewPCG(1, 1)), size[0], size[1])
		p := Params{Features: 100, Components: 10}
		paper := p
		paper.Effort, paper.Bound = EffortIPU, BoundNone
		for i, p := range []Params{p, paper} {
			b.Run(fmt.Sprintf("n=%d/d=%d/k=100/m=10%s", size[0], size[1], []string{"", "/paper"}[i]), func(b *testing.B) {
				for b.Loop() {
					c := must.Get(NewData(x, DataOptions{}))(b)
					must.Get(Solve(b.Context(), c, p))(b)
				}
			})
		}
	}
}

// TestSketchThatMissesADirection: what only rows outside the sketch show is
// found all the same.
func TestSketchThatMissesADirection(t *testing.T) {
	for seed := range uint64(raced(6)) {
		rng := rand.New(rand.NewPCG(seed, 43))
		n, d := sketchStride*sketchRows, 600
		x := factorRows(rng, n, d)
		strength := 0.3 * float64(1+seed)
		hidden := 0.0
		for i := range n {
			// Rows of the sketch are at the mean of these columns. The others
			// come in pairs that are opposite here and equal elsewhere, so that
			// the mean is 0 and nothing else varies with what is hidden.
			switch {
			case i%sketchStride < 2:
				hidden = 0
			case i%2 == 0:
				hidden = strength * rng.NormFloat64()
			default:
				hidden = -hidden
				copy(x.RawRowView(i), x.RawRowView(i-1))
			}
			for j := 0; j < d; j += 3 {
				x.Set(i, j, hidden*(1+float64(j)/float64(d)))
			}
		}
		c := onRoute(t, x, RouteImplicit)
		if c.sketch() == nil {
			t.Fatal("no sketch")
		}
		a := must.Get(c.Entries(t.Context()))(t)
		for _, m := range []int{1, 2, 5, 10} {
			p := Params{Features: 30, Components: m}
			got, want := mustSolve(t, c, p), mustSolve(t, mustMatrix(t, a), p)
			if !slices.Equal(got.Support, want.Support) || math.Abs(got.LeadingVariance-want.LeadingVariance) > 1e-8*want.LeadingVariance {
				t.Errorf("seed %d, m=%d: %v of %v, want %v of %v", seed, m, got.Objective, got.LeadingVariance, want.Objective, want.LeadingVariance)
			}
		}
	}
}
