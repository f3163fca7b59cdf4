package selector

import (
	"context"
	"fmt"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver"
)

// Fit chooses columns among the feature columns of grid, which must all be numeric and complete;
// the class, if any, is not looked at. See FitContext.
func (s *FSPCA) Fit(grid base.FixedDataGrid) error {
	return s.FitContext(context.Background(), grid)
}

// FitContext is Fit with a context. If ctx ends once a feasible choice is known, the best so far
// becomes the model, with the status solver.Deadline or solver.Cancelled and no error. Before that
// the error is the context's. Options.Deadline does the same.
//
// A categorical column and a missing cell are errors that say where and what to do. So are sizes
// unless 1 ≤ m ≤ k ≤ d, fewer than two rows, and a table in which no column varies. After
// an error the selector is as it was.
func (s *FSPCA) FitContext(ctx context.Context, grid base.FixedDataGrid) error {
	return s.fit(ctx, func() (*table, error) { return s.openGrid(grid) })
}

// FitMatrix chooses among the columns of x (n×d, shared during the call, not changed). Nil names
// stand for x1…xd. See FitContext.
func (s *FSPCA) FitMatrix(ctx context.Context, x *mat.Dense, names []string) error {
	return s.fit(ctx, func() (*table, error) {
		f, err := dataset.New(names, x)
		if err != nil {
			return nil, fmt.Errorf("fspca: %w", err)
		}
		return s.openFrame(f)
	})
}

// FitCovariance chooses among the variables of the covariance matrix a (d×d), which solver.NewMatrix
// checks. Nil names stand for x1…xd. The model has no mean: its projection expects rows that the
// caller has centred. Options.Uncentered has no effect. With Options.Standardize the correlation
// matrix is used, and the model divides by the standard deviations.
func (s *FSPCA) FitCovariance(ctx context.Context, a mat.Symmetric, names []string) error {
	return s.fit(ctx, func() (*table, error) { return s.openCovariance(a, names) })
}

// FitSparse chooses among the columns of sparse rows (n×d, shared during the call, not changed). The
// rows stay sparse: they are centred and scaled within products only. Up to rounding the model is
// that of the same table with every cell stored; see FitContext. Model.Constant names the columns
// that have entries and do not vary, but not the empty ones, of which there may be very many.
func (s *FSPCA) FitSparse(ctx context.Context, rows *dataset.Sparse) error {
	return s.fit(ctx, func() (*table, error) { return s.openSparse(rows) })
}

// fit checks the options and chooses from what open gives, under the deadline.
func (s *FSPCA) fit(ctx context.Context, open func() (*table, error)) error {
	if err := s.Options.check(); err != nil {
		return err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	t, err := open()
	if err != nil {
		return err
	}
	m, err := s.choose(ctx, t)
	if err != nil {
		return err
	}
	if s.Bootstrap > 0 {
		if m.stability, err = s.bootstrap(ctx, m, t); err != nil {
			return err
		}
	}
	if s.Decoder {
		if m.rebuilt, err = s.rebuilder(ctx, t, m); err != nil {
			return err
		}
	}
	if s.Ledger {
		if m.ledger, err = ledgerOf(ctx, t, m); err != nil {
			return fmt.Errorf("fspca: ledger: %w", err)
		}
	}
	return s.accept(m)
}

// limit puts the deadline on ctx.
func (o Options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Deadline == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, o.Deadline)
}

// model returns what a solution means for the table.
func (o Options) model(ctx context.Context, t *table, solution *solver.Solution) (*Model, error) {
	o.Features = len(solution.Support)
	m := o.modelOf(t, solution)
	if o.Align != nil {
		m.follow(o.Align)
	}
	if o.reconstructs() {
		var err error
		if m.decoder, err = decoderOf(ctx, t, m.support, m.loadings); err != nil {
			return nil, fmt.Errorf("fspca: %w", err)
		}
	}
	m.mistakes, m.training = o.mistakesIn(t, m), trainingOf(t, m.support)
	return m, o.describe(ctx, t, m, solution)
}

// modelOf returns the model without figures.
func (o Options) modelOf(t *table, solution *solver.Solution) *Model {
	m := &Model{
		options:    o.Resolved(),
		rows:       t.rows,
		weight:     t.weight,
		columns:    len(t.names),
		constant:   t.constant,
		reading:    t.reading,
		support:    solution.Support,
		features:   lists.At(t.names, solution.Support),
		loadings:   solution.Loadings,
		variances:  solution.Values,
		objective:  solution.Objective,
		leading:    solution.LeadingVariance,
		total:      solution.TotalVariance,
		bound:      solution.UpperBound,
		source:     solution.BoundSource,
		proved:     solution.Proved,
		nodes:      solution.Nodes,
		route:      solution.Route,
		reason:     solution.RouteReason,
		trace:      solution.Trace,
		iterations: solution.Iterations,
		status:     solution.Status,
	}
	m.mean, m.scale = lists.Pick(t.mean, m.support), lists.Pick(t.scale, m.support)
	return m
}

// accept makes m the model of s.
func (s *FSPCA) accept(m *Model) error {
	m.prepare()
	state, err := newState(m, s.output())
	if err != nil {
		return err
	}
	s.state = state
	return nil
}
