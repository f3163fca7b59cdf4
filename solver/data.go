package solver

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// ErrConstant is returned (wrapped) if no column varies.
var ErrConstant = errors.New("every column is constant: want at least one that varies")

// errNoColumn is the error of data that are nil or empty, and of an operator that
// was not made by its constructor.
var errNoColumn = errors.New("the data have no column: want at least one")

var errNoRow = errors.New("the data have no row: want at least one")

// DataOptions says how the covariance is made from data rows.
type DataOptions struct {
	// Uncentered leaves the columns as they are: A = XᵀX/(n−1), the second
	// moment about 0 with the divisor of the covariance.
	Uncentered bool

	// Scale, if not nil, holds d positive numbers; column j is divided by
	// Scale[j] after it is centred. With the standard deviations A is the
	// correlation matrix.
	Scale []float64

	// Weights, if not nil, holds a positive number for each row. A row of weight w
	// counts as w equal rows: the means are Σw·x/Σw, and A is divided by Σw − 1
	// instead of n − 1. NewData then copies X (8·n·d bytes), and NewSparse its
	// values.
	Weights []float64

	// Deferred leaves the Gram matrix of few rows to the first fit. Else NewData forms
	// it with the moments, in one reading of X. That is in vain where Scaled divides the
	// columns later, or Params.Exclude leaves some out. It changes no result.
	Deferred bool
}

// Data is the covariance of data rows, A = D(X − 1μᵀ)ᵀ(X − 1μᵀ)D/(n−1) with D =
// diag(1/Scale), kept as an operator on X. X is shared and never copied as a
// whole. The centred X is never stored.
type Data struct {
	rows
	route Route

	forming sync.Mutex       // guards entries and gram
	entries *matrix          // A itself, formed on first use
	gram    *kernel.Matrix   // XXᵀ/(n−1), on the route of that name; see gramMatrix
	grams   int              // how often it was formed
	pairs   kept[*gramPairs] // found by it

	twinOnce sync.Once
	twin     *Data // see explicit
}

// rows is what makes A: d columns of X, centred and scaled.
type rows struct {
	x       kernel.Matrix
	columns []int // of X that are A's; nil: all
	n, d    int
	center  []float64      // the means of all columns of X; nil if uncentred
	factor  []float64      // 1/Scale of the d columns; nil for none
	diag    []float64      // of A
	moments moments        // of the d columns, unscaled
	scatter *kernel.Matrix // (n−1)·A of the columns in units of 2^(exponent/2), where it came with the moments
	taken   []float64      // what was taken from all columns of X before; nil for nothing

	reads *atomic.Int64 // of X as a whole
}

// NewData returns the covariance operator of the n×d rows of x. It reads x
// once, for the means and the variances, and for A itself where a fit works with that. A column whose n values are equal
// has variance exactly 0. Errors: fewer than two rows, no column, an entry
// that is not finite (*EntryError), a scale that is not positive, or no
// column that varies (ErrConstant). x must not change while Data is in use.
func NewData(x *mat.Dense, opt DataOptions) (*Data, error) {
	if x == nil || x.IsEmpty() {
		return nil, errNoColumn
	}
	n, d := x.Dims()
	if err := enoughRows(n); err != nil {
		return nil, err
	}
	if opt.Weights != nil {
		return newWeighted(x, opt)
	}
	c := &Data{rows: rows{x: kernel.Matrix(x.RawMatrix()), n: n, d: d, reads: new(atomic.Int64)}, route: route(n, d)}
	if opt.Scale != nil {
		var err error
		if c.factor, err = reciprocals(opt.Scale, d); err != nil {
			return nil, err
		}
	}
	mean, squares := make([]float64, d), make([]float64, d)
	exponents, err := c.measure(mean, squares, opt)
	if err != nil {
		return nil, err
	}
	c.moments = newMoments(squares, mean, squares, exponents, n, opt.Uncentered)
	if c.diag, err = c.moments.variances(c.factor); err != nil {
		return nil, err
	}
	if !opt.Uncentered {
		c.center = mean
	}
	return c, nil
}

// measure sets the moments of the columns; see checkMoments.
func (c *Data) measure(mean, squares []float64, opt DataOptions) (exponents []int, err error) {
	if c.route == RouteCovariance && !opt.Uncentered && c.pieceRows() == c.n {
		if exponents, err = c.measureAll(mean, squares); err != nil || c.scatter != nil {
			return exponents, err
		}
	}
	c.reads.Add(1)
	gram := c.route == RouteGram && !opt.Uncentered && opt.Scale == nil && !opt.Deferred && c.wide() && float64(c.n)*float64(c.n)*float64(c.d) <= pieceWork
	if !gram {
		kernel.Moments(mean, squares, c.x)
		return c.checkMoments(mean, squares)
	}
	g := kernel.NewMatrix(c.n, c.n)
	kernel.GramMoments(g, mean, squares, c.x)
	if exponents, err = c.checkMoments(mean, squares); exponents == nil {
		c.keepGram(g)
	}
	return exponents, err
}

// measureAll sets the second moments of all pairs of columns too, in the same reading.
// It sets none where the order of the rows makes them lose digits.
func (c *Data) measureAll(mean, squares []float64) (exponents []int, err error) {
	a := kernel.NewMatrix(c.d, c.d)
	c.reads.Add(1)
	near := kernel.Scatter(a, mean, squares, c.x, nil)
	var units []float64
	for j, v := range squares {
		if v >= leastSquares && v <= mostSquares {
			continue
		}
		if v, ok := c.constantColumn(j); ok && v-v == 0 {
			continue
		}
		if units == nil {
			units, exponents = slices.Repeat([]float64{1}, c.d), make([]int, c.d)
		}
		e, err := c.peakExponent(j)
		if err != nil {
			return nil, err
		}
		e = max(-1000, min(1000, e)) // so that the unit is a number
		units[j], exponents[j] = math.Ldexp(1, -e), 2*e
	}
	if units != nil {
		c.reads.Add(1)
		near = kernel.Scatter(a, mean, squares, c.x, units)
	}
	if !near {
		return nil, nil
	}
	c.scatter = &a
	_, err = c.checkMoments(mean, squares)
	return exponents, err
}

// checkMoments looks for entries that are not finite and makes the variance
// of a constant column exactly 0 and its mean exactly its value. The squares of
// a column whose own leave the range of float64 are computed from it scaled by
// a power of two; exponents says by which: they are squares·2^exponent.
// Nil exponents are all 0.
func (c *Data) checkMoments(mean, squares []float64) (exponents []int, err error) {
	for j := range mean {
		if v := squares[j]; !(v >= leastSquares && v <= mostSquares) {
			if v, ok := c.constantColumn(j); ok && v-v == 0 { // finite
				mean[j], squares[j] = v, 0
				continue
			}
			if exponents == nil {
				exponents = make([]int, c.d)
			}
			if mean[j], squares[j], exponents[j], err = c.scaledMoments(j); err != nil {
				return nil, err
			}
		}
		// Rounding can leave this much of a constant; more is variation.
		if squares[j] > 1e-28*float64(c.n)*mean[j]*mean[j] {
			continue
		}
		if v, ok := c.constantColumn(j); ok {
			mean[j], squares[j] = v, 0
		}
	}
	return exponents, nil
}

// scaledMoments returns the mean of column j, which varies, and the sum of its
// squared deviations times 2^−exponent.
func (c *Data) scaledMoments(j int) (mean, squares float64, exponent int, err error) {
	e, err := c.peakExponent(j)
	if err != nil {
		return 0, 0, 0, err
	}
	column := kernel.NewMatrix(c.n, 1)
	for i := range c.n {
		column.Data[i*column.Stride] = math.Ldexp(c.x.Row(i)[j], -e)
	}
	m, s := make([]float64, 1), make([]float64, 1)
	kernel.Moments(m, s, column)
	return math.Ldexp(m[0], e), s[0], 2 * e, nil
}

// peakExponent returns the binary exponent of the largest magnitude in column j.
func (c *Data) peakExponent(j int) (int, error) {
	peak := 0.0
	for i := range c.n {
		v := c.x.Row(i)[j]
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, c.blame()
		}
		peak = max(peak, math.Abs(v))
	}
	_, e := math.Frexp(peak)
	return e, nil
}

// blame returns the error for the first entry that is not finite.
func (c *Data) blame() error {
	for i := range c.n {
		for j, v := range c.x.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the data: %w", &EntryError{Row: i, Col: j, Value: v, Reason: "want a finite number"})
			}
		}
	}
	return nil
}

// constantColumn reports whether all values of column j are equal, and which.
func (c *Data) constantColumn(j int) (float64, bool) {
	v := c.x.Data[j]
	for i := 1; i < c.n; i++ {
		if c.x.Data[i*c.x.Stride+j] != v {
			return 0, false
		}
	}
	return v, true
}

// Mean returns what is subtracted from each column: its mean, or 0 if
// uncentred.
func (c *Data) Mean() []float64 {
	mean := make([]float64, c.d)
	if c.center != nil {
		copy(mean, c.of(c.center))
	} else if c.taken != nil {
		copy(mean, c.of(c.taken))
	}
	return mean
}

// Order returns the number of columns d.
func (c *Data) Order() int { return c.d }

// Passes returns how often X was read as a whole so far: for the moments, to
// form A or the Gram matrix, and for products of A or Xᵀ with a few columns.
func (c *Data) Passes() int {
	if c.reads == nil {
		return 0
	}
	return int(c.reads.Load())
}

// Diag returns the variances of the d columns, shared.
func (c *Data) Diag() []float64 { return c.diag }

// of returns what belongs to the d columns of what belongs to those of X.
func (c *rows) of(all []float64) []float64 { return lists.Pick(all, c.columns) }

// view returns the centred and scaled columns in support (nil: all d).
func (c *rows) view(support []int) kernel.View {
	columns := c.columns
	if support != nil {
		columns = support
		if c.columns != nil {
			columns = lists.At(c.columns, support)
		}
	}
	return kernel.View{X: c.x, Columns: columns, Mean: lists.Pick(c.center, columns), Factor: lists.Pick(c.factor, support)}
}

// viewOf returns the centred and scaled columns start to end − 1.
func (c *rows) viewOf(start, end int) kernel.View {
	v := c.view(nil)
	if v.Columns != nil {
		v.Columns = v.Columns[start:end]
	} else {
		v.X = v.X.Slice(0, v.X.Rows, start, end)
	}
	if v.Mean != nil {
		v.Mean = v.Mean[start:end]
	}
	if v.Factor != nil {
		v.Factor = v.Factor[start:end]
	}
	return v
}
