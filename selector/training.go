package selector

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// training is what a model keeps of the rows of the fit, for Check: for each chosen column, in the units
// of the table.
type training struct {
	Low      []float64 `json:"low"`
	High     []float64 `json:"high"`
	Mean     []float64 `json:"mean"`
	Variance []float64 `json:"variance"` // over n − 1, or the sum of the weights less 1
}

// trainingOf looks at the rows of t, if it has any.
func trainingOf(t *table, support []int) *training {
	var of *training
	switch {
	case t.spread != nil:
		of = t.spread(support)
	case t.each != nil:
		s := newSpread(len(support))
		t.each(support, s.add)
		of = &training{Low: s.low, High: s.high, Mean: s.mean, Variance: s.variances()}
	default:
		return nil
	}
	if !finite(of.Variance, of.Mean) {
		return nil // beyond float64
	}
	return of
}

// spread adds up rows, each with a weight: the running means and squares of West (1979).
type spread struct {
	low, high, mean, squares []float64
	weight                   float64
	count                    int
}

func newSpread(k int) *spread {
	return &spread{low: make([]float64, k), high: make([]float64, k), mean: make([]float64, k), squares: make([]float64, k)}
}

func (s *spread) add(row []float64, w float64) {
	s.weight += w
	for j, v := range row {
		if s.count == 0 {
			s.low[j], s.high[j] = v, v
		}
		s.low[j], s.high[j] = min(s.low[j], v), max(s.high[j], v)
		e := v - s.mean[j]
		s.mean[j] += e * (w / s.weight)
		s.squares[j] += w * e * (v - s.mean[j])
	}
	s.count++
}

// variances divides by the weight less 1; nil for a single row.
func (s *spread) variances() []float64 {
	if s.weight <= 1 {
		return nil
	}
	return lists.Map(s.squares, func(v float64) float64 { return v / (s.weight - 1) })
}

// eachDense visits the columns in support of the rows of x; nil weights are 1.
func eachDense(x *mat.Dense, weights []float64) func([]int, func([]float64, float64)) {
	return func(support []int, visit func([]float64, float64)) {
		row := make([]float64, len(support))
		n, _ := x.Dims()
		for i := range n {
			all := x.RawRowView(i)
			for p, j := range support {
				row[p] = all[j]
			}
			visit(row, at(weights, i, 1))
		}
	}
}

// eachSparse is eachDense for sparse rows.
func eachSparse(t *dataset.Sparse, weights []float64) func([]int, func([]float64, float64)) {
	return func(support []int, visit func([]float64, float64)) {
		slots := make([]int32, t.Columns())
		for p, j := range support {
			slots[j] = int32(p) + 1
		}
		row := make([]float64, len(support))
		for i := range t.Rows() {
			clear(row)
			indices, values := t.Row(i)
			for p, j := range indices {
				if slot := slots[j]; slot > 0 {
					row[slot-1] = values[p]
				}
			}
			visit(row, at(weights, i, 1))
		}
	}
}

// at is element i of a list, nil for the same number everywhere.
func at(list []float64, i int, everywhere float64) float64 {
	if list == nil {
		return everywhere
	}
	return list[i]
}

// checkTraining reports what is wrong with a training that was read.
func (m *Model) checkTraining(bad func(string, ...any)) {
	t := m.training
	if t == nil {
		return
	}
	for name, list := range map[string][]float64{"low": t.Low, "high": t.High, "mean": t.Mean, "variance": t.Variance} {
		if len(list) != len(m.features) {
			bad("the field %q has %d numbers, want one for each of the %d features", "training."+name, len(list), len(m.features))
			return
		}
	}
	for i := range t.Low {
		slack := 1e-9 * (math.Abs(t.Low[i]) + math.Abs(t.High[i]))
		if !(t.Low[i] <= t.High[i]) || t.Mean[i] < t.Low[i]-slack || t.Mean[i] > t.High[i]+slack {
			bad("the fields \"training.low[%d]\", \"mean\" and \"high\" are %v, %v and %v, want them ascending", i, t.Low[i], t.Mean[i], t.High[i])
		}
		if !(t.Variance[i] >= 0) {
			bad("the field \"training.variance[%d]\" is %v, want 0 or more", i, t.Variance[i])
		}
	}
}
