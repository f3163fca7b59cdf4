//go:build unix

package solver

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
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

// checkMemory holds what was said of a fit to what it has in use at its peak: a
// fifth more or less, but for a little that does not matter. The fit runs in a
// process of its own whose garbage collector stops everything and starts
// whenever the heap has grown by a hundredth: it sees each peak where it is
// allocated and nothing that is no longer in use, however busy the machine is.
// In that process prepare makes the data and returns the fit.
func checkMemory(t *testing.T, name string, p Params, prepare func(t *testing.T) (Shape, func() *Solution)) {
	if testing.Short() {
		t.Skip("a process for each case")
	}
	t.Run(name, func(t *testing.T) {
		if os.Getenv("GODEBUG") == tracing {
			s, fit := prepare(t)
			for range 2 { // what pools hold goes in two steps
				runtime.GC()
			}
			debug.SetGCPercent(1)
			println("begun")
			println("said", Memory(s, p), string(fit().Route))
			return
		}
		before, during := traceAlone(t)
		var said float64
		var route string
		during, last, _ := strings.Cut(during, "said ")
		if _, err := fmt.Sscan(last, &said, &route); err != nil {
			t.Fatalf("%v in what the fit printed last, %q", err, last)
		}
		said /= 1 << 20
		base := liveIn(t, before)
		got := slices.Max(liveIn(t, during)) - base[len(base)-1]
		t.Logf("%s: %.0f MiB, said %.1f: %.2f", route, got, said, said/got)
		if math.Abs(said-got) > 0.2*got+1 {
			t.Errorf("the fit does not take the %.1f MiB that were said", said)
		}
	})
}

// traceAlone runs this test in a process of its own and returns its trace
// before and after the fit has begun.
func traceAlone(t *testing.T) (before, during string) {
	var test []string
	for part := range strings.SplitSeq(t.Name(), "/") {
		test = append(test, "^"+regexp.QuoteMeta(part)+"$")
	}
	alone := exec.Command(os.Args[0], "-test.run="+strings.Join(test, "/"))
	alone.Env = append(os.Environ(), "GODEBUG="+tracing)
	var trace strings.Builder
	alone.Stderr = &trace
	if out, err := alone.Output(); err != nil {
		t.Fatalf("%v\n%s%s", err, out, trace.String())
	}
	before, during, _ = strings.Cut(trace.String(), "begun\n")
	return before, during
}

// tracing has the garbage collector stop everything and print what it leaves.
const tracing = "gcstoptheworld=1,gctrace=1"

// liveIn returns the MiB that each collection of a trace left in use, at least
// one.
func liveIn(t *testing.T, trace string) []float64 {
	var live []float64
	for _, match := range regexp.MustCompile(`(?m)^gc .* \d+->\d+->(\d+) MB`).FindAllStringSubmatch(trace, -1) {
		v := must.Get(strconv.ParseFloat(match[1], 64))(t)
		live = append(live, v)
	}
	if len(live) == 0 {
		t.Fatalf("no collection in the trace %q", trace)
	}
	return live
}

func TestMemoryOfRows(t *testing.T) {
	for _, c := range []struct {
		n, d, k, m int
		effort     Effort
		scaled     bool
	}{
		{n: 400, d: 60000, k: 1000, m: 10},
		{n: 400, d: 60000, k: 100, m: 10},
		{n: 300, d: 100000, k: 200, m: 30},
		{n: 1000, d: 30000, k: 100, m: 10},
		{n: 4000, d: 4000, k: 100, m: 10, scaled: true},
		{n: 12000, d: 1500, k: 200, m: 10},
		{n: 3000, d: 6000, k: 1500, m: 10},
		{n: 2000, d: 3000, k: 50, m: 10, effort: EffortThorough},
		{n: 1500, d: 900, k: 50, m: 10, effort: EffortThorough},
		{n: 3000, d: 2000, k: 100, m: 5, effort: EffortThorough},
	} {
		p := Params{Features: c.k, Components: c.m, Effort: c.effort}
		checkMemory(t, fmt.Sprintf("%+v", c), p, func(t *testing.T) (Shape, func() *Solution) {
			x := outside(t, c.n, c.d)
			var opt DataOptions
			if c.scaled {
				opt.Scale = slices.Repeat([]float64{2}, c.d)
			}
			return Shape{Rows: c.n, Columns: c.d, Scaled: c.scaled}, func() *Solution {
				a := must.Get(NewData(x, opt))(t)
				return mustSolve(t, a, p)
			}
		})
	}
}

func TestMemoryOfSparse(t *testing.T) {
	for _, c := range []struct {
		n, d, r, k, m int
		effort        Effort
	}{
		{n: 5000, d: 20000, r: 50, k: 100, m: 10},
		{n: 50000, d: 5000, r: 60, k: 1000, m: 10},
		{n: 20000, d: 3000, r: 40, k: 100, m: 20},
		{n: 20000, d: 2000, r: 40, k: 50, m: 5, effort: EffortThorough},
	} {
		p := Params{Features: c.k, Components: c.m, Effort: c.effort}
		checkMemory(t, fmt.Sprintf("%+v", c), p, func(t *testing.T) (Shape, func() *Solution) {
			x := topicRows(c.n, c.d, c.r)
			return Shape{Rows: c.n, Columns: c.d, Sparse: true, Entries: len(x.Values)}, func() *Solution {
				a := must.Get(NewSparse(x, DataOptions{}))(t)
				return mustSolve(t, a, p)
			}
		})
	}
}

func TestMemoryOfMatrix(t *testing.T) {
	for _, c := range []struct{ d, k, m int }{{1200, 100, 10}, {2500, 100, 10}, {2500, 800, 5}} {
		p := Params{Features: c.k, Components: c.m}
		checkMemory(t, fmt.Sprintf("%+v", c), p, func(t *testing.T) (Shape, func() *Solution) {
			data := must.Get(NewData(outside(t, 60, c.d), DataOptions{}))(t)
			a := must.Get(data.Entries(t.Context()))(t)
			return Shape{Columns: c.d}, func() *Solution {
				defer runtime.KeepAlive(a) // the caller's, so not the fit's
				operator := must.Get(NewMatrix(a))(t)
				return mustSolve(t, operator, p)
			}
		})
	}
}

func TestMemoryOfPath(t *testing.T) {
	const n, d = 3000, 2000
	for _, sizes := range [][]int{{20, 30, 40, 50}, {20, 30, 40, 50, 60, 70}} {
		p := Params{Features: slices.Max(sizes), Components: 5}
		checkMemory(t, fmt.Sprintf("%d sizes", len(sizes)), p, func(t *testing.T) (Shape, func() *Solution) {
			x := outside(t, n, d)
			return Shape{Rows: n, Columns: d, Sizes: len(sizes)}, func() *Solution {
				a := must.Get(NewData(x, DataOptions{}))(t)
				path := must.Get(Path(t.Context(), a, p, sizes))(t)
				return path[0]
			}
		})
	}
}
