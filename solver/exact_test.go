package solver

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/bestfirst"
	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/subspace"
)

// gaussianScatter returns XXᵀ for a Gaussian d×d matrix X: the paper's scheme
// F, whose bounds are the loosest.
func gaussianScatter(seed uint64, d int) *mat.SymDense {
	rng := rand.New(rand.NewPCG(seed, 51))
	x := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	a := mat.NewSymDense(d, nil)
	a.SymOuterK(1, x)
	return a
}

// TestExactIsExact: equal to brute force and proved, lists included.
func TestExactIsExact(t *testing.T) {
	nodes := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 52))
		a := gaussianScatter(seed, 13)
		k := 4 + rng.IntN(4)
		m := 1 + rng.IntN(3)
		var include, exclude []int
		if seed%2 == 1 {
			include, exclude = randomLists(rng, 13, k)
		}
		best := bruteForceWithin(a, k, m, include, exclude)
		s := mustSolve(t, mustMatrix(t, a), Params{Features: k, Components: m, Effort: EffortExact, Include: include, Exclude: exclude})
		checkSolution(t, a, s, k, m)
		checkLists(t, s, include, exclude)
		if !s.Proved || s.Status != Proved || math.Abs(s.Objective-best) > 1e-9*best {
			t.Errorf("seed %d k=%d m=%d: %v (%s), optimum %v", seed, k, m, s.Objective, s.Status, best)
		}
		if s.Gap < 0 || s.Gap > 1e-8 {
			t.Errorf("seed %d: proved with gap %v", seed, s.Gap)
		}
		nodes += s.Nodes
	}
	if nodes == 0 {
		t.Error("no search needed a node: a poor test")
	}
}

// TestExactInterrupted: cancelled after some nodes, or out of time or memory,
// the bound holds and the best solution comes back.
func TestExactInterrupted(t *testing.T) {
	const d, k, m = 24, 9, 3
	for seed := range uint64(4) {
		a := gaussianScatter(seed, d)
		c := mustMatrix(t, a)
		optimum := mustSolve(t, c, Params{Features: k, Components: m, Effort: EffortExact})
		if !optimum.Proved || optimum.Nodes < 100 {
			t.Fatalf("seed %d: %s after %d nodes: a poor test", seed, optimum.Status, optimum.Nodes)
		}
		for _, limit := range []int{1, 20, optimum.Nodes / 2} {
			ctx, cancel := context.WithCancel(context.Background())
			p := Params{Features: k, Components: m, Effort: EffortExact, Progress: func(g Progress) {
				if g.Stage == StageSearch && g.Nodes >= limit {
					cancel()
				}
			}}
			s, err := Solve(ctx, c, p)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			checkSolution(t, a, s, k, m)
			if s.Status != Cancelled || s.Proved || s.Nodes >= optimum.Nodes {
				t.Errorf("seed %d: %s after %d nodes of %d", seed, s.Status, s.Nodes, optimum.Nodes)
			}
			if s.UpperBound < optimum.Objective || s.Gap <= 0 {
				t.Errorf("seed %d: bound %v, gap %v, optimum %v", seed, s.UpperBound, s.Gap, optimum.Objective)
			}
		}
		s := mustSolve(t, c, Params{Features: k, Components: m, Effort: EffortExact, MemoryLimit: 20_000})
		if s.Status != MemoryLimit || !s.Status.Early() || s.UpperBound < optimum.Objective {
			t.Errorf("seed %d: %s, bound %v, optimum %v", seed, s.Status, s.UpperBound, optimum.Objective)
		}
	}
	ctx, end := countdown.Event()
	s, err := Solve(ctx, mustMatrix(t, gaussianScatter(9, 60)), Params{Features: 20, Components: 5, Effort: EffortExact, Progress: func(p Progress) {
		if p.Stage == StageSearch {
			end()
		}
	}})
	if err != nil || s.Status != Deadline {
		t.Errorf("after the deadline: %v, %+v", err, s)
	}
}

// TestNothingIsLost: nodes whose examination the end of the context prevents
// stay open, so that the bound still covers them.
func TestNothingIsLost(t *testing.T) {
	const k, m = 9, 3
	c := mustMatrix(t, gaussianScatter(1, 24))
	task := must.Get(newTask(context.Background(), c, Params{Features: k, Components: m, Effort: EffortExact}))(t)
	best := must.Get(task.searchThoroughly(context.Background()))(t)
	s, _ := must.Two(newSearch(t.Context(), task, best))(t)
	for s.tree.Len() < bestfirst.Batch {
		must.OK(t, s.tree.Step(context.Background()))
	}
	open, memory, upper, visited := s.tree.Len(), s.tree.Memory, s.upper(), s.tree.Nodes
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.tree.Step(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if s.tree.Len() != open || s.tree.Memory != memory || s.upper() != upper || s.tree.Nodes != visited {
		t.Errorf("open %d, memory %d, bound %v after %d nodes; before: %d, %d, %v, %d", s.tree.Len(), s.tree.Memory, s.upper(), s.tree.Nodes, open, memory, upper, visited)
	}
}

// TestExactOnRelaxedRoot: a search long enough that the semidefinite bound
// joins in ends with the same optimum.
func TestExactOnRelaxedRoot(t *testing.T) {
	if raceDetector {
		t.Skip("TestSearchOnAnyThreads searches the same matrix")
	}
	a := gaussianScatter(3, 28)
	c := mustMatrix(t, a)
	stages := map[Stage]int{}
	s := mustSolve(t, c, Params{Features: 10, Components: 3, Effort: EffortExact, Progress: func(p Progress) { stages[p.Stage]++ }})
	if !s.Proved || stages[StageSDP] == 0 {
		t.Fatalf("%s after %d nodes, stages %v: a poor test", s.Status, s.Nodes, stages)
	}
	// Every better support would hold or lack column 0.
	for _, p := range []Params{{Include: []int{0}}, {Exclude: []int{0}}} {
		p.Features, p.Components, p.Effort = 10, 3, EffortExact
		if half := mustSolve(t, c, p); !half.Proved || half.Objective > s.Objective*(1+1e-9) {
			t.Errorf("%v %v: %v above %v", p.Include, p.Exclude, half.Objective, s.Objective)
		}
	}
}

// TestDocumentedEnds: where no search is needed every effort says so.
func TestDocumentedEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 53))
	full := withSpectrum(rng, []float64{9, 7, 6, 5, 3, 2, 1, 0.5})
	low := withSpectrum(rng, []float64{9, 7, 0, 0, 0, 0, 0, 0})
	for _, test := range []struct {
		name             string
		a                *mat.SymDense
		k, m             int
		include, exclude []int
	}{
		{"k = d", full, 8, 3, nil, nil},
		{"m = k", full, 4, 4, nil, nil},
		{"rank below m", low, 5, 3, nil, nil},
		{"rank m", low, 5, 2, nil, nil},
		{"include fills k", full, 3, 2, []int{1, 4, 6}, nil},
		{"exclude leaves k", full, 5, 2, nil, []int{0, 3, 7}},
		{"k = m = d = 1", withSpectrum(rng, []float64{2}), 1, 1, nil, nil},
	} {
		best := bruteForceWithin(test.a, test.k, test.m, test.include, test.exclude)
		for _, effort := range []Effort{"", EffortThorough, EffortExact} {
			s := mustSolve(t, mustMatrix(t, test.a), Params{Features: test.k, Components: test.m, Effort: effort, Include: test.include, Exclude: test.exclude})
			checkSolution(t, test.a, s, test.k, test.m)
			checkLists(t, s, test.include, test.exclude)
			if s.Status != Proved || !s.Proved || s.BoundSource != BoundTheorem || math.Abs(s.Objective-best) > 1e-9*best {
				t.Errorf("%s, %s: %s by %s, %v of %v", test.name, effort, s.Status, s.BoundSource, s.Objective, best)
			}
			if s.Gap < 0 || s.Gap > 1e-9 {
				t.Errorf("%s, %s: gap %v", test.name, effort, s.Gap)
			}
		}
	}
}

func TestListErrors(t *testing.T) {
	c := mustMatrix(t, withSpectrum(rand.New(rand.NewPCG(1, 54)), []float64{4, 3, 2, 1, 0.5}))
	for _, test := range []struct {
		p    Params
		want []string
	}{
		{Params{Features: 2, Components: 1, Include: []int{0, 1, 2}}, []string{"include names 3", "k = 2"}},
		{Params{Features: 4, Components: 1, Exclude: []int{0, 1}}, []string{"exclude leaves 3", "k = 4"}},
		{Params{Features: 2, Components: 1, Include: []int{1, 3}, Exclude: []int{3}}, []string{"column 3", "include and in exclude"}},
		{Params{Features: 2, Components: 1, Include: []int{-1}, Exclude: []int{7}}, []string{"column -1", "column 7", "0 to 4"}},
		{Params{Features: 2, Components: 1, Method: MethodGo, Effort: EffortExact}, []string{`"exact"`, `"go"`}},
		{Params{Features: 2, Components: 1, Effort: "heroic"}, []string{`"heroic"`, `"thorough"`}},
		{Params{Features: 2, Components: 1, Effort: EffortThorough, Epsilon: 0.1}, []string{"epsilon", `"thorough"`}},
		{Params{Features: 2, Components: 1, MemoryLimit: -1, SDPIterations: -1}, []string{"memory limit", "SDP"}},
	} {
		_, err := Solve(context.Background(), c, test.p)
		if err == nil {
			t.Errorf("%+v: no error", test.p)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v does not say %q", test.p, err, want)
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	if _, err := Solve(ctx, c, Params{Features: 2, Components: 1, Effort: EffortExact}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline of 0: %v", err)
	}
}

// TestListsEverywhere: all methods and starts honour the lists.
func TestListsEverywhere(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 55))
		d, k, m := randomSizes(rng)
		a := randomCovariance(rng, d)
		include, exclude := randomLists(rng, d, k)
		w0 := subspace.Random(d, m, seed, 0)
		sparse := mat.NewDense(d, m, nil)
		for j := range m {
			sparse.Set(j, j, 1)
		}
		for _, p := range []Params{{Method: MethodGo}, {}, {Start: StartRandom, Restarts: 3}, {W0: w0}, {W0: sparse}, {Effort: EffortThorough, W0: w0, Restarts: 2}} {
			p.Features, p.Components, p.Include, p.Exclude = k, m, include, exclude
			s := mustSolve(t, mustMatrix(t, a), p)
			checkSolution(t, a, s, k, m)
			checkLists(t, s, include, exclude)
		}
	}
}

// TestExamineKeepsTheOptimum: whatever bound a node brings along, so long as
// it holds, what is cut off is no better than the cutoff.
func TestExamineKeepsTheOptimum(t *testing.T) {
	split := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 56))
		d, k, m := randomSizes(rng)
		if k == m || k == d {
			continue
		}
		a := randomCovariance(rng, d)
		best, support := bruteForce(a, k, m)
		c := mustMatrix(t, a)
		task := must.Get(newTask(context.Background(), c, Params{Features: k, Components: m}))(t)
		for _, share := range []float64{0.5, 0.9, 0.99, 0.9999} {
			cutoff := share * best
			sub := must.Get(task.subproblem(t.Context(), cutoff))(t)
			sub.root.bound = best * (1 + 1e-7)
			l := must.Get(newLocal(t.Context(), c, sub.index))(t)
			p := prober{l: l, k: k, m: m, dual: sub.dual}
			out := p.examine(&sub.root, cutoff)
			if out.err != nil {
				t.Fatal(out.err)
			}
			kept := out.support != nil && out.value >= best*(1-1e-9)
			for _, n := range out.children {
				split++
				inside := lists.Count(n.in, func(i int32) bool { return slices.Contains(support, sub.index[i]) })
				kept = kept || inside == len(n.in) && holds(sub.index, n, support)
			}
			if !kept {
				t.Errorf("seed %d d=%d k=%d m=%d share %v: the optimum %v is cut off", seed, d, k, m, share, support)
			}
		}
	}
	if split == 0 {
		t.Error("no node was split: a poor test")
	}
}

// holds reports whether a node has every index of a support.
func holds(index []int, n node, support []int) bool {
	have := map[int]bool{}
	for _, list := range [][]int32{n.in, n.free} {
		for _, i := range list {
			have[index[i]] = true
		}
	}
	return !slices.ContainsFunc(support, func(i int) bool { return !have[i] })
}
