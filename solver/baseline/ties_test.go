package baseline

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// ways returns every method with all starts and efforts that it knows.
func ways(k, m int) []solver.Params {
	var all []solver.Params
	for _, method := range Methods() {
		all = append(all, solver.Params{Method: method})
		if slices.Contains(reads[method], "Start") {
			for _, start := range Starts() {
				all = append(all, solver.Params{Method: method, Start: start, Restarts: 2, Seed: 5})
			}
		}
	}
	for _, effort := range []solver.Effort{solver.EffortThorough, solver.EffortExact} {
		all = append(all, solver.Params{Effort: effort}, solver.Params{Effort: effort, Start: solver.StartRandom, Restarts: 3})
	}
	for i := range all {
		all[i].Features, all[i].Components = k, m
	}
	return all
}

// way names what p asks for.
func way(p solver.Params) string { return fmt.Sprintf("%s/%s/%s", p.Method, p.Start, p.Effort) }

// skipsCopy returns a chosen column and a copy before it that is not chosen.
func skipsCopy(x *mat.Dense, support []int) (chosen, copied int, found bool) {
	for _, i := range support {
		for j := range i {
			if !slices.Contains(support, j) && slices.Equal(mat.Col(nil, i, x), mat.Col(nil, j, x)) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// TestTies: a shared table with seven equal columns.
func TestTies(t *testing.T) {
	x := tiesTable(t)
	for _, standardise := range []bool{false, true} {
		var o solver.DataOptions
		if standardise {
			o.Scale = spreads(x)
		}
		a := must.Get(solver.NewData(x, o))(t)
		for k := 2; k <= 8; k++ {
			for _, p := range ways(k, 2) {
				s := must.Get(Solve(context.Background(), a, p))(t)
				if i, j, found := skipsCopy(x, s.Support); found {
					t.Errorf("%s, k = %d: %v has column %d, but not its copy %d", way(p), k, s.Support, i, j)
				}
			}
		}
	}
}

func tiesTable(t *testing.T) *mat.Dense {
	t.Helper()
	f, err := os.Open("../../../shared/cases/ties.csv")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the shared table ties.csv is not beside the project")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records := must.Get(csv.NewReader(f).ReadAll())(t)
	x := mat.NewDense(len(records)-1, len(records[0]), nil)
	for i, r := range records[1:] {
		for j, cell := range r {
			v := must.Get(strconv.ParseFloat(cell, 64))(t)
			x.Set(i, j, v)
		}
	}
	return x
}

// TestEqualColumnsAreTakenFromTheLowest goes through random tables in which
// columns are copied, as given, standardised, and as a matrix.
func TestEqualColumnsAreTakenFromTheLowest(t *testing.T) {
	tables := 400
	if testing.Short() {
		tables = 40
	}
	wrong := map[string]int{}
	for seed := range uint64(tables) {
		rng := rand.New(rand.NewPCG(seed, 77))
		x := copiedColumns(rng)
		_, d := x.Dims()
		a := copiesCovariance(t, x, int(seed))
		m := 1 + rng.IntN(3)
		k := m + rng.IntN(d-m)
		for _, p := range ways(k, m) {
			s, err := Solve(context.Background(), a, p)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, way(p), err)
			}
			if i, j, found := skipsCopy(x, s.Support); found {
				if wrong[way(p)]++; wrong[way(p)] == 1 {
					t.Errorf("seed %d, %s, k = %d, m = %d: %v has column %d, but not its copy %d", seed, way(p), k, m, s.Support, i, j)
				}
			}
			checkHonest(t, x, s, m)
		}
	}
	for name, n := range wrong {
		t.Errorf("%s: wrong on %d of %d tables", name, n, tables)
	}
}

// copiedColumns returns a table of 8 to 13 columns, of which some are copies.
func copiedColumns(rng *rand.Rand) *mat.Dense {
	n, d, distinct := 15+rng.IntN(40), 8+rng.IntN(6), 3+rng.IntN(5)
	base := mat.NewDense(n, distinct, nil)
	for i := range n {
		shared := rng.NormFloat64()
		for j := range distinct {
			base.Set(i, j, rng.NormFloat64()*(0.5+float64(j))+shared)
		}
	}
	x := mat.NewDense(n, d, nil)
	for j := range d {
		x.SetCol(j, mat.Col(nil, rng.IntN(distinct), base))
	}
	return x
}

func copiesCovariance(t *testing.T, x *mat.Dense, way int) solver.Covariance {
	t.Helper()
	var o solver.DataOptions
	if way%3 == 1 {
		o.Scale = spreads(x)
	}
	a := must.Get(solver.NewData(x, o))(t)
	if way%3 != 2 {
		return a
	}
	entries := must.Get(a.Entries(context.Background()))(t)
	return mustMatrix(t, entries)
}

// spreads returns the standard deviations of the columns.
func spreads(x *mat.Dense) []float64 {
	_, d := x.Dims()
	out := make([]float64, d)
	for j := range d {
		out[j] = stat.StdDev(mat.Col(nil, j, x), nil)
	}
	return out
}

// checkHonest fails unless W lies on the support and is orthonormal.
func checkHonest(t *testing.T, x *mat.Dense, s *solver.Solution, m int) {
	t.Helper()
	_, d := x.Dims()
	w := s.W(d)
	var gram mat.Dense
	gram.Mul(w.T(), w)
	for i := range m {
		for j := range m {
			want := 0.0
			if i == j {
				want = 1
			}
			if diff := gram.At(i, j) - want; diff > 1e-9 || diff < -1e-9 {
				t.Fatalf("WᵀW is not I on %v", s.Support)
			}
		}
	}
	if last := s.Trace[len(s.Trace)-1]; last > s.Objective*(1+1e-9) {
		t.Fatalf("the trace ends at %v, above the objective %v", last, s.Objective)
	}
}
