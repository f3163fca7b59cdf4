package selector

import (
	"math"

	"github.com/fspca/fspca/solver"
)

// Bound says how good the best permitted choice of k columns can be, and so how good the model's is.
type Bound struct {
	// Upper is a number that the objective of no permitted choice exceeds, rounding included. It
	// presumes, as solver.Solution.UpperBound does, that A is positive semidefinite.
	Upper float64

	// Gap is (Upper − Objective)/Objective: the share by which another choice can at most be better.
	Gap float64

	// Proved: no permitted choice is better, by more than 1e-10 of the objective and rounding.
	Proved bool

	// Source says what proves Upper; "" in a model from a file that does not say.
	Source solver.BoundSource
}

// Bound returns what is proved of the choice.
func (m *Model) Bound() Bound {
	b := Bound{Upper: m.bound, Proved: m.proved, Source: m.source}
	if rise := m.bound - m.objective; m.objective > 0 {
		b.Gap = max(0, rise/m.objective)
	} else if !m.proved {
		b.Gap = math.MaxFloat64
	}
	return b
}
