package selector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/solver"
)

// FitWeighted is FitContext with a weight for each row of grid. A row of weight w counts as w equal
// rows: the means are Σw·x/Σw, and the covariance is divided by Σw − 1. A row of weight 0 does not
// count. Options.Weight does the same with a column of the table. The rows are copied once.
//
// Weights that are negative or not finite, and a sum of at most 1, are errors.
func (s *FSPCA) FitWeighted(ctx context.Context, grid base.FixedDataGrid, weights []float64) error {
	return s.fit(ctx, func() (*table, error) {
		if s.Weight != "" {
			return nil, fmt.Errorf("fspca: the weights are given, and the column %q too: leave one out", s.Weight)
		}
		f, err := frameOf(grid)
		if err != nil {
			return nil, err
		}
		if len(weights) != f.Rows() {
			return nil, fmt.Errorf("fspca: got %d weights for %d rows", len(weights), f.Rows())
		}
		if err := checkWeights(weights, "", nil); err != nil {
			return nil, err
		}
		f, weights := weighted(f, weights)
		return s.openRows(f, weights, nil)
	})
}

// takeWeights returns f without its column of weights, and these; nil where Options.Weight is "".
func (o Options) takeWeights(f *dataset.Frame) (*dataset.Frame, []float64, error) {
	if o.Weight == "" {
		return f, nil, nil
	}
	weights, err := Weights(f, o.Weight)
	if err != nil {
		return nil, nil, err
	}
	if err := checkSum(weights, o.Weight); err != nil {
		return nil, nil, err
	}
	rest := slices.DeleteFunc(f.Names(), func(name string) bool { return dataset.SameName(name, o.Weight) })
	if len(rest) == 0 {
		return nil, nil, errors.New("fspca: the table has no feature column beside the weights")
	}
	if f, err = pick(f, rest); err != nil {
		return nil, nil, err
	}
	f, weights = weighted(f, weights)
	return f, weights, nil
}

// Weights returns the weights of the rows of f from the named column, to measure them by
// (EvaluateWeighted); a fit wants a sum above 1. Errors: no such column of numbers, a weight that is
// negative or missing, none above 0, a sum that is infinite.
func Weights(f *dataset.Frame, name string) ([]float64, error) {
	weights, err := columnOfWeights(f, name)
	if err != nil {
		return nil, err
	}
	if err := checkSome(weights, name); err != nil {
		return nil, err
	}
	return weights, nil
}

// columnOfWeights is Weights, which may all be 0.
func columnOfWeights(f *dataset.Frame, name string) ([]float64, error) {
	column, err := f.Pick([]string{name})
	if err != nil {
		return nil, fmt.Errorf("fspca: weight: %w", err)
	}
	if f.Factor(name) != nil {
		return nil, fmt.Errorf("fspca: weight: column %q holds text: want numbers", name)
	}
	weights := lists.Make(f.Rows(), func(i int) float64 { return column.Numeric().At(i, 0) })
	return weights, checkEach(weights, name, f.RowPlace)
}

// weighted leaves out rows of weight 0; nil weights stand for 1 each.
func weighted(f *dataset.Frame, weights []float64) (*dataset.Frame, []float64) {
	rows, counts := counted(weights)
	if rows != nil {
		f = f.Subset(rows)
	}
	return f, plain(counts)
}

// counted returns the rows that count, and their weights; nil for all rows as they are.
func counted(weights []float64) ([]int, []float64) {
	rows := lists.Places(len(weights), func(i int) bool { return weights[i] != 0 })
	if len(rows) == len(weights) && len(rows) != 1 {
		return nil, weights
	}
	return paired(rows, lists.At(weights, rows))
}

// paired returns a row that is alone twice, with half of its weight each: that counts the same, and a variance
// asks for two rows.
func paired(rows []int, weights []float64) ([]int, []float64) {
	if len(rows) != 1 {
		return rows, weights
	}
	half := weights[0] / 2
	return []int{rows[0], rows[0]}, []float64{half, half}
}

// plain returns nil for weights of 1 each, which are none.
func plain(weights []float64) []float64 {
	if slices.ContainsFunc(weights, func(w float64) bool { return w != 1 }) {
		return weights
	}
	return nil
}

// takeSparseWeights is takeWeights for sparse rows, which are copied.
func (o Options) takeSparseWeights(t *dataset.Sparse) (*dataset.Sparse, []float64, error) {
	if o.Weight == "" {
		return t, nil, nil
	}
	at, err := t.Locate([]string{o.Weight})
	if err != nil {
		return nil, nil, fmt.Errorf("fspca: weight: %w", err)
	}
	drop, weights := int32(at[0]), make([]float64, t.Rows())
	for i := range weights {
		indices, values := t.Row(i)
		if p, ok := slices.BinarySearch(indices, drop); ok {
			weights[i] = values[p]
		}
	}
	if err := checkWeights(weights, o.Weight, nil); err != nil {
		return nil, nil, err
	}
	rows, weights := counted(weights)
	if rows == nil {
		rows = lists.Upto[int](len(weights))
	}
	names := slices.Delete(lists.Make(t.Columns(), t.Name), at[0], at[0]+1)
	offsets, indices, values := copyRows(t, rows, drop)
	rest, err := dataset.NewSparse(len(rows), len(names), offsets, indices, values, names)
	return rest, plain(weights), ours(err)
}

// copyRows copies rows of a table for dataset.NewSparse, without column drop, if there is one.
func copyRows(t *dataset.Sparse, rows []int, drop int32) (offsets []int64, indices []int32, values []float64) {
	offsets = make([]int64, 1, len(rows)+1)
	for _, i := range rows {
		columns, cells := t.Row(i)
		for p, j := range columns {
			if j == drop {
				continue
			} else if j > drop {
				j--
			}
			indices, values = append(indices, j), append(values, cells[p])
		}
		offsets = append(offsets, int64(len(indices)))
	}
	return offsets, indices, values
}

// mostReported is the number of wrong weights that one error tells of.
const mostReported = 10

// checkWeights returns all that is wrong with the weights of a fit; column is "" where they are given as
// such. Place says which row of the file row i is; nil: by its number.
func checkWeights(weights []float64, column string, place func(i int) string) error {
	if err := checkCounts(weights, column, place); err != nil {
		return err
	}
	return checkSum(weights, column)
}

// checkSum holds the sum of the weights to be enough for a variance.
func checkSum(weights []float64, column string) error {
	_, err := solver.CheckWeights(weights)
	return weightError(err, column)
}

// weightError says where err is from; nil for nil.
func weightError(err error, column string) error {
	switch {
	case err == nil:
		return nil
	case column == "":
		return fmt.Errorf("fspca: weight: %w", err)
	}
	return fmt.Errorf("fspca: weight: column %q: %w", column, err)
}

// checkCounts is checkWeights for rows that are measured, which may be few: any sum above 0 will do.
func checkCounts(weights []float64, column string, place func(i int) string) error {
	if err := checkEach(weights, column, place); err != nil {
		return err
	}
	return checkSome(weights, column)
}

// checkSome holds one weight at least to be above 0, and their sum to be finite.
func checkSome(weights []float64, column string) error {
	if _, err := solver.CheckWeights(weights); err != nil {
		if wrong := new(solver.WeightError); !errors.As(err, &wrong) || wrong.Value == 0 || math.IsInf(wrong.Value, 0) {
			return weightError(err, column)
		}
	}
	return nil
}

// checkEach returns all weights that are no numbers of at least 0.
func checkEach(weights []float64, column string, place func(i int) string) error {
	if place == nil {
		place = func(i int) string { return fmt.Sprintf("row %d", i+1) }
	}
	in := ""
	if column != "" {
		in = fmt.Sprintf(", column %q", column)
	}
	var wrong []error
	more := 0
	for i, w := range weights {
		if w >= 0 && !math.IsInf(w, 0) {
			continue
		}
		what := fmt.Sprintf("is %v", w)
		if math.IsNaN(w) {
			what = "is missing"
		}
		if len(wrong) == mostReported {
			more++
			continue
		}
		wrong = append(wrong, fmt.Errorf("fspca: weight: %s%s: the weight %s: want a finite number, 0 or more", place(i), in, what))
	}
	if more > 0 {
		wrong = append(wrong, fmt.Errorf("fspca: weight: %s %s such weights", words.Count(more, "more row"), words.Of(more, "has", "have")))
	}
	return errors.Join(wrong...)
}

// mostDraws bounds the rows that a replicate draws.
const mostDraws = 1 << 27

// weighing makes a sampler of rows draw: those with weights as from a table in which each row stands as often
// as its weight says (solver.Copies): drawn gives the covariance of some rows and their new weights.
func weighing(from sampler, weights []float64, drawn func(rows []int, weights []float64) (solver.Covariance, error)) sampler {
	if weights == nil {
		from.draw = func(at []int) (solver.Covariance, error) { return drawn(at, nil) }
		return from
	}
	ends := solver.Copies(weights)
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	from.rows = ends[len(ends)-1]
	from.draw = func(at []int) (solver.Covariance, error) {
		var rows []int
		var times []float64
		for _, place := range at { // ascending
			row, _ := slices.BinarySearch(ends, place+1)
			if n := len(rows); n > 0 && rows[n-1] == row {
				times[n-1]++
				continue
			}
			rows, times = append(rows, row), append(times, 1)
		}
		if len(at) < 2 {
			return nil, solver.ErrConstant
		}
		return drawn(paired(rows, times))
	}
	return from
}
