package selector

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/transformer"
	"github.com/sjwhitworth/golearn/base"
)

// table is what columns are chosen from.
type table struct {
	a        solver.Covariance
	names    []string
	rows     int       // n; 0 of a covariance
	weight   float64   // the sum of their weights; 0 without
	constant []string  // columns that do not vary
	mean     []float64 // of all columns; nil if none is subtracted
	scale    []float64 // of all columns; nil if they are not divided
	sampler  sampler   // of the rows, if there are any

	// each visits some columns of the rows, with their weights; nil without rows.
	each    func(support []int, visit func(row []float64, weight float64))
	spread  func(support []int) *training // of rows that are not in memory
	reading dataset.Reading

	scree *Scree // of parallel analysis, once that was done

	costly bool // products with a are passes over a file

	x   *mat.Dense // the rows, nil where they are not dense
	opt solver.DataOptions
}

// count is the number of rows, or the sum of their weights.
func (t *table) count() float64 {
	if t.weight != 0 {
		return t.weight
	}
	return float64(t.rows)
}

// openGrid reads the numeric columns of grid, and the weights among them.
func (s *FSPCA) openGrid(grid base.FixedDataGrid) (*table, error) {
	f, err := frameOf(grid)
	if err != nil {
		return nil, err
	}
	return s.openFrame(f)
}

// frameOf reads any grid.
func frameOf(grid base.FixedDataGrid) (*dataset.Frame, error) {
	f, err := dataset.FromGrid(grid)
	return f, ours(err)
}

// pick returns the named columns of f.
func pick(f *dataset.Frame, names []string) (*dataset.Frame, error) {
	f, err := f.Pick(names)
	return f, ours(err)
}

// openFrame reads the numeric columns of f, and the weights among them.
func (s *FSPCA) openFrame(f *dataset.Frame) (*table, error) {
	f, weights, err := s.takeWeights(f)
	if err != nil {
		return nil, err
	}
	return s.openRows(f, weights, nil)
}

// openRows reads the numeric columns of f, whose rows have weights above 0; nil for 1. Shared may be nil.
func (s *FSPCA) openRows(f *dataset.Frame, weights []float64, shared *Shared) (*table, error) {
	if err := s.checkFrame(f); err != nil {
		return nil, err
	}
	if err := s.checkMemory(frameShape(f)); err != nil {
		return nil, err
	}
	x, names := f.Numeric(), f.NumericNames()
	data, flat, scale, err := shared.denseData(s, x, weights)
	if err != nil {
		// The solver meets a missing cell as the number NaN; the frame can say more about it.
		if missing := f.CheckComplete("fspca"); missing != nil {
			return nil, missing
		}
		return nil, inColumns(err, names)
	}
	t := &table{a: data, names: names, rows: f.Rows(), weight: floats.Sum(weights), constant: lists.At(names, flat), sampler: s.sampleDense(x, weights), reading: f.Reading(),
		x: x, opt: solver.DataOptions{Uncentered: s.Uncentered, Scale: scale, Weights: weights}}
	t.each = eachDense(x, weights)
	s.setAffine(t, data.Mean(), scale)
	return t, nil
}

// openSparse reads sparse rows.
func (s *FSPCA) openSparse(rows *dataset.Sparse) (*table, error) {
	if rows == nil {
		return nil, errors.New("fspca: there is no table")
	}
	rows, weights, err := s.takeSparseWeights(rows)
	if err != nil {
		return nil, err
	}
	n, d := rows.Rows(), rows.Columns()
	if err := s.checkColumns(d, n); err != nil {
		return nil, err
	}
	if err := s.checkMemory(sparseShape(rows)); err != nil {
		return nil, err
	}
	flat := flatColumns(rows)
	data, scale, err := s.sparseData(rows, weights, flat)
	if err != nil {
		return nil, fmt.Errorf("fspca: %w", err)
	}
	names := lists.Make(d, rows.Name)
	t := &table{a: data, names: names, rows: n, weight: floats.Sum(weights), constant: lists.At(names, flat), sampler: s.sampleSparse(rows, weights), reading: rows.Reading()}
	t.each = eachSparse(rows, weights)
	s.setAffine(t, data.Mean(), scale)
	return t, nil
}

// openCovariance reads a covariance matrix.
func (s *FSPCA) openCovariance(a mat.Symmetric, names []string) (*table, error) {
	if err := s.checkCovariance(a); err != nil {
		return nil, err
	}
	d := a.SymmetricDim()
	names, err := s.checkHeader(names, 0, d)
	if err != nil {
		return nil, err
	}
	if err := s.checkMemory(solver.Shape{Columns: d}); err != nil {
		return nil, err
	}
	t := &table{names: names}
	if s.Standardize {
		a, t.scale = correlation(a)
	}
	operator, err := solver.NewMatrix(a)
	if err != nil {
		return nil, inVariables(err, t.names)
	}
	t.a = operator
	variances := operator.Diag()
	t.constant = lists.At(t.names, lists.Places(d, func(j int) bool { return variances[j] == 0 }))
	return t, nil
}

// checkCovariance refuses what needs rows, and a covariance of nothing.
func (s *FSPCA) checkCovariance(a mat.Symmetric) error {
	if s.Bootstrap > 0 {
		return errors.New("fspca: bootstrap draws rows, and a covariance has none")
	}
	if s.Weight != "" {
		return errors.New("fspca: weights apply to rows, and a covariance has no rows")
	}
	if empty(a) {
		return errors.New("fspca: the covariance is nil or empty: want at least one row and column")
	}
	return nil
}

// setAffine gives t the means and scales of its columns, as the options want them.
func (s *FSPCA) setAffine(t *table, mean, scale []float64) {
	if !s.Uncentered {
		t.mean = mean
	}
	if !s.Standardize {
		return
	}
	t.scale = slices.Clone(scale)
	for j, v := range t.scale {
		if v == erasing {
			t.scale[j] = 1
		}
	}
}

// checkSizes returns an error unless k and m fit d columns; n is 0 for a covariance.
func (s *FSPCA) checkSizes(d, n int) error {
	k, m := s.sizes()
	if s.findsFeatures() {
		k = min(k, d)
	}
	err := param.Sizes(k, m, d)
	switch {
	case err == nil:
		return nil
	case n == 0:
		return ours(err)
	}
	return fmt.Errorf("fspca: %w; the table has n = %d rows", err, n)
}

// denseData returns the covariance of the rows of x, which columns are constant, and what columns are
// divided by, nil if by nothing. Weights above 0 may be nil for 1.
func (s *FSPCA) denseData(x *mat.Dense, weights []float64) (data *solver.Data, flat []int, scale []float64, err error) {
	flat = transformer.ConstantColumns(x, 0)
	data, err = solver.NewData(x, solver.DataOptions{Uncentered: s.Uncentered, Weights: weights, Deferred: s.scales(flat) || len(s.Exclude) > 0})
	if err != nil || !s.scales(flat) {
		return data, flat, nil, err
	}
	if scale, err = s.scaleOf(data.Diag(), flat); err != nil {
		return nil, flat, nil, err
	}
	data, err = data.Scaled(scale)
	return data, flat, scale, err
}

// checkFrame returns an error unless all feature columns are numeric and there are enough of them.
func (s *FSPCA) checkFrame(f *dataset.Frame) error {
	if texts := f.CategoricalNames(); len(texts) > 0 {
		problems := lists.Map(texts, func(name string) error {
			return param.In("fspca", param.NotNumeric(name))
		})
		return errors.Join(append(problems, f.CheckComplete("fspca"))...)
	}
	return s.checkColumns(frameShape(f).Columns, f.Rows())
}

// checkColumns is checkSizes for columns of which there may be none.
func (s *FSPCA) checkColumns(d, n int) error {
	if d < 1 {
		return errors.New("fspca: the table has no feature column")
	}
	return s.checkSizes(d, n)
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
