package kernel

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkTile(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for p := avx2; p <= bestPath(); p++ {
		for _, n := range []int{8, 16, 24} {
			b.Run(p.String()+"/n="+string(rune('0'+n/10))+string(rune('0'+n%10)), func(b *testing.B) {
				defer use(p)()
				const m, k = 96, 192
				x := randomMatrix(rng, m, k, k)
				q := aligned(k * n)
				c := aligned(m * n)
				for b.Loop() {
					tile(m, n, k, x.Data, k, 1, q, n, nil, 0, c, n)
				}
				b.ReportMetric(float64(2*m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
	for p := avx2; p <= bestPath(); p++ {
		b.Run("peak/"+p.String(), func(b *testing.B) {
			for b.Loop() {
				if p == avx512 {
					peakAVX512(1000)
				} else {
					peakAVX2(1000)
				}
			}
			b.ReportMetric(float64(p)*4*2*12*1000*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
