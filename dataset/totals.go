package dataset

import (
	"fmt"
	"math"
	"slices"
)

// totalsRow finds a last or first row that holds the sums or the means of all others. They may be
// rounded to three digits or more.
func totalsRow(f *Frame) string {
	if f.rows < fewRows {
		return ""
	}
	last := f.rows - 1
	if name := f.summaryName(last); name != "" {
		return f.calledTotals(last, name)
	}
	if f.x == nil || f.x.IsEmpty() {
		return ""
	}
	for _, at := range []int{last, 0} {
		if what := f.sumsUp(at); what != "" {
			return f.holdsTotals(at, what)
		}
	}
	return ""
}

// calledTotals says that a row is called as one that sums up the others.
func (f *Frame) calledTotals(at int, name string) string {
	return fmt.Sprintf("%s is called %q, like a row that sums up the others: leave it out (%s)", f.RowPlace(at), name, f.withoutRow(at))
}

// holdsTotals says that a row holds the sums or the means, which what says, of the others.
func (f *Frame) holdsTotals(at int, what string) string {
	return fmt.Sprintf("%s holds the %s of all other rows in every column: leave it out (%s)", f.RowPlace(at), what, f.withoutRow(at))
}

// withoutRow says how the first or the last row is left out.
func (f *Frame) withoutRow(at int) string {
	if at == f.rows-1 && f.src.lines != nil {
		return "option skip_footer: 1, or delete it"
	}
	return "remove it from the file"
}

// summaryName returns what a row is called in a column of text, "" unless it alone is called as a sum
// or a mean is.
func (f *Frame) summaryName(at int) string {
	called := func(c *Factor) bool {
		return c != nil && c.Numbers == nil && c.level(at) >= 0 && isCalled(c.Text(at), totals) && slices.Index(c.Codes, c.Codes[at]) == at
	}
	if called(f.class) {
		return f.class.Text(at)
	}
	for _, c := range f.cols {
		if called(c.Factor) {
			return c.Factor.Text(at)
		}
	}
	if f.ids != nil && isCalled(f.ids[at], totals) && slices.Index(f.ids, f.ids[at]) == at {
		return f.ids[at]
	}
	return ""
}

// sumsUp says what a row is of the others: "sums", "means" or "".
func (f *Frame) sumsUp(at int) string {
	_, p := f.x.Dims()
	sums, means := 0, 0 // columns that speak for each
	largest := false    // a sum is larger than all that it is of
	maySum, mayMean := true, true
	for j := range p {
		c := f.others(at, j)
		v := f.x.At(at, j)
		if v != v || c.low == c.high { // missing, or it says nothing
			continue
		}
		n := float64(f.rows - 1)
		if maySum = maySum && math.Abs(v-c.sum) <= 2e-3*c.size/n; maySum {
			sums++
			largest = largest || math.Abs(v) > max(math.Abs(c.low), math.Abs(c.high))
		}
		if mayMean = mayMean && math.Abs(v-c.sum/n) <= 1e-3*(c.high-c.low); mayMean {
			means++
		}
		if !maySum && !mayMean {
			return ""
		}
	}
	switch {
	case maySum && sums >= 2 && largest:
		return "sums"
	case mayMean && means >= 3:
		return "means"
	}
	return ""
}

// columnTotals are figures of a column without one row.
type columnTotals struct{ sum, size, low, high float64 }

func (f *Frame) others(at, j int) columnTotals {
	c := columnTotals{low: math.Inf(1), high: math.Inf(-1)}
	for i := range f.rows {
		v := f.x.At(i, j)
		if i == at || v != v {
			continue
		}
		c.sum += v
		c.size += math.Abs(v)
		c.low, c.high = min(c.low, v), max(c.high, v)
	}
	return c
}
