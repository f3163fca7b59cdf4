package reproduce

import (
	"math"
	"strconv"
)

// moments are the mean and the standard deviation (divisor n − 1) of n
// numbers.
type moments struct {
	n        int
	mean, sd float64
}

func momentsOf(values []float64) moments {
	m := moments{n: len(values)}
	for _, v := range values {
		m.mean += v
	}
	m.mean /= float64(m.n)
	var sum float64
	for _, v := range values {
		sum += (v - m.mean) * (v - m.mean)
	}
	if m.n > 1 {
		m.sd = math.Sqrt(sum / float64(m.n-1))
	}
	return m
}

// paperRuns is the number of realisations behind the paper's figures, and
// paperRounding half a unit of their last digit.
const (
	paperRuns     = 100
	paperRounding = 0.005
)

// deviation returns by how many standard errors of the difference a mean is
// from the paper's, of which rounding may explain up to paperRounding. The
// variance is pooled, so that few realisations do not pretend to know it.
func deviation(ours moments, paper, paperSD float64) float64 {
	paperSD += paperRounding
	n := float64(ours.n)
	pooled := ((n-1)*ours.sd*ours.sd + (paperRuns-1)*paperSD*paperSD) / (n + paperRuns - 2)
	return excess(ours.mean, paper, math.Sqrt(pooled*(1/n+1.0/paperRuns)))
}

// shareDeviation is deviation for shares, whose standard error follows from
// the pooled share.
func shareDeviation(ours float64, n int, paper float64) float64 {
	pooled := (float64(n)*ours + paperRuns*paper) / float64(n+paperRuns)
	se := math.Sqrt(pooled * (1 - pooled) * (1/float64(n) + 1.0/paperRuns))
	return excess(ours, paper, se)
}

func excess(ours, paper, se float64) float64 {
	rest := math.Max(math.Abs(ours-paper)-paperRounding-1e-12, 0)
	switch {
	case rest == 0:
		return 0
	case se == 0:
		return math.Inf(1)
	}
	return rest / se
}

// exactly formats a number for a program: the shortest text that reads back
// as the same number.
func exactly(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// fixed formats a number for a reader.
func fixed(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if zero := strconv.FormatFloat(0, 'f', digits, 64); s == "-"+zero {
		return zero
	}
	return s
}
