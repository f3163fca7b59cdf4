package solver

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver/spectral"
)

// opening is the first product of a fit, which is made in the pass that measures the rows: about a centre
// that is known before them, and so without the scales that only that pass tells.
type opening struct {
	pairs int
	v     kernel.Matrix // d×c, for all columns of the rows
	sums  sums          // of each part, XᵀXV about the first centre; from finish on the first is AV
	shift []float64     // the means from the first centre; nil if uncentred
	means moments       // of all columns
}

// open prepares the first product for as many components as StreamOptions say. It reads the sample of the rows
// beforehand, which tells a good block to begin with.
func (s *measuring) open(ctx context.Context) error {
	if s.opt.Components == 0 || s.forms() || s.width <= wholeOrder {
		return nil
	}
	if err := s.readSample(ctx); err != nil {
		return err
	}
	settings, scale := s.openSettings()
	o := &opening{pairs: min(s.opt.Components+1, s.width)}
	v, err := spectral.Open(ctx, s.width, o.pairs, settings)
	if err != nil || v == nil {
		return err
	}
	o.v = kernel.Matrix(v.RawMatrix())
	for j, by := range scale {
		for i := range o.v.Row(j) {
			o.v.Row(j)[i] /= by
		}
	}
	for part := range o.sums {
		o.sums[part] = kernel.NewMatrix(s.width, o.v.Cols)
	}
	s.opening = o
	return nil
}

// readSample reads the rows of the sample, and takes their mean as the first centre.
func (s *measuring) readSample(ctx context.Context) error {
	if s.sample.Rows == 0 {
		return nil
	}
	if err := s.readSpread(ctx, s.sample); err != nil {
		return err
	}
	s.sampledFirst = true
	if s.first != nil {
		s.about(centerOf(s.sample))
	}
	return nil
}

// openSettings returns the settings of the first block, and what the columns are divided by for it; nil for
// nothing.
func (s *measuring) openSettings() (settings spectral.Settings, scale []float64) {
	if s.sample.Rows < sketchRows {
		return settings, nil
	}
	r := rows{x: s.sample, n: s.sample.Rows, d: s.width, center: s.first, reads: &s.sampled}
	if s.opt.Standardize {
		scale = s.sampleScale()
		r.factor = make([]float64, len(scale))
		for j, v := range scale {
			r.factor[j] = 1 / v
		}
	}
	settings.Sketch = &Data{rows: r, route: RouteImplicit}
	return settings, scale
}

// sampleScale returns the deviations of the columns in the sample, and for those that do not vary there one
// in the middle of the others.
func (s *measuring) sampleScale() []float64 {
	scale, squares := make([]float64, s.width), make([]float64, s.width)
	kernel.Moments(scale, squares, s.sample)
	var some []float64
	for j, v := range squares {
		if scale[j] = math.Sqrt(v / float64(s.sample.Rows)); scale[j] > 0 && scale[j] <= math.MaxFloat64 {
			some = append(some, scale[j])
		} else {
			scale[j] = 0
		}
	}
	usual := 1.0
	if len(some) > 0 {
		slices.Sort(some)
		usual = some[len(some)/2]
	}
	for j, v := range scale {
		if v == 0 {
			scale[j] = usual
		}
	}
	return scale
}

// add adds the product of a block to the sum of its part.
func (o *opening) add(part int, b *block, center []float64) {
	if o != nil {
		b.passFor(center, o.v.Cols).AddFused(o.sums[part], o.v)
	}
}

// finish makes AV of the sums, about the means: with their distance δ from the first centre, XᵀXV about that
// exceeds it by nδδᵀV. Where squares leave the range of float64 there is no product.
func (o *opening) finish(n int, mean, first []float64, all moments) *opening {
	if o == nil || all.exponents != nil {
		return nil
	}
	sum := o.sums.total()
	o.sums[1], o.means = kernel.Matrix{}, all
	if first != nil {
		o.shift = make([]float64, len(mean))
		along := kernel.NewMatrix(1, o.v.Cols)
		for j := range mean {
			o.shift[j] = mean[j] - first[j]
			kernel.Axpy(o.shift[j], o.v.Row(j), along.Row(0))
		}
		for j, by := range o.shift {
			kernel.Axpy(-float64(n)*by, along.Row(0), sum.Row(j))
		}
	}
	finishRows(sum, n, nil)
	return o
}

// ofColumns returns the opening of an operator on the rows, D·A_CC·D for the columns C and the factors D. With
// W = D⁻¹V_C its product is D·(AV)_C, if A has nothing in other columns; both are made orthonormal. Nil where
// little would be right: other columns vary, W is far from orthonormal, or the correction was large beside A.
func (o *opening) ofColumns(c *Stream) *spectral.Opening {
	if o == nil {
		return nil
	}
	if c.columns == nil && c.factor == nil && !slices.Contains(o.means.values, 0) {
		return o.unless(o.v, o.sums[0], o.shift)
	}
	w, y, shift := kernel.NewMatrix(c.d, o.v.Cols), kernel.NewMatrix(c.d, o.v.Cols), make([]float64, c.d)
	taken := 0
	for p := range c.d {
		j, f := at(c.columns, p), 1.0
		if o.means.values[j] == 0 {
			continue
		}
		if c.factor != nil {
			f = c.factor[p]
		}
		taken++
		for i, v := range o.v.Row(j) {
			w.Row(p)[i], y.Row(p)[i] = v/f, o.sums[0].Row(j)[i]*f
		}
		if o.shift != nil {
			shift[p] = o.shift[j] * f
		}
	}
	for _, v := range o.means.values {
		if v != 0 {
			taken--
		}
	}
	if taken != 0 || !orthonormalPair(w, y) {
		return nil
	}
	return o.unless(w, y, shift)
}

// unless returns W and its product, nil where the distance from the first centre was large or a number is
// not finite.
func (o *opening) unless(w, y kernel.Matrix, shift []float64) *spectral.Opening {
	moved := 0.0
	for _, v := range shift {
		moved += v * v
	}
	if longest := longestColumn(y); !(longest <= math.MaxFloat64 && moved <= mostMoved*math.Sqrt(float64(y.Rows))*longest) {
		return nil
	}
	return &spectral.Opening{X: denseOf(w), Y: denseOf(y)}
}

// mostMoved bounds n‖δ‖² beside √d·(n−1)·λ₁: what rounding takes from the correction is then no more than what
// it may take from any product.
const mostMoved = 4

// orthonormalPair divides w and y by the factor R of w = QR, from the right. It reports whether all are finite
// and w was near enough to orthonormal columns that Q is so to rounding.
func orthonormalPair(w, y kernel.Matrix) bool {
	const mostCondition = 100 // of WᵀW
	gram := kernel.NewMatrix(w.Cols, w.Cols)
	kernel.Gemm(true, false, 1, w, w, 0, gram)
	kernel.Mirror(gram)
	var r mat.Cholesky
	if longest := longestColumn(w) + longestColumn(y); !(longest <= math.MaxFloat64) || !r.Factorize(symmetric(gram)) || !(r.Cond() <= mostCondition) {
		return false
	}
	var upper, inverse mat.TriDense
	r.UTo(&upper)
	if err := inverse.InverseTri(&upper); err != nil {
		return false
	}
	by := kernel.Matrix(mat.DenseCopyOf(&inverse).RawMatrix())
	room := kernel.NewMatrix(w.Rows, w.Cols)
	for _, m := range []kernel.Matrix{w, y} {
		room.Copy(m)
		kernel.Gemm(false, false, 1, room, by, 0, m)
	}
	return true
}

// longestColumn returns the largest length of a column of m, NaN if there is a NaN.
func longestColumn(m kernel.Matrix) float64 {
	squares := make([]float64, m.Cols)
	for i := range m.Rows {
		for j, v := range m.Row(i) {
			squares[j] += v * v
		}
	}
	return math.Sqrt(slices.Max(squares))
}

func denseOf(m kernel.Matrix) *mat.Dense {
	return mat.NewDense(m.Rows, m.Cols, m.Data[:m.Rows*m.Stride])
}

// checkOpening says what is wrong with the options of the first product.
func (opt *StreamOptions) checkOpening() error {
	if opt.Components < 0 {
		return fmt.Errorf("components are %d: want the number of those that will be asked for, or 0", opt.Components)
	}
	return nil
}
