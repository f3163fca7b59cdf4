package selector

import (
	"math"
	"slices"

	"github.com/fspca/fspca/solver"
)

// erasing is the scale of a column that is to count as constant: nothing of its rounding noise is
// left after the division.
const erasing = math.MaxFloat64

// scales reports whether columns are divided by anything.
func (s *FSPCA) scales(flat []int) bool { return s.Standardize || !s.Uncentered && len(flat) > 0 }

// scaleOf returns what columns of the given variances are divided by. Those in flat are
// constant up to rounding (transformer.ConstantColumns). Where what rounding left of such a column
// is not exactly nothing it is erased. Beside columns in smaller units it could be the largest
// variance of all; so a constant column is chosen only when k exceeds the number of the others.
// Around 0 a constant column has a second moment like any other and stays. If no column is left that varies,
// the error is solver.ErrConstant.
func (s *FSPCA) scaleOf(variances []float64, flat []int) ([]float64, error) {
	scale := slices.Repeat([]float64{1}, len(variances))
	if s.Standardize {
		for j, v := range variances {
			if v > 0 {
				scale[j] = math.Sqrt(v)
			}
		}
	}
	if !s.Uncentered {
		for _, j := range flat {
			if variances[j] > 0 {
				scale[j] = erasing
			}
		}
	}
	for j, v := range variances {
		if v > 0 && scale[j] != erasing {
			return scale, nil
		}
	}
	return nil, solver.ErrConstant
}
