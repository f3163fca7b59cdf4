package selector

import (
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/solver"
)

// LedgerEntry says why a column was chosen or not.
type LedgerEntry struct {
	Name   string `json:"name"`
	Column int    `json:"column"` // its place among the numeric feature columns, from 0
	Chosen bool   `json:"chosen"`

	// Excluded says that Options.Exclude names the column. Score, Rank and Margin are then 0.
	Excluded bool `json:"excluded,omitempty"`

	// Unmeasured: Options.Unmeasured names it, so that it could not be chosen. Rank and Margin are then 0.
	Unmeasured bool `json:"unmeasured,omitempty"`

	// Score is the part of the column's variance that the components explain: its entry in the
	// diagonal of AW(WᵀAW)†WᵀA. Rank is the place of the score among all, from 1; ties go to the
	// first column. Margin of a chosen column is its score minus the highest score outside the
	// choice. Margin of another column is its score minus the lowest score in the choice. Exchanges
	// and search may choose against the scores, which look at one column at a time.
	Score  float64 `json:"score"`
	Rank   int     `json:"rank"`
	Margin float64 `json:"margin"`

	// Nearest is the chosen column with the largest |correlation| to a column that was not chosen and
	// varies. Correlation is that correlation, to four digits (around 0 with Options.Uncentered).
	Nearest     string  `json:"nearest,omitempty"`
	Correlation float64 `json:"correlation,omitempty"`

	// R2 is that of least squares on the chosen columns, for a column that was not chosen
	// (Reconstruction.Columns). It is nil for others, and if it was not computed.
	R2 *float64 `json:"r2,omitempty"`
}

// ledger is what a model keeps of all d columns; the rest of the entries follows from it.
type ledger struct {
	Names       []string  `json:"names"`
	Scores      []float64 `json:"score"`
	Nearest     []int     `json:"nearest"` // column; −1 for none
	Correlation []float64 `json:"correlation"`
}

// ledgerOf asks the solver for the ledger of m, also after ctx has ended.
func ledgerOf(ctx context.Context, t *table, m *Model) (*ledger, error) {
	_, exclude, err := m.options.lists(t.names)
	if err != nil {
		return nil, err
	}
	values := m.variances // of WᵀAW
	if m.options.reconstructs() {
		values = slices.Repeat([]float64{1}, len(values))
	}
	entries, err := solver.Ledger(context.WithoutCancel(ctx), t.a, &solver.Solution{Support: m.support, Loadings: m.loadings, Values: values}, exclude)
	if err != nil {
		return nil, err
	}
	l := &ledger{Names: t.names}
	for _, e := range entries {
		l.Scores = append(l.Scores, e.Score)
		l.Nearest = append(l.Nearest, e.Nearest)
		l.Correlation = append(l.Correlation, math.Round(1e4*e.Correlation)/1e4+0)
	}
	return l, nil
}

// Ledger returns an entry for each of the d columns, in their order; nil without Options.Ledger.
func (m *Model) Ledger() []LedgerEntry {
	l := m.ledger
	if l == nil {
		return nil
	}
	excluded, _ := pattern.Expand(m.options.Exclude, l.Names)
	unmeasured, _ := pattern.Expand(m.options.Unmeasured, l.Names)
	ranks := l.ranks(m.support, slices.Concat(excluded, unmeasured))
	told := m.told()
	entries := make([]LedgerEntry, len(l.Names))
	for j, name := range l.Names {
		r, e := ranks[j], &entries[j]
		if slices.Contains(excluded, j) {
			*e = LedgerEntry{Name: name, Column: j, Excluded: true}
			continue
		}
		*e = LedgerEntry{Name: name, Column: j, Chosen: r.Chosen, Score: r.Score, Rank: r.Rank, Margin: r.Margin, Correlation: l.Correlation[j], R2: told[name]}
		e.Unmeasured = slices.Contains(unmeasured, j)
		if i := l.Nearest[j]; i >= 0 {
			e.Nearest = l.Names[i]
		}
	}
	return entries
}

// ranks returns the columns as they are ranked.
func (l *ledger) ranks(support, excluded []int) []solver.Entry {
	ranks := lists.Make(len(l.Names), func(j int) solver.Entry {
		return solver.Entry{Score: l.Scores[j], Excluded: slices.Contains(excluded, j)}
	})
	for _, j := range support {
		ranks[j].Chosen = true
	}
	solver.Rank(ranks)
	return ranks
}

// told returns R² of each column, by its name.
func (m *Model) told() map[string]*float64 {
	told := map[string]*float64{}
	if m.figures != nil {
		for _, c := range m.figures.Columns {
			told[c.Name] = copied(c.R2)
		}
	}
	return told
}

// checkLedger reports what is wrong with a ledger that was read.
func (m *Model) checkLedger(bad func(string, ...any)) {
	l := m.ledger
	if l == nil {
		return
	}
	for _, list := range []struct {
		name   string
		length int
	}{{"names", len(l.Names)}, {"score", len(l.Scores)}, {"nearest", len(l.Nearest)}, {"correlation", len(l.Correlation)}} {
		if list.length != m.columns {
			bad("the field %q has %d elements, want data.columns = %d", "ledger."+list.name, list.length, m.columns)
			return
		}
	}
	for i, j := range m.support {
		if j >= 0 && j < m.columns && l.Names[j] != m.features[i] {
			bad("the field \"ledger.names[%d]\" is %q, want the name of the chosen column, %q", j, l.Names[j], m.features[i])
		}
	}
	for j, i := range l.Nearest {
		if i != -1 && !slices.Contains(m.support, i) {
			bad("the field \"ledger.nearest[%d]\" is %d, want the place of a chosen column, or -1", j, i)
		}
		if r := l.Correlation[j]; r < -1 || r > 1 {
			bad("the field \"ledger.correlation[%d]\" is %v, want a number from -1 to 1", j, r)
		}
	}
}
