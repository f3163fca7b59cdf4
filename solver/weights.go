package solver

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// WeightError reports weights of rows that give no covariance.
type WeightError struct {
	Row    int     // counted from 0; −1 where all together are wrong
	Value  float64 // what stands there, or the sum of all
	Reason string
}

// Error says which weight is wrong and what is allowed.
func (e *WeightError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("the weights add up to %v: %s", e.Value, e.Reason)
	}
	return fmt.Sprintf("the weight of row %d (counted from 0) is %v: %s", e.Row, e.Value, e.Reason)
}

// CheckWeights returns the sum of the weights of rows. The error (*WeightError) is that of the first
// weight that is negative or not finite, or of a sum of at most 1: it gives no variance.
func CheckWeights(weights []float64) (float64, error) {
	total := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return 0, &WeightError{i, w, "want a finite number, 0 or more"}
		}
		total += w
	}
	switch {
	case total == 0:
		return 0, &WeightError{-1, total, "want one above 0 at least"}
	case math.IsInf(total, 0):
		return 0, &WeightError{-1, total, "divide them by a constant"}
	case !(total > 1):
		return 0, &WeightError{-1, total, "want more than 1, since the variance is divided by their sum less 1"}
	}
	return total, nil
}

// roots returns √(w·(n−1)/(Σw−1)) for the weights of n rows. With rows that are multiplied by them
// the divisor n−1 gives the weighted covariance.
func roots(weights []float64, n int) ([]float64, error) {
	if len(weights) != n {
		return nil, fmt.Errorf("got %d weights for %d rows", len(weights), n)
	}
	total, err := CheckWeights(weights)
	if err != nil {
		return nil, err
	}
	out := make([]float64, n)
	for i, w := range weights {
		if w == 0 {
			return nil, &WeightError{i, w, "leave the row out"}
		}
		out[i] = math.Sqrt(w * (float64(n-1) / (total - 1)))
	}
	return out, nil
}

// newWeighted is NewData with weights: the rows are copied (8·n·d bytes), centred
// at the weighted means and multiplied by the roots of their weights. The second
// moment of the copy about 0 is A.
func newWeighted(x *mat.Dense, opt DataOptions) (*Data, error) {
	n, d := x.Dims()
	if n < 2 {
		return nil, errors.New("a variance needs at least 2 rows of a weight above 0")
	}
	root, err := roots(opt.Weights, n)
	if err != nil {
		return nil, err
	}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v-v != 0 { // NaN or ±Inf
				return nil, fmt.Errorf("the data: %w", &EntryError{Row: i, Col: j, Value: v, Reason: "want a finite number"})
			}
		}
	}
	mean := make([]float64, d)
	if !opt.Uncentered {
		weightedMeans(mean, x, opt.Weights)
	}
	y := mat.NewDense(n, d, nil)
	kernel.Parallel(n, func(_, i int) {
		to := y.RawRowView(i)
		for j, v := range x.RawRowView(i) {
			to[j] = root[i] * (v - mean[j])
		}
	})
	c, err := NewData(y, DataOptions{Uncentered: true, Scale: opt.Scale})
	if err != nil {
		return nil, err
	}
	c.taken = mean
	return c, nil
}

// weightedMeans stores Σw·x/Σw in mean. The mean of deviations from a first mean corrects it; a
// constant column has its value.
func weightedMeans(mean []float64, x *mat.Dense, weights []float64) {
	rest := make([]float64, len(mean))
	total := 0.0
	for i, w := range weights {
		total += w
		for j, v := range x.RawRowView(i) {
			mean[j] += (v - mean[j]) * (w / total)
		}
	}
	for i, w := range weights {
		for j, v := range x.RawRowView(i) {
			rest[j] += (v - mean[j]) * (w / total)
		}
	}
	for j, r := range rest {
		mean[j] += r
	}
}

// expanded returns the rows of x as often as their weights say: row i as often as rounded cumulative
// sums of the weights rise by it, so that whole numbers are taken as they are. The error is for more
// than mostExpanded cells.
func expanded(x *mat.Dense, weights []float64) (*mat.Dense, error) {
	_, d := x.Dims()
	if sum := math.Round(lists.Sum(weights)); sum*float64(d) > mostExpanded {
		return nil, fmt.Errorf("weights that add up to %.10g stand for too large a table to permute: divide them by a constant, or give the number of components", sum)
	}
	times := Copies(weights)
	total := lists.Sum(times)
	if total < 2 {
		return nil, &WeightError{-1, float64(total), "want at least 2 to permute the rows"}
	}
	y := mat.NewDense(total, d, nil)
	at := 0
	for i, t := range times {
		for range t {
			copy(y.RawRowView(at), x.RawRowView(i))
			at++
		}
	}
	return y, nil
}

// mostExpanded is the number of cells of a table that expanded makes: 1 GiB.
const mostExpanded = 1 << 27

// Copies returns a number of copies for each weight: the differences of the rounded cumulative sums.
// A whole number becomes itself, and all copies add up to the rounded sum of the weights. It stops at a sum of
// 2⁵³, above which whole numbers are not told apart, or of the largest int: the rows after it get none.
func Copies(weights []float64) []int {
	const most = min(1<<53, math.MaxInt)
	out := make([]int, len(weights))
	sum, before := 0.0, 0.0
	for i, w := range weights {
		sum += w
		now := min(math.Round(sum), most)
		out[i] = int(now - before)
		before = now
	}
	return out
}
