package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestGemm(t *testing.T) {
	for trial := range 60 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			limit := 40
			if trial%10 == 0 {
				limit = 450
			}
			m, n, k := randomSize(rng, limit), randomSize(rng, 60), randomSize(rng, limit)
			transA, transB := rng.IntN(2) == 0, rng.IntN(2) == 0
			a, b := randomMatrix(rng, m, k), randomMatrix(rng, k, n)
			if transA {
				a = randomMatrix(rng, k, m)
			}
			if transB {
				b = randomMatrix(rng, n, k)
			}
			alpha := []float64{1, -1, 2.5, 0}[rng.IntN(4)]
			beta := []float64{0, 1, -0.5}[rng.IntN(3)]
			c := randomMatrix(rng, m, n)
			if want == nil {
				want = compact(naive(transA, transB, a, b))
				for i, v := range compact(c) {
					want[i] = alpha*want[i] + beta*v
				}
			}
			Gemm(transA, transB, alpha, a, b, beta, c)
			return compact(c)
		})
		mustBeNear(t, "C", got, want, 1e-13)
	}
}

// TestGemmBlocks crosses the limits of what is packed at a time.
func TestGemmBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("1600 × 1600")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := randomMatrix(rng, superPanels*panelWidth+7, 5), randomMatrix(rng, 5, superPanels*panelWidth+9)
	c := NewMatrix(a.Rows, b.Cols)
	Gemm(false, false, 1, a, b, 0, c)
	mustBeNear(t, "C", c.Data, naive(false, false, a, b).Data, 1e-14)
	Gram(Matrix{Rows: a.Rows, Cols: a.Rows, Data: c.Data, Stride: c.Stride}, View{X: a})
	mustBeNear(t, "AAᵀ", compact(c.Slice(0, a.Rows, 0, a.Rows)), naive(false, true, a, a).Data, 1e-14)
}

// randomView returns a view with any of its fields set, and the matrix that
// it stands for.
func randomView(rng *rand.Rand, n, d int) (View, Matrix) {
	v := View{X: randomMatrix(rng, n, d)}
	if d > 0 && rng.IntN(2) == 0 {
		v.Columns = make([]int, rng.IntN(2*d))
		for i := range v.Columns {
			v.Columns[i] = rng.IntN(d)
		}
	}
	if rng.IntN(2) == 0 {
		v.Mean = randomVector(rng, v.Cols())
	}
	if rng.IntN(2) == 0 {
		v.Factor = randomVector(rng, v.Cols())
	}
	m := NewMatrix(n, v.Cols())
	for i := range n {
		for j := range m.Cols {
			c, x := j, 0.0
			if v.Columns != nil {
				c = v.Columns[j]
			}
			x = v.X.Row(i)[c]
			if v.Mean != nil {
				x -= v.Mean[j]
			}
			if v.Factor != nil {
				x *= v.Factor[j]
			}
			m.Row(i)[j] = x
		}
	}
	return v, m
}

func TestViews(t *testing.T) {
	for trial := range 60 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			limit := 50
			if trial%10 == 0 {
				limit = 300
			}
			v, m := randomView(rng, randomSize(rng, limit), randomSize(rng, limit))
			g, c, x := randomMatrix(rng, v.Rows(), v.Rows()), randomMatrix(rng, v.Cols(), v.Cols()), randomMatrix(rng, v.Rows(), v.Cols())
			Gather(x, v)
			Cross(c, v)
			Gram(g, v)
			mustEqual(t, "gathered", compact(x), m.Data, trial)
			if want == nil {
				want = append(compact(naive(true, false, m, m)), compact(naive(false, true, m, m))...)
			}
			return append(compact(c), compact(g)...)
		})
		mustBeNear(t, "VᵀV and VVᵀ", got, want, 1e-13)
	}
}

// TestCrossOf: a small C is summed in pieces, a large one is not.
func TestCrossOf(t *testing.T) {
	for trial := range 40 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			rows := randomSize(rng, 60)
			switch trial % 10 {
			case 0:
				rows = 2*splitRows + rng.IntN(400)
			case 1:
				rows = 100 + rng.IntN(200)
			}
			limit := 40
			if trial%10 == 1 {
				limit = 400
			}
			v, vs := randomView(rng, rows, randomSize(rng, limit))
			w, ws := randomView(rng, rows, randomSize(rng, limit))
			c := randomMatrix(rng, v.Cols(), w.Cols())
			CrossOf(c, v, w)
			if want == nil {
				want = compact(naive(true, false, vs, ws))
			}
			return compact(c)
		})
		mustBeNear(t, "VᵀW", got, want, 1e-12)
	}
}

// TestViewCentred: means of 10⁶ standard deviations cost nothing.
func TestViewCentred(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x := randomMatrix(rng, 300, 40)
	shifted := NewMatrix(300, 40)
	shifted.Copy(x)
	for i := range shifted.Data {
		shifted.Data[i] += 1e6
	}
	got, want := NewMatrix(40, 40), NewMatrix(40, 40)
	mean := make([]float64, 40)
	Moments(mean, nil, x)
	Cross(want, View{X: x, Mean: mean})
	Moments(mean, nil, shifted)
	Cross(got, View{X: shifted, Mean: mean})
	mustBeNear(t, "scatter", got.Data, want.Data, 1e-10) // what storing x + 10⁶ lost
}
