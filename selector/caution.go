package selector

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/words"
)

// dominant is the share of the variance from which one column is the whole choice.
const dominant = 0.99

// nothing is the variance of a component, relative to that of the first, up to which it is rounding.
const nothing = 1e-12

// tiedVariances is the relative difference up to which variances are the same.
const tiedVariances = 1e-9

// Mistakes returns warnings of probable mistakes in the data or options of the fit; nil for a model
// from a file. docs/warnings.md lists their codes.
func (m *Model) Mistakes() []dataset.Warning { return slices.Clone(m.mistakes) }

// mistakesIn looks for what surely is a mistake in a choice.
func (o Options) mistakesIn(t *table, m *Model) []dataset.Warning {
	var all []dataset.Warning
	diagonal := t.a.Diag()
	varying := slices.DeleteFunc(slices.Clone(diagonal), func(v float64) bool { return v <= 0 })
	if len(varying) < 2 {
		return nil
	}
	at := floats.MaxIdx(diagonal)
	if total := floats.Sum(diagonal); !o.Standardize && diagonal[at] >= dominant*total {
		all = append(all, dataset.Warning{Code: "W106", Name: "dominant-column",
			Text: fmt.Sprintf("the column %q has %.4g%% of the variance of all %d columns, so that it alone decides: standardise the columns (--standardize, or a standardize step) unless all are in one unit", t.names[at], 100*diagonal[at]/total, len(t.names))})
	}
	components := len(m.variances)
	descending := slices.Clone(m.variances) // those of an aligned model need not be
	slices.SortFunc(descending, func(a, b float64) int { return cmp.Compare(b, a) })
	if rank := slices.IndexFunc(descending, func(v float64) bool { return v <= nothing*descending[0] }); rank > 0 {
		all = append(all, dataset.Warning{Code: "W108", Name: "above-rank",
			Text: fmt.Sprintf("%d of the %d components %s no variance: the chosen columns have rank %d, so ask for at most as many components", components-rank, components, words.Of(components-rank, "has", "have"), rank)})
	}
	low, high := floats.Min(varying), floats.Max(varying)
	if len(m.support) == components && components < len(varying) && !o.reconstructs() && high-low <= tiedVariances*high {
		all = append(all, dataset.Warning{Code: "W110", Name: "all-tied",
			Text: fmt.Sprintf("every choice of %s explains the same, since k = m and all columns have the same variance: the first ones were taken; ask for fewer components than columns", words.Count(components, "column"))})
	}
	return all
}

// MistakesOn returns warnings of probable mistakes in projecting these rows: rows that are not
// centred, with a model of a covariance, which has no mean.
func (m *Model) MistakesOn(f *dataset.Frame) []dataset.Warning {
	if f == nil {
		return nil
	}
	found, _ := m.MistakesIn(func(use func(*dataset.Frame) error) error { return use(f) })
	return found
}

// MistakesIn is MistakesOn for rows in several tables. Each calls use with one table after another; the
// model may ask for that twice. The error is that of each.
func (m *Model) MistakesIn(each func(use func(*dataset.Frame) error) error) ([]dataset.Warning, error) {
	if err := m.fitted(); err != nil {
		return nil, err
	}
	if m.rows > 0 || m.mean != nil || m.options.Uncentered || each == nil {
		return nil, nil
	}
	k := len(m.features)
	mean, squares, n := make([]float64, k), make([]float64, k), 0.0
	known, err := m.eachRow(each, func(row []float64) {
		n++
		for j, v := range row {
			mean[j] += v
		}
	})
	if err != nil || !known || n < 2 {
		return nil, err
	}
	for j := range mean {
		mean[j] /= n
	}
	_, err = m.eachRow(each, func(row []float64) {
		for j, v := range row {
			squares[j] += (v - mean[j]) * (v - mean[j])
		}
	})
	if err != nil {
		return nil, err
	}
	return m.offCentred(mean, squares, n), nil
}

// eachRow calls add with the chosen columns of each row, and reports whether they were all there, as numbers.
func (m *Model) eachRow(each func(use func(*dataset.Frame) error) error, add func(row []float64)) (known bool, err error) {
	known = true
	err = each(func(f *dataset.Frame) error {
		x, err := f.Pick(m.features)
		if err != nil || x.Numeric() == nil || len(x.NumericNames()) != len(m.features) {
			known = false // which the projection reports
			return nil
		}
		for i := range f.Rows() {
			add(x.Numeric().RawRowView(i))
		}
		return nil
	})
	return known, err
}

// offCentred warns of the first column whose mean is farther from 0 than chance would have it.
func (m *Model) offCentred(mean, squares []float64, n float64) []dataset.Warning {
	for j, name := range m.features {
		if deviation := math.Sqrt(squares[j] / (n - 1)); math.Abs(mean[j])*math.Sqrt(n) > offCentre*deviation {
			return []dataset.Warning{{Code: "W109", Name: "uncentred-rows",
				Text: fmt.Sprintf("the model was fitted on a covariance and has no means, but the mean of the column %q is %.4g: subtract the means of the data that the covariance was computed from", name, mean[j])}}
		}
	}
	return nil
}

// offCentre is how many standard errors a mean is from 0 where it is no chance.
const offCentre = 5
