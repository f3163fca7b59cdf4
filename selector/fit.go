package selector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"github.com/fspca/fspca/transformer"
)

// Fit chooses columns among the feature columns of grid, which must all be numeric and complete;
// the class, if any, is not looked at. See FitContext.
func (s *FSPCA) Fit(grid base.FixedDataGrid) error {
	return s.FitContext(context.Background(), grid)
}

// FitContext is Fit under a context. When ctx ends once a feasible choice is known, the best so far
// becomes the model, with the status solver.Deadline or solver.Cancelled, and the error is nil;
// before that the error is the context's. Options.Deadline does the same.
//
// A categorical column and a missing cell are errors that say where and what to do. So are sizes
// that do not fit 1 ≤ m ≤ k ≤ d, fewer than two rows, and a table in which no column varies. After
// an error the selector is as it was.
func (s *FSPCA) FitContext(ctx context.Context, grid base.FixedDataGrid) error {
	if err := s.Options.check(); err != nil {
		return err
	}
	f, err := dataset.FromGrid(grid)
	if err != nil {
		return fmt.Errorf("fspca: %w", err)
	}
	return s.fitFrame(ctx, f)
}

// FitMatrix chooses among the columns of x (n×d, shared during the call, not changed). Nil names
// stand for x1…xd. See FitContext.
func (s *FSPCA) FitMatrix(ctx context.Context, x *mat.Dense, names []string) error {
	if err := s.Options.check(); err != nil {
		return err
	}
	f, err := dataset.New(names, x)
	if err != nil {
		return fmt.Errorf("fspca: %w", err)
	}
	return s.fitFrame(ctx, f)
}

func (s *FSPCA) fitFrame(ctx context.Context, f *dataset.Frame) error {
	ctx, cancel := s.limit(ctx)
	defer cancel()
	if err := checkFrame(f, s.Features, s.Components); err != nil {
		return err
	}
	x, names := f.Numeric(), f.NumericNames()
	data, flat, scale, err := s.denseData(x)
	if err != nil {
		// The solver meets a missing cell as the number NaN; the frame can say more about it.
		if missing := f.CheckComplete("fspca"); missing != nil {
			return missing
		}
		return inColumns(err, x, names, flat)
	}
	m, err := s.solve(ctx, data, names)
	if err != nil {
		return err
	}
	m.rows = f.Rows()
	for _, j := range flat {
		m.constant = append(m.constant, names[j])
	}
	s.setAffine(m, data.Mean(), scale)
	if s.Bootstrap > 0 {
		if m.stability, err = s.bootstrap(ctx, m, names, s.sampleDense(x)); err != nil {
			return err
		}
	}
	return s.accept(m)
}

// denseData returns the covariance of the rows of x, which columns are constant, and what columns are
// divided by, nil if by nothing.
func (s *FSPCA) denseData(x *mat.Dense) (data *solver.Data, flat []int, scale []float64, err error) {
	flat = transformer.ConstantColumns(x, 0)
	if scale, err = s.dataScale(x, flat); err == nil {
		data, err = solver.NewData(x, solver.DataOptions{Uncentered: s.Uncentered, Scale: scale})
	}
	return data, flat, scale, err
}

// setAffine gives m the means and scales of its columns, as the options want them.
func (s *FSPCA) setAffine(m *Model, mean, scale []float64) {
	if !s.Uncentered {
		m.mean = pick(mean, m.support)
	}
	if !s.Standardize {
		return
	}
	m.scale = pick(scale, m.support)
	for i, v := range m.scale {
		if v == erasing {
			m.scale[i] = 1
		}
	}
}

// limit puts the deadline on ctx.
func (o Options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Deadline == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, o.Deadline)
}

// checkFrame returns an error unless all feature columns are numeric and there are enough of them.
func checkFrame(f *dataset.Frame, k, m int) error {
	var problems []error
	for _, c := range f.Columns() {
		if c.Factor != nil {
			problems = append(problems, fmt.Errorf("fspca: column %q is categorical: want numbers; drop it, or put a onehot step before this one", c.Name))
		}
	}
	if problems != nil {
		return errors.Join(append(problems, f.CheckComplete("fspca"))...)
	}
	d := len(f.Columns())
	if d == 0 {
		return errors.New("fspca: the table has no feature column")
	}
	if err := solver.CheckSizes(k, m, d); err != nil {
		return fmt.Errorf("fspca: %w; the table has n = %d rows", err, f.Rows())
	}
	return nil
}

// erasing is the scale of a column that is to count as constant: nothing of its rounding noise is
// left after the division.
const erasing = math.MaxFloat64

// dataScale returns what each column is divided by, nil if by nothing. The columns in flat are
// constant up to rounding (transformer.ConstantColumns). Where what rounding left of such a column
// is not exactly nothing it is erased, since beside columns in smaller units it could be the largest
// variance of all; so a constant column is chosen only when k exceeds the number of the others.
// Around 0 a constant column has a second moment like any other and stays.
func (s *FSPCA) dataScale(x *mat.Dense, flat []int) ([]float64, error) {
	if !s.scales(flat) {
		return nil, nil
	}
	data, err := solver.NewData(x, solver.DataOptions{Uncentered: s.Uncentered})
	if err != nil {
		return nil, err
	}
	return s.scaleOf(data.Diag(), flat), nil
}

// scales reports whether columns are divided by anything.
func (s *FSPCA) scales(flat []int) bool { return s.Standardize || !s.Uncentered && len(flat) > 0 }

// scaleOf is dataScale for columns of the given variances.
func (s *FSPCA) scaleOf(variances []float64, flat []int) []float64 {
	scale := slices.Repeat([]float64{1}, len(variances))
	if s.Standardize {
		for j, v := range variances {
			if v > 0 {
				scale[j] = math.Sqrt(v)
			}
		}
	}
	if !s.Uncentered {
		for _, j := range flat {
			if variances[j] > 0 {
				scale[j] = erasing
			}
		}
	}
	return scale
}

// FitCovariance chooses among the variables of the covariance matrix a (d×d), which solver.NewMatrix
// checks. Nil names stand for x1…xd. The model knows no mean: its projection takes rows that the
// caller has centred. Options.Uncentered has no effect; with Options.Standardize the correlation
// matrix is used, and the model divides by the standard deviations.
func (s *FSPCA) FitCovariance(ctx context.Context, a mat.Symmetric, names []string) error {
	if err := s.Options.check(); err != nil {
		return err
	}
	if s.Bootstrap > 0 {
		return errors.New("fspca: bootstrap draws rows, and a covariance has none")
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	if empty(a) {
		return errors.New("fspca: the covariance is nil or empty: want at least one row and column")
	}
	d := a.SymmetricDim()
	header, err := dataset.New(names, mat.NewDense(1, d, nil)) // checks the names
	if err != nil {
		return fmt.Errorf("fspca: %w", err)
	}
	if err := solver.CheckSizes(s.Features, s.Components, d); err != nil {
		return fmt.Errorf("fspca: %w", err)
	}
	var scale []float64
	if s.Standardize {
		a, scale = correlation(a)
	}
	operator, err := solver.NewMatrix(a)
	if err != nil {
		return inVariables(err, header.Names())
	}
	m, err := s.solve(ctx, operator, header.Names())
	if err != nil {
		return err
	}
	for j, v := range operator.Diag() {
		if v == 0 {
			m.constant = append(m.constant, header.Names()[j])
		}
	}
	if scale != nil {
		m.scale = pick(scale, m.support)
	}
	return s.accept(m)
}

// empty reports whether there is no entry in a, which may be nil.
func empty(a mat.Symmetric) bool {
	if s, ok := a.(*mat.SymDense); ok && s == nil {
		return true
	}
	return a == nil || a.SymmetricDim() == 0
}

// correlation returns a with a unit diagonal, and the standard deviations that it was divided by.
// Variances that are not positive are left to solver.NewMatrix to judge.
func correlation(a mat.Symmetric) (*mat.SymDense, []float64) {
	d := a.SymmetricDim()
	scale := slices.Repeat([]float64{1}, d)
	for j := range scale {
		if v := a.At(j, j); v > 0 && !math.IsInf(v, 0) {
			scale[j] = math.Sqrt(v)
		}
	}
	r := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			r.SetSym(i, j, a.At(i, j)/scale[i]/scale[j])
		}
	}
	return r, scale
}

// solve returns the model of the solution; what depends on the data rows is left to the caller.
func (s *FSPCA) solve(ctx context.Context, a solver.Covariance, names []string) (*Model, error) {
	params, err := s.params(names)
	if err != nil {
		return nil, err
	}
	solution, err := baseline.Solve(ctx, a, params)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("fspca: the deadline passed before a first choice was known: give it more time: %w", context.DeadlineExceeded)
	}
	if err != nil {
		return nil, fmt.Errorf("fspca: %w", err)
	}
	m := &Model{
		options:    s.Options.resolved(),
		columns:    a.Order(),
		support:    solution.Support,
		features:   pick(names, solution.Support),
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
		trace:      solution.Trace,
		iterations: solution.Iterations,
		status:     solution.Status,
	}
	return m, nil
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

// pick returns the elements of s at the given positions.
func pick[T any](s []T, at []int) []T {
	out := make([]T, len(at))
	for i, j := range at {
		out[i] = s[j]
	}
	return out
}
