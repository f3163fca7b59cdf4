package half

import (
	"math"
	"testing"
)

// TestEveryNumber: the 65,536 numbers by their definition, and back.
func TestEveryNumber(t *testing.T) {
	for bits := range 1 << 16 {
		h := uint16(bits)
		sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
		if h>>15 == 1 {
			sign = -1
		}
		want := sign * math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 0:
			want = sign * math.Ldexp(fraction/1024, -14)
		case exponent == 31 && fraction == 0:
			want = math.Inf(int(sign))
		case exponent == 31:
			if v := Value(h); !math.IsNaN(v) {
				t.Fatalf("%#04x is %v, want NaN", h, v)
			}
			continue
		}
		got := Value(h)
		if got != want || math.Signbit(got) != (sign < 0) {
			t.Fatalf("%#04x is %v, want %v", h, got, want)
		}
		if back := Nearest(got); back != h {
			t.Fatalf("%v is %#04x, want %#04x", got, back, h)
		}
	}
}

// TestNearest: halfway cases go to the even one, and between numbers the nearer is taken.
func TestNearest(t *testing.T) {
	for h := range uint16(0x7bff) {
		lo, hi := Value(h), Value(h+1)
		middle := lo + (hi-lo)/2
		even := h
		if h&1 == 1 {
			even = h + 1
		}
		for v, want := range map[float64]uint16{middle: even, math.Nextafter(middle, lo): h, math.Nextafter(middle, hi): h + 1} {
			if got := Nearest(v); got != want {
				t.Fatalf("%v between %v and %v is %#04x, want %#04x", v, lo, hi, got, want)
			}
			if got := Nearest(-v); got != want|0x8000 {
				t.Fatalf("%v is %#04x, want %#04x", -v, got, want|0x8000)
			}
		}
	}
}
