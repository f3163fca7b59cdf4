package selector

import (
	"context"
	"errors"
	"fmt"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// Scree is what tells how many components there are: the variances of PCA on all columns that may be
// chosen, beside those of tables whose columns are shuffled (Horn's parallel analysis).
type Scree struct {
	Variances  []float64 `json:"variances"`  // of the leading components, at most 20, descending
	Shuffled   []float64 `json:"shuffled"`   // 95th percentile of each over the shuffled tables
	Components int       `json:"components"` // how many of the first are above, at least 1
}

// Scree compares the rows that the model was fitted to with shuffled ones, centred, scaled and
// weighted as in the fit; so many tables are shuffled, 0 means 50. It takes as long as a fit of each.
// The error is that of a fit, or the context's.
func (m *Model) Scree(ctx context.Context, f *dataset.Frame, tables int) (*Scree, error) {
	if m == nil || f == nil {
		return nil, errors.New("fspca: the scree needs a model and the rows of its fit")
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
		return nil, fmt.Errorf("fspca: scree: %w", err)
	}
	return &Scree{Variances: r.Observed, Shuffled: r.Threshold, Components: r.Components}, nil
}
