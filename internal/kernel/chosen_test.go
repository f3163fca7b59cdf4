package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAddFusedBeside: one reading adds the numbers of AddFused and of AddLeftOf, bit for bit.
func TestAddFusedBeside(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, shape := range [][4]int{{50, 130, 16, 12}, {72, 400, 16, 32}, {192, 60, 8, 3}, {300, 70, 16, 20}, {2100, 33, 5, 1}} {
		n, d, c, k := shape[0], shape[1], shape[2], shape[3]
		x, q := randomMatrix(rng, n, d), randomMatrix(rng, d, c)
		mean, factor := randomMatrix(rng, 1, d).Data, make([]float64, k)
		columns := rng.Perm(d)[:k]
		slices.Sort(columns)
		v, unit := View{X: x, Columns: columns, Mean: make([]float64, k), Factor: factor}, NewMatrix(k, k)
		for i, j := range columns {
			v.Mean[i], factor[i], unit.Row(i)[i] = mean[j], 1+float64(i%3), 1
		}
		start := randomMatrix(rng, d, c+k)
		got, products, left := start.clone(), start.Slice(0, d, 0, c).clone(), start.Slice(0, d, c, c+k).clone()
		NewPass(x, mean, c+k).AddFusedBeside(got, q, v)
		NewPass(x, mean, c).AddFused(products, q)
		NewPass(x, mean, k).AddLeftOf(left, v, unit)
		for i := range d {
			if !slices.Equal(got.Row(i)[:c], products.Row(i)) || !slices.Equal(got.Row(i)[c:], left.Row(i)) {
				t.Fatalf("%v: row %d is %v, want %v and %v", shape, i, got.Row(i), products.Row(i), left.Row(i))
			}
		}
	}
}

func (m Matrix) clone() Matrix {
	c := NewMatrix(m.Rows, m.Cols)
	c.Copy(m)
	return c
}
