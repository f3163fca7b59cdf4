package baseline_test

import (
	"context"
	"fmt"
	"log"

	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"gonum.org/v1/gonum/mat"
)

// groups has two groups of related columns, {0, 1, 2} and {3, 4}, and a column of
// large variance that is related to none.
func groups() solver.Covariance {
	entries := mat.NewSymDense(6, []float64{
		4, 3, 3, 0, 0, 0,
		3, 4, 3, 0, 0, 0,
		3, 3, 4, 0, 0, 0,
		0, 0, 0, 5, 4, 0,
		0, 0, 0, 4, 5, 0,
		0, 0, 0, 0, 0, 6,
	})
	a, err := solver.NewMatrix(entries)
	if err != nil {
		log.Fatal(err)
	}
	return a
}

// Methods find different columns.
func Example() {
	a := groups()
	for _, method := range []solver.Method{solver.MethodIPU, baseline.MethodSOAP, baseline.MethodTPower, baseline.MethodBruteForce} {
		s, err := baseline.Solve(context.Background(), a, solver.Params{Features: 5, Components: 2, Method: method})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-11s %v explains %.2f of %.2f\n", method, s.Support, s.Objective, s.TotalVariance)
	}
	// Output:
	// ipu         [0 1 2 3 4] explains 19.00 of 28.00
	// soap        [0 1 2 3 4] explains 19.00 of 28.00
	// tpower      [0 1 2 3 5] explains 16.00 of 28.00
	// brute_force [0 1 2 3 4] explains 19.00 of 28.00
}

// The truncated power method, run twice, gives each vector three columns of its own,
// also the one that two would do for.
func ExampleDeflated() {
	var d *baseline.Deflated
	d, err := baseline.Deflate(context.Background(), groups(), 3, 2, baseline.TPowerParams{Flat: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v explain %.2f of %.2f\n", d.Supports, d.Adjusted, d.LeadingVariance)
	// Output:
	// [[3 4 5] [0 1 2]] explain 19.00 of 19.00
}

// The first three steps of SOAP from a start of one's own.
func ExampleIterationParams() {
	a := groups()
	w0 := mat.NewDense(a.Order(), 1, []float64{1, 0, 0, 1, 0, 1})
	s, err := baseline.SOAP(context.Background(), a, 3, w0, baseline.IterationParams{MaxIterations: 3,
		Step: func(step int, objective float64) { fmt.Printf("step %d: %.2f\n", step, objective) }})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Support, s.Status)
	// Output:
	// step 1: 5.26
	// step 2: 7.28
	// step 3: 7.91
	// [3 4 5] iteration_limit
}

// The convex relaxation gives each column a share of two dimensions, and none to the
// one that is related to no other.
func ExampleRelaxation() {
	var r *baseline.Relaxation
	r, err := baseline.FPS(context.Background(), groups(), 2, 1, baseline.FPSParams{MaxIterations: 500, Tolerance: 1e-6})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %s\n", r.Scores(), r.Status)
	// Output:
	// [0.333 0.333 0.333 0.500 0.500 0.000] converged
}
