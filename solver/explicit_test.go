package solver

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

func mustBeNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s %v, want %v", what, got, want)
	}
}

// checkExplicit holds a thorough fit to that of the matrix itself, which it is to
// form of the rows; one fit stays on the rows. It returns the matrix.
func checkExplicit(t *testing.T, rows Covariance, p Params) Covariance {
	t.Helper()
	entries := must.Get(rows.Entries(t.Context()))(t)
	matrix := must.Get(NewMatrix(entries))(t)
	if s := mustSolve(t, rows, p); s.Route != RouteImplicit {
		t.Errorf("one fit takes the route %s, want %s", s.Route, RouteImplicit)
	}
	p.Effort = EffortThorough
	got, want := mustSolve(t, rows, p), mustSolve(t, matrix, p)
	if got.Route != RouteCovariance {
		t.Errorf("a thorough fit takes the route %s, want %s", got.Route, RouteCovariance)
	}
	mustBeNear(t, "objective", got.Objective, want.Objective, 1e-10)
	mustBeNear(t, "bound", got.UpperBound, want.UpperBound, 1e-6)
	return matrix
}

// What takes many products or all eigenpairs is worked with as a matrix, and
// comes to what it comes to on the rows.
func TestExplicit(t *testing.T) {
	rng := rand.New(rand.NewPCG(700, 600))
	rows := must.Get(NewData(factorRows(rng, 700, 600), DataOptions{}))(t)
	p := Params{Features: 20, Components: 3}
	matrix := checkExplicit(t, rows, p)

	sizes := []int{5, 10, 15, 20, 25}
	path := must.Get(Path(t.Context(), rows, p, sizes))(t)
	other := must.Get(Path(t.Context(), matrix, p, sizes))(t)
	for i, s := range path {
		if s.Route != RouteCovariance {
			t.Errorf("k = %d: a path takes the route %s, want %s", sizes[i], s.Route, RouteCovariance)
		}
		mustBeNear(t, "objective", s.Objective, other[i].Objective, 1e-10)
	}

	wide := must.Get(NewData(factorRows(rng, 1090, 1100), DataOptions{}))(t)
	low := must.Get(NewData(factorRows(rng, 570, 600), DataOptions{}))(t)
	if explicit(low).(*Data).Route() != RouteCovariance {
		t.Error("A is not formed where it is small and the Gram matrix is not")
	}
	if explicit(wide) != Covariance(wide) || explicit(matrix) != Covariance(matrix) {
		t.Error("many columns and fewer rows, or a matrix, are worked with in another form")
	}
	if explicit(rows) != explicit(rows) {
		t.Error("A is formed twice")
	}
}

// The same for sparse rows.
func TestExplicitSparse(t *testing.T) {
	rows := must.Get(NewSparse(topicRows(2000, 600, 12), DataOptions{}))(t)
	checkExplicit(t, rows, Params{Features: 20, Components: 3})

	many := must.Get(NewSparse(topicRows(900, 1100, 12), DataOptions{}))(t)
	if explicit(many) != Covariance(many) || explicit(rows) != explicit(rows) {
		t.Error("A is formed of many columns and fewer rows, or twice")
	}
}
