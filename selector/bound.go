package selector

import (
	"math"
	"strconv"

	"github.com/fspca/fspca/solver"
)

// Bound is an upper bound on the best permitted choice of k columns. In the zero value no bound was
// asked for.
type Bound struct {
	// Upper is at least the objective of every permitted choice, rounding included. Like
	// solver.Solution.UpperBound it presumes that A is positive semidefinite.
	Upper float64

	// Gap is (Upper − Objective)/Objective: the share by which another choice can at most be better.
	Gap float64

	// Proved says that no permitted choice is better by more than 1e-10 of the objective: Gap is at most 1e-10.
	Proved bool

	// Source says what proves Upper; "" in a model from a file that does not say.
	Source solver.BoundSource
}

// String returns the gap, rounded up, as a clause such as "the best choice explains at most 4.8 % more".
func (b Bound) String() string {
	if b == (Bound{}) {
		return "no bound was asked for"
	}
	if b.Proved {
		return "no choice explains more: proved"
	}
	return "the best choice explains at most " + b.More()
}

// More returns the gap, rounded up, such as "4.8 % more".
func (b Bound) More() string { return roundedUp(100*b.Gap) + " % more" }

// roundedUp writes x ≥ 0 with two digits, or those before the point if they are more. It says no
// less than x. What is smaller than anybody wants to know is 0.0001.
func roundedUp(x float64) string {
	const least = 1e-4
	if x > 0 && x < least {
		return "0.0001"
	}
	if x >= 10 || x <= 0 {
		return strconv.FormatFloat(math.Ceil(x), 'f', 0, 64)
	}
	text := strconv.FormatFloat(x, 'g', 2, 64)
	if v, _ := strconv.ParseFloat(text, 64); v < x {
		unit := math.Pow(10, math.Floor(math.Log10(x))-1)
		text = strconv.FormatFloat(v+unit, 'g', 2, 64)
	}
	return text
}

// Bound returns the upper bound on the best permitted choice.
func (m *Model) Bound() Bound {
	if m.options.unbounded() {
		return Bound{}
	}
	b := Bound{Upper: m.bound, Proved: m.proved, Source: m.source}
	if rise := m.bound - m.objective; m.objective > 0 {
		b.Gap = max(0, rise/m.objective)
	} else if !m.proved {
		b.Gap = math.MaxFloat64
	}
	return b
}
