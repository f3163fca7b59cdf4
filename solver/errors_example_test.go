package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver"
)

// An entry that makes a table unusable is named by its place.
func ExampleEntryError() {
	_, err := solver.NewData(mat.NewDense(2, 2, []float64{1, 2, 3, math.NaN()}), solver.DataOptions{})
	var entry *solver.EntryError
	if errors.As(err, &entry) {
		fmt.Println(entry.Row, entry.Col, entry.Value)
	}
	// Output:
	// 1 1 NaN
}

// All that is wrong with the parameters comes at once.
func ExampleParamError() {
	a, _ := wine()
	_, err := solver.Solve(context.Background(), a, solver.Params{Features: 4, Components: 0, Effort: "hard"})
	fmt.Println(err)
	var first *solver.ParamError
	if errors.As(err, &first) {
		fmt.Println(first.Field, first.Got)
	}
	// Output:
	// components m = 0: want at least 1
	// unknown effort "hard": want "ipu", "quick", "thorough" or "exact"
	// Components 0
}

// Variances must be in the range of float64.
func ExampleScaleError() {
	_, err := solver.NewData(mat.NewDense(2, 2, []float64{1, 2e200, 3, 0}), solver.DataOptions{})
	var scale *solver.ScaleError
	if errors.As(err, &scale) {
		fmt.Println(scale.Column, scale.Large)
	}
	fmt.Println(err)
	// Output:
	// 1 true
	// the variance of column 1 (counted from 0) overflows, or the sum of all does: divide the data by a constant
}

// A weight that is wrong is named by its row.
func ExampleWeightError() {
	_, err := solver.CheckWeights([]float64{1, 2, -1})
	var weight *solver.WeightError
	if errors.As(err, &weight) {
		fmt.Println(weight.Row, weight.Value)
	}
	fmt.Println(err)
	// Output:
	// 2 -1
	// the weight of row 2 (counted from 0) is -1: want a finite number, 0 or more
}
