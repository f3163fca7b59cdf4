package selector_test

import (
	"math"
	"testing"

	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// TestMemoryOfFigures holds what is said of figures and of the other criterion to what the command took
// beyond its rows and itself: maximum resident sizes with GOGC=5 on two factors tables, m = 10.
func TestMemoryOfFigures(t *testing.T) {
	for _, c := range []struct {
		n, d, k   int
		figures   bool
		criterion string
		mib       float64
	}{
		{500, 20000, 100, true, "", 47}, {500, 20000, 400, true, "", 137},
		{3000, 6000, 400, true, "", 48}, {20000, 2000, 400, true, "", 26},
		{500, 20000, 50, false, "reconstruction", 127}, {500, 20000, 100, false, "reconstruction", 213},
		{3000, 6000, 50, false, "reconstruction", 97}, {3000, 6000, 100, false, "reconstruction", 96},
		{3000, 600, 20, false, "reconstruction", 12}, {3000, 700, 20, false, "reconstruction", 15},
		{20000, 2000, 50, false, "reconstruction", 52}, {20000, 2000, 100, false, "reconstruction", 63},
	} {
		o := selector.Options{Features: c.k, Components: 10, Reconstruction: c.figures, Criterion: c.criterion}
		got := float64(selector.Memory(solver.Shape{Rows: c.n, Columns: c.d}, o)) / (1 << 20)
		if t.Logf("%+v: said %.0f MiB", c, got); math.Abs(got-c.mib) > 0.3*c.mib+4 {
			t.Errorf("%+v: said %.0f MiB", c, got)
		}
	}
}
