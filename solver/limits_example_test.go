package solver_test

import (
	"context"
	"fmt"
	"log"

	"github.com/fspca/fspca/solver"
)

// Without limits, with no two chosen columns that are correlated by more than 0.6,
// and with at most one of the four columns about phenols.
func ExampleLimits() {
	a, names := wine()
	for _, limits := range []solver.Limits{
		{},
		{MaxCorrelation: 0.6},
		{Groups: []solver.Group{{Columns: []int{5, 6, 7, 8}, Most: 1}}},
	} {
		s, err := solver.Solve(context.Background(), a, solver.Params{Features: 4, Components: 2, Limits: limits})
		if err != nil {
			log.Fatal(err)
		}
		for _, j := range s.Support {
			fmt.Println(names[j])
		}
		fmt.Printf("explain %.3f\n\n", s.Objective)
	}
	// Output:
	// total_phenols
	// flavanoids
	// color_intensity
	// od280/od315_of_diluted_wines
	// explain 3.675
	//
	// flavanoids
	// color_intensity
	// hue
	// proline
	// explain 3.359
	//
	// alcohol
	// flavanoids
	// color_intensity
	// od280/od315_of_diluted_wines
	// explain 3.508
}

// Each column has a cost, and those chosen cost no more than the budget.
func ExampleLimits_cost() {
	a, _ := wine()
	cost := []float64{1, 1, 1, 1, 1, 5, 5, 1, 1, 1, 1, 1, 1}
	s, err := solver.Solve(context.Background(), a, solver.Params{Features: 5, Components: 2, Limits: solver.Limits{Cost: cost, Budget: 9}})
	if err != nil {
		log.Fatal(err)
	}
	spent := 0.0
	for _, j := range s.Support {
		spent += cost[j]
	}
	fmt.Println(s.Support, spent)
	// Output:
	// [0 6 9 11 12] 9
}

// A rule tells which columns may stand together, and a standing set of columns
// which others may join.
func ExampleRule() {
	ctx := context.Background()
	a, _ := wine()
	entries, err := a.Entries(ctx)
	if err != nil {
		log.Fatal(err)
	}
	limits := solver.Limits{MaxCorrelation: 0.8, Groups: []solver.Group{{Columns: []int{0, 1, 2}, Most: 1}}}
	var rule *solver.Rule = solver.NewRule(limits, a.Diag(), func(_ context.Context, j int) ([]float64, error) {
		column := make([]float64, a.Order())
		for i := range column {
			column[i] = entries.At(i, j)
		}
		return column, nil
	})
	fmt.Println(rule.Permits(ctx, []int{0, 1}))
	fmt.Println(rule.Permits(ctx, []int{0, 5, 7}))
	var chosen *solver.Standing = rule.Standing()
	for _, j := range []int{0, 5} {
		if err := chosen.Add(ctx, j); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(chosen.Members(), chosen.Admits(6), chosen.Admits(7), chosen.AdmitsInstead(5, 6))
	// Output:
	// false <nil>
	// true <nil>
	// [0 5] false true true
}
