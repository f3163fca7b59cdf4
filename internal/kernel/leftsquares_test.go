package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestLeftSquares compares with the product, stored.
func TestLeftSquares(t *testing.T) {
	for trial := range 40 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, d, c := 1+rng.IntN(70), rng.IntN(60), rng.IntN(20)
			if trial%4 == 2 { // several tasks
				d = 2*columnBlock + rng.IntN(columnBlock)
			}
			x := randomMatrix(rng, n, d)
			var mean []float64
			if trial%3 > 0 {
				mean = make([]float64, d)
				Moments(mean, nil, x)
			}
			t0, squares := randomMatrix(rng, n, c), make([]float64, d)
			LeftSquares(squares, x, mean, t0)
			if want == nil {
				product := naive(true, false, centred(x, mean), t0)
				want = make([]float64, d)
				for j := range want {
					for _, v := range product.Row(j) {
						want[j] += v * v
					}
				}
			}
			return squares
		})
		mustBeNear(t, "the squares", got, want, 1e-12)
	}
}

// BenchmarkLeftSquares compares with a product that is stored and squared.
func BenchmarkLeftSquares(b *testing.B) {
	for _, s := range [][2]int{{62, 4026}, {300, 3000}, {500, 20000}} {
		const c = 10
		n, d := s[0], s[1]
		x, t, mean, squares := uniform(n, d), uniform(n, c), make([]float64, d), make([]float64, d)
		Moments(mean, nil, x)
		flop, bytes := 2*float64(n)*float64(d)*c, 8*float64(n)*float64(d)
		eachThreads(b, fmt.Sprintf("squares/%dx%d", n, d), func(b *testing.B, threads int) {
			measure(b, threads, flop, bytes, func() { LeftSquares(squares, x, mean, t) })
		})
		eachThreads(b, fmt.Sprintf("stored/%dx%d", n, d), func(b *testing.B, threads int) {
			y := NewMatrix(d, c)
			measure(b, threads, flop, bytes, func() {
				p := NewPass(x, mean, c)
				p.Left(y, t)
				p.Release()
				for j := range squares {
					sum := 0.0
					for _, v := range y.Row(j) {
						sum += v * v
					}
					squares[j] = sum
				}
			})
		})
	}
}
