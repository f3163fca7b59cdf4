package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/fspca/fspca/internal/parallel"
	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// hit is the relative distance from the optimum that the paper counts as one.
const hit = 1e-3

// tally is what an effort did on the instances of a scheme.
type tally struct {
	hits, optimal, proved, nodes, most int
	gap                                float64
	times                              []time.Duration
}

// schemes runs the efforts on the paper's synthetic problems (d = 20, k = 7,
// m = 3) and compares with brute force.
func schemes(ctx context.Context, w io.Writer, opt *options) error {
	const k, m = synthetic.Features, synthetic.Components
	rows := [][]string{cells("scheme", "effort", "hits", "optimal", "proved", "mean gap", "nodes (mean, most)", "time (median, most)")}
	equal := 0
	for _, scheme := range synthetic.Schemes() {
		matrices := make([]solver.Covariance, opt.instances)
		optima := make([]float64, opt.instances)
		err := parallel.Each(ctx, opt.instances, 0, func(i int) (err error) {
			matrices[i], optima[i], err = instance(ctx, synthetic.Instance{Scheme: scheme, Seed: opt.seed, Index: uint64(i)})
			return err
		})
		if err != nil {
			return err
		}
		for _, effort := range []solver.Effort{solver.EffortIPU, solver.EffortQuick, solver.EffortThorough, solver.EffortExact} {
			t, err := measure(ctx, matrices, optima, solver.Params{Features: k, Components: m, Effort: effort})
			if err != nil {
				return fmt.Errorf("scheme %s: %w", scheme, err)
			}
			n := float64(opt.instances)
			middle, largest := median(t.times)
			rows = append(rows, cells(scheme, effort, fmt.Sprintf("%.2f", float64(t.hits)/n), t.optimal, t.proved, t.gap/n,
				fmt.Sprintf("%.0f, %d", float64(t.nodes)/n, t.most), formatTime(middle)+", "+formatTime(largest)))
			if effort == solver.EffortExact {
				equal += min(t.optimal, t.proved)
			}
		}
	}
	table(w, fmt.Sprintf("Schemes A to F, d = %d, k = %d, m = %d, %d instances", synthetic.Order, k, m, opt.instances), rows)
	fmt.Fprintf(w, "\nExact search equals brute force, with a proof: %d of %d.\n", equal, opt.instances*len(synthetic.Schemes()))
	return nil
}

// covarianceOf returns a problem.
func covarianceOf(i synthetic.Instance) (solver.Covariance, error) {
	a, err := i.Matrix()
	if err != nil {
		return nil, err
	}
	return solver.NewMatrix(a)
}

// instance returns a problem and its optimum by brute force.
func instance(ctx context.Context, i synthetic.Instance) (solver.Covariance, float64, error) {
	c, err := covarianceOf(i)
	if err != nil {
		return nil, 0, err
	}
	best, err := baseline.BruteForce(ctx, c, synthetic.Features, synthetic.Components, nil)
	if err != nil {
		return nil, 0, err
	}
	if best.Status != solver.Proved {
		return nil, 0, fmt.Errorf("brute force ended with %s", best.Status)
	}
	return c, best.Objective, nil
}

// measure solves every problem and compares with the optima.
func measure(ctx context.Context, problems []solver.Covariance, optima []float64, p solver.Params) (*tally, error) {
	t := &tally{}
	for i, c := range problems {
		begin := time.Now()
		s, err := solver.Solve(ctx, c, p)
		if err != nil {
			return nil, err
		}
		t.times = append(t.times, time.Since(begin))
		if err := check(s, optima[i]); err != nil {
			return nil, fmt.Errorf("instance %d, effort %s: %w", i, p.Effort, err)
		}
		if s.Objective >= optima[i]*(1-hit) {
			t.hits++
		}
		if s.Objective >= optima[i]*(1-1e-9) {
			t.optimal++
		}
		if s.Proved {
			t.proved++
		}
		t.nodes, t.most = t.nodes+s.Nodes, max(t.most, s.Nodes)
		t.gap += s.UpperBound/optima[i] - 1
	}
	return t, nil
}

// check returns an error where a solution contradicts the optimum.
func check(s *solver.Solution, optimum float64) error {
	switch {
	case s.UpperBound < optimum:
		return fmt.Errorf("the bound %v (%s) lies below the optimum %v", s.UpperBound, s.BoundSource, optimum)
	case s.Objective > s.UpperBound || s.Objective > optimum*(1+1e-9):
		return fmt.Errorf("the objective %v lies above the bound %v or the optimum %v", s.Objective, s.UpperBound, optimum)
	case s.Proved && s.Objective < optimum*(1-1e-8):
		return fmt.Errorf("%v is called proved, the optimum is %v", s.Objective, optimum)
	}
	return nil
}

// large proves scheme D at d = 100.
func large(ctx context.Context, w io.Writer, opt *options) error {
	const d, k, m, instances = 100, 10, 3, 10
	rows := [][]string{cells("instance", "objective", "status", "nodes", "time")}
	var times []time.Duration
	for i := range instances {
		c, err := covarianceOf(synthetic.Instance{Scheme: synthetic.D, Order: d, Seed: opt.seed, Index: uint64(i)})
		if err != nil {
			return err
		}
		begin := time.Now()
		s, err := solver.Solve(ctx, c, solver.Params{Features: k, Components: m, Effort: solver.EffortExact})
		if err != nil {
			return err
		}
		times = append(times, time.Since(begin))
		rows = append(rows, cells(i, s.Objective, s.Status, s.Nodes, times[i]))
	}
	middle, largest := median(times)
	rows = append(rows, cells("median, most", "", "", "", formatTime(middle)+", "+formatTime(largest)))
	table(w, fmt.Sprintf("Exact search, scheme D, d = %d, k = %d, m = %d", d, k, m), rows)
	return nil
}
