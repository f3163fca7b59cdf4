package selector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestAssigned: the pairs have the largest sum, against all ways to pair; of equal ones they are those on the
// diagonal.
func TestAssigned(t *testing.T) {
	for i := range 300 {
		rng := rand.New(rand.NewPCG(17, uint64(i)))
		rows, columns := 1+rng.IntN(6), 1+rng.IntN(6)
		c := mat.NewDense(rows, columns, nil)
		for p := range rows {
			for q := range columns {
				c.Set(p, q, math.Round(10*(2*rng.Float64()-1))/10) // with ties
			}
		}
		of, taken := assigned(c)
		sum, pairs, used := 0.0, 0, make([]bool, columns)
		for p, q := range of {
			if q < 0 {
				continue
			}
			if used[q] {
				t.Fatalf("problem %d: column %d is taken twice: %v", i, q, of)
			}
			used[q] = true
			pairs++
			sum += math.Abs(c.At(p, q))
		}
		if best := mostOf(c, 0, make([]bool, columns)); math.Abs(sum-best) > 1e-12 || pairs != min(rows, columns) || !slices.Equal(used, taken) {
			t.Errorf("problem %d: %v with the sum %v, taken %v; the best is %v", i, of, sum, taken, best)
		}
	}
	for _, v := range []float64{0, 1} {
		c := mat.NewDense(4, 4, slices.Repeat([]float64{v}, 16))
		if of, _ := assigned(c); !slices.Equal(of, []int{0, 1, 2, 3}) {
			t.Errorf("all %v: %v", v, of)
		}
	}
	// The largest magnitude first would pair .9 with 0.
	if of, _ := assigned(mat.NewDense(2, 2, []float64{-.9, .8, .8, 0})); !slices.Equal(of, []int{1, 0}) {
		t.Errorf("%v, want the pair of .8 and .8", of)
	}
}

// mostOf is the largest sum of rows from row i on with the columns that are left, by trying all.
func mostOf(c *mat.Dense, i int, used []bool) float64 {
	rows, columns := c.Dims()
	if i == rows {
		return 0
	}
	best := math.Inf(-1)
	if rows > columns {
		best = mostOf(c, i+1, used)
	}
	for j := range columns {
		if !used[j] {
			used[j] = true
			best = max(best, math.Abs(c.At(i, j))+mostOf(c, i+1, used))
			used[j] = false
		}
	}
	if math.IsInf(best, -1) {
		return 0
	}
	return best
}

// TestAngleOfRanks: a space that lies in the other has no angle with it, also where components beyond the rank
// are 0, whichever of the two is the older.
func TestAngleOfRanks(t *testing.T) {
	line := mat.NewDense(3, 2, []float64{1, 0, 0, 0, 0, 0})
	plane := mat.NewDense(3, 2, []float64{1, 1, 1, -2, 0, 0})
	other := mat.NewDense(3, 2, []float64{0, 0, 0, 0, 5, 0})
	for _, tc := range []struct {
		x, y *mat.Dense
		want float64
	}{{line, plane, 0}, {plane, line, 0}, {plane, other, 90}, {other, line, 90}} {
		if got := largestAngle(tc.x, tc.y); math.Abs(got-tc.want) > 1e-6 {
			t.Errorf("%v and %v: %v degrees, want %v", mat.Formatted(tc.x), mat.Formatted(tc.y), got, tc.want)
		}
	}
}
