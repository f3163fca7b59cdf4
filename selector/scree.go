package selector

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// Scree holds the variances of dense PCA on all columns but those of Options.Exclude. With parallel
// analysis (Horn, 1965) it also holds the level that shuffled data reach.
type Scree struct {
	// Variances are those of the leading components, descending: at most 20, and fewer where the table
	// has fewer columns, or n ≤ 20 rows. Over Model.TotalVariance they are shares.
	Variances []float64 `json:"variances"`

	// Shuffled is the 95th percentile of each variance over tables with shuffled columns. It is nil
	// without parallel analysis.
	Shuffled []float64 `json:"shuffled,omitempty"`

	// Components is how many of the first variances are above Shuffled, at least 1; 0 without parallel
	// analysis.
	Components int `json:"components,omitempty"`
}

func newScree(r *solver.ParallelResult) *Scree {
	s := &Scree{Variances: slices.Clone(r.Observed), Shuffled: r.Threshold, Components: r.Components}
	for i, v := range s.Variances {
		s.Variances[i] = max(0, v) // rounding leaves others a little below
	}
	return s
}

// Scree returns the variances of dense PCA that the fit computed: with Options.ParallelAnalysis, and
// with Options.Reconstruction if they cost no more than the fit. Otherwise, and in a model from an
// older file, it is nil.
func (m *Model) Scree() *Scree {
	if m.scree == nil {
		return nil
	}
	s := *m.scree
	s.Variances, s.Shuffled = slices.Clone(s.Variances), slices.Clone(s.Shuffled)
	return &s
}

// ParallelAnalysis compares the variances of dense PCA on f, the rows that the model was fitted to,
// with those of shuffled tables. The rows are centred, scaled and weighted as in the fit. Tables is
// how many tables are shuffled; 0 means 50. Each takes about as long as a fit.
//
// Errors: those of a fit to f, and the context's.
func (m *Model) ParallelAnalysis(ctx context.Context, f *dataset.Frame, tables int) (*Scree, error) {
	if err := m.fitted(); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errors.New("fspca: parallel analysis needs the rows of the fit")
	}
	s := New(m.options)
	t, err := s.openFrame(f)
	if err != nil {
		return nil, err
	}
	_, exclude, err := s.lists(t.names)
	if err != nil {
		return nil, err
	}
	r, err := solver.ParallelAnalysis(ctx, t.x, t.opt, solver.ParallelParams{Seed: s.Seed, Exclude: exclude, Replicates: tables})
	if err != nil {
		return nil, fmt.Errorf("fspca: parallel analysis: %w", err)
	}
	return newScree(r), nil
}

// checkScree reports what is wrong with a scree that was read.
func (m *Model) checkScree(bad func(string, ...any)) {
	s := m.scree
	if s == nil {
		return
	}
	n := len(s.Variances)
	if n == 0 || n > m.columns {
		bad("the field \"scree.variances\" has %d numbers, want 1 to data.columns = %d", n, m.columns)
		return
	}
	for i, v := range s.Variances {
		if !(v >= 0) || i > 0 && v > s.Variances[i-1] {
			bad("the field \"scree.variances\" holds %v at place %d, want numbers from 0 that descend", v, i)
		}
	}
	if s.Shuffled == nil {
		n = 0
	}
	if len(s.Shuffled) != n || s.Components < min(n, 1) || s.Components > n {
		bad("the fields \"scree.shuffled\" and \"scree.components\" hold %d numbers and %d: want a number for each variance and 1 to %d, or neither",
			len(s.Shuffled), s.Components, len(s.Variances))
	}
}
