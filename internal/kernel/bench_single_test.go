package kernel

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// BenchmarkSinglePrecision bounds what rows of float32 could gain where all products and
// sums stay in float64: they halve what is read from memory and nothing else. So a pass
// over them takes no less time than one over float64 that reads nothing from memory: over
// the same blocks of rows in the cache, again and again. It reports how many times as
// long one over rows in memory takes, and how many times as long as one over rows of
// float32 that are widened block by block, which gives the same bytes. See
// docs/decisions.md.
func BenchmarkSinglePrecision(b *testing.B) {
	const w = 16
	for _, s := range [][2]int{{200000, 200}, {100000, 784}, {20000, 2000}, {20000, 5000}} {
		n, d := s[0], s[1]
		few := passRows * max(2, (256<<10)/(8*d*passRows)) // rows of each thread that the second-level cache holds, if it can
		x, mean := uniform(n, d), make([]float64, d)
		q, c := uniform(d, w), NewMatrix(d, d)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%dx%d/threads=%d", n, d, threads), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
				rows := few * threads
				small := uniform(rows, d)
				whole, part, y := NewPass(x, mean, w), NewPass(small, mean, w), NewMatrix(d, w)
				single := make([]float32, n*d)
				memory, cache := time.Duration(1<<62), time.Duration(1<<62)
				formed, cached, widened := memory, cache, memory
				for b.Loop() {
					memory = min(memory, timeOf(1, func() { whole.Fused(y, q) }))
					cache = min(cache, timeOf(n/rows, func() { part.Fused(y, q) })*time.Duration(n)/time.Duration(n/rows*rows))
					widened = min(widened, timeOf(1, func() {
						for from := 0; from+rows <= n; from += rows {
							widen(small.Data, single[from*d:(from+rows)*d])
							part.Fused(y, q)
						}
					})*time.Duration(n)/time.Duration(n/rows*rows))
					if d > 1000 {
						continue
					}
					formed = min(formed, timeOf(1, func() { Cross(c, View{X: x, Mean: mean}) }))
					cached = min(cached, timeOf(1, func() { repeated(c, small, mean, n) })*time.Duration(n)/time.Duration(n/rows*rows))
				}
				b.ReportMetric(memory.Seconds()/cache.Seconds(), "×-pass-at-most")
				b.ReportMetric(memory.Seconds()/widened.Seconds(), "×-pass-widened")
				if d <= 1000 {
					b.ReportMetric(formed.Seconds()/cached.Seconds(), "×-forming-at-most")
				}
			})
		}
	}
}

// widen copies numbers, on all processors.
func widen(dst []float64, src []float32) {
	parts := Workers(2)
	Parallel(parts, func(_, part int) {
		lo, hi := span(len(src), parts, line, part)
		to := dst[lo:hi]
		for i, v := range src[lo:hi] {
			to[i] = float64(v)
		}
	})
}

// repeated adds the products of the rows of x to c, as often as gives n rows.
func repeated(c, x Matrix, mean []float64, n int) {
	for range n / x.Rows {
		AddCross(c, View{X: x, Mean: mean})
	}
}

// timeOf returns how long f takes, so many times over.
func timeOf(times int, f func()) time.Duration {
	start := time.Now()
	for range times {
		f()
	}
	return time.Since(start)
}
