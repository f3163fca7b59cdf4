package selector

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/transformer"
)

// sparseData returns the covariance of the table and what its columns are divided by, nil if by
// nothing.
func (s *FSPCA) sparseData(table *dataset.Sparse, weights []float64, flat []int) (*solver.Sparse, []float64, error) {
	x := &solver.CSR{Rows: table.Rows(), Cols: table.Columns()}
	x.Offsets, x.Indices, x.Values = table.Compressed()
	opt := solver.DataOptions{Uncentered: s.Uncentered, Weights: weights}
	data, err := solver.NewSparse(x, opt)
	if err != nil || !s.scales(flat) {
		return data, nil, err
	}
	if opt.Scale, err = s.scaleOf(data.Diag(), flat); err != nil {
		return nil, nil, err
	}
	data, err = solver.NewSparse(x, opt)
	return data, opt.Scale, err
}

// flatColumns is transformer.ConstantColumns for the columns that have an entry other than 0.
func flatColumns(table *dataset.Sparse) []int {
	n, d := table.Rows(), table.Columns()
	_, indices, values := table.Compressed()
	full, slot := fullColumns(n, d, indices, values)
	if len(full) == 0 { // all others hold a 0 beside something else, or nothing
		return nil
	}
	low, high := make([]float64, len(full)), make([]float64, len(full))
	seen := make([]bool, len(full))
	for p, j := range indices {
		if at := slot[j] - 1; at >= 0 {
			v := values[p]
			if !seen[at] {
				seen[at], low[at], high[at] = true, v, v
			}
			low[at], high[at] = min(low[at], v), max(high[at], v)
		}
	}
	var flat []int
	for at, j := range full {
		if transformer.WithinRounding(low[at], high[at], 0) {
			flat = append(flat, int(j))
		}
	}
	return flat
}

// fullColumns returns the columns without a 0 in n rows, and 1 + the place of each of the d columns among them.
func fullColumns(n, d int, indices []int32, values []float64) (full, slot []int32) {
	count := make([]int32, d)
	for p, j := range indices {
		if values[p] != 0 {
			count[j]++
		}
	}
	slot = make([]int32, d)
	for j, c := range count {
		if int(c) == n {
			full = append(full, int32(j))
			slot[j] = int32(len(full))
		}
	}
	return full, slot
}

// TransformSparse is Transform for sparse rows. It gathers only the k chosen columns; the result
// stores every cell of its k or m columns. A row gives the same bits as from Transform. All chosen
// columns that are absent are named in one *dataset.MissingColumnsError; an svmlight table has every
// column (see dataset.Sparse.Locate).
func (m *Model) TransformSparse(table *dataset.Sparse, output Output) (*dataset.Frame, error) {
	output, err := ParseOutput(string(output))
	if err != nil {
		return nil, fmt.Errorf("fspca: %w", err)
	}
	if table == nil || table.Rows() == 0 {
		return nil, errors.New("fspca: the table has no rows")
	}
	if err := m.fitted(); err != nil {
		return nil, err
	}
	at, err := table.Locate(m.features)
	if err != nil {
		return nil, fmt.Errorf("fspca: %w", err)
	}
	slots := make([]int32, table.Columns()) // 1 + the place of a column among the chosen ones
	for i, j := range at {
		if j >= 0 {
			slots[j] = int32(i) + 1
		}
	}
	outputs := m.outputs(output)
	y, err := m.yieldSparse(table, slots, outputs, output)
	if err != nil {
		return nil, err
	}
	return assembled(y, namesOf(outputs), table.ClassName(), table.Class())
}

// yieldSparse is yield for sparse rows; slots are 1 + the place of a column among the chosen ones.
func (m *Model) yieldSparse(table *dataset.Sparse, slots []int32, outputs []column, output Output) (*mat.Dense, error) {
	if output == Projection {
		return m.projectSparse(table, slots)
	}
	all := lists.Upto[int](len(m.features))
	return m.yield(gather(table, slots, 0, table.Rows(), len(all)), all, outputs, output == Both)
}

// gather returns the chosen columns of rows lo ≤ i < hi.
func gather(table *dataset.Sparse, slots []int32, lo, hi, k int) *mat.Dense {
	x := mat.NewDense(hi-lo, k, nil)
	eachRow(hi-lo, k, func(i int) {
		to := x.RawRowView(i)
		indices, values := table.Row(lo + i)
		for p, j := range indices {
			if slot := slots[j]; slot > 0 {
				to[slot-1] = values[p]
			}
		}
	})
	return x
}

// projectSparse gathers and projects some rows at a time.
func (m *Model) projectSparse(table *dataset.Sparse, slots []int32) (*mat.Dense, error) {
	k, c := m.loadings.Dims()
	n := table.Rows()
	block := max(1024, parallelCells/k)
	z := mat.NewDense(n, c, nil)
	for lo := 0; lo < n; lo += block {
		hi := min(n, lo+block)
		part, err := m.Project(gather(table, slots, lo, hi, k))
		if err != nil {
			return nil, err
		}
		z.Slice(lo, hi, 0, c).(*mat.Dense).Copy(part)
	}
	return z, nil
}
