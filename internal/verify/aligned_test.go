package verify

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestAlignedClaims: components that follow those of an older model need not descend, and what rounding may change
// is measured by the largest.
func TestAlignedClaims(t *testing.T) {
	v := []float64{0.3, 0.7, 1.1}
	a := mat.NewSymDense(3, nil)
	a.SymRankOne(a, 1, mat.NewVecDense(3, v))
	length := math.Sqrt(v[0]*v[0] + v[1]*v[1])
	value, total := v[0]*v[0]+v[1]*v[1], a.Trace()
	holds := func(all []Finding, want Verdict) {
		t.Helper()
		for _, f := range all {
			if f.Claim == "explained variance" && f.Verdict != want {
				t.Errorf("%+v, want %s", f, want)
			}
		}
	}
	c := Claims{Support: []int{0, 1}, W: mat.NewDense(2, 2, []float64{v[1] / length, v[0] / length, -v[0] / length, v[1] / length}),
		Values: []float64{1e-17, value}, Objective: value, Total: total, Leading: total}
	holds(must.Get(c.Check(a, nil, nil, nil))(t), Holds)
	c.Values[0] = 1e-6
	holds(must.Get(c.Check(a, nil, nil, nil))(t), Fails)

	scale := 1 / value
	c.W, c.Values, c.Objective = mat.NewDense(2, 2, []float64{0, scale * v[0], 0, scale * v[1]}), []float64{1e-17, total}, total
	holds(must.Get(c.CheckReconstruction(a, nil))(t), Holds)
	c.Values[0] = 1e-5
	holds(must.Get(c.CheckReconstruction(a, nil))(t), Fails)
}
