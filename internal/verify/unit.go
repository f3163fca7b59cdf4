package verify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// farthest is the binary exponent of the largest variance that is worked with. Beyond, the squares of a bound
// would overflow or vanish, and with them what they prove.
const farthest = 100

// Normalise divides A and the claims about it by a power of two where the largest variance is far from 1.
// Bounds, thresholds and multipliers of certificates are those of this A. V of the criterion
// reconstruction (rebuilt) is multiplied by the root.
func (c *Claims) Normalise(a *mat.SymDense, rebuilt bool) {
	c.rebuilds = rebuilt
	e := exponent(a)
	if e >= -farthest && e <= farthest {
		return
	}
	e -= e & 1 // for the root
	c.unit = math.Ldexp(1, e)
	a.ScaleSym(1/c.unit, a)
	c.Values = append([]float64(nil), c.Values...)
	for i := range c.Values {
		c.Values[i] /= c.unit
	}
	for _, v := range []*float64{&c.Objective, &c.Total, &c.UpperBound, &c.Leading} {
		*v /= c.unit
	}
	if rebuilt {
		w := mat.DenseCopyOf(c.W)
		w.Scale(math.Ldexp(1, e/2), w)
		c.W = w
	}
}

// told returns a variance in the unit of the data.
func (c *Claims) told(v float64) float64 {
	if c.unit == 0 {
		return v
	}
	return v * c.unit
}

// exponent returns that of the largest variance, 0 where all are 0.
func exponent(a *mat.SymDense) int {
	var most float64
	for j := range a.SymmetricDim() {
		most = max(most, a.At(j, j))
	}
	_, e := math.Frexp(most)
	return e
}

var errFar = errors.New("the largest variance is too far from 1: Normalise divides by it")
