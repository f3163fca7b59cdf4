package experiment

import (
	"fmt"
	"math"
)

// RegressionMetrics are the figures of predicted numbers.
type RegressionMetrics struct {
	// R2 is 1 − Σ(y−ŷ)²/Σ(y−ȳ)²: 1 for a perfect prediction, 0 for one that is no
	// better than the mean ȳ of these rows, negative for a worse one. Where all y
	// are equal it is 1 if they are all predicted exactly, else 0.
	R2 float64 `json:"r2"`
	// MAE is the mean of |y − ŷ|, RMSE the square root of the mean of (y − ŷ)², both
	// in the units of the target.
	MAE  float64 `json:"mae"`
	RMSE float64 `json:"rmse"`
	// Rows is the number of rows that were predicted.
	Rows int `json:"rows"`
}

// Regression measures predicted numbers against the truth, row by row. It is an
// error if there are no rows or the lengths differ.
func Regression(truth, predicted []float64) (*RegressionMetrics, error) {
	n := len(truth)
	if n == 0 || n != len(predicted) {
		return nil, fmt.Errorf("predictions cannot be compared: %d predicted rows, %d rows with a known number", len(predicted), n)
	}
	mean := 0.0
	for _, y := range truth {
		mean += y / float64(n)
	}
	var off, left, total float64
	for i, y := range truth {
		d := y - predicted[i]
		off += math.Abs(d) / float64(n)
		left += d * d
		total += (y - mean) * (y - mean)
	}
	m := &RegressionMetrics{MAE: off, RMSE: math.Sqrt(left / float64(n)), Rows: n}
	switch {
	case total > 0:
		m.R2 = 1 - left/total
	case left == 0:
		m.R2 = 1
	}
	return m, nil
}
