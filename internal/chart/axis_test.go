package chart

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNarrowAxes: an axis of numbers that lie as near as can be has a few ticks, in order and within it.
func TestNarrowAxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 20_000 {
		v := (1 + 9*rng.Float64()) * math.Pow(10, float64(rng.IntN(600)-300)) * float64(1-2*rng.IntN(2))
		w := v
		switch rng.IntN(3) {
		case 0:
			for range 1 + rng.IntN(4) {
				w = math.Nextafter(w, math.Inf(1))
			}
		case 1:
			w = v * (1 + math.Pow(10, -17*rng.Float64()))
		}
		a := newAxis([]float64{v, w}, false, 0, 100, 6)
		if len(a.ticks) > 20 {
			t.Fatalf("%v to %v: %d ticks", v, w, len(a.ticks))
		}
		for i, tick := range a.ticks {
			if tick < a.lo || tick > a.hi || i > 0 && tick <= a.ticks[i-1] {
				t.Fatalf("%v to %v: ticks %v", v, w, a.ticks)
			}
		}
		if at := a.at(v); !(at >= 0 && at <= 100) {
			t.Fatalf("%v of %v to %v is at %v", v, v, w, at)
		}
	}
}
