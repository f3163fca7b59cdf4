package experiment

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/fspca/fspca/internal/lists"
)

// The values of SEMethod: how a standard error was computed.
const (
	// Binomial treats the rows of one test set as independent draws; a share of
	// them is right.
	Binomial = "binomial"
	// IndependentRows does the same for predicted numbers, from the deviation of
	// each row's contribution to the figure.
	IndependentRows = "independent_rows"
	// NadeauBengio corrects for the training rows that folds share: the variance of
	// the mean of J folds is (1/J + n_test/n_train) times their sample variance
	// (Nadeau and Bengio, Inference for the generalization error, 2003).
	NadeauBengio = "nadeau_bengio"
)

// The values of Difference.Test: how two pipelines were compared.
const (
	// McNemar is the exact two-sided test on the rows that only one of the two predicts right.
	McNemar = "mcnemar"
	// CorrectedT is Student's test on the differences of the folds, with the variance
	// of NadeauBengio and J − 1 degrees of freedom.
	CorrectedT = "corrected_t"
	// PairedT is Student's test on the differences of the rows of one test set.
	PairedT = "paired_t"
)

// scores are one number for each row of each test part. Their mean is a figure, such
// as the accuracy where the number is 1 for a right prediction and else 0.
type scores [][]float64

// mean is that of all rows.
func (z scores) mean() float64 {
	return mean(slices.Concat(z...))
}

// each makes scores of the same parts and rows: f of the row at place j of part i.
func (z scores) each(f func(i, j int) float64) scores {
	return lists.Make(len(z), func(i int) []float64 {
		return lists.Make(len(z[i]), func(j int) float64 { return f(i, j) })
	})
}

// minus is the difference row by row.
func (z scores) minus(other scores) scores {
	return z.each(func(i, j int) float64 { return z[i][j] - other[i][j] })
}

// standardError is that of the mean. A hold-out divides the variance of the rows by
// their number: for shares the binomial p(1−p)/n, for other numbers that of the
// sample. Several parts have that of NadeauBengio.
func (z scores) standardError(splits []Split, shares bool) float64 {
	if len(z) == 1 {
		n := float64(len(z[0]))
		if shares {
			m, sum := mean(z[0]), 0.0
			for _, v := range z[0] {
				sum += (v - m) * (v - m)
			}
			return math.Sqrt(sum) / n
		}
		if n < 2 {
			return 0
		}
		return deviation(z[0]) / math.Sqrt(n)
	}
	return foldError(lists.Map(z, mean), splits)
}

// foldError is the standard error of the mean of one figure for each split.
func foldError(figures []float64, splits []Split) float64 {
	ratio := 0.0
	for _, s := range splits {
		ratio += float64(len(s.Test)) / float64(len(s.Train)) / float64(len(splits))
	}
	return math.Sqrt(1/float64(len(figures))+ratio) * deviation(figures)
}

// seMethod is how standardError finds it.
func seMethod(splits []Split, numbers bool) string {
	switch {
	case len(splits) > 1:
		return NadeauBengio
	case numbers:
		return IndependentRows
	}
	return Binomial
}

// Difference is how much better the pipeline is than the same one on all columns, on
// the same rows.
type Difference struct {
	Accuracy *float64 `json:"accuracy,omitempty"` // metrics less all_columns
	R2       *float64 `json:"r2,omitempty"`       // likewise, where numbers are predicted
	SE       float64  `json:"se"`                 // standard error, of the differences of rows or folds
	// P is the two-sided p-value: the probability of such a difference, or a larger
	// one, if both pipelines predict equally well. It is nil if all folds differ by
	// the same, so that the deviation is unknown.
	P    *float64 `json:"p"`
	Test string   `json:"test"` // McNemar, CorrectedT or PairedT
}

// difference compares the scores of two pipelines on the same rows. Shares are
// compared by the rows that one alone has right.
func difference(a, b scores, splits []Split, shares bool) *Difference {
	d := a.minus(b)
	out := &Difference{SE: d.standardError(splits, shares)}
	m := d.mean()
	if shares {
		out.Accuracy = &m
	} else {
		out.R2 = &m
	}
	p, known := 0.0, true
	switch {
	case len(d) > 1:
		out.Test = CorrectedT
		p, known = studentP(m, out.SE, len(d)-1)
	case shares:
		out.Test = McNemar
		p = mcnemarP(d[0])
	default:
		out.Test = PairedT
		p, known = studentP(m, out.SE, len(d[0])-1)
	}
	if known {
		out.P = &p
	}
	return out
}

// studentP is the two-sided P of a mean with its standard error.
func studentP(mean, se float64, freedom int) (p float64, known bool) {
	switch {
	case mean == 0:
		return 1, true
	case se == 0 || freedom < 1:
		return 0, false
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}
	return 2 * t.CDF(-math.Abs(mean/se)), true
}

// mcnemarP is the exact two-sided P of the rows that one alone has right: 2·P(X ≤
// min(b, c)) for a binomial X of b + c draws, at most 1.
func mcnemarP(differences []float64) float64 {
	b := lists.Count(differences, func(d float64) bool { return d > 0 })
	c := lists.Count(differences, func(d float64) bool { return d < 0 })
	if b == c {
		return 1
	}
	x := distuv.Binomial{N: float64(b + c), P: 0.5}
	return min(1, 2*x.CDF(float64(min(b, c))))
}
