package chart

import (
	"math"
	"strconv"
	"strings"
)

// axis maps numbers to places.
type axis struct {
	lo, hi   float64 // in data units, or their logarithms
	from, to float64 // in view-box units
	log      bool
	ticks    []float64
}

func (a axis) at(v float64) float64 {
	if a.log {
		v = math.Log10(v)
	}
	return a.from + (v-a.lo)/(a.hi-a.lo)*(a.to-a.from)
}

// newAxis spans the values with some air and places about n ticks.
func newAxis(values []float64, log bool, from, to float64, n int) axis {
	a := axis{lo: math.Inf(1), hi: math.Inf(-1), from: from, to: to, log: log}
	for _, v := range values {
		if log {
			v = math.Log10(v)
		}
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			a.lo, a.hi = min(a.lo, v), max(a.hi, v)
		}
	}
	if math.IsInf(a.lo, 0) {
		a.lo, a.hi = 0, 1
	}
	air := 0.04 * (a.hi - a.lo)
	if most := max(math.Abs(a.lo), math.Abs(a.hi)); a.hi-a.lo <= rounding*most {
		air = max(0.05*most, 1e-9)
	}
	a.lo, a.hi = a.lo-air, a.hi+air
	if log {
		a.ticks = logTicks(a.lo, a.hi)
	} else {
		a.ticks = linearTicks(a.lo, a.hi, n)
	}
	return a
}

// rounding is the share of numbers below which their differences are those of rounding. No steps fit between
// them: a multiple of a step would be the same number as the next one.
const rounding = 1e-12

// linearTicks returns multiples of 1, 2 or 5 times a power of ten: of these steps the one that
// gives a number of ticks nearest to n.
func linearTicks(lo, hi float64, n int) []float64 {
	power := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(n))))
	step, off := power, math.MaxInt
	for _, f := range []float64{1, 2, 5, 10} {
		count := int(math.Floor(hi/(f*power))) - int(math.Ceil(lo/(f*power))) + 1
		if d := max(count-n, n-count); d < off {
			step, off = f*power, d
		}
	}
	var ticks []float64
	for i := math.Ceil(lo / step); i*step <= hi; i++ {
		ticks = append(ticks, i*step+0) // −0 becomes 0
	}
	return ticks
}

// logTicks returns 1, 2 and 5 times powers of ten, or the powers alone where
// they are many.
func logTicks(lo, hi float64) []float64 {
	factors := []float64{1, 2, 5}
	if hi-lo > 2.5 {
		factors = factors[:1]
	}
	var ticks []float64
	for e := math.Floor(lo); e <= hi; e++ {
		for _, f := range factors {
			if v := f * math.Pow(10, e); math.Log10(v) >= lo && math.Log10(v) <= hi {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// tickLabel writes a tick without noise digits.
func tickLabel(v float64) string {
	s := strconv.FormatFloat(v, 'g', 6, 64)
	if f, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(f) >= 1e4 && math.Abs(f) < 1e7 {
		return grouped(f)
	}
	return strings.Replace(s, "-", "−", 1)
}

// grouped writes a whole number with thin spaces between thousands.
func grouped(v float64) string {
	s := strconv.FormatFloat(v, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u2009" + s[i:]
	}
	return s
}
