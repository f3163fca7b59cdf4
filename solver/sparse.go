package solver

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// CSR is an n×d matrix in compressed sparse rows. The entries of row i are
// Values[p] in column Indices[p] for Offsets[i] ≤ p < Offsets[i+1], with
// ascending columns. All other entries are 0.
type CSR struct {
	Rows, Cols int
	Offsets    []int64 // Rows+1 of them, from 0
	Indices    []int32
	Values     []float64
}

// Sparse is the covariance of sparse rows. The rows are centred only within
// products, so they stay sparse. Time and memory grow with the stored entries.
//
// This loses digits for a dense column whose mean is over a hundred standard
// deviations, such as a year beside word counts. If there is one, the entries
// are copied once (12 bytes each), with such columns shifted.
type Sparse struct {
	x      kernel.Sparse // shifted
	shift  []float64     // what was taken from the columns of the caller's rows; nil for nothing
	mean   []float64     // of x; nil if uncentred
	factor []float64     // 1/Scale; nil for none
	diag   []float64
	route  Route
	passes passPool[*kernel.SparsePass]

	// With weights root holds what rows are multiplied by (see roots), mass the sum
	// of its squares, and y the rows times it; else nil, n and x.
	root []float64
	mass float64
	y    kernel.Sparse

	moments   moments // of the columns of x, unscaled
	exponents []int   // the caller's column j is 2^exponents[j] times that of x; nil: all 0

	forming sync.Mutex // guards entries
	entries *matrix    // A itself, formed on first use

	twinOnce sync.Once
	twin     *Sparse // see explicit
}

// NewSparse returns the covariance operator of sparse rows. x is shared and
// must not change while Sparse is in use. Errors: those of NewData, and of a
// CSR whose fields contradict each other or whose columns do not ascend within
// a row.
func NewSparse(x *CSR, opt DataOptions) (*Sparse, error) {
	if x == nil {
		return nil, errNoColumn
	}
	s := &Sparse{x: kernel.Sparse(*x)}
	if err := s.x.Check(); err != nil {
		return nil, err
	}
	s.route = sparseRoute(x.Cols, s.x.Entries(), entrySquares(s.x))
	if err := checkRows(s.x); err != nil {
		return nil, err
	}
	if err := s.setOptions(opt); err != nil {
		return nil, err
	}
	mean, squares := s.sums()
	if s.exponents = extremes(s.x, squares); s.exponents != nil {
		s.scaleColumns()
		mean, squares = s.sums()
	}
	if err := s.settle(opt, mean, squares); err != nil {
		return nil, err
	}
	return s, nil
}

// checkRows returns what is wrong with rows whose fields do not contradict each other.
func checkRows(x kernel.Sparse) error {
	if x.Cols == 0 {
		return errNoColumn
	}
	if err := enoughRows(x.Rows); err != nil {
		return err
	}
	if err := checkEntries(x); err != nil {
		return err
	}
	return nil
}

// setOptions takes the scale of the columns and the weights of the rows.
func (s *Sparse) setOptions(opt DataOptions) (err error) {
	if opt.Scale != nil {
		if s.factor, err = reciprocals(opt.Scale, s.x.Cols); err != nil {
			return err
		}
	}
	if opt.Weights != nil {
		if s.root, err = roots(opt.Weights, s.x.Rows); err != nil {
			return err
		}
	}
	return nil
}

// settle takes the moments of the rows, in the units of scaleColumns.
func (s *Sparse) settle(opt DataOptions, mean, squares []float64) error {
	s.moments = newMoments(make([]float64, len(mean)), mean, squares, nil, s.x.Rows, false)
	if opt.Uncentered {
		mass := s.rowMass()
		for j, m := range mean {
			s.moments.values[j] = (squares[j] + mass*m*m) / float64(s.x.Rows-1)
		}
	}
	for j, e := range s.exponents {
		if v := s.moments.values[j]; opt.Scale != nil && v > 0 && math.Ldexp(v, 2*e) < leastVariance {
			return &ScaleError{Column: j}
		}
	}
	var err error
	if s.diag, err = s.moments.variances(s.factor); err != nil {
		return err
	}
	if !opt.Uncentered {
		s.mean = mean
		s.shiftColumns(squares)
	}
	s.weigh()
	return nil
}

// rowMass is the number of rows, or the sum of the squares that they are multiplied by.
func (s *Sparse) rowMass() float64 {
	if s.root == nil {
		return float64(s.x.Rows)
	}
	return lists.Sum(squared(s.root))
}

// sums returns the means of the columns of x and the sums of squared deviations from them.
func (s *Sparse) sums() (mean, squares []float64) {
	if s.root == nil {
		return sparseMoments(s.x)
	}
	return weightedMoments(s.x, s.root, s.rowMass())
}

// weigh makes y and mass, once x is what it stays.
func (s *Sparse) weigh() {
	s.y, s.mass = s.x, s.rowMass()
	if s.root == nil {
		return
	}
	s.y.Values = make([]float64, s.x.Entries())
	for i, r := range s.root {
		for p := s.x.Offsets[i]; p < s.x.Offsets[i+1]; p++ {
			s.y.Values[p] = r * s.x.Values[p]
		}
	}
}

// scaleColumns takes 2^exponents out of the columns and into their factors.
func (s *Sparse) scaleColumns() {
	factor := slices.Repeat([]float64{1}, s.x.Cols)
	copy(factor, s.factor)
	for j, e := range s.exponents {
		factor[j] = math.Ldexp(factor[j], e)
	}
	values := make([]float64, len(s.x.Values))
	for p, j := range s.x.Indices {
		values[p] = math.Ldexp(s.x.Values[p], -s.exponents[j])
	}
	s.x.Values, s.factor = values, factor
}

// shiftColumns takes the mean from the columns that shifts names.
func (s *Sparse) shiftColumns(squares []float64) {
	shift := s.shifts(squares)
	if shift == nil {
		return
	}
	s.x = shifted(s.x, shift)
	s.mean, _ = s.sums()
	if s.shift != nil {
		floats.Add(shift, s.shift)
	}
	s.shift = shift
}

// Order returns the number of columns d.
func (s *Sparse) Order() int { return s.x.Cols }

// Route returns RouteCovariance if forming A once costs less than the products
// with the rows that it replaces, else RouteImplicit. The choice depends only
// on d and on how the entries are spread over the rows.
func (s *Sparse) Route() Route { return s.route }

// sparseRoute compares forming A with some ten passes over the entries. Forming
// takes squares/2 multiplications, one by one; squares is Σr² over the numbers r
// of entries of the rows. A pass does 16 columns in the time of about 4.
func sparseRoute(d, entries int, squares float64) Route {
	if d <= explicitOrder && squares/2 <= 40*float64(entries) {
		return RouteCovariance
	}
	return RouteImplicit
}

// entrySquares returns the sum of the squared numbers of entries of the rows.
func entrySquares(x kernel.Sparse) float64 {
	return lists.Sum(squared(lists.Make(x.Rows, func(i int) float64 { return float64(x.Offsets[i+1] - x.Offsets[i]) })))
}

// Diag returns the variances of the d columns, shared.
func (s *Sparse) Diag() []float64 { return s.diag }

// Mean returns what is subtracted from each column: its mean, or 0 if
// uncentred.
func (s *Sparse) Mean() []float64 {
	mean := make([]float64, s.x.Cols)
	copy(mean, s.mean)
	for j, v := range s.shift {
		mean[j] += v
	}
	for j, e := range s.exponents {
		mean[j] = math.Ldexp(mean[j], e)
	}
	return mean
}
