package spectral

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/internal/must"
)

func TestValues(t *testing.T) {
	for name, a := range cases() {
		want, norm := oracle(t, a)
		n := a.SymmetricDim()
		for _, r := range []int{1, n/20 + 1, n} {
			got := must.Get(Values(a, r))(t)
			if len(got) != r {
				t.Fatalf("%s: %d values, want %d", name, len(got), r)
			}
			for i, v := range got {
				if math.Abs(v-want[i]) > 1e-12*norm {
					t.Errorf("%s: value %d of %d is %.17g, want %.17g", name, i, r, v, want[i])
				}
			}
		}
	}
}

// entries is a matrix without raw storage.
type entries struct{ *mat.SymDense }

func (entries) RawSymmetric() {}

func TestLeadingOfAnySymmetric(t *testing.T) {
	a := gaussian(30, 1)
	p, err := Leading(a, 4)
	if err != nil {
		t.Fatal(err)
	}
	q := must.Get(Leading(entries{a}, 4))(t)
	if !mat.Equal(p.Vectors, q.Vectors) || !slices.Equal(p.Values, q.Values) {
		t.Error("the entries alone give another answer than the storage")
	}
	d := mat.NewDiagDense(3, []float64{1, 3, 2})
	if p, err = Leading(d, 3); err != nil || fmt.Sprint(p.Values) != "[3 2 1]" {
		t.Errorf("diagonal matrix: %v, %v", p, err)
	}
}

func TestLeadingErrors(t *testing.T) {
	a := laplacian(12)
	for name, c := range map[string]struct {
		row, col int
		value    float64
		m        int
	}{
		"nan":       {3, 7, math.NaN(), 2},
		"last":      {11, 11, math.NaN(), 2},
		"infinite":  {0, 0, math.Inf(-1), 2},
		"late":      {9, 4, math.Inf(1), 2},
		"none":      {0, 0, 1, 0},
		"too many":  {0, 0, 1, 13},
		"both ends": {0, 11, math.NaN(), 2},
	} {
		b := mat.NewSymDense(12, nil)
		b.CopySym(a)
		b.SetSym(c.row, c.col, c.value)
		p, err := Leading(b, c.m)
		if p != nil || err == nil {
			t.Errorf("%s: got %v, %v", name, p, err)
			continue
		}
		t.Logf("%s: %v", name, err)
		if v, err := Values(b, c.m); v != nil || err == nil {
			t.Errorf("%s: Values got %v, %v", name, v, err)
		}
	}
	if _, err := Leading(&mat.SymDense{}, 1); err == nil {
		t.Error("no error for an empty matrix")
	}
	big := ones(8)
	big.ScaleSym(math.MaxFloat64/4, big)
	if p, err := Leading(big, 1); err == nil {
		t.Errorf("no error where the eigenvalue overflows: %v", p.Values)
	}
	if p, err := Leading(big, 8); err == nil {
		t.Errorf("no error where the eigenvalue overflows: %v", p.Values)
	}
}

// drawSpectrum draws eigenvalues with clusters, repetitions and any grading.
func drawSpectrum(t *rapid.T, n int) []float64 {
	values := make([]float64, n)
	v := 1.0
	gap := rapid.SampledFrom([]float64{0, 0, 1e-16, 1e-14, 1e-9, 1e-3, 0.1, 0.5})
	for i := range values {
		v *= 1 - gap.Draw(t, "gap")
		values[i] = v
	}
	if rapid.Bool().Draw(t, "indefinite") {
		for i := n / 2; i < n; i++ {
			values[i] -= 1
		}
	}
	return values
}

func TestLeadingProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 90).Draw(t, "n")
		m := rapid.IntRange(1, n).Draw(t, "m")
		a := symmetric(drawSpectrum(t, n), rapid.Uint64().Draw(t, "seed"))
		a.ScaleSym(math.Pow(10, float64(rapid.IntRange(-290, 290).Draw(t, "exponent"))), a)
		p := must.Get(Leading(a, m))(t)
		want, norm := oracle(t, a)
		checkPairs(t, a, p, want, norm, 1e-12)
	})
}

// Tridiagonal matrices reach the solvers of the reduced problem as they are:
// tiny off-diagonals, zeros and equal diagonals are its hard cases.
func TestTridiagonalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 140).Draw(t, "n")
		size := rapid.SampledFrom([]float64{0, 1, 1, 1, 1e-3, 1e-8, 1e-12, 1e-15, 1e-17})
		level := rapid.SampledFrom([]float64{0, 0, 1, 1, 2, -1, 0.5})
		a := mat.NewSymDense(n, nil)
		for i := range n {
			a.SetSym(i, i, level.Draw(t, "d"))
			if i > 0 {
				a.SetSym(i, i-1, size.Draw(t, "e"))
			}
		}
		m := rapid.IntRange(1, n).Draw(t, "m")
		p := must.Get(Leading(a, m))(t)
		want, norm := oracle(t, a)
		checkPairs(t, a, p, want, norm, 1e-12)
	})
}

// Blocks far below the rest of the matrix, down to the least numbers.
func TestGradedBlocks(t *testing.T) {
	for _, tiny := range []float64{1e-30, 1e-100, 1e-160, 1e-200, 1e-300, 5e-324} {
		for _, n := range []int{6, 50, 90} {
			a := mat.NewSymDense(n, nil)
			for i := range n {
				for j := i; j < min(n, i+3); j++ {
					a.SetSym(i, j, tiny*float64(3+j-i))
				}
			}
			a.SetSym(0, 0, 1)
			for _, m := range []int{1, 5, n} {
				p := must.Get(Leading(a, m))(t)
				want := make([]float64, n)
				want[0] = 1
				checkPairs(t, a, p, want, 1, max(1e-12, 10*tiny))
				must.Get(Values(a, m))(t)
			}
		}
	}
}

func TestSameBytes(t *testing.T) {
	a := symmetric(spectra(600)["power"], 1)
	start := perturbed(mat.DenseCopyOf(a), 0, 10, 1, 1)
	run := func() string {
		var b bytes.Buffer
		add := func(p *Pairs, err error) {
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range [][]float64{p.Values, p.Residuals, p.Vectors.RawMatrix().Data} {
				must.OK(t, binary.Write(&b, binary.LittleEndian, part))
			}
		}
		add(Leading(a, 10))
		add(Full(a))
		add(Krylov(context.Background(), &explicit{a: a}, 10, Settings{}))
		add(Refine(context.Background(), a, 10, Settings{Start: start, Certify: true}))
		return b.String()
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := run()
	for _, procs := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(procs)
		if run() != want {
			t.Errorf("other bytes with GOMAXPROCS %d", procs)
		}
	}
}

// FuzzLeading takes any numbers: it must not panic, and what it returns must be
// eigenpairs.
func FuzzLeading(f *testing.F) {
	add := func(values ...float64) {
		var b []byte
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		f.Add(b, uint8(1))
		f.Add(b, uint8(200))
	}
	add(0)
	add(1, 2, 3)
	add(5e-324, 1e308, -1e308, 1, 1, 1)
	add(math.NaN(), math.Inf(1), 0)
	add(1, 1e-16, 1, 1e-16, 1e-16, 1)
	f.Fuzz(func(t *testing.T, b []byte, m uint8) {
		n := 0
		for (n+1)*(n+2)/2*8 <= len(b) && n < 40 {
			n++
		}
		if n == 0 {
			return
		}
		a := mat.NewSymDense(n, nil)
		for i, at := 0, 0; i < n; i++ {
			for j := i; j < n; j, at = j+1, at+8 {
				a.SetSym(i, j, math.Float64frombits(binary.LittleEndian.Uint64(b[at:])))
			}
		}
		checkAnything(t, a, 1+int(m)%n)
	})
}

// checkAnything decomposes a, whatever is in it.
func checkAnything(t *testing.T, a *mat.SymDense, m int) {
	n := a.SymmetricDim()
	largest, least := 0.0, math.Inf(1)
	for i := range n {
		for j := range i + 1 {
			if v := math.Abs(a.At(i, j)); v != 0 {
				largest, least = max(largest, v), min(least, v)
			}
		}
	}
	p, err := Leading(a, m)
	if !(largest < 1e307) { // infinite, not a number, or the value may overflow
		if !(largest <= math.MaxFloat64) && err == nil {
			t.Error("no error for an entry that is not finite")
		}
		return
	}
	all, errAll := Full(a)
	values, errValues := Values(a, n)
	must.OK(t, errors.Join(err, errAll, errValues))
	norm := max(math.Abs(values[0]), math.Abs(values[n-1]))
	want := values
	// Entries some 10¹⁵⁰ times smaller than others make gonum's Dsterf panic
	// and its Dsytrd inaccurate.
	if largest > 1e-300 && least > 1e-100*largest {
		want, norm = oracle(t, a)
	}
	checkPairs(t, a, p, want, norm, 1e-12)
	checkPairs(t, a, all, want, norm, 1e-12)
}
