package verify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Rows are those of a table: it calls f with one block after another, and with the weights of its rows or nil. F
// may change the block. It is called once for each pass.
type Rows func(f func(x *mat.Dense, weights []float64)) error

// Projection is how each column of a table is centred and divided before it is projected; nil for not.
type Projection struct{ Mean, Scale []float64 }

// Moments returns the covariance XᵀX/(Σw − 1) of d columns about their means, or about 0, and how they are
// projected; standardized, it is that of columns divided by their deviations. The scale of a column that does
// not vary is 0.
func Moments(rows Rows, d int, uncentered, standardized bool) (a *mat.SymDense, p Projection, err error) {
	a = mat.NewSymDense(d, nil)
	m := moments{left: make([]float64, d)}
	if !uncentered {
		if err := m.means(rows, d); err != nil {
			return nil, p, err
		}
		p.Mean = m.mean
	}
	m.sum = 0
	if err := rows(func(x *mat.Dense, weights []float64) {
		m.centre(x)
		for i := range x.RawMatrix().Rows {
			w, row := weightAt(weights, i), x.RawRowView(i)
			m.sum += w
			for j, v := range row {
				m.left[j] += w * v
				row[j] = math.Sqrt(w) * v
			}
		}
		a.SymRankK(a, 1, x.T())
	}); err != nil {
		return nil, p, err
	}
	if !(m.sum > 1) {
		return nil, p, fmt.Errorf("too few rows: their number, or the sum of their weights, is %v, and a variance needs more than 1", m.sum)
	}
	if !uncentered { // what rounding has left of the means
		a.SymRankOne(a, -1/m.sum, mat.NewVecDense(d, m.left))
	}
	a.ScaleSym(1/(m.sum-1), a)
	if standardized {
		for j := range d {
			p.Scale = append(p.Scale, math.Sqrt(a.At(j, j)))
		}
		Standardize(a)
	}
	return a, p, nil
}

func weightAt(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// moments are sums over the rows of a table.
type moments struct {
	sum   float64   // of the weights
	mean  []float64 // nil: 0
	still []bool    // columns that do not vary but for rounding
	left  []float64 // sums of the rows without their means
}

// means finds the means, and takes them from the rows once more, so that a mean far from 0 costs no digits.
func (m *moments) means(rows Rows, d int) error {
	m.mean, m.still = make([]float64, d), make([]bool, d)
	low, high := slices.Repeat([]float64{math.Inf(1)}, d), slices.Repeat([]float64{math.Inf(-1)}, d)
	for range 2 {
		m.sum = 0
		clear(m.left)
		if err := rows(func(x *mat.Dense, weights []float64) {
			m.bounds(x, weights, low, high)
			m.centre(x)
			for i := range x.RawMatrix().Rows {
				w := weightAt(weights, i)
				m.sum += w
				for j, v := range x.RawRowView(i) {
					m.left[j] += w * v
				}
			}
		}); err != nil {
			return err
		}
		for j, v := range m.left {
			m.mean[j] += v / m.sum
			if m.still[j] = high[j]-low[j] <= 32*ulp*max(-low[j], high[j]); m.still[j] {
				m.mean[j] = low[j]
			}
		}
	}
	clear(m.left)
	return nil
}

// bounds widens the range of each column by the rows that count.
func (m *moments) bounds(x *mat.Dense, weights, low, high []float64) {
	for i := range x.RawMatrix().Rows {
		if weightAt(weights, i) > 0 {
			for j, v := range x.RawRowView(i) {
				low[j], high[j] = min(low[j], v), max(high[j], v)
			}
		}
	}
}

// centre takes the means from rows. What does not vary becomes 0.
func (m *moments) centre(x *mat.Dense) {
	if m.mean == nil {
		return
	}
	for i := range x.RawMatrix().Rows {
		row := x.RawRowView(i)
		for j, v := range row {
			if row[j] = v - m.mean[j]; m.still[j] {
				row[j] = 0
			}
		}
	}
}
