//go:build linux

package main

import (
	"strings"
	"testing"
)

func TestSweepPlot(t *testing.T) {
	svg := sweepPlot([]*point{{k: 100, own: []float64{0.1}, alg2: 3, start: 1}, {k: 1000, own: []float64{0.9}, alg2: 40, start: 2}, {k: 5000, own: []float64{4}}})
	for text, times := range map[string]int{`class="point"`: 7 + 3, "Octave, Alg. 2": 3, "seconds": 1, "NaN": 0} {
		if n := strings.Count(svg, text); n != times {
			t.Errorf("%q stands there %d times, want %d", text, n, times)
		}
	}
}
