package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// randomTriangle returns a square matrix of order n (padded with zeros from
// used on) in a wider one, and vectors for it.
func randomTriangle(n, used int, seed uint64) (a Matrix, vectors [3][]float64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	a = NewMatrix(n, n+3).Slice(0, n, 0, n)
	for i := range used {
		for j := range used {
			a.Row(i)[j] = rng.NormFloat64()
		}
	}
	for l := range vectors {
		vectors[l] = make([]float64, n)
		for i := range used {
			vectors[l][i] = rng.NormFloat64()
		}
	}
	return a, vectors
}

// The sweeps over all rows, in parts, are the products they are said to be.
func TestSymvRows(t *testing.T) {
	for n := 8; n <= 48; n += 8 {
		for _, used := range []int{n, n - 3} {
			a, vec := randomTriangle(n, used, uint64(n))
			x, v, w := vec[0], vec[1], vec[2]
			for _, update := range []bool{false, true} {
				want, changed := make([]float64, n), NewMatrix(n, n)
				for i := range n {
					for j := i; j < n; j++ {
						s := a.Row(i)[j]
						if update {
							s -= v[i]*w[j] + w[i]*v[j]
						}
						changed.Row(i)[j] = s
						want[i] += s * x[j]
						if j > i {
							want[j] += s * x[i]
						}
					}
				}
				var first []float64
				eachPath(t, func(t *testing.T) {
					b, y := NewMatrix(n, n), make([]float64, n)
					b.Copy(a)
					for i0 := 0; i0 < n; i0 += 12 {
						if i1 := min(n, i0+12); update {
							Rank2SymvRows(y, b, x, v, w, i0, i1)
						} else {
							SymvRows(y, b, x, i0, i1)
						}
					}
					for i := range n {
						if math.Abs(y[i]-want[i]) > 1e-12 {
							t.Errorf("order %d, update %v: y[%d] is %g, want %g", n, update, i, y[i], want[i])
						}
						for j := i; j < n; j++ {
							if math.Abs(b.Row(i)[j]-changed.Row(i)[j]) > 1e-13 {
								t.Errorf("order %d, update %v: element (%d, %d) is %g, want %g", n, update, i, j, b.Row(i)[j], changed.Row(i)[j])
							}
						}
					}
					if first == nil {
						first = y
					}
					if fmt.Sprint(first) != fmt.Sprint(y) {
						t.Errorf("order %d, update %v: the bytes differ from those of the plain path", n, update)
					}
				})
			}
		}
	}
}

func TestSymvRowsShapes(t *testing.T) {
	a, x := NewMatrix(16, 16), make([]float64, 16)
	for name, f := range map[string]func(){
		"odd rows":  func() { SymvRows(x, a, x, 0, 6) },
		"too many":  func() { SymvRows(x, a, x, 0, 20) },
		"backwards": func() { SymvRows(x, a, x, 8, 4) },
		"odd order": func() { SymvRows(x[:12], a.Slice(0, 12, 0, 12), x[:12], 0, 4) },
		"short v":   func() { Rank2SymvRows(x, a, x, x[:8], x, 0, 4) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	SymvRows(nil, Matrix{}, nil, 0, 0)
}

func BenchmarkRank2SymvRows(b *testing.B) {
	for _, n := range []int{96, 200, 320, 512, 1000} {
		a, vec := randomTriangle(n, n, 1)
		y := make([]float64, n)
		vec[1][0], vec[2][0] = 0, 0
		for i := range vec[1] {
			vec[1][i] *= 1e-9
		}
		for _, update := range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d/update=%v", n, update), func(b *testing.B) {
				for b.Loop() {
					if update {
						Rank2SymvRows(y, a, vec[0], vec[1], vec[2], 0, n)
					} else {
						SymvRows(y, a, vec[0], 0, n)
					}
				}
				flops := 2.0
				if update {
					flops = 4
				}
				b.ReportMetric(flops*float64(n*n*b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
			})
		}
	}
}
