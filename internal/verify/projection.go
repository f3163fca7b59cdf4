package verify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Projection is how each column of a table is centred and divided before it is projected; nil for not.
type Projection struct{ Mean, Scale []float64 }

// ProjectionOf returns that of the rows of x, with weights or nil, by plain sums.
func ProjectionOf(x *mat.Dense, weights []float64, uncentered, standardized bool) (p Projection) {
	n, d := x.Dims()
	weight := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	var sum float64
	for i := range n {
		sum += weight(i)
	}
	for j := range d {
		var mean, square float64
		for i := range n {
			mean += weight(i) * x.At(i, j) / sum
		}
		if uncentered {
			mean = 0
		}
		for i := range n {
			square += weight(i) * (x.At(i, j) - mean) * (x.At(i, j) - mean) / (sum - 1)
		}
		if !uncentered {
			p.Mean = append(p.Mean, mean)
		}
		if standardized {
			p.Scale = append(p.Scale, math.Sqrt(square))
		}
	}
	return p
}

// projection compares the means and scales of the chosen columns with those of the data.
func (c *Claims) projection(p *problem) Finding {
	if (c.Mean == nil) != (c.Data.Mean == nil) || (c.Scale == nil) != (c.Data.Scale == nil) {
		return finding("means and scales", false, "the model has %d means and %d scales, the data give %d and %d",
			len(c.Mean), len(c.Scale), min(len(c.Data.Mean), len(c.Support)), min(len(c.Data.Scale), len(c.Support)))
	}
	worst := 0.0
	for q, j := range c.Support {
		deviation := math.Sqrt(c.told(p.a.At(j, j)))
		if c.Data.Scale != nil {
			scale := c.Data.Scale[j]
			if deviation = scale; c.Scale[q] != 1 || scale > tolerance { // 1 is that of a column that does not vary
				worst = max(worst, math.Abs(c.Scale[q]-scale)/scale)
			}
		}
		if c.Data.Mean != nil {
			rounding := 64 * ulp * math.Abs(c.Data.Mean[j])
			worst = max(worst, (math.Abs(c.Mean[q]-c.Data.Mean[j])-rounding)/(deviation+rounding))
		}
	}
	return finding("means and scales", worst <= tolerance, "those of the chosen columns differ from the data's by at most %.2g of a deviation", worst)
}

// densely compares what dense PCA explains with gonum's eigenvalues of the columns that are not excluded.
func (c *Claims) densely(p *problem) (Finding, error) {
	out := c.excluded()
	var kept []int
	for j := range p.a.SymmetricDim() {
		if !out[j] {
			kept = append(kept, j)
		}
	}
	if len(kept) > decomposedOrder {
		return Finding{Claim: "dense PCA", Verdict: NotShown, Detail: "the spectrum of more columns than 2000 is not computed"}, nil
	}
	var e mat.EigenSym
	if !e.Factorize(p.sub(kept), false) {
		return Finding{}, errors.New("gonum found no eigenvalues of A")
	}
	sum := largest(e.Values(nil), min(p.m, len(kept)))
	return finding("dense PCA", math.Abs(sum-c.Leading) <= 10*tolerance*sum, "stated %.12g, by gonum's eigenvalues of all columns %.12g", c.told(c.Leading), c.told(sum)), nil
}
