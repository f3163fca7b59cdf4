package spectral

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

func BenchmarkLeading(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000, 2000} {
		a := gaussian(n, 1)
		b.Run(fmt.Sprintf("n=%d/m=10", n), func(b *testing.B) {
			for b.Loop() {
				must.Get(Leading(a, 10))(b)
			}
		})
	}
}

func BenchmarkFull(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000, 2000} {
		a := gaussian(n, 1)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				must.Get(Full(a))(b)
			}
		})
	}
}

func BenchmarkValues(b *testing.B) {
	for _, n := range []int{100, 500, 1000} {
		a := gaussian(n, 1)
		for _, r := range []int{10, n} {
			b.Run(fmt.Sprintf("n=%d/r=%d", n, r), func(b *testing.B) {
				for b.Loop() {
					must.Get(Values(a, r))(b)
				}
			})
		}
	}
}

// BenchmarkRefine starts 0.1 away from the vectors, m = 10.
func BenchmarkRefine(b *testing.B) {
	for _, n := range []int{500, 1000, 2000, 5000} {
		a := covariance(n)
		p := must.Get(Krylov(context.Background(), newUpper(a), 10, Settings{}))(b)
		s := Settings{Start: perturbed(p.Vectors, 0, 10, 0.1, 1)}
		for name, tolerance := range map[string]float64{"1e-10": 1e-10, "1e-5": 1e-5} {
			s.Tolerance = tolerance
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					p = must.Get(Refine(context.Background(), a, 10, s))(b)
				}
				b.ReportMetric(float64(p.Passes), "passes")
			})
		}
	}
}

// BenchmarkAgainstGonum runs both in turn and reports how many times longer
// gonum's EigenSym takes, by medians.
func BenchmarkAgainstGonum(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000} {
		a := gaussian(n, 1)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var leading, full, gonum []time.Duration
			clock := func(times *[]time.Duration, f func()) {
				start := time.Now()
				f()
				*times = append(*times, time.Since(start))
			}
			for b.Loop() {
				clock(&leading, func() { must.Get(Leading(a, 10))(b) })
				clock(&full, func() { must.Get(Full(a))(b) })
				clock(&gonum, func() {
					var eig mat.EigenSym
					if !eig.Factorize(a, true) {
						b.Fatal("EigenSym failed")
					}
				})
			}
			b.ReportMetric(float64(median(gonum))/float64(median(leading)), "leading×")
			b.ReportMetric(float64(median(gonum))/float64(median(full)), "full×")
		})
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// covariance returns one of order n with 40 factors above noise.
func covariance(n int) *mat.SymDense {
	const factors = 40
	f := mat.NewDense(factors, n, gaussianNumbers(factors*n, 1))
	for i := range factors {
		row := f.RawRowView(i)
		for j := range row {
			row[j] *= 3 / (1 + float64(i)/4)
		}
	}
	noise := mat.NewDense(64, n, gaussianNumbers(64*n, 2))
	a := mat.NewSymDense(n, nil)
	a.SymOuterK(1, f.T())
	var e mat.SymDense
	e.SymOuterK(1.0/64, noise.T())
	a.AddSym(a, &e)
	return a
}
