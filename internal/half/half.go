// Package half converts numbers of IEEE 754 binary16, float16, which files hold and Go has no type for.
package half

import "math"

// Value returns the value of an IEEE 754 binary16 number: 1 bit of sign, 5 of exponent, 10 of
// fraction.
func Value(h uint16) float64 {
	sign, exponent, fraction := uint64(h>>15)<<63, int(h>>10&31), uint64(h&1023)
	switch exponent {
	case 31:
		return math.Float64frombits(sign | 0x7ff<<52 | fraction<<42)
	case 0:
		return math.Copysign(float64(fraction)*0x1p-24, math.Float64frombits(sign|1))
	}
	return math.Float64frombits(sign | uint64(exponent-15+1023)<<52 | fraction<<42)
}

// Nearest returns the binary16 number nearest to v, ties to even, for a finite v in its range; another
// v gives infinity.
func Nearest(v float64) uint16 {
	sign := uint16(math.Float64bits(v) >> 48 & 0x8000)
	v = math.Abs(v)
	step := 0x1p-24 // between subnormal numbers
	if v >= 0x1p-14 {
		_, exponent := math.Frexp(v)
		step = math.Ldexp(1, exponent-11)
	}
	v = math.RoundToEven(v/step) * step
	switch {
	case !(v < 0x1p16):
		return sign | 31<<10
	case v < 0x1p-14:
		return sign | uint16(v*0x1p24)
	}
	fraction, exponent := math.Frexp(v)
	return sign | uint16(exponent+14)<<10 | uint16((2*fraction-1)*1024)
}
