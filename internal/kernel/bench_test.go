package kernel

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// shapes are those of the table of fits: rows and columns of X.
var shapes = [][2]int{{62, 4026}, {2000, 500}, {500, 20000}, {100000, 784}, {20000, 5000}}

// measure runs f, which does flop floating-point operations and reads bytes
// bytes, and reports the best of its runs: other programs disturb a mean. The
// peak is measured in between, with as many threads.
func measure(b *testing.B, threads int, flop, bytes float64, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	f()
	best, peak := time.Duration(1<<62), 0.0
	for b.Loop() {
		at := time.Now()
		f()
		best = min(best, time.Since(at))
		b.StopTimer()
		peak = max(peak, Peak(1<<16))
		b.StartTimer()
	}
	rate := flop / float64(best.Nanoseconds())
	b.ReportMetric(rate, "GFLOP/s")
	b.ReportMetric(100*rate/peak/float64(threads), "%peak")
	b.ReportMetric(bytes/float64(best.Nanoseconds()), "GB/s")
	b.ReportMetric(float64(best.Nanoseconds())/1e3, "best-µs")
}

// eachThreads runs f as a sub-benchmark for one and two threads.
func eachThreads(b *testing.B, name string, f func(b *testing.B, threads int)) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("%s/threads=%d", name, threads), func(b *testing.B) { f(b, threads) })
	}
}

// uniform returns a matrix of uniform numbers: faster to make than normal ones.
func uniform(r, c int) Matrix {
	rng := rand.New(rand.NewPCG(1, 1))
	m := NewMatrix(r, c)
	for i := range m.Data {
		m.Data[i] = rng.Float64()
	}
	return m
}

func BenchmarkTile(b *testing.B) {
	for p := plain; p <= bestPath(); p++ {
		for _, n := range []int{8, 10, 16, 24} {
			b.Run(fmt.Sprintf("%s/n=%d", p, n), func(b *testing.B) {
				defer use(p)()
				const m, k = 96, 192
				x, q, c := uniform(m, k), uniform(k, n), NewMatrix(m, n)
				measure(b, 1, 2*m*k*float64(n), 8*m*k, func() {
					tile(m, n, k, x.Data, k, 1, q.Data, n, nil, 0, c.Data, n)
				})
			})
		}
	}
}

func BenchmarkPass(b *testing.B) {
	const w = 16
	for _, s := range shapes {
		n, d := s[0], s[1]
		x, mean := uniform(n, d), make([]float64, d)
		q, y, t := uniform(d, w), NewMatrix(d, w), NewMatrix(n, w)
		Moments(mean, nil, x)
		flop, bytes := 2*float64(n)*float64(d)*w, 8*float64(n)*float64(d)
		for _, c := range []struct {
			name string
			flop float64
			f    func(p *Pass)
		}{
			{"fused", 2 * flop, func(p *Pass) { p.Fused(y, q) }},
			{"right", flop, func(p *Pass) { p.Right(t, q) }},
			{"left", flop, func(p *Pass) { p.Left(y, t) }},
		} {
			eachThreads(b, fmt.Sprintf("%s/%dx%d", c.name, n, d), func(b *testing.B, threads int) {
				p := NewPass(x, mean, w)
				measure(b, threads, c.flop, bytes, func() { c.f(p) })
			})
		}
	}
}

func BenchmarkMoments(b *testing.B) {
	for _, s := range shapes {
		x := uniform(s[0], s[1])
		mean, squares := make([]float64, s[1]), make([]float64, s[1])
		eachThreads(b, fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B, threads int) {
			n := float64(len(x.Data))
			measure(b, threads, 4*n, 8*n, func() { Moments(mean, squares, x) })
		})
	}
}
