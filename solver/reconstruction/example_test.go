package reconstruction_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/reconstruction"
)

// Which four of the 13 columns of wine tell most of all of them, and how much?
func ExampleFigures() {
	ctx := context.Background()
	f, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	a, err := solver.NewData(f.Numeric(), solver.DataOptions{})
	if err != nil {
		log.Fatal(err)
	}
	scale := make([]float64, a.Order())
	for j, v := range a.Diag() {
		scale[j] = math.Sqrt(v)
	}
	if a, err = a.Scaled(scale); err != nil {
		log.Fatal(err)
	}
	s, err := reconstruction.Solve(ctx, a, reconstruction.Params{Features: 4, Components: 4, Effort: solver.EffortExact})
	if err != nil {
		log.Fatal(err)
	}
	q := reconstruction.Question{Rows: float64(f.Rows()), Columns: true, PCA: true}
	var told *reconstruction.Figures
	if told, err = reconstruction.Describe(ctx, a, s.Support, s.Loadings, q); err != nil {
		log.Fatal(err)
	}
	names := f.NumericNames()
	for _, j := range s.Support {
		fmt.Println(names[j])
	}
	fmt.Printf("R² %.3f, of PCA %.3f, proved: %v\n", told.R2, told.PCA, s.Proved)
	var hue reconstruction.Column = told.Columns[10]
	fmt.Printf("%s: R² %.3f, r = %.2f with %s\n", names[10], hue.R2, hue.Correlation, names[hue.Nearest])
	// Output:
	// alcalinity_of_ash
	// magnesium
	// flavanoids
	// color_intensity
	// R² 0.646, of PCA 0.736, proved: true
	// hue: R² 0.499, r = 0.54 with flavanoids
}

// Two columns rebuild all four, by one combination of them or by two.
func ExampleParams() {
	f, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	a, err := solver.NewData(f.Numeric(), solver.DataOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for m := 1; m <= 2; m++ {
		s, err := reconstruction.Solve(context.Background(), a, reconstruction.Params{Features: 2, Components: m})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("m = %d: columns %v explain %.3f of %.3f\n", m, s.Support, s.Objective, s.TotalVariance)
	}
	// Output:
	// m = 1: columns [0 2] explain 4.224 of 4.573
	// m = 2: columns [0 2] explain 4.428 of 4.573
}

// What two random columns of iris tell of all four, to hold a choice against.
func ExampleChance() {
	f, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	a, err := solver.NewData(f.Numeric(), solver.DataOptions{})
	if err != nil {
		log.Fatal(err)
	}
	draw := reconstruction.ChanceParams{Count: 3, Features: 2, Components: 2, Seed: 1}
	chances, err := reconstruction.Chances(context.Background(), a, draw)
	if err != nil {
		log.Fatal(err)
	}
	for i := range chances {
		var c reconstruction.Chance = chances[i]
		rows, columns := c.Decoder.Dims()
		fmt.Println(c.Support, rows, "×", columns)
	}
	// Output:
	// [1 2] 4 × 2
	// [1 2] 4 × 2
	// [2 3] 4 × 2
}
