package selector

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver"
)

// inColumns says err, which the solver found in the rows of x, by the names of
// the columns; flat are those that do not vary.
func inColumns(err error, x *mat.Dense, names []string, flat []int) error {
	if errors.Is(err, solver.ErrConstant) {
		for j, name := range names {
			if !slices.Contains(flat, j) {
				return fmt.Errorf("fspca: no column has a variance that is more than 0 in float64, though %q varies: multiply the data by a constant", name)
			}
		}
	}
	if j := overflowing(x); j >= 0 {
		return fmt.Errorf("fspca: column %q: its variance overflows float64: divide the data by a constant", names[j])
	}
	return fmt.Errorf("fspca: %w", err)
}

// overflowing returns the first column of x whose cells are finite and whose sum
// of squares around the mean, or the mean itself, is not; −1 if there is none.
func overflowing(x *mat.Dense) int {
	n, d := x.Dims()
	for j := range d {
		var sum, squares, largest float64
		for i := range n {
			sum += x.At(i, j)
			largest = max(largest, math.Abs(x.At(i, j)))
		}
		for i := range n {
			c := x.At(i, j) - sum/float64(n)
			squares += c * c
		}
		if finite(largest) && !(finite(sum) && finite(squares)) {
			return j
		}
	}
	return -1
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// inVariables adds the names of the variables to an error about an entry of
// their covariance.
func inVariables(err error, names []string) error {
	var entry *solver.EntryError
	if errors.As(err, &entry) {
		return fmt.Errorf("fspca: %w (variables %q and %q)", err, names[entry.Row], names[entry.Col])
	}
	return fmt.Errorf("fspca: %w", err)
}
