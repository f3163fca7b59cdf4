package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
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

func TestSparseOperator(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	for _, size := range [][2]int{{2, 1}, {40, 9}, {9, 40}, {300, 50}, {12, 200}} {
		for _, offset := range []float64{0, 1e3, 1e6} {
			s, x := sparseRows(rng, size[0], size[1], 0.2, offset)
			scale := make([]float64, size[1])
			for j := range scale {
				scale[j] = 0.1 + rng.Float64()
			}
			for _, opt := range []DataOptions{{}, {Uncentered: true}, {Scale: scale}} {
				c, err := NewSparse(s, opt)
				if err != nil {
					if strings.Contains(err.Error(), "constant") {
						continue
					}
					t.Fatal(err)
				}
				tol := 1e-12
				if offset > 1 && !opt.Uncentered {
					tol = 1e-15 * offset * 100
				}
				checkOperator(t, c, naiveCovariance(x, opt), tol)
			}
		}
	}
}

// TestSparseEqualsDense: the same solution from the same rows.
func TestSparseEqualsDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, size := range [][2]int{{200, 40}, {50, 400}, {700, 600}} {
		s, x := sparseRows(rng, size[0], size[1], 0.1, 2)
		sparse, err := NewSparse(s, DataOptions{})
		if err != nil {
			t.Fatal(err)
		}
		dense, err := NewData(x, DataOptions{})
		if err != nil {
			t.Fatal(err)
		}
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
	} {
		s := fine()
		spoil(s)
		if _, err := NewSparse(s, DataOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	c, err := NewSparse(fine(), DataOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Leading(context.Background(), 2); err != nil {
		t.Error(err)
	}
}
