//go:build unix

package solver

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/mat"
)

// outside returns an n×d matrix of numbers that the garbage collector does not
// see, so that the heap holds what a fit takes beyond its data.
func outside(t *testing.T, n, d int) *mat.Dense {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, 8*n*d, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	x := mat.NewDense(n, d, unsafe.Slice((*float64)(unsafe.Pointer(&b[0])), n*d))
	rng := rand.New(rand.NewPCG(50, uint64(n)))
	factors := make([]float64, 20)
	for i := range n {
		for f := range factors {
			factors[f] = rng.NormFloat64() * 10 / float64(f+1)
		}
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.Float64() + factors[j%20]
		}
	}
	return x
}

// peakOf returns the most bytes that f has in use at a time, by collecting
// garbage without a pause.
func peakOf(f func()) int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	live := func() int64 {
		runtime.GC()
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	live() // what pools hold goes in two steps
	before, peak := live(), int64(0)
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !stop.Load() {
			peak = max(peak, live())
		}
	}()
	f()
	stop.Store(true)
	<-done
	return peak - before
}

// checkMemory holds what was said of a fit to what it has in use at its peak: a
// fifth more or less, but for a little that does not matter. A busy machine can
// miss a peak or count what is no longer in use, so it may try again.
func checkMemory(t *testing.T, name string, s Shape, p Params, fit func() *Solution) {
	t.Helper()
	const mib = 1 << 20
	said := float64(Memory(s, p))
	for range 4 {
		var route Route
		got := float64(peakOf(func() { route = fit().Route }))
		t.Logf("%s, %s: %.1f MiB, said %.1f: %.2f", name, route, got/mib, said/mib, said/got)
		if math.Abs(said-got) <= 0.2*got+mib {
			return
		}
	}
	t.Errorf("%s: the fit does not take the %.1f MiB that were said", name, said/mib)
}

func skipMemory(t *testing.T) {
	if testing.Short() || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("peaks are seen from a second processor only, and slowly")
	}
}

func TestMemoryOfRows(t *testing.T) {
	skipMemory(t)
	for _, c := range []struct {
		n, d, k, m int
		effort     Effort
		scaled     bool
	}{
		{n: 400, d: 60000, k: 1000, m: 10},
		{n: 1000, d: 30000, k: 100, m: 10},
		{n: 4000, d: 4000, k: 100, m: 10, scaled: true},
		{n: 12000, d: 1500, k: 200, m: 10},
		{n: 3000, d: 6000, k: 1500, m: 10},
		{n: 2000, d: 3000, k: 50, m: 10, effort: EffortThorough},
		{n: 1500, d: 900, k: 50, m: 10, effort: EffortThorough},
	} {
		x := outside(t, c.n, c.d)
		p := Params{Features: c.k, Components: c.m, Effort: c.effort}
		var opt DataOptions
		if c.scaled {
			opt.Scale = slices.Repeat([]float64{2}, c.d)
		}
		checkMemory(t, fmt.Sprintf("%+v", c), Shape{Rows: c.n, Columns: c.d, Scaled: c.scaled}, p, func() *Solution {
			a, err := NewData(x, opt)
			if err != nil {
				t.Fatal(err)
			}
			return mustSolve(t, a, p)
		})
	}
}

func TestMemoryOfSparse(t *testing.T) {
	skipMemory(t)
	for _, c := range []struct{ n, d, r, k, m int }{{5000, 20000, 50, 100, 10}, {50000, 5000, 60, 1000, 10}, {20000, 3000, 40, 100, 20}} {
		x := topicRows(c.n, c.d, c.r)
		p := Params{Features: c.k, Components: c.m}
		checkMemory(t, fmt.Sprintf("%+v", c), Shape{Rows: c.n, Columns: c.d, Sparse: true, Entries: len(x.Values)}, p, func() *Solution {
			a, err := NewSparse(x, DataOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return mustSolve(t, a, p)
		})
	}
}

func TestMemoryOfMatrix(t *testing.T) {
	skipMemory(t)
	for _, c := range []struct{ d, k, m int }{{1200, 100, 10}, {2500, 100, 10}, {2500, 800, 5}} {
		x := outside(t, 60, c.d)
		data, err := NewData(x, DataOptions{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := data.Entries()
		if err != nil {
			t.Fatal(err)
		}
		p := Params{Features: c.k, Components: c.m}
		checkMemory(t, fmt.Sprintf("%+v", c), Shape{Columns: c.d}, p, func() *Solution {
			operator, err := NewMatrix(a)
			if err != nil {
				t.Fatal(err)
			}
			return mustSolve(t, operator, p)
		})
		runtime.KeepAlive(a)
	}
}
