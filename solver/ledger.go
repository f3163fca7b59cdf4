package solver

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// Entry says why a column is in or out.
type Entry struct {
	Column int  // its index
	Chosen bool // whether it is in the support

	// Excluded says that the column could not be chosen. Score, Rank and Margin are then 0.
	Excluded bool

	// Score is the column's entry in the diagonal of the proxy AW(WᵀAW)†WᵀA at the
	// solution: the part of its variance that the components explain. Rank is the
	// column's place by Score among those that are not excluded, from 1; ties go
	// to the lower index.
	Score float64
	Rank  int

	// Margin of a chosen column is its Score minus the highest score outside the
	// support. Margin of another column is its Score minus the lowest score in the
	// support. After IPU it is ≥ 0 inside and ≤ 0 outside. After exchanges or
	// exact search a chosen column may have the lower score. It is 0 if all
	// columns are chosen.
	Margin float64

	// Nearest is the chosen column with the largest |correlation| to a column that
	// is not chosen. Correlation is that correlation: about the mean, or about 0
	// if the covariance is not centred. Nearest is −1 for a chosen column, an
	// excluded one, and one that does not vary.
	Nearest     int
	Correlation float64
}

// ledgerColumns is the number of chosen columns whose products with A are
// held at a time.
const ledgerColumns = 64

// Ledger returns an entry for every column, in order, for a solution that was found with these columns
// excluded. Its cost is a product of A with the k unit vectors of the support, some at a time.
func Ledger(ctx context.Context, a Covariance, s *Solution, exclude []int) ([]Entry, error) {
	d := subspace.Order(a)
	if err := cmp.Or(s.fits(d), ctx.Err()); err != nil {
		return nil, err
	}
	k := len(s.Support)
	c, err := newChoice(d, k, nil, exclude)
	switch {
	case err != nil:
		return nil, err
	case !c.permits(s.Support):
		return nil, fmt.Errorf("the solution has an excluded column: its support is %v, excluded are %v", s.Support, exclude)
	}
	f, err := newFrame(ctx, a, Params{Exclude: exclude})
	if err != nil {
		return nil, err
	}
	entries, err := f.ledger(ctx, &embedding{support: f.places(s.Support), values: times(s.Values, 1/f.unit), vectors: s.Loadings})
	if err != nil || f.index == nil {
		return entries, err
	}
	all := lists.Make(d, func(j int) Entry { return Entry{Column: j, Excluded: true, Nearest: -1} })
	for p, j := range f.index {
		e := entries[p]
		if e.Column = j; e.Nearest >= 0 {
			e.Nearest = f.index[e.Nearest]
		}
		all[j] = e
	}
	return all, nil
}

// ledger is Ledger for the columns of the frame.
func (f *frame) ledger(ctx context.Context, e *embedding) ([]Entry, error) {
	r := &run{a: f.a, at: ascenderOf(f.a), c: &choice{k: len(e.support)}, m: len(e.values), best: e}
	scores, _, err := r.scores(ctx)
	if err != nil {
		return nil, err
	}
	entries := lists.Make(len(scores), func(j int) Entry { return Entry{Column: j, Score: scores[j] * f.unit, Nearest: -1} })
	for _, j := range e.support {
		entries[j].Chosen = true
	}
	Rank(entries)
	return entries, correlate(ctx, f.a, e.support, entries)
}

// Rank computes Rank and Margin of the entries that are not Excluded, from
// Score and Chosen. Of scores that are equal but for rounding the earlier entry ranks first.
func Rank(entries []Entry) {
	order := make([]int, 0, len(entries))
	inside, outside := math.Inf(1), math.Inf(-1)
	for j, e := range entries {
		switch {
		case e.Excluded:
			continue
		case e.Chosen:
			inside = min(inside, e.Score)
		default:
			outside = max(outside, e.Score)
		}
		order = append(order, j)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(entries[j].Score, entries[i].Score) })
	for start := 0; start < len(order); {
		first := entries[order[start]].Score
		end := start + 1
		for end < len(order) && subspace.Compare(first, entries[order[end]].Score) == 0 {
			end++
		}
		slices.Sort(order[start:end])
		start = end
	}
	for rank, j := range order {
		e := &entries[j]
		e.Rank = rank + 1
		switch {
		case !e.Chosen:
			e.Margin = e.Score - inside
		case !math.IsInf(outside, -1):
			e.Margin = e.Score - outside
		}
	}
}

// correlate fills in the strongest correlation of each unchosen column with
// a chosen one, of equals the lower index.
func correlate(ctx context.Context, a Covariance, support []int, entries []Entry) error {
	d, diag := a.Order(), a.Diag()
	for start := 0; start < len(support); start += ledgerColumns {
		part := support[start:min(len(support), start+ledgerColumns)]
		c := len(part)
		v, columns := mat.NewDense(c, c, nil), mat.NewDense(d, c, nil)
		for p := range part {
			v.Set(p, p, 1)
		}
		if err := a.MulRows(ctx, columns, part, v); err != nil {
			return err
		}
		for j := range entries {
			e := &entries[j]
			if e.Chosen || diag[j] <= 0 {
				continue
			}
			for p, covariance := range columns.RawRowView(j) {
				if diag[part[p]] <= 0 {
					continue
				}
				r := covariance / math.Sqrt(diag[j]) / math.Sqrt(diag[part[p]])
				if e.Nearest < 0 || math.Abs(r) > math.Abs(e.Correlation) {
					e.Nearest, e.Correlation = part[p], max(-1, min(1, r))
				}
			}
		}
	}
	return nil
}
