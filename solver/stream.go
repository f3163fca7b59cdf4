package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver/spectral"
)

// Rows are the rows of a table that need not be in memory. They can be read any
// number of times, with the same numbers each time.
type Rows interface {
	// Dims returns the number of rows and of columns.
	Dims() (n, d int)

	// Read stores the rows from, from+1, … in dst, which has d columns, and
	// returns how many these are: as many as dst has, or as there are. It is
	// called by one goroutine at a time. Rows that also have ReadSum(ctx, from, dst) (n int,
	// sum uint64, err error) are asked for the checksum by which changes are found;
	// dataset.Blocks has it; else it is computed afterwards. Several goroutines call
	// ReadSum at once.
	Read(ctx context.Context, from int, dst *mat.Dense) (int, error)
}

// ErrChanged is returned (wrapped) if rows give other numbers than in an earlier pass.
var ErrChanged = errors.New("the rows changed while they were read: they must stay as they are until the fit ends")

// StreamOptions say how rows are read in blocks.
type StreamOptions struct {
	// Uncentered leaves the columns as they are; see DataOptions.
	Uncentered bool

	// Weights, if not nil, holds a positive number for each row; see DataOptions. The
	// rows are read once more for their means.
	Weights []float64

	// Memory is the number of bytes that the operator may keep for A and for rows;
	// 0 means any. A is formed if it fits. StreamMemory says what a fit takes in
	// addition.
	Memory int64

	// Components, if not 0, is the number that will be asked for of the covariance. Where A is not formed, the
	// first product that they take is then made in the pass that measures the rows, which saves one.
	// It is made anew where columns that vary are left out, or are scaled in another way.
	Components int

	// Standardize says that the columns will be divided by their standard deviations (Scaled): the first
	// product is made for that.
	Standardize bool

	// Block is the number of rows that are read at a time; 0 means about 8 MiB.
	Block int

	// Progress, if not nil, is called after each block with the number of the
	// pass, from 1, and the rows that are done in it.
	Progress func(pass, done, rows int)
}

// Stream is the covariance of rows that are read in blocks. Up to rounding it
// is that of NewData. If A fits the memory and d ≤ MaxEntriesOrder, one pass
// over the rows accumulates means and A, and nothing is read again. That takes
// n·d² multiplications, and less time than the ten passes or more that it replaces.
// Otherwise each product of A with a few columns is a pass.
type Stream struct {
	*source
	columns []int // of the rows that are A's; nil: all
	d       int
	factor  []float64 // what column j is multiplied by; nil for none
	diag    []float64
	moments moments

	forming sync.Mutex // guards entries
	entries *matrix    // A itself, where it was formed
}

// NewStream reads the rows once. The sums run over the blocks in order: the
// same rows, options and block give the same bytes. Errors: those of NewData,
// of Read, and of ctx.
func NewStream(ctx context.Context, from Rows, opt StreamOptions) (*Stream, error) {
	n, d, err := dimsOf(from)
	if err != nil {
		return nil, err
	}
	if err := enoughRows(n); err != nil {
		return nil, err
	}
	if opt.Block < 0 || opt.Memory < 0 {
		return nil, fmt.Errorf("block is %d and memory %d: want numbers of at least 0", opt.Block, opt.Memory)
	}
	if err := opt.checkOpening(); err != nil {
		return nil, err
	}
	s := newSource(from, n, d, opt)
	if opt.Weights != nil {
		if s, err = s.weigh(ctx); err != nil {
			return nil, err
		}
	}
	m, err := s.measure(ctx)
	if err != nil {
		return nil, err
	}
	return newStream(s, m)
}

// newStream returns the covariance of rows that were measured.
func newStream(s *source, m moments) (*Stream, error) {
	c := &Stream{source: s, d: s.width, moments: m}
	var err error
	c.diag, err = m.variances(nil)
	return c, err
}

// dimsOf returns the numbers of rows and of columns, of which there is one at least.
func dimsOf(from Rows) (n, d int, err error) {
	if v := reflect.ValueOf(from); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0, 0, errors.New("there are no rows to read")
	}
	if n, d = from.Dims(); d < 1 {
		return n, d, errNoColumn
	}
	return n, d, nil
}

// Order returns the number of columns d.
func (c *Stream) Order() int { return c.d }

// Diag returns the variances of the d columns, shared.
func (c *Stream) Diag() []float64 { return c.diag }

// Rows returns the number of rows n.
func (c *Stream) Rows() int {
	if c.source == nil {
		return 0
	}
	return c.n
}

// Passes returns how often the rows have been read so far. A Stream made from
// Sums does not count the pass that summed them.
func (c *Stream) Passes() int {
	if c.source == nil {
		return 0
	}
	return int(c.passes.Load())
}

// Route is RouteCovariance where A was formed, else RouteImplicit.
func (c *Stream) Route() Route {
	if c.source != nil && c.scatter.Rows > 0 {
		return RouteCovariance
	}
	return RouteImplicit
}

// Mean returns what is subtracted from each column: its mean, or 0 if
// uncentred.
func (c *Stream) Mean() []float64 {
	mean := make([]float64, c.d)
	switch {
	case c.source == nil:
	case c.center != nil:
		copy(mean, c.view(kernel.Matrix{}).of(c.center))
	case c.weighted != nil && c.weighted.mean != nil:
		copy(mean, c.view(kernel.Matrix{}).of(c.weighted.mean))
	}
	return mean
}

// Spread returns the least and the largest number of column j, the mean, and the
// variance about it, before any centring and scaling. All are 0 if there is no
// such column.
func (c *Stream) Spread(j int) (least, largest, mean, variance float64) {
	if j < 0 || j >= c.d || c.measured == nil {
		return 0, 0, 0, 0
	}
	j = at(c.columns, j)
	if w := c.weighted; w != nil {
		return w.lo[j], w.hi[j], w.means[j], w.variances[j]
	}
	m := c.measured
	variance = m.squares[j] / float64(c.n-1)
	if m.exponents != nil {
		variance = math.Ldexp(variance, m.exponents[j])
	}
	return m.lo[j], m.hi[j], m.mean[j], variance
}

// Scaled returns the covariance of the same rows with column j divided by
// scale[j] as well, without reading them again; see Data.Scaled.
func (c *Stream) Scaled(scale []float64) (*Stream, error) {
	factor, err := reciprocals(scale, c.d)
	if err != nil {
		return nil, err
	}
	for j, f := range c.factor {
		factor[j] *= f
	}
	s := &Stream{source: c.source, columns: c.columns, d: c.d, factor: factor, moments: c.moments}
	s.diag, err = c.moments.variances(factor)
	return s, err
}

// only returns the covariance of some columns of the same rows.
func (c *Stream) only(index []int) (*Stream, error) {
	s := &Stream{source: c.source, columns: index, d: len(index), moments: c.moments.pick(index)}
	if c.columns != nil {
		s.columns = lists.At(c.columns, index)
	}
	if c.factor != nil {
		s.factor = lists.At(c.factor, index)
	}
	var err error
	s.diag, err = s.moments.variances(s.factor)
	return s, err
}

// view returns the operator's columns of a block of rows.
func (c *Stream) view(x kernel.Matrix) *rows {
	return &rows{x: x, columns: c.columns, n: c.n, d: c.d, center: c.center, factor: c.factor}
}

// at returns the place of element i of index, nil for all.
func at(index []int, i int) int {
	if index == nil {
		return i
	}
	return index[i]
}

// Leading returns the r leading eigenpairs of A.
func (c *Stream) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	return leading(ctx, c, r)
}

// leading is Leading with residuals; see leader.
func (c *Stream) leading(ctx context.Context, r int, settled func(*spectral.Pairs) bool) (*spectral.Pairs, error) {
	if a := c.formed(); a != nil {
		return a.leading(ctx, r, settled)
	}
	return krylov(ctx, c, r, c.settings(settled))
}

// settings returns those of the iteration for the leading pairs.
func (c *Stream) settings(settled func(*spectral.Pairs) bool) spectral.Settings {
	return spectral.Settings{Converged: settled, Sketch: c.guess(), Opening: c.opening.ofColumns(c)}
}

// guess returns the covariance of the sample of the rows, up to its scale; nil
// where there is none.
func (c *Stream) guess() spectral.Operator {
	if c.sample.Rows < sketchRows {
		return nil
	}
	r := *c.view(c.sample)
	r.n, r.reads = c.sample.Rows, &c.sampled
	return &Data{rows: r, route: RouteImplicit}
}
