package solver

import (
	"math"

	"github.com/fspca/fspca/internal/kernel"
)

// flatProducts is about how many products the leading pairs of a flat spectrum take at
// least: 23 at 2000×500 and 36 at 20000×2000, of noise.
const flatProducts = 20

// flatRows bounds the number of rows whose products tell a flat spectrum: their matrix
// takes no time beside a pass over X.
const flatRows = 128

// flat reports, before any product, whether those for r pairs would cost more than forming
// A. The price is that of forming it, in products. Some rows of the sketch tell it.
//
// Two independent rows have E (x·y)² = Tr Σ². So the rows' products tell the excess: by
// which share the mean square of Σ's eigenvalues exceeds the square of their mean, 1. Where
// they are equal, those of A lie from (1 − √γ)² to (1 + √γ)², γ = d/n. A product lets the
// residuals fall by exp(−2·√g). Here g is the gap beyond the r-th eigenvalue over the width
// of the rest. As many products as forming A costs suffice from some g on. If r eigenvalues
// stand out so far, the excess is at least r times the square of their distance from 1,
// over d. A smaller one leaves no room for them.
//
// The excess is known to some 2.5/s for s rows; a room that is smaller is not told. It is
// negative where few rows have most of the variance: nothing is told there either.
func (c *Data) flat(r int, price float64) bool {
	sketch, ok := c.sketch().(*Data)
	if !ok {
		return false
	}
	if step := sketch.n / flatRows; step > 1 {
		sketch.n, sketch.x.Rows = flatRows, flatRows
		sketch.x.Stride *= step
	}
	d, gamma := float64(c.d), float64(c.d)/float64(c.n)
	gap := math.Pow(math.Log(convergedResidual)/(2*price), 2)
	distance := 2*math.Sqrt(gamma) + gamma + gap*4*math.Sqrt(gamma)
	room := float64(r) * distance * distance / d
	return room > 3/float64(sketch.n) && math.Abs(sketch.excess(trace(c))) < room
}

// excess estimates, from the rows' scalar products, by which share the mean square of the
// eigenvalues exceeds the square of their mean. Total is the trace.
func (c *Data) excess(total float64) float64 {
	room := kernel.Borrow()
	defer room.Release()
	g := room.Matrix(c.n, c.n)
	kernel.Gram(g, c.view(nil))
	sum := 0.0
	for i := range c.n {
		for _, v := range g.Row(i)[:i] {
			sum += v * v
		}
	}
	pairs := float64(c.n) * float64(c.n-1) / 2
	return sum/pairs*float64(c.d)/(total*total) - 1
}
