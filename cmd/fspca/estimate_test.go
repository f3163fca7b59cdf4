package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// TestEstimate: more work never takes less, small work is not long, every k of a path is no more
// than there are columns, and a search for a proof is not guessed.
func TestEstimate(t *testing.T) {
	fit := selector.Options{Features: 10, Components: 3}
	small := solver.Shape{Rows: 178, Columns: 13, Sizes: math.MaxInt}
	if d, sure := estimate(small, fit); !sure || d.long() {
		t.Errorf("a path of 13 columns takes %v (%v)", d, sure)
	}
	large := solver.Shape{Rows: 20000, Columns: 5000}
	one := work(large, fit)
	for name, more := range map[string]float64{
		"rows":      work(solver.Shape{Rows: 40000, Columns: 5000}, fit),
		"thorough":  work(large, selector.Options{Features: 10, Components: 3, Effort: "thorough"}),
		"bootstrap": work(large, selector.Options{Features: 10, Components: 3, Bootstrap: 5}),
		"parallel":  work(large, selector.Options{Features: 10, ParallelAnalysis: true}),
		"path":      work(solver.Shape{Rows: 20000, Columns: 5000, Sizes: 9}, fit),
	} {
		if more <= one {
			t.Errorf("%s: %v, and %v without", name, more, one)
		}
	}
	if _, sure := estimate(large, selector.Options{Effort: "exact"}); sure {
		t.Error("the time of a search is guessed")
	}
	huge := solver.Shape{Rows: 1 << 24, Columns: 1 << 20}
	if d, _ := estimate(huge, selector.Options{Features: 10, Components: 3, Deadline: time.Minute}); d != (span{60, 60}) || !strings.Contains(d.say(true, time.Minute), "about 60 s") {
		t.Errorf("with a deadline of a minute it takes %v", d)
	}
}

// TestLookFor: a measurement takes a hundredth of the work, within limits.
func TestLookFor(t *testing.T) {
	for work, want := range map[float64]time.Duration{0: shortLook, 0.1: shortLook, 2: 20 * time.Millisecond, 1e6: longLook, math.Inf(1): longLook} {
		if got := lookFor(work); got != want {
			t.Errorf("%g s of work are measured for %v, want %v", work, got, want)
		}
	}
}
