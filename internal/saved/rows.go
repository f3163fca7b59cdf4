package saved

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Rows returns the rows of m, for JSON; they share its numbers.
func Rows(m *mat.Dense) [][]float64 {
	n, _ := m.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = m.RawRowView(i)
	}
	return rows
}

// Dense returns the matrix of rows as Rows gives them, all of one length.
func Dense(rows [][]float64) *mat.Dense {
	return mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
}
