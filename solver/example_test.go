package solver_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// wine is the correlation of the 13 columns of a builtin table, and their names.
func wine() (*solver.Data, []string) {
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := solver.NewData(f.Numeric(), solver.DataOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if rows, err = rows.Scaled(deviations(rows)); err != nil {
		log.Fatal(err)
	}
	return rows, f.NumericNames()
}

// deviations are the standard deviations of the columns.
func deviations(a *solver.Data) []float64 {
	s := make([]float64, a.Order())
	for j, v := range a.Diag() {
		s[j] = math.Sqrt(v)
	}
	return s
}

// Five of the 13 columns of wine, and two components on them.
func ExampleSolution() {
	a, names := wine()
	var s *solver.Solution
	s, err := solver.Solve(context.Background(), a, solver.Params{Features: 5, Components: 2, Effort: solver.EffortExact})
	if err != nil {
		log.Fatal(err)
	}
	for i, j := range s.Support {
		fmt.Printf("%-28s %5.2f\n", names[j], s.Loadings.RawRowView(i))
	}
	fmt.Printf("%.3f of %.0f, dense PCA %.3f\n", s.Objective, s.TotalVariance, s.LeadingVariance)
	var status solver.Status = s.Status
	fmt.Println(status, s.Proved)
	// Output:
	// alcohol                      [ 0.15  0.68]
	// total_phenols                [ 0.56  0.14]
	// flavanoids                   [ 0.58  0.06]
	// color_intensity              [-0.17  0.69]
	// od280/od315_of_diluted_wines [ 0.55 -0.17]
	// 4.304 of 13, dense PCA 7.203
	// proved true
}

// A greater effort finds no less, and the exact one proves what it finds.
func ExampleEffort() {
	a, _ := wine()
	for _, effort := range []solver.Effort{solver.EffortIPU, solver.EffortQuick, solver.EffortExact} {
		s, err := solver.Solve(context.Background(), a, solver.Params{Features: 6, Components: 2, Effort: effort})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-5s %.3f proved: %v\n", effort, s.Objective, s.Proved)
	}
	// Output:
	// ipu   4.955 proved: false
	// quick 4.955 proved: false
	// exact 4.955 proved: true
}

// The bound says how far from the optimum a solution can be at most.
func ExampleBoundEffort() {
	a, _ := wine()
	for _, effort := range []solver.BoundEffort{solver.BoundQuick, solver.BoundTight} {
		s, err := solver.Solve(context.Background(), a, solver.Params{Features: 4, Components: 2, Bound: effort})
		if err != nil {
			log.Fatal(err)
		}
		var source solver.BoundSource = s.BoundSource
		fmt.Printf("%s: at most %.3f (%s), found %.3f\n", effort, s.UpperBound, source, s.Objective)
	}
	// Output:
	// quick: at most 3.706 (spectral), found 3.675
	// tight: at most 3.678 (dual), found 3.675
}

// IPU may start from random subspaces instead of Algorithm 1.
func ExampleStart() {
	a, _ := wine()
	for _, start := range []solver.Start{solver.StartGo, solver.StartRandom} {
		s, err := solver.Solve(context.Background(), a, solver.Params{Features: 4, Components: 2, Effort: solver.EffortIPU, Start: start, Seed: 1})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %v %.3f\n", start, s.Support, s.Objective)
	}
	// Output:
	// go: [5 6 9 11] 3.675
	// random: [0 5 6 11] 3.605
}

// What is done is told while it is done.
func ExampleProgress() {
	a, _ := wine()
	steps := map[solver.Stage]bool{}
	_, err := solver.Solve(context.Background(), a, solver.Params{Features: 5, Components: 2, Effort: solver.EffortThorough,
		Progress: func(p solver.Progress) { steps[p.Stage] = true }})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(steps)
	// Output:
	// map[exchange:true ipu:true]
}

// Why is a column in, and which chosen one is nearest to one that is out?
func ExampleEntry() {
	a, names := wine()
	s, err := solver.Solve(context.Background(), a, solver.Params{Features: 5, Components: 2})
	if err != nil {
		log.Fatal(err)
	}
	entries, err := solver.Ledger(context.Background(), a, s, nil)
	if err != nil {
		log.Fatal(err)
	}
	var e solver.Entry
	for _, e = range entries[:6] {
		if e.Chosen {
			fmt.Printf("%s is in, rank %d\n", names[e.Column], e.Rank)
		} else {
			fmt.Printf("%s is out, rank %d, r = %.2f with %s\n", names[e.Column], e.Rank, e.Correlation, names[e.Nearest])
		}
	}
	// Output:
	// alcohol is in, rank 5
	// malic_acid is out, rank 10, r = -0.41 with flavanoids
	// ash is out, rank 13, r = 0.26 with color_intensity
	// alcalinity_of_ash is out, rank 11, r = -0.35 with flavanoids
	// magnesium is out, rank 12, r = 0.27 with alcohol
	// total_phenols is in, rank 2
}

// A support that somebody chose is improved by single exchanges.
func ExampleExchangeParams() {
	a, _ := wine()
	s, err := solver.Exchange(context.Background(), a, []int{0, 1, 2, 3}, 2, solver.ExchangeParams{
		Include: []int{0}, // it stays
		Step:    func(n int, objective float64) { fmt.Printf("exchange %d: %.3f\n", n, objective) },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Support)
	// Output:
	// exchange 1: 3.355
	// [0 2 3 12]
}

// Algorithm 2 of the paper from a start of one's own: here the first two columns.
func ExampleIPUParams() {
	a, _ := wine()
	w0 := mat.NewDense(a.Order(), 2, nil)
	w0.Set(0, 0, 1)
	w0.Set(1, 1, 1)
	s, err := solver.IPU(context.Background(), a, 4, w0, solver.IPUParams{
		Step: func(step int, objective float64) { fmt.Printf("step %d: %.3f\n", step, objective) },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Support, s.Status)
	// Output:
	// step 1: 3.355
	// step 2: 3.355
	// [0 2 3 12] converged
}

// How many components do more than chance?
func ExampleParallelResult() {
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := solver.NewData(f.Numeric(), solver.DataOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var r *solver.ParallelResult
	r, err = solver.ParallelAnalysis(context.Background(), f.Numeric(), solver.DataOptions{Scale: deviations(rows)}, solver.ParallelParams{Replicates: 20, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Components, "components")
	fmt.Printf("%.2f\n%.2f\n", r.Observed[:4], r.Threshold[:4])
	// Output:
	// 3 components
	// [4.71 2.50 1.45 0.92]
	// [1.62 1.44 1.32 1.23]
}

// Rows of the chosen columns become components.
func ExampleProjection() {
	v := mat.NewDense(2, 1, []float64{0.6, 0.8})
	var p *solver.Projection = solver.NewProjection(v, []float64{10, 20})
	z := make([]float64, 1)
	p.ProjectRow(z, []float64{11, 22})
	fmt.Printf("%.1f\n", z)
	// Output:
	// [2.2]
}

// Multipliers of the joint dual bound every choice of 4 of 13 columns, in a few lines that anybody can repeat.
func ExampleMultipliers() {
	rows, _ := wine()
	n, k, m := rows.Order(), 4, 2
	all := make([]int, n)
	for j := range all {
		all[j] = j
	}
	a, err := rows.Block(context.Background(), all)
	if err != nil {
		log.Fatal(err)
	}
	best, err := solver.Solve(context.Background(), rows, solver.Params{Features: k, Components: m, Effort: solver.EffortExact})
	if err != nil {
		log.Fatal(err)
	}
	var u *solver.Multipliers
	if u, err = solver.FindMultipliers(context.Background(), a, 0, k, m, best.Objective, best.Objective); err != nil {
		log.Fatal(err)
	}
	var lower, slack mat.Dense
	lower.Mul(u.L, u.L.T())
	slack.Mul(u.H, u.H.T())
	rest, scores := mat.NewSymDense(n, nil), make([]float64, n)
	for i := range n {
		var row []float64
		for j := range n {
			y := u.Y.At(i, j)
			rest.SetSym(i, j, a.At(i, j)-lower.At(i, j)-(y+u.Y.At(j, i))/2)
			g := u.G.At(i, j)
			if i > j {
				g = -u.G.At(j, i)
			}
			if i != j {
				row = append(row, y*y/(4*u.C[i])+g+slack.At(i+1, j+1))
			}
		}
		y := u.Y.At(i, i)
		scores[i] = lower.At(i, i) + y/2 + u.C[i]/4 + y*y/(4*u.C[i]) + 2*slack.At(0, i+1) + slack.At(i+1, i+1) + largest(row, k-1)
	}
	var eigen mat.EigenSym
	eigen.Factorize(rest, false)
	bound := largest(eigen.Values(nil), m) + slack.At(0, 0) + largest(scores, k)
	fmt.Printf("the best choice has %.3f of 4; the bound is valid: %v, and within 1 %%: %v\n",
		best.Objective, bound >= best.Objective*(1-1e-9), bound <= best.Objective*1.01)
	// Output:
	// the best choice has 3.675 of 4; the bound is valid: true, and within 1 %: true
}

// largest is the sum of the largest k values.
func largest(values []float64, k int) (sum float64) {
	slices.Sort(values)
	for _, v := range values[len(values)-k:] {
		sum += v
	}
	return sum
}
