package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

func general(m Matrix) blas64.General { return blas64.General(m) }

// BenchmarkGemm is square and narrow products beside gonum's.
func BenchmarkGemm(b *testing.B) {
	for _, s := range [][3]int{{16, 16, 16}, {100, 100, 100}, {100, 10, 100}, {1000, 16, 1000}, {500, 500, 500}, {1000, 1000, 1000}, {2000, 2000, 2000}} {
		m, n, k := s[0], s[1], s[2]
		x, y, z := uniform(m, k), uniform(k, n), NewMatrix(m, n)
		name := fmt.Sprintf("%dx%dx%d", m, n, k)
		flop, bytes := 2*float64(m)*float64(n)*float64(k), 8*float64(m*k+k*n+m*n)
		eachThreads(b, "own/"+name, func(b *testing.B, threads int) {
			measure(b, threads, flop, bytes, func() { Gemm(false, false, 1, x, y, 0, z) })
		})
		if m > 1000 {
			continue // gonum: seconds
		}
		b.Run("gonum/"+name, func(b *testing.B) {
			measure(b, 1, flop, bytes, func() { blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general(x), general(y), 0, general(z)) })
		})
	}
}

// BenchmarkCross is the covariance and the Gram route's products beside
// gonum's SymOuterK.
func BenchmarkCross(b *testing.B) {
	for _, s := range [][2]int{{2000, 500}, {100000, 100}, {20000, 784}, {3000, 2000}, {62, 4026}, {500, 20000}} {
		n, d := s[0], s[1]
		x, mean := uniform(n, d), make([]float64, d)
		Moments(mean, nil, x)
		v := View{X: x, Mean: mean}
		order, f := d, Cross
		if d > n {
			order, f = n, Gram
		}
		c := NewMatrix(order, order)
		flop, bytes := float64(n)*float64(d)*float64(order+1), 8*float64(n)*float64(d)
		name := fmt.Sprintf("%dx%d", n, d)
		eachThreads(b, "own/"+name, func(b *testing.B, threads int) {
			measure(b, threads, flop, bytes, func() { f(c, v) })
		})
		if n*d > 1000000 || d > n {
			continue // gonum: seconds
		}
		b.Run("gonum/"+name, func(b *testing.B) {
			dense, sym := mat.NewDense(n, d, x.Data), mat.NewSymDense(d, nil)
			measure(b, 1, flop, bytes, func() { sym.SymOuterK(1, dense.T()) })
		})
	}
}

// BenchmarkScatter is the moments and the scatter or Gram matrix of one reading, and of two.
func BenchmarkScatter(b *testing.B) {
	for _, s := range [][2]int{{50000, 300}, {1000000, 50}, {20000, 448}, {500, 20000}, {200, 100000}} {
		n, d := s[0], s[1]
		order, product := min(n, d), Cross
		if n < d {
			product = Gram
		}
		x, mean, squares, c := uniform(n, d), make([]float64, d), make([]float64, d), NewMatrix(order, order)
		flop, bytes := float64(n)*float64(d)*float64(order+1), 8*float64(n)*float64(d)
		eachThreads(b, fmt.Sprintf("one/%dx%d", n, d), func(b *testing.B, threads int) {
			measure(b, threads, flop, bytes, func() {
				if n < d {
					GramMoments(c, mean, squares, x)
				} else {
					Scatter(c, mean, squares, x, nil)
				}
			})
		})
		eachThreads(b, fmt.Sprintf("two/%dx%d", n, d), func(b *testing.B, threads int) {
			measure(b, threads, flop, bytes, func() {
				Moments(mean, squares, x)
				product(c, View{X: x, Mean: mean})
			})
		})
	}
}

// BenchmarkColumns gathers 100 columns of the tables, and multiplies them.
func BenchmarkColumns(b *testing.B) {
	const k = 100
	for _, s := range shapes {
		n, d := s[0], s[1]
		x, mean := uniform(n, d), make([]float64, k)
		rng := rand.New(rand.NewPCG(1, 1))
		v := View{X: x, Columns: rng.Perm(d)[:k], Mean: mean}
		slices.Sort(v.Columns)
		out, c := NewMatrix(n, k), NewMatrix(k, k)
		eachThreads(b, fmt.Sprintf("gather/%dx%d", n, d), func(b *testing.B, threads int) {
			measure(b, threads, 1, 8*float64(n*k), func() { Gather(out, v) })
		})
		eachThreads(b, fmt.Sprintf("cross/%dx%d", n, d), func(b *testing.B, threads int) {
			measure(b, threads, float64(n)*k*(k+1), 8*float64(n*k), func() { Cross(c, v) })
		})
	}
}

func BenchmarkProject(b *testing.B) {
	for _, n := range []int{1, 1000, 1000000} {
		const k, m = 100, 10
		p := NewProjection(uniform(k, m), make([]float64, k))
		x, dst := uniform(n, k), NewMatrix(n, m)
		eachThreads(b, fmt.Sprintf("%dx%dx%d", n, k, m), func(b *testing.B, threads int) {
			b.ReportAllocs()
			measure(b, threads, float64(2*n*k*m), float64(8*n*(k+m)), func() { p.Project(dst, x) })
		})
	}
	x := uniform(1<<10, 1<<16).Data
	eachThreads(b, "read", func(b *testing.B, threads int) {
		measure(b, threads, float64(len(x)), float64(8*len(x)), func() { ReadBandwidth(x) })
	})
}

func BenchmarkSparse(b *testing.B) {
	const n, d, w = 20000, 5000, 16
	for _, perRow := range []int{50, 500} {
		rng := rand.New(rand.NewPCG(1, 1))
		s := Sparse{Rows: n, Cols: d, Offsets: []int64{0}}
		for range n {
			for j := range perRow {
				s.Indices = append(s.Indices, int32(j*(d/perRow)+rng.IntN(d/perRow)))
				s.Values = append(s.Values, rng.Float64())
			}
			s.Offsets = append(s.Offsets, int64(len(s.Values)))
		}
		q, y := uniform(d, w), NewMatrix(d, w)
		p := NewSparsePass(s, make([]float64, d), w)
		eachThreads(b, fmt.Sprintf("fused/%dx%d/%d", n, d, perRow), func(b *testing.B, threads int) {
			nnz := float64(s.Entries())
			measure(b, threads, 4*w*nnz, 12*nnz, func() { p.Fused(y, q) })
		})
	}
}
