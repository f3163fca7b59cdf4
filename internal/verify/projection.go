package verify

import (
	"math"
)

// projection compares the means and scales of the chosen columns with those of the data.
func (c *Claims) projection(p *problem) Finding {
	if (c.Mean == nil) != (c.Data.Mean == nil) || (c.Scale == nil) != (c.Data.Scale == nil) {
		return finding("means and scales", false, "the model has %d means and %d scales, the data give %d and %d",
			len(c.Mean), len(c.Scale), min(len(c.Data.Mean), len(c.Support)), min(len(c.Data.Scale), len(c.Support)))
	}
	worst := 0.0
	for q, j := range c.Support {
		var mean, scale *float64
		if c.Mean != nil {
			mean = &c.Mean[q]
		}
		if c.Scale != nil {
			scale = &c.Scale[q]
		}
		worst = max(worst, c.off(p, j, mean, scale))
	}
	return finding("means and scales", worst <= tolerance, "those of the chosen columns differ from the data's by at most %.2g of a deviation", worst)
}

// off is how far a mean and a scale differ from those of column j in the data, in deviations; nil for none.
func (c *Claims) off(p *problem, j int, mean, scale *float64) (worst float64) {
	deviation := math.Sqrt(c.told(p.a.At(j, j)))
	if scale != nil {
		deviation = c.Data.Scale[j]
		if *scale != 1 || deviation > tolerance { // 1 is that of a column that does not vary
			worst = math.Abs(*scale-deviation) / deviation
		}
	}
	if mean != nil {
		rounding := 64 * ulp * math.Abs(c.Data.Mean[j])
		worst = max(worst, beyond(*mean-c.Data.Mean[j], rounding, deviation+rounding))
	}
	return worst
}

// Of more than iteratedAbove columns the leading eigenvalues may come from an iteration that ends when the choice
// has settled. Each is then too small by at most settled·λ₁ (docs/algorithms.md, Leading eigenpairs).
const (
	iteratedAbove = 448
	settled       = 1e-5
)

// densely compares what dense PCA explains with gonum's eigenvalues of the columns that are not excluded.
func (c *Claims) densely(p *problem) (Finding, error) {
	kept := c.counted(p)
	if len(kept) > decomposedOrder {
		return Finding{Claim: "dense PCA", Verdict: NotShown, Detail: "the spectrum of more columns than 2000 is not computed"}, nil
	}
	values, err := c.decompose(p)
	if err != nil {
		return Finding{}, err
	}
	sum, below := largest(values, min(p.m, len(kept))), 10*tolerance
	if len(kept) > iteratedAbove {
		below += settled * float64(p.m) * largest(values, 1) / sum
	}
	return finding("dense PCA", c.Leading <= sum*(1+10*tolerance) && c.Leading >= sum*(1-below), "stated %.12g, by gonum's eigenvalues of all columns %.12g", c.told(c.Leading), c.told(sum)), nil
}

// decompose returns gonum's eigenvalues of the columns that are not excluded, ascending; once for all claims.
func (c *Claims) decompose(p *problem) (values []float64, err error) {
	if c.eigenvalues == nil {
		c.eigenvalues, _, err = eigenvalues(p.sub(c.counted(p)))
	}
	return c.eigenvalues, err
}
