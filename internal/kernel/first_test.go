package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func randomMatrix(rng *rand.Rand, r, c, stride int) Matrix {
	m := Matrix{Rows: r, Cols: c, Stride: stride, Data: make([]float64, r*stride)}
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	return m
}

func near(t *testing.T, what string, got, want, scale float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*scale) {
		t.Fatalf("%s: got %g, want %g", what, got, want)
	}
}

func TestFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		m, n, k := rng.IntN(40), rng.IntN(40), rng.IntN(300)
		a := randomMatrix(rng, m, k, k+rng.IntN(3))
		b := randomMatrix(rng, k, n, n+rng.IntN(3))
		c := randomMatrix(rng, m, n, n+2)
		old := NewMatrix(m, n)
		old.Copy(c)
		Gemm(false, false, 2, a, b, 0.5, c)
		for i := range m {
			for j := range n {
				s := 0.5 * old.Row(i)[j]
				for l := range k {
					s += 2 * a.Row(i)[l] * b.Row(l)[j]
				}
				near(t, "gemm", c.Row(i)[j], s, 300)
			}
		}
		mean := make([]float64, k)
		sq := make([]float64, k)
		Moments(mean, sq, a)
		ac := NewMatrix(m, k)
		Gather(ac, View{X: a, Mean: mean})
		g := NewMatrix(m, m)
		Gram(g, View{X: a, Mean: mean})
		g2 := NewMatrix(m, m)
		Gemm(false, true, 1, ac, ac, 0, g2)
		for i := range g.Data {
			near(t, "gram", g.Data[i], g2.Data[i], 300)
		}
		x := NewMatrix(k, k)
		Cross(x, View{X: a, Mean: mean})
		x2 := NewMatrix(k, k)
		Gemm(true, false, 1, ac, ac, 0, x2)
		for i := range x.Data {
			near(t, "cross", x.Data[i], x2.Data[i], 300)
		}
		for j := range sq {
			near(t, "squares", sq[j], x.Row(j)[j], 300)
		}
		w := 1 + rng.IntN(20)
		q := randomMatrix(rng, k, w, w)
		p := NewPass(a, mean, w)
		y, y2, tt := NewMatrix(k, w), NewMatrix(k, w), NewMatrix(m, w)
		p.Fused(y, q)
		p.Right(tt, q)
		Gemm(false, false, 1, x, q, 0, y2)
		for i := range y.Data {
			near(t, "fused", y.Data[i], y2.Data[i], 3000)
		}
		p.Left(y, tt)
		for i := range y.Data {
			near(t, "left", y.Data[i], y2.Data[i], 3000)
		}
		_ = trial
	}
}
