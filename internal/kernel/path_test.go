package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// use makes p the active path and returns what undoes that.
func use(p path) (restore func()) {
	old := active
	active = p
	return func() { active = old }
}

// eachPath runs f once for every path that this machine has, with that path
// in use.
func eachPath(t *testing.T, f func(t *testing.T)) {
	for p := plain; p <= bestPath(); p++ {
		t.Run(p.String(), func(t *testing.T) {
			defer use(p)()
			f(t)
		})
	}
}

// everywhere runs f with every path of this machine and with one, two and five
// threads, however small the work, holds all results to the first, plain one
// bit for bit, and returns it. f gets the same random numbers each time.
func everywhere(t *testing.T, f func(rng *rand.Rand) []float64) []float64 {
	t.Helper()
	return everywhereSeeded(t, rand.Uint64(), f)
}

func everywhereSeeded(t *testing.T, seed uint64, f func(rng *rand.Rand) []float64) []float64 {
	t.Helper()
	return everywhereOn(t, seed, []int{1, 2, 5}, f)
}

// everywhereOn is everywhereSeeded for some numbers of threads, of which each takes a stop of the world.
func everywhereOn(t *testing.T, seed uint64, threads []int, f func(rng *rand.Rand) []float64) []float64 {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer func(w int) { smallWork = w }(smallWork)
	smallWork = 0
	var want []float64
	for _, n := range threads {
		runtime.GOMAXPROCS(n)
		for p := plain; p <= bestPath(); p++ {
			if p > plain && !fusedInHardware {
				break // the plain path rounds differently
			}
			restore := use(p)
			got := f(rand.New(rand.NewPCG(seed, 1)))
			restore()
			if want == nil {
				want = got
			}
			mustEqual(t, p.String(), got, want, fmt.Sprintf("%d threads, seed %d", n, seed))
		}
	}
	return want
}

func mustEqual(t *testing.T, what string, got, want []float64, c any) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d; %+v", what, len(got), len(want), c)
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: number %d is %v, want %v; %+v", what, i, got[i], want[i], c)
		}
	}
}

// mustBeNear compares with a tolerance relative to the largest number wanted, or
// to 1, the size of the data.
func mustBeNear(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	scale := 1.0
	for _, w := range want {
		scale = math.Max(scale, math.Abs(w))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol*scale) {
			t.Fatalf("%s: number %d is %v, want %v (scale %v)", what, i, got[i], want[i], scale)
		}
	}
}

// randomMatrix returns an r×c matrix of normal numbers within a wider one that
// begins off the cache lines and ends with its last element.
func randomMatrix(rng *rand.Rand, r, c int) Matrix {
	m := Matrix{Rows: r, Cols: c, Stride: c + rng.IntN(5)}
	if m.empty() {
		return m
	}
	offset := rng.IntN(9)
	data := randomVector(rng, offset+(r-1)*m.Stride+c)
	m.Data = data[offset:]
	return m
}

// allocate makes the numbers of random operands.
var allocate = func(n int) []float64 { return make([]float64, n) }

func randomVector(rng *rand.Rand, n int) []float64 {
	x := allocate(n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// size returns 0, 1 or a size up to limit.
func randomSize(rng *rand.Rand, limit int) int {
	switch rng.IntN(12) {
	case 0:
		return 0
	case 1:
		return 1
	}
	return rng.IntN(limit)
}

// compact returns the elements of m in order.
func compact(m Matrix) []float64 {
	var x []float64
	for i := range m.Rows {
		x = append(x, m.Row(i)...)
	}
	return x
}

// naive returns op(A)·op(B), summed in twice the precision.
func naive(transA, transB bool, a, b Matrix) Matrix {
	m, k, n := a.Rows, a.Cols, b.Cols
	if transA {
		m, k = k, m
	}
	if transB {
		n = b.Rows
	}
	c := NewMatrix(m, n)
	for i := range m {
		for j := range n {
			var hi, lo float64
			for l := range k {
				x, y := a.at(transA, i, l), b.at(transB, l, j)
				p := x * y
				e := math.FMA(x, y, -p)
				s := hi + p
				v := s - hi
				lo += (hi - (s - v)) + (p - v) + e
				hi = s
			}
			c.Data[i*n+j] = hi + lo
		}
	}
	return c
}

func (m Matrix) at(trans bool, i, j int) float64 {
	if trans {
		i, j = j, i
	}
	return m.Data[i*m.Stride+j]
}

func TestChoosePath(t *testing.T) {
	for _, c := range []struct {
		name string
		best path
		want path
		err  bool
	}{
		{"", avx512, avx512, false},
		{"", plain, plain, false},
		{"avx2", avx512, avx2, false},
		{"plain", avx512, plain, false},
		{"avx512", avx512, avx512, false},
		{"avx512", avx2, avx2, true},
		{"AVX2", avx512, avx512, true},
		{"sse", avx2, avx2, true},
	} {
		got, err := choosePath(c.name, c.best)
		if got != c.want || (err != nil) != c.err {
			t.Errorf("choosePath(%q, %v) = %v, %v; want %v, error %v", c.name, c.best, got, err, c.want, c.err)
		}
	}
}
