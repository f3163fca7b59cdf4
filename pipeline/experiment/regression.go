package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/transformer"
)

// RegressionMetrics are the figures of predicted numbers.
type RegressionMetrics struct {
	// R2 is 1 − Σ(y−ŷ)²/Σ(y−ȳ)²: 1 for a perfect prediction, 0 for one that is no
	// better than the mean ȳ of these rows, negative for a worse one. Where all y
	// are equal, but for rounding (transformer.WithinRounding), it is 1 if they are all
	// predicted exactly, else 0.
	R2 float64 `json:"r2"`
	// R2SE, MAESE and RMSESE are standard errors; those of R² and RMSE to first order.
	R2SE   float64 `json:"r2_se"`
	MAESE  float64 `json:"mae_se"`
	RMSESE float64 `json:"rmse_se"`
	// MAE is the mean of |y − ŷ|. RMSE is the square root of the mean of (y − ŷ)². Both
	// are in the units of the target.
	MAE  float64 `json:"mae"`
	RMSE float64 `json:"rmse"`
	// Rows is the number of rows that were predicted.
	Rows int `json:"rows"`
}

// Regression compares predicted numbers with the true ones, as one test set.
// Errors: no rows, different lengths.
func Regression(truth, predicted []float64) (*RegressionMetrics, error) {
	return regression([][]float64{truth}, [][]float64{predicted}, []Split{{}})
}

// regression measures the numbers of all test parts together.
func regression(truth, predicted [][]float64, splits []Split) (*RegressionMetrics, error) {
	e, err := newErrors(truth, predicted)
	if err != nil {
		return nil, err
	}
	m, rmse := &RegressionMetrics{MAE: e.unit * e.absolute.mean(), Rows: e.rows}, math.Sqrt(e.squared.mean())
	m.RMSE = e.unit * rmse
	switch {
	case e.variance > 0:
		m.R2 = 1 - e.squared.mean()/e.variance
	case rmse == 0:
		m.R2 = 1
	}
	m.MAESE = e.unit * e.absolute.standardError(splits, false)
	if rmse > 0 {
		m.RMSESE = e.unit * (e.squared.standardError(splits, false) / (2 * rmse))
	}
	if e.variance > 0 {
		m.R2SE = e.influence(m.R2).standardError(splits, false)
	}
	return m, nil
}

// numberErrors are the errors of predicted numbers, by row, in a unit in which their squares neither overflow
// nor vanish.
type numberErrors struct {
	unit              float64 // a power of two
	absolute, squared scores
	spread            scores  // squared distances from the mean of the truth
	variance          float64 // their mean
	rows              int
}

func newErrors(truth, predicted [][]float64) (*numberErrors, error) {
	e := &numberErrors{unit: unitOf(truth, predicted)}
	sum := 0.0
	for i, y := range truth {
		if len(y) != len(predicted[i]) {
			return nil, fmt.Errorf("predictions cannot be compared: %d predicted rows, %d rows with a known number", len(predicted[i]), len(y))
		}
		e.rows += len(y)
		for _, v := range y {
			sum += v / e.unit
		}
	}
	if e.rows == 0 {
		return nil, errors.New("predictions cannot be compared: 0 predicted rows")
	}
	middle := sum / float64(e.rows)
	missed := scores(truth).each(func(i, j int) float64 { return truth[i][j]/e.unit - predicted[i][j]/e.unit })
	away := scores(truth).each(func(i, j int) float64 { return truth[i][j]/e.unit - middle })
	e.absolute = missed.each(func(i, j int) float64 { return math.Abs(missed[i][j]) })
	e.squared, e.spread = missed.squares(), away.squares()
	if all := slices.Concat(truth...); !transformer.WithinRounding(slices.Min(all), slices.Max(all), 0) {
		e.variance = e.spread.mean()
	}
	return e, nil
}

func (z scores) squares() scores {
	return z.each(func(i, j int) float64 { return z[i][j] * z[i][j] })
}

// unitOf returns the power of two at the largest of the numbers.
func unitOf(parts ...[][]float64) float64 {
	most := 0.0
	for _, part := range slices.Concat(parts...) {
		for _, v := range part {
			if v = math.Abs(v); v > most && !math.IsInf(v, 0) {
				most = v
			}
		}
	}
	if most == 0 {
		return 1
	}
	_, exponent := math.Frexp(most)
	return math.Ldexp(1, min(exponent, 1023))
}

// explained is the part of R² that each row makes: a mean of r2, and the difference of two
// pipelines' means is that of their R².
func (e *numberErrors) explained() scores {
	return e.squared.each(func(i, j int) float64 {
		if e.variance > 0 {
			return 1 - e.squared[i][j]/e.variance
		}
		return 0
	})
}

// influence is how much each row moves R², to first order: that of a quotient of means.
func (e *numberErrors) influence(r2 float64) scores {
	return e.squared.each(func(i, j int) float64 { return ((1-r2)*e.spread[i][j] - e.squared[i][j]) / e.variance })
}
