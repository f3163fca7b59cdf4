package verify

import (
	"fmt"
	"math"
	"slices"
)

// shares holds R² of the choice, of its components and of each column, and those of noise, to the data.
func (e *explained) shares(r *Reconstruction, names []string) Finding {
	var checked int
	worst := 0.0
	differ := func(stated *float64, least, most, slack float64) {
		if stated != nil {
			checked++
			worst = max(worst, (min(1, least)-*stated)/slack, (*stated-min(1, most))/slack)
		}
	}
	most, parts := slices.Max(e.slack), sum(e.byParts)/e.total
	differ(r.R2, sum(e.least)/e.total, sum(e.most)/e.total, most)
	if !e.unclear {
		differ(r.R2Components, parts, parts, most)
	}
	if e.Ranges != nil {
		varying := 0
		for _, j := range e.counted {
			if e.p.a.At(j, j) > 0 {
				varying++
			}
		}
		share := min(1, float64(e.p.k)/float64(varying))
		noise := share + (1-share)*min(1, float64(e.p.k)/(e.Ranges.Weight-1))
		differ(r.Noise, noise, noise, shareTolerance)
	}
	for _, column := range r.Columns {
		j := slices.Index(names, column.Name)
		if j < 0 || (column.R2 == nil) != !(e.p.a.At(j, j) > 0) {
			return finding("R²", false, "column %q: it is not in the data, or varies there and not in the model", column.Name)
		}
		differ(column.R2, e.least[j]/e.p.a.At(j, j), e.most[j]/e.p.a.At(j, j), e.slack[j])
	}
	return finding("R²", worst <= 1, "%d shares differ from least squares by gonum's eigenvalues by at most %.2g of what rounding permits, %.2g", checked, worst, most)
}

// correlations holds the largest correlation of two chosen columns, and those with the nearest, to the data.
func (e *explained) correlations(r *Reconstruction, names []string) Finding {
	of := func(i, j int) float64 {
		return e.p.a.At(i, j) / math.Sqrt(e.p.a.At(i, i)) / math.Sqrt(e.p.a.At(j, j))
	}
	worst, most := 0.0, 0.0
	for q, i := range e.Support {
		for _, j := range e.Support[:q] {
			if c := math.Abs(of(i, j)); c > most { // not NaN
				most = c
			}
		}
	}
	if r.MaxCorrelation != nil {
		worst = math.Abs(*r.MaxCorrelation - most)
		if len(r.Pair) == 2 {
			i, j := slices.Index(names, r.Pair[0]), slices.Index(names, r.Pair[1])
			if i < 0 || j < 0 {
				return finding("correlations", false, "the data have no columns %q", r.Pair)
			}
			worst = max(worst, most-math.Abs(of(i, j)))
		}
	}
	for _, column := range r.Columns {
		if column.Correlation == nil {
			continue
		}
		i, j := slices.Index(names, column.Nearest), slices.Index(names, column.Name)
		if i < 0 || j < 0 {
			return finding("correlations", false, "the data have no column %q or %q", column.Nearest, column.Name)
		}
		worst = max(worst, math.Abs(*column.Correlation-of(i, j)))
		for _, other := range e.Support {
			if c := math.Abs(of(other, j)); c > math.Abs(of(i, j))+worst {
				worst = c - math.Abs(of(i, j))
			}
		}
	}
	slack := 1e-6 + slices.Max(e.slack) // they are told to six digits
	return finding("correlations", worst <= slack, "those of chosen columns, and with the nearest one, differ by at most %.2g", worst)
}

// decoder holds what rebuilds the columns from the components to the data, in shares of each column's deviation.
func (e *explained) decoder(names []string) Finding {
	if e.unclear {
		return unclear("decoder")
	}
	worst, root := 0.0, math.Sqrt(e.told(1))
	differ := func(j int, stated []float64, unit float64) {
		if !(e.p.a.At(j, j) > 0) {
			return
		}
		for t, v := range stated {
			score := math.Sqrt(e.scored[t] / e.p.a.At(j, j))
			worst = max(worst, math.Abs(v*unit-e.d.At(j, t))*score/e.slack[j])
		}
	}
	unit := 1.0
	if e.rebuilds {
		unit = 1 / root
	}
	for q, f := range e.Figures.Features {
		if len(f.D) == e.p.m && q < len(e.Support) && e.Figures.Options.Ridge == 0 {
			differ(e.Support[q], f.D, unit)
		}
	}
	if e.Figures.Decoder != nil && len(e.Figures.Decoder) != len(e.counted) {
		return finding("decoder", false, "it has %d columns, the data have %d that are not excluded", len(e.Figures.Decoder), len(e.counted))
	}
	for at, row := range e.Figures.Decoder {
		j := e.counted[at]
		if row.Name != names[j] || len(row.D) != e.p.m || (row.Mean != nil) != (e.Data.Mean != nil) || (row.Scale != nil) != (e.Data.Scale != nil) {
			return finding("decoder", false, "column %q is not that of the data, %q", row.Name, names[j])
		}
		differ(j, row.D, unit)
		worst = max(worst, e.off(e.p, j, row.Mean, row.Scale)/tolerance)
	}
	return finding("decoder", worst <= 1, "coefficients, means and scales of %d columns differ from those of the data by at most %.2g of what rounding permits", max(len(e.Figures.Decoder), len(e.Support)), worst)
}

// ledger holds the scores of all columns to what the components explain.
func (e *explained) ledger(names []string) Finding {
	if e.unclear {
		return unclear("ledger")
	}
	l, worst := e.Figures.Ledger, 0.0
	if !slices.Equal(l.Names, names) || len(l.Score) != len(names) {
		return finding("ledger", false, "it is of other columns than the data")
	}
	for j := range names { // 0 for what is excluded
		if v := e.p.a.At(j, j); v > 0 {
			worst = max(worst, math.Abs(l.Score[j]/e.told(1)-e.byParts[j])/v/e.slack[j])
		}
	}
	return finding("ledger", worst <= 1, "scores of %d columns differ from what the components explain of them by at most %.2g of what rounding permits", len(names), worst)
}

// spectrum holds the variances of dense PCA that are stated to gonum's eigenvalues.
func (e *explained) spectrum() ([]Finding, error) {
	scree, r := e.Figures.Scree, e.Figures.Reconstruction
	if scree == nil && (r == nil || r.PCA == nil) {
		return nil, nil
	}
	if len(e.counted) > decomposedOrder {
		return []Finding{{Claim: "spectrum", Verdict: NotShown, Detail: fmt.Sprintf("the spectrum of more columns than %d is not computed", decomposedOrder)}}, nil
	}
	values, err := e.decompose(e.p)
	if err != nil {
		return nil, err
	}
	worst, allowed := 0.0, spectrumTolerance+64*e.rough
	if len(values) > iteratedAbove {
		allowed = settled
	}
	var stated int
	if scree != nil {
		for i, v := range scree.Variances {
			if stated++; i < len(values) {
				worst = max(worst, math.Abs(v/e.told(1)-values[len(values)-1-i])/values[len(values)-1])
			}
		}
	}
	if r != nil && r.PCA != nil {
		stated++
		worst = max(worst, math.Abs(*r.PCA-min(1, largest(values, min(e.p.k, len(values)))/e.total)))
	}
	return []Finding{finding("spectrum", worst <= allowed, "%d figures of dense PCA differ from gonum's eigenvalues by at most %.2g of the largest", stated, worst)}, nil
}

// unclear is the finding of what depends on a component that has hardly any variance.
func unclear(claim string) Finding {
	return Finding{Claim: claim, Verdict: NotShown, Detail: "a component has so little variance that rounding decides whether it counts"}
}
