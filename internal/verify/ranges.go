package verify

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Ranges are what the rows of a table are like, for each of its columns in the units of the table.
type Ranges struct {
	Low, High, Mean []float64
	Variance        []float64 // over Σw − 1
	Rows            int       // with a weight above 0
	Weight          float64   // the sum of the weights
	Still           []bool    // columns that do not vary but for rounding
}

// RangesOf goes twice over the rows of d columns. Rows of weight 0 do not count.
func RangesOf(rows Rows, d int) (*Ranges, error) {
	m := moments{left: make([]float64, d)}
	if err := m.means(rows, d); err != nil {
		return nil, err
	}
	r := &Ranges{Mean: m.mean, Still: m.still, Variance: make([]float64, d), Weight: m.sum, Low: slices.Repeat([]float64{math.Inf(1)}, d), High: slices.Repeat([]float64{math.Inf(-1)}, d)}
	err := rows(func(x *mat.Dense, weights []float64) {
		m.bounds(x, weights, r.Low, r.High)
		m.centre(x)
		for i := range x.RawMatrix().Rows {
			w := weightAt(weights, i)
			if w > 0 {
				r.Rows++
			}
			for j, v := range x.RawRowView(i) {
				r.Variance[j] += w * v * v / (m.sum - 1)
			}
		}
	})
	return r, err
}

// Training is what a model says of the rows of its fit: of each chosen column.
type Training struct {
	Low      []float64 `json:"low"`
	High     []float64 `json:"high"`
	Mean     []float64 `json:"mean"`
	Variance []float64 `json:"variance"`
}

// ranges holds a training to the data: least and largest cells are the same numbers; means and variances agree.
func (c *Claims) ranges(names []string) []Finding {
	r, t := c.Ranges, c.Figures.Training
	if r == nil {
		return nil
	}
	rows, counted := c.Figures.Data.Rows, c.Figures.Data.Weight
	all := []Finding{finding("rows", rows == max(2, r.Rows) && (counted == nil || math.Abs(*counted-r.Weight) <= tolerance*r.Weight),
		"stated %d, found %d; their weights add up to %.12g", rows, r.Rows, r.Weight), c.constant(names)}
	if t == nil {
		return all
	}
	k := len(c.Support)
	if len(t.Low) != k || len(t.High) != k || len(t.Mean) != k || len(t.Variance) != k {
		return append(all, finding("ranges", false, "they are not of the %d chosen columns", k))
	}
	other, worst := 0, 0.0
	for q, j := range c.Support {
		if t.Low[q] != r.Low[j] || t.High[q] != r.High[j] {
			other++
		}
		rounding := 64 * ulp * max(math.Abs(r.Low[j]), math.Abs(r.High[j]))
		deviation := math.Sqrt(r.Variance[j]) + rounding
		worst = max(worst, beyond(t.Mean[q]-r.Mean[j], rounding, deviation), beyond(t.Variance[q]-r.Variance[j], 2*rounding*deviation, deviation*deviation))
	}
	return append(all, finding("ranges", other == 0 && worst <= tolerance,
		"of %d of the chosen columns the least or largest cell differs; means and variances differ by at most %.2g of a deviation", other, worst))
}

// constant compares the columns that do not vary with those of the data.
func (c *Claims) constant(names []string) Finding {
	var still []string
	for j, name := range names {
		if c.Ranges.Still[j] {
			still = append(still, name)
		}
	}
	return finding("constant columns", slices.Equal(still, c.Figures.Data.Constant) || len(still)+len(c.Figures.Data.Constant) == 0,
		"stated %d, found %d", len(c.Figures.Data.Constant), len(still))
}

// beyond is how much more than rounding makes of a difference, in units; 0 where that makes it.
func beyond(difference, rounding, unit float64) float64 {
	if difference = math.Abs(difference) - rounding; difference <= 0 {
		return 0
	}
	return difference / unit
}
