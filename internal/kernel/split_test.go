package kernel

import (
	"math/rand/v2"
	"testing"
)

// TestPieces: a sum over many rows is the same in every bit on fewer threads than pieces, as many and more,
// and right where it is added to something.
func TestPieces(t *testing.T) {
	for _, rows := range []int{2*halfRows - 1, 2*halfRows + 3, 2*splitRows + 5, 4*splitRows + 9} {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			v, vs := randomView(rng, rows, 27)
			w, ws := randomView(rng, rows, 50)
			square, both, product := randomMatrix(rng, v.Cols(), v.Cols()), randomMatrix(rng, v.Cols(), w.Cols()), randomMatrix(rng, v.Cols(), w.Cols())
			for i := range square.Rows { // symmetric: the upper triangle is not kept
				for j := range i {
					square.Row(j)[i] = square.Row(i)[j]
				}
			}
			if want == nil {
				want = plus(compact(square), naive(true, false, vs, vs))
				want = append(want, plus(compact(both), naive(true, false, vs, ws))...)
				want = append(want, plus(compact(product), naive(true, false, vs, ws))...)
			}
			AddCross(square, v)
			Mirror(square)
			AddCrossOf(both, v, w)
			Gemm(true, false, 1, vs, ws, 1, product)
			return append(compact(square), append(compact(both), compact(product)...)...)
		})
		mustBeNear(t, "sums", got, want, 1e-12)
	}
}

func plus(x []float64, m Matrix) []float64 {
	for i, v := range compact(m) {
		x[i] += v
	}
	return x
}

// TestDepthParts: what is cut in pieces, and that the scratch space is at most X's fourth where there are
// four times as many rows as columns.
func TestDepthParts(t *testing.T) {
	for _, c := range []struct{ order, k, want int }{
		{500, 2000, 2}, {500, 1500, 1}, {748, 3000, 2}, {1000, 5000, 2}, {1000, 4000, 1}, {1025, 1 << 20, 1},
		{300, 3000, 2}, {300, 50000, 8}, {62, 4026, 2}, {62, 1000, 1}, {10, 0, 1},
	} {
		if got := depthParts(c.order*c.order, c.k); got != c.want {
			t.Errorf("order %d over %d: %d pieces, want %d", c.order, c.k, got, c.want)
		}
		if got := CrossScratch(c.order, c.k); got > size*int64(c.order)*int64(c.k)/4 && c.k >= 4*c.order {
			t.Errorf("order %d over %d: %d bytes", c.order, c.k, got)
		}
	}
}
