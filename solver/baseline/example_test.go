package baseline_test

import (
	"context"
	"fmt"
	"log"

	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"gonum.org/v1/gonum/mat"
)

// Two groups of related columns, {0, 1, 2} and {3, 4}, and a column of large
// variance that is related to none.
func Example() {
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
