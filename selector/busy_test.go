package selector

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// BenchmarkFitBesideBusyGoroutines fits 5000 rows of 400 columns while eight
// goroutines keep all processors busy, as in a service. It reports how many
// times longer that takes than a fit alone, over what would be fair: with p
// processors, p goroutines of the fit and eight others, (p+8)/p.
func BenchmarkFitBesideBusyGoroutines(b *testing.B) {
	const rounds, others = 20, 8
	rng := rand.New(rand.NewPCG(1, 8))
	x := mat.NewDense(5000, 400, nil)
	for i := range 5000 {
		shared := rng.NormFloat64()
		for j, row := 0, x.RawRowView(i); j < len(row); j++ {
			row[j] = rng.NormFloat64() + shared*float64(j%17)/8
		}
	}
	fits := func() time.Duration {
		start := time.Now()
		for range rounds {
			must.OK(b, New(Options{Features: 30, Components: 5}).FitMatrix(b.Context(), x, nil))
		}
		return time.Since(start)
	}
	var alone, beside time.Duration
	for b.Loop() {
		alone += fits()
		var stop atomic.Bool
		var busy sync.WaitGroup
		for range others {
			busy.Go(func() {
				for i := 0; !stop.Load(); i++ {
				}
			})
		}
		beside += fits()
		stop.Store(true)
		busy.Wait()
	}
	p := float64(runtime.GOMAXPROCS(0))
	ratio := float64(beside) / float64(alone)
	b.ReportMetric(ratio, "×alone")
	b.ReportMetric(ratio/((p+others)/p), "×fair")
}
