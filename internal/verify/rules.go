package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Rules say which columns may stand together.
type Rules struct {
	MaxCorrelation float64 `json:"max_correlation,omitempty"` // of two chosen ones; 0: any
	Groups         []Group `json:"groups,omitempty"`

	// Cost, if not nil, is that of each column, and Budget the most that the chosen
	// ones cost together. They may then be fewer than k.
	Cost   []float64 `json:"cost,omitempty"`
	Budget float64   `json:"budget,omitempty"`
}

// Group is a set of columns of which at most Most are chosen.
type Group struct {
	Columns []int `json:"columns"`
	Most    int   `json:"most"`
}

// chosen counts those of the columns that are in the group.
func (g Group) chosen(columns []int) (count int) {
	for _, j := range columns {
		if slices.Contains(g.Columns, j) {
			count++
		}
	}
	return count
}

// none reports whether everything may stand together.
func (r *Rules) none() bool {
	return r == nil || r.MaxCorrelation == 0 && len(r.Groups) == 0 && r.Cost == nil
}

// check returns what a proof under these rules lacks.
func (r *Rules) check(order int) error {
	if r == nil {
		return nil
	}
	if r.Cost != nil || r.Budget != 0 {
		return errors.New("a choice within a budget may have fewer columns: there are no certificates for it")
	}
	for i, g := range r.Groups {
		for _, j := range g.Columns {
			if j < 0 || j >= order {
				return fmt.Errorf("group %d holds the column %d of %d", i+1, j, order)
			}
		}
	}
	return nil
}

// correlationRoom is what rounding may add to a correlation at its limit.
const correlationRoom = 1e-9

// apart reports whether two columns are too much alike to stand together for certain:
// what is cut off as forbidden must be.
func (r *Rules) apart(p *problem, i, j int, room float64) bool {
	return r.MaxCorrelation != 0 && math.Abs(p.a.At(i, j)) > (r.MaxCorrelation+room)*math.Sqrt(p.a.At(i, i)*p.a.At(j, j))
}

// narrow drops the free columns that may not stand beside the chosen ones. Ok is false
// where these, or all that are left, may not stand together themselves.
func (r *Rules) narrow(p *problem, s part) (narrowed part, ok bool) {
	if r.none() {
		return s, true
	}
	barred := map[int]bool{}
	for _, g := range r.Groups {
		chosen := g.chosen(s.in)
		if chosen > g.Most {
			return s, false
		}
		for _, j := range g.Columns {
			barred[j] = barred[j] || chosen == g.Most
		}
	}
	for a, i := range s.in {
		for _, j := range s.in[:a] {
			if r.apart(p, i, j, correlationRoom) {
				return s, false
			}
		}
	}
	narrowed = part{in: s.in}
	for _, j := range s.free {
		if !barred[j] && !slices.ContainsFunc(s.in, func(i int) bool { return r.apart(p, i, j, correlationRoom) }) {
			narrowed.free = append(narrowed.free, j)
		}
	}
	if q := p.open(s); q > 0 && q == len(narrowed.free) {
		_, ok = r.narrow(p, part{in: slices.Concat(s.in, narrowed.free)})
		return narrowed, ok
	}
	return narrowed, true
}

// finding holds a support to the rules.
func (r *Rules) finding(p *problem, support []int, names []string) Finding {
	var said []string
	ok := true
	say := func(holds bool, format string, args ...any) {
		ok = ok && holds
		said = append(said, fmt.Sprintf(format, args...))
	}
	if r.MaxCorrelation != 0 {
		worst, x, y := 0.0, -1, -1
		for a, i := range support {
			for _, j := range support[:a] {
				if c := math.Abs(p.a.At(i, j)) / math.Sqrt(p.a.At(i, i)*p.a.At(j, j)); c > worst {
					worst, x, y = c, j, i
				}
			}
		}
		if x >= 0 {
			say(worst <= r.MaxCorrelation+correlationRoom, "the largest |r| is %.6g, of %q and %q, at most %v permitted", worst, names[x], names[y], r.MaxCorrelation)
		}
	}
	for i, g := range r.Groups {
		chosen := g.chosen(support)
		say(chosen <= g.Most, "%d of group %d, at most %d permitted", chosen, i+1, g.Most)
	}
	if r.Cost != nil {
		var spent float64
		for _, j := range support {
			spent += r.Cost[j]
		}
		say(spent <= r.Budget*(1+1e-12), "the cost is %.6g, at most %v permitted", spent, r.Budget)
	}
	return finding("limits", ok, "%s", strings.Join(said, "; "))
}
