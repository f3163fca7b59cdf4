package solver

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// sparseRows returns random rows with the given share of entries, sparse and
// dense; some columns are dense with an offset.
func sparseRows(rng *rand.Rand, n, d int, share, offset float64) (*CSR, *mat.Dense) {
	s, x := &CSR{Rows: n, Cols: d, Offsets: []int64{0}}, mat.NewDense(n, d, nil)
	for i := range n {
		factor := rng.NormFloat64()
		for j := range d {
			full := j%7 == 3
			if !full && rng.Float64() > share {
				continue
			}
			v := rng.NormFloat64() + factor*math.Sin(float64(j))
			if full {
				v += offset
			}
			x.Set(i, j, v)
			s.Indices, s.Values = append(s.Indices, int32(j)), append(s.Values, v)
		}
		s.Offsets = append(s.Offsets, int64(len(s.Values)))
	}
	return s, x
}

// TestSparseOperator: every route, also for columns whose mean is a million
// standard deviations.
func TestSparseOperator(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	for _, size := range [][2]int{{2, 5}, {40, 9}, {9, 40}, {300, 50}, {12, 110}} {
		for _, offset := range []float64{0, 1e3, 1e6} {
			s, x := sparseRows(rng, size[0], size[1], 0.2, offset)
			scale := make([]float64, size[1])
			for j := range scale {
				scale[j] = 0.1 + rng.Float64()
			}
			for _, opt := range []DataOptions{{}, {Uncentered: true}, {Scale: scale}} {
				a := naiveCovariance(x, opt)
				for _, route := range []Route{RouteCovariance, RouteImplicit} {
					c := must.Get(NewSparse(s, opt))(t)
					c.route = route
					checkOperator(t, c, a, 1e-12)
				}
			}
		}
	}
}

// TestSparseMean: to the last places, whether or not it was shifted.
func TestSparseMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	for _, offset := range []float64{50, 1e6} {
		s, x := sparseRows(rng, 5000, 20, 0.3, offset)
		c := must.Get(NewSparse(s, DataOptions{}))(t)
		if shifts := c.shift != nil; shifts != (offset > 100) {
			t.Errorf("mean %v: shifted %v", offset, shifts)
		}
		for j, got := range c.Mean() {
			sum := new(big.Float).SetPrec(200)
			for _, v := range mat.Col(nil, j, x) {
				sum.Add(sum, big.NewFloat(v))
			}
			want, _ := sum.Quo(sum, big.NewFloat(5000)).Float64()
			if math.Abs(got-want) > 4e-16*math.Abs(want)+1e-16 {
				t.Errorf("mean %v, column %d: %v, want %v", offset, j, got, want)
			}
		}
	}
}

// TestSparseConstant: a large constant in all rows neither counts nor drowns
// what varies.
func TestSparseConstant(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	n, d := 400, 600
	s, x := sparseRows(rng, n, d, 0.02, 0)
	for i := range n {
		for p := s.Offsets[i]; p < s.Offsets[i+1]; p++ {
			if s.Indices[p] == 3 {
				s.Values[p] = 1e9
			}
		}
		x.Set(i, 3, 0)
	}
	plain := must.Get(NewData(x, DataOptions{}))(t)
	c := must.Get(NewSparse(s, DataOptions{}))(t)
	if c.Diag()[3] != 0 || c.Mean()[3] != 1e9 {
		t.Errorf("variance %v, mean %v", c.Diag()[3], c.Mean()[3])
	}
	p := Params{Features: 10, Components: 3}
	got, want := mustSolve(t, c, p), mustSolve(t, plain, p)
	if !slices.Equal(got.Support, want.Support) || math.Abs(got.Objective-want.Objective) > 1e-12*want.Objective {
		t.Errorf("%v %v, want %v %v", got.Objective, got.Support, want.Objective, want.Support)
	}
}

// TestSparseThreads: the same bits on one processor and on several.
func TestSparseThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	for _, size := range [][2]int{{3000, 300}, {3000, 900}} {
		s, _ := sparseRows(rng, size[0], size[1], 0.05, 500)
		p := Params{Features: 20, Components: 4}
		var first *Solution
		for _, procs := range []int{1, 2, 5} {
			before := runtime.GOMAXPROCS(procs)
			c := must.Get(NewSparse(s, DataOptions{}))(t)
			got := mustSolve(t, c, p)
			runtime.GOMAXPROCS(before)
			if first == nil {
				first = got
			}
			if got.Objective != first.Objective || !mat.Equal(got.Loadings, first.Loadings) || !slices.Equal(got.Support, first.Support) {
				t.Errorf("%v: %d processors give another answer", size, procs)
			}
		}
	}
}

// TestSparseEqualsDense: the same solution from the same rows.
func TestSparseEqualsDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, size := range [][2]int{{200, 40}, {50, 400}, {700, 600}, {2000, 700}} {
		s, x := sparseRows(rng, size[0], size[1], 0.1, 2)
		sparse := must.Get(NewSparse(s, DataOptions{}))(t)
		dense := must.Get(NewData(x, DataOptions{}))(t)
		p := Params{Features: 12, Components: 4}
		got, want := mustSolve(t, sparse, p), mustSolve(t, dense, p)
		if !slices.Equal(got.Support, want.Support) || math.Abs(got.Objective-want.Objective) > 1e-10*want.Objective {
			t.Errorf("%v: sparse %v %v, dense %v %v", size, got.Objective, got.Support, want.Objective, want.Support)
		}
		if math.Abs(got.LeadingVariance-want.LeadingVariance) > 1e-8*want.LeadingVariance {
			t.Errorf("%v: Tr(A_m) %v, want %v", size, got.LeadingVariance, want.LeadingVariance)
		}
	}
}

func TestSparseErrors(t *testing.T) {
	fine := func() *CSR {
		return &CSR{Rows: 2, Cols: 3, Offsets: []int64{0, 2, 3}, Indices: []int32{0, 2, 1}, Values: []float64{1, 2, 3}}
	}
	for want, spoil := range map[string]func(*CSR){
		"row 1, column 1": func(s *CSR) { s.Values[2] = math.NaN() },
		"two entries":     func(s *CSR) { s.Indices[1] = 0 },
		"column 3 of 3":   func(s *CSR) { s.Indices[2] = 3 },
		"offsets":         func(s *CSR) { s.Offsets = s.Offsets[:2] },
		"at least 2":      func(s *CSR) { s.Rows, s.Offsets = 1, []int64{0, 2} },
		"constant":        func(s *CSR) { s.Values = make([]float64, 3) },
		"after column 2":  func(s *CSR) { s.Indices[0], s.Indices[1] = 2, 0 },
		"overflows":       func(s *CSR) { s.Values[0] = 1e200 },
	} {
		s := fine()
		spoil(s)
		if _, err := NewSparse(s, DataOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	c := must.Get(NewSparse(fine(), DataOptions{}))(t)
	if _, _, err := c.Leading(context.Background(), 2); err != nil {
		t.Error(err)
	}
}
