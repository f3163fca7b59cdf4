package selector_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// bestOf enumerates the choices of k columns of the sample that hold all of in and none of out, and
// returns the best objective.
func bestOf(t *testing.T, x *mat.Dense, k, m int, in, out []int) float64 {
	t.Helper()
	a := moment(x, selector.Options{})
	d := a.SymmetricDim()
	best := math.Inf(-1)
	var extend func(from int, chosen []int)
	extend = func(from int, chosen []int) {
		if len(chosen) == k {
			for _, j := range in {
				if !slices.Contains(chosen, j) {
					return
				}
			}
			block := mat.NewSymDense(k, nil)
			for p, i := range chosen {
				for q, j := range chosen {
					block.SetSym(p, q, a.At(i, j))
				}
			}
			var e mat.EigenSym
			if !e.Factorize(block, false) {
				t.Fatal("gonum's EigenSym failed")
			}
			sum := lists.Sum(e.Values(nil)[k-m:])
			best = max(best, sum)
			return
		}
		for j := from; j < d; j++ {
			if !slices.Contains(out, j) {
				extend(j+1, append(slices.Clone(chosen), j))
			}
		}
	}
	extend(0, nil)
	return best
}

// TestBound: the bound holds, against every choice there is, whatever the effort; and exact proves
// its choice, with columns that must and may not be chosen too.
func TestBound(t *testing.T) {
	for seed := range uint64(6) {
		x := sample(seed, 30, 11)
		for _, lists := range []struct{ in, out []int }{{}, {in: []int{1, 8}}, {out: []int{0, 3, 10}}, {in: []int{2}, out: []int{4, 5}}} {
			best := bestOf(t, x, 4, 2, lists.in, lists.out)
			for _, effort := range []string{"", "ipu", "thorough", "exact"} {
				m := fit(t, x, selector.Options{Features: 4, Components: 2, Effort: effort,
					Include: pickNames(lists.in), Exclude: pickNames(lists.out)})
				b := m.Bound()
				if b.Upper < best*(1-1e-12) || m.Objective() > best*(1+1e-12) {
					t.Errorf("seed %d, %v, effort %q: objective %v ≤ best %v ≤ bound %v does not hold", seed, lists, effort, m.Objective(), best, b.Upper)
				}
				if want := (b.Upper - m.Objective()) / m.Objective(); math.Abs(b.Gap-want) > 1e-15 || b.Source == "" {
					t.Errorf("gap %v by %q, want %v", b.Gap, b.Source, want)
				}
				if b.Proved != (m.Status() == solver.Proved) || effort == "exact" && !b.Proved {
					t.Errorf("seed %d, effort %q: proved %v with the status %q", seed, effort, b.Proved, m.Status())
				}
				for _, j := range lists.in {
					if !slices.Contains(m.Support(), j) {
						t.Errorf("effort %q: column %d of include is not chosen", effort, j)
					}
				}
				for _, j := range lists.out {
					if slices.Contains(m.Support(), j) {
						t.Errorf("effort %q: column %d of exclude is chosen", effort, j)
					}
				}
			}
		}
	}
}

func pickNames(at []int) []string {
	var out []string
	for _, j := range at {
		out = append(out, names(11)[j])
	}
	return out
}

// TestListErrors: all that is wrong with include and exclude comes at once, by name.
func TestListErrors(t *testing.T) {
	x := sample(1, 20, 6)
	for _, c := range []struct {
		name string
		opt  selector.Options
		want []string
	}{
		{"unknown", selector.Options{Include: []string{"gene001", "gen002"}, Exclude: []string{"gene", "gene05"}},
			[]string{`include names "gen002"`, `"gene002"`, `exclude names "gene"`, `exclude names "gene05"`, `"gene005"`, "6 columns"}},
		{"in both", selector.Options{Include: []string{"gene001", "gene002"}, Exclude: []string{"gene002", "gene001"}},
			[]string{`"gene001" is in include and in exclude`, `"gene002" is in include and in exclude`}},
		{"more than k", selector.Options{Include: []string{"gene000", "gene001", "gene002", "gene003"}},
			[]string{"include names 4 columns", "k = 3"}},
		{"fewer than k left", selector.Options{Exclude: []string{"gene000", "gene001", "gene002", "gene003"}},
			[]string{"exclude leaves 2", "d = 6", "k = 3"}},
		{"a method without lists", selector.Options{Method: "soap", Include: []string{"gene000"}}, []string{`"soap"`, "include"}},
		{"a method without effort", selector.Options{Method: "go", Effort: "exact"}, []string{`"exact"`, `"go"`}},
		{"an unknown effort", selector.Options{Effort: "much"}, []string{`"much"`, `"thorough"`}},
		{"a deadline in the past", selector.Options{Deadline: -time.Second}, []string{"deadline", "-1s"}},
	} {
		c.opt.Features, c.opt.Components = 3, 2
		s := selector.New(c.opt)
		err := s.FitMatrix(context.Background(), x, names(6))
		wantError(t, err, append(c.want, "fspca: ")...)
		wantError(t, s.FitCovariance(context.Background(), moment(x, selector.Options{}), names(6)), c.want...)
	}
}

// TestListsRepeat: a name that is given twice counts once.
func TestListsRepeat(t *testing.T) {
	x := sample(1, 20, 6)
	m := fit(t, x, selector.Options{Features: 2, Components: 2, Include: []string{"gene005", "gene005", "gene001"}, Exclude: []string{"gene000", "gene000"}})
	if got := m.Support(); !slices.Equal(got, []int{1, 5}) {
		t.Errorf("support %v, want the two of include", got)
	}
	if !m.Bound().Proved {
		t.Error("the only permitted choice is not proved")
	}
}

// TestDeadline: a fit whose deadline passes is a model with a bound; when even a first choice takes
// longer it is an error that says so.
func TestDeadline(t *testing.T) {
	x := sample(3, 60, 45)
	s := selector.New(selector.Options{Features: 12, Components: 6, Effort: "exact", Deadline: time.Hour, Standardize: true})
	ctx, end := countdown.Event()
	s.Progress = func(p solver.Progress) {
		if p.Stage == solver.StageSearch {
			end()
		}
	}
	must.OK(t, s.FitMatrix(ctx, x, nil))
	m := s.Model()
	if b := m.Bound(); m.Status() != solver.Deadline || b.Proved || !(b.Gap > 0) || b.Upper < m.Objective() {
		t.Errorf("status %q, bound %+v of the objective %v", m.Status(), b, m.Objective())
	}
	if m.Options().Deadline != time.Hour {
		t.Errorf("the model's options have the deadline %v", m.Options().Deadline)
	}
	s.Deadline = 1
	err := s.FitMatrix(context.Background(), x, nil)
	wantError(t, err, "deadline", "more time")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v is not a context.DeadlineExceeded", err)
	}
}

// TestBoundString: the gap is never understated.
func TestBoundString(t *testing.T) {
	for gap, want := range map[float64]string{
		0.0001: "0.01 %", 0.04801: "4.9 %", 0.048: "4.8 %", 0.1001: "11 %", 1.5: "150 %", 0.09951: "10 %", 0.000995001: "0.1 %", 3.21e-9: "0.0001 %",
	} {
		if got := (selector.Bound{Upper: 1, Gap: gap}).String(); got != "the best choice explains at most "+want+" more" {
			t.Errorf("%v: %s, want %s", gap, got, want)
		}
	}
	if got := (selector.Bound{Upper: 1, Proved: true}).String(); got != "no choice explains more: proved" {
		t.Error(got)
	}
}
