//go:build unix

package selector

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/reconstruction"
)

// BenchmarkFigures: what a fit costs with the figures of its choice, as a multiple of the
// fit without (from the rows to the solution): with those that every fit has (free), and
// with Options.Reconstruction (all).
func BenchmarkFigures(b *testing.B) {
	for _, size := range [][2]int{{62, 4026}, {2000, 500}, {500, 20000}, {100000, 784}, {20000, 5000}} {
		b.Run(fmt.Sprintf("n=%d/d=%d/k=100/m=10", size[0], size[1]), func(b *testing.B) {
			f := figureFits{x: loadedRows(size[0], size[1]), names: make([]string, size[1])}
			count := f.least(b)
			var took [3]fastest
			for b.Loop() {
				for kind := range took {
					begun := processorTime()
					for range count {
						f.fit(b, kind)
					}
					took[kind].take(begun)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(1e3*time.Duration(took[0]).Seconds()/float64(count), "ms/fit")
			b.ReportMetric(float64(took[1])/float64(took[0]), "free/fit")
			b.ReportMetric(float64(took[2])/float64(took[0]), "all/fit")
		})
	}
}

// figureFits are fits to the same rows.
type figureFits struct {
	x     *mat.Dense
	names []string
}

// fit fits without figures (0), with the free ones (1) or with all (2).
func (f *figureFits) fit(b *testing.B, kind int) {
	n, _ := f.x.Dims()
	a := must.Get(solver.NewData(f.x, solver.DataOptions{}))(b)
	p := solver.Params{Features: 100, Components: 10, Tell: kind == 1}
	s := must.Get(solver.Solve(b.Context(), a, p))(b)
	if kind == 0 {
		return
	}
	o := Options{Features: 100, Components: 10, Reconstruction: kind == 2}
	q := o.question(b.Context(), &table{a: a, names: f.names, rows: n}, p)
	q.Told, q.Block = s.Told, s.Block
	must.Get(reconstruction.Describe(b.Context(), a, s.Support, s.Loadings, q))(b)
}

// least returns how many fits take long enough to be measured: the time of a thread that runs is
// counted some milliseconds late.
func (f *figureFits) least(b *testing.B) int {
	f.fit(b, 0)
	begun, count := processorTime(), 0
	for ; processorTime()-begun < 100*time.Millisecond; count++ {
		f.fit(b, 0)
	}
	return count
}

// fastest is the least processor time of several rounds: what the work takes, whatever else runs.
type fastest time.Duration

func (f *fastest) take(begun time.Duration) {
	if t := fastest(processorTime() - begun); *f == 0 || t < *f {
		*f = t
	}
}

// processorTime is that of the process so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// loadedRows returns rows with a few strong directions and noise.
func loadedRows(n, d int) *mat.Dense {
	const factors = 20
	rng := rand.New(rand.NewPCG(1, 1))
	weights := mat.NewDense(factors, d, nil)
	for f := range factors {
		for j := range d {
			weights.Set(f, j, rng.NormFloat64()/float64(f+1))
		}
	}
	x, row := mat.NewDense(n, d, nil), make([]float64, factors)
	for i := range n {
		to := x.RawRowView(i)
		for j := range to {
			to[j] = rng.NormFloat64() / 2
		}
		for f := range row {
			row[f] = rng.NormFloat64()
		}
		for f, v := range row {
			for j, w := range weights.RawRowView(f) {
				to[j] += v * w
			}
		}
	}
	return x
}
