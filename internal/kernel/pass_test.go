package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// passShape returns rows and columns on both sides of the limits of a pass.
func passShape(rng *rand.Rand, trial int) (n, d, c, width int) {
	n, d = randomSize(rng, 60), randomSize(rng, 60)
	if trial%4 == 0 {
		n = shortRows - 3 + rng.IntN(600)
	}
	width = 1 + rng.IntN(40)
	return n, d, rng.IntN(width + 1), width
}

func centred(x Matrix, mean []float64) Matrix {
	c := NewMatrix(x.Rows, x.Cols)
	Gather(c, View{X: x, Mean: mean})
	return c
}

func TestPass(t *testing.T) {
	for trial := range 80 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, d, c, width := passShape(rng, trial)
			x := randomMatrix(rng, n, d)
			var mean []float64
			if rng.IntN(3) > 0 {
				mean = make([]float64, d)
				Moments(mean, nil, x)
			}
			q, t0 := randomMatrix(rng, d, c), randomMatrix(rng, n, c)
			y, tt, z := randomMatrix(rng, d, c), randomMatrix(rng, n, c), randomMatrix(rng, d, c)
			p := NewPass(x, mean, width)
			p.Left(z, t0)
			p.Fused(y, q)
			p.Right(tt, q)
			p.Fused(y, q) // scratch space of an earlier use must not show
			if want == nil {
				xc := centred(x, mean)
				xq := naive(false, false, xc, q)
				want = append(naive(true, false, xc, xq).Data, xq.Data...)
				want = append(want, naive(true, false, xc, t0).Data...)
			}
			return append(append(compact(y), compact(tt)...), compact(z)...)
		})
		mustBeNear(t, "XᵀXQ, XQ and XᵀT", got, want, 1e-12)
	}
}

// TestLeftOfWideTable: Y cut in columns, over more rows than T's cache holds.
func TestLeftOfWideTable(t *testing.T) {
	for trial := range 4 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, d := shortRows-5+rng.IntN(250), 8*columnBlock+rng.IntN(2*columnBlock)
			c, width := 1+rng.IntN(9), 9
			x := randomMatrix(rng, n, d)
			var mean []float64
			if trial > 0 {
				mean = make([]float64, d)
				Moments(mean, nil, x)
			}
			t0, y := randomMatrix(rng, n, c), randomMatrix(rng, d, c)
			p := NewPass(x, mean, width)
			if trial == 2 { // another product's scratch space must not show
				p.Fused(randomMatrix(rng, d, c), randomMatrix(rng, d, c))
			}
			p.Left(y, t0)
			if want == nil {
				want = naive(true, false, centred(x, mean), t0).Data
			}
			return compact(y)
		})
		mustBeNear(t, "XᵀT", got, want, 1e-12)
	}
}

// TestLeftOf: the chosen columns are copied in blocks, of pieces of the rows or
// of all of them.
func TestLeftOf(t *testing.T) {
	for trial := range 40 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, d, c, width := passShape(rng, trial)
			switch trial % 8 {
			case 1: // more than a block of chosen columns
				d = 2*chosenBlock + rng.IntN(60)
			case 2: // Y cut in columns
				n, d = shortRows+1+rng.IntN(60), 8*columnBlock+rng.IntN(50)
			}
			x := randomMatrix(rng, n, d)
			v := View{X: x, Columns: rng.Perm(d)[:rng.IntN(d+1)]}
			var mean []float64
			if rng.IntN(3) > 0 {
				mean = make([]float64, d)
				Moments(mean, nil, x)
				v.Mean = make([]float64, len(v.Columns))
				for p, j := range v.Columns {
					v.Mean[p] = mean[j]
				}
			}
			if rng.IntN(2) > 0 {
				v.Factor = randomMatrix(rng, 1, len(v.Columns)).Data
			}
			w, y := randomMatrix(rng, len(v.Columns), c), randomMatrix(rng, d, c)
			p := NewPass(x, mean, width)
			if trial%3 == 0 { // another product's scratch space must not show
				p.Fused(randomMatrix(rng, d, c), randomMatrix(rng, d, c))
			}
			p.LeftOf(y, v, w)
			if want == nil {
				chosen := NewMatrix(n, len(v.Columns))
				Gather(chosen, v)
				want = naive(true, false, centred(x, mean), naive(false, false, chosen, w)).Data
			}
			return compact(y)
		})
		mustBeNear(t, "XᵀVW", got, want, 1e-12)
	}
}

// sparseOf returns x with its zeros left out.
func sparseOf(x Matrix) Sparse {
	s := Sparse{Rows: x.Rows, Cols: x.Cols, Offsets: []int64{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				s.Indices, s.Values = append(s.Indices, int32(j)), append(s.Values, v)
			}
		}
		s.Offsets = append(s.Offsets, int64(len(s.Values)))
	}
	return s
}

func TestSparsePass(t *testing.T) {
	for trial := range 60 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, d, c, width := passShape(rng, trial)
			x := randomMatrix(rng, n, d)
			for i := range x.Data {
				if rng.IntN(4) > 0 {
					x.Data[i] = 0
				}
			}
			var mean []float64
			if rng.IntN(3) > 0 {
				mean = make([]float64, d)
				Moments(mean, nil, x)
			}
			q, t0 := randomMatrix(rng, d, c), randomMatrix(rng, n, c)
			y, tt, z := randomMatrix(rng, d, c), randomMatrix(rng, n, c), randomMatrix(rng, d, c)
			s := sparseOf(x)
			must.OK(t, s.Check())
			p := NewSparsePass(s, mean, width)
			p.Left(z, t0)
			p.Fused(y, q)
			p.Right(tt, q)
			p.Fused(y, q)
			if want == nil {
				xc := centred(x, mean)
				xq := naive(false, false, xc, q)
				want = append(naive(true, false, xc, xq).Data, xq.Data...)
				want = append(want, naive(true, false, xc, t0).Data...)
			}
			return append(append(compact(y), compact(tt)...), compact(z)...)
		})
		mustBeNear(t, "XᵀXQ, XQ and XᵀT", got, want, 1e-12)
	}
}

func TestSparseCheck(t *testing.T) {
	good := Sparse{Rows: 2, Cols: 3, Offsets: []int64{0, 1, 2}, Indices: []int32{0, 2}, Values: []float64{1, 2}}
	must.OK(t, good.Check())
	for name, spoil := range map[string]func(s *Sparse){
		"column":   func(s *Sparse) { s.Indices = []int32{0, 3} },
		"negative": func(s *Sparse) { s.Indices = []int32{-1, 2} },
		"offsets":  func(s *Sparse) { s.Offsets = []int64{0, 2} },
		"start":    func(s *Sparse) { s.Offsets = []int64{1, 1, 2} },
		"order":    func(s *Sparse) { s.Offsets = []int64{0, 2, 1} },
		"values":   func(s *Sparse) { s.Values = s.Values[:1] },
	} {
		s := good
		if spoil(&s); s.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestPassCentred holds the passes to long-double-like sums where means are up
// to 10⁶ standard deviations.
func TestPassCentred(t *testing.T) {
	for _, n := range []int{100, 3000} {
		for _, ratio := range []float64{1, 1e3, 1e6} {
			t.Run(fmt.Sprintf("n=%d/ratio=%g", n, ratio), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(7, 8))
				const d, c = 60, 16
				x, q := randomMatrix(rng, n, d), randomMatrix(rng, d, c)
				for i := range x.Data {
					x.Data[i] += ratio
				}
				mean := make([]float64, d)
				Moments(mean, nil, x)
				xc := centred(x, mean)
				want := naive(true, false, xc, naive(false, false, xc, q))
				y := NewMatrix(d, c)
				NewPass(x, mean, c).Fused(y, q)
				mustBeNear(t, "dense", y.Data, want.Data, 1e-15*ratio+1e-13)
				NewSparsePass(sparseOf(x), mean, c).Fused(y, q)
				mustBeNear(t, "sparse", y.Data, want.Data, 1e-15*ratio+1e-13)
			})
		}
	}
}

func TestMoments(t *testing.T) {
	for trial := range 100 {
		var want []float64
		got := everywhere(t, func(rng *rand.Rand) []float64 {
			n, d := randomSize(rng, 500), randomSize(rng, 40)
			if trial%20 == 0 { // cut in columns
				n, d = 2+rng.IntN(60), momentColumns+rng.IntN(2*momentColumns)
			}
			x := randomMatrix(rng, n, d)
			mean, squares := randomVector(rng, d), randomVector(rng, d)
			Moments(mean, squares, x)
			if want == nil {
				want = twoPass(x)
			}
			return append(mean, squares...)
		})
		mustBeNear(t, "moments", got, want, 1e-13)
	}
}

// twoPass returns means and sums of squares in two passes with compensation.
func twoPass(x Matrix) []float64 {
	ones := NewMatrix(x.Rows, 1)
	for i := range ones.Data {
		ones.Data[i] = 1
	}
	mean := naive(true, false, x, ones).Data
	for j := range mean {
		mean[j] /= math.Max(1, float64(x.Rows))
	}
	xc := centred(x, mean)
	for j := range x.Cols {
		c := xc.Slice(0, x.Rows, j, j+1)
		mean = append(mean, naive(true, false, c, c).Data...)
	}
	return mean
}

func TestMomentsHardColumns(t *testing.T) {
	const n = 10000
	x := NewMatrix(n, 5)
	rng := rand.New(rand.NewPCG(9, 10))
	for i := range n {
		copy(x.Row(i), []float64{
			0.1,                                  // constant
			1e6 + rng.NormFloat64(),              // far from 0
			1e9 + float64(i),                     // in order
			map[bool]float64{true: 1e12}[i == 0], // one outlier, in the sample
			1e-150 * rng.NormFloat64(),           // tiny
		})
	}
	mean, squares := make([]float64, 5), make([]float64, 5)
	Moments(mean, squares, x)
	want := twoPass(x)
	if mean[0] != 0.1 || squares[0] != 0 {
		t.Errorf("constant column: mean %v, squares %v; want 0.1 and exactly 0", mean[0], squares[0])
	}
	for j := range 5 {
		if math.Abs(mean[j]-want[j]) > 4e-16*(math.Abs(want[j])+math.Sqrt(want[5+j]/n)) {
			t.Errorf("column %d: mean %v, want %v", j, mean[j], want[j])
		}
		if math.Abs(squares[j]-want[5+j]) > 1e-12*want[5+j] {
			t.Errorf("column %d: squares %v, want %v", j, squares[j], want[5+j])
		}
	}
}
