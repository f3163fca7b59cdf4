package spectral

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// start sets the first block: that of the opening, or the given columns, then random ones.
func (l *lanczos) start(ctx context.Context) error {
	next := l.next()
	if l.opened() {
		transpose(next, kernel.Matrix(l.settings.Opening.X.RawMatrix()))
		l.source = newRandom(^l.settings.Seed) // the opening has taken the first of the others
		return nil
	}
	given := 0
	if s := l.settings.Start; s != nil {
		if _, given = s.Dims(); given < l.width {
			given = min(given, max(l.m, l.width-4))
		}
		given = min(given, l.width)
		for j := range given {
			mat.Col(next.Row(j), j, s)
			if !unit(next.Row(j)) {
				clear(next.Row(j))
			}
		}
	}
	l.source.fill(next.Slice(given, l.width, 0, l.n))
	if given == 0 && l.settings.Sketch != nil {
		if err := l.sketch(ctx, next); err != nil {
			return err
		}
	}
	l.orthonormalise(next, rowNorms(next), rounding(l.n))
	return nil
}

// sketch improves a random block by products with the sketch. A little of
// what is random is mixed in: the rows that a sketch is made of may lack a
// direction that is a leading one of all.
func (l *lanczos) sketch(ctx context.Context, block kernel.Matrix) error {
	const (
		products = 2
		share    = 1e-3
	)
	x, y := kernel.Matrix(l.x.RawMatrix()), kernel.Matrix(l.y.RawMatrix())
	transpose(x, block)
	for range products {
		if err := l.settings.Sketch.Mul(ctx, l.y, l.x); err != nil {
			return err
		}
		largest := largestOf(y)
		if !(largest > 0 && largest <= math.MaxFloat64) {
			return nil // nothing to be learned: the block stays random
		}
		x.Copy(y)
		scaleRows(x, math.Ldexp(1, -exponentOf(largest)))
	}
	noise := kernel.Matrix{Rows: block.Rows, Cols: block.Cols, Data: y.Data, Stride: block.Cols} // the product is not needed any more
	noise.Copy(block)
	transpose(block, x)
	for i := range block.Rows {
		if row, other := block.Row(i), noise.Row(i); unit(row) && unit(other) {
			kernel.Axpy(share, other, row)
		}
	}
	return nil
}

// errNotFinite reports products that the iteration cannot go on with.
var errNotFinite = errors.New("spectral: a product with the operator is not finite; look for NaN, infinite and very large entries")

// product sets y to A times the next block.
func (l *lanczos) product(ctx context.Context) error {
	y := kernel.Matrix(l.y.RawMatrix())
	if l.passes == 0 && l.opened() {
		l.y.Copy(l.settings.Opening.Y)
	} else {
		transpose(kernel.Matrix(l.x.RawMatrix()), l.next())
		if err := l.op.Mul(ctx, l.y, l.x); err != nil {
			return err
		}
	}
	l.passes++
	l.search.passes++
	largest := largestOf(y)
	if !(largest <= math.MaxFloat64) {
		return errNotFinite
	}
	if l.passes == 1 && largest > 0 {
		l.exponent = exponentOf(largest)
	}
	f := math.Ldexp(1, -l.exponent)
	scaleRows(y, f)
	l.norm = max(l.norm, largest*f)
	return nil
}

// largestOf returns the largest magnitude in m, NaN if there is one. Four numbers are looked at at a time: those of
// one chain would wait for each other.
func largestOf(m kernel.Matrix) float64 {
	var a, b, c, d float64
	for i := range m.Rows {
		row := m.Row(i)
		for ; len(row) >= 4; row = row[4:] {
			a, b, c, d = larger(a, row[0]), larger(b, row[1]), larger(c, row[2]), larger(d, row[3])
		}
		for _, v := range row {
			a = larger(a, v)
		}
	}
	return larger(larger(a, b), larger(c, d))
}

// larger returns the larger of a, which is at least 0, and the magnitude of v; NaN if one is.
func larger(a, v float64) float64 {
	if v = math.Abs(v); a == a && !(v <= a) {
		return v
	}
	return a
}

// exponentOf returns e with v near 2^e, such that 2^−e is a float64.
func exponentOf(v float64) int {
	_, e := math.Frexp(v)
	return max(-1000, min(1000, e))
}

func scaleRows(m kernel.Matrix, f float64) {
	for i := range m.Rows {
		scale(m.Row(i), f)
	}
}

// null returns eigenpairs for an operator whose product with the first block
// is zero: generically the operator is.
func (l *lanczos) null() *Pairs {
	p := zeroPairs(l.n, l.m)
	p.Passes, p.Certified = l.passes, false
	return p
}
