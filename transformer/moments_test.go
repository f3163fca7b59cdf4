package transformer

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// exactMoments computes mean and standard deviation with 2000 bits.
func exactMoments(cells []float64) (mean, sd float64) {
	const bits = 2000
	num := func() *big.Float { return new(big.Float).SetPrec(bits) }
	n := num().SetInt64(int64(len(cells)))
	sum := num()
	for _, v := range cells {
		sum.Add(sum, num().SetFloat64(v))
	}
	centre := num().Quo(sum, n)
	squares := num()
	for _, v := range cells {
		d := num().Sub(num().SetFloat64(v), centre)
		squares.Add(squares, d.Mul(d, d))
	}
	squares.Quo(squares, num().SetInt64(int64(len(cells)-1)))
	mean, _ = centre.Float64()
	sd, _ = squares.Sqrt(squares).Float64()
	return mean, sd
}

// TestMeasure compares with exact arithmetic where sums of squares would overflow, vanish or cancel.
func TestMeasure(t *testing.T) {
	for _, c := range []struct{ offset, spread float64 }{
		{0, 1}, {1e6, 1}, {1e9, 1}, {1e12, 1}, {-1e15, 30}, {1, 1e-9},
		{0, 1e200}, {1e300, 1e290}, {0, 1e-200}, {1e-300, 1e-308}, {0, 1e-310},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		cells := make([]float64, 1000)
		for i := range cells {
			cells[i] = c.offset + c.spread*rng.NormFloat64()
		}
		got := measure(mat.NewDense(len(cells), 1, cells))[0]
		mean, sd := exactMoments(cells)
		if !near(got.mean, mean, 4e-16) && math.Abs(got.mean-mean) > 1e-15*sd {
			t.Errorf("offset %g, spread %g: mean %v, want %v", c.offset, c.spread, got.mean, mean)
		}
		if !near(got.sd, sd, 1e-13) {
			t.Errorf("offset %g, spread %g: sd %v, want %v", c.offset, c.spread, got.sd, sd)
		}
		if got.min != slices.Min(cells) || got.max != slices.Max(cells) || got.count != len(cells) {
			t.Errorf("offset %g, spread %g: got %+v", c.offset, c.spread, got)
		}
	}
}

// near compares up to a relative tolerance, or up to the spacing of subnormal numbers.
func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= max(tolerance*math.Abs(want), 5e-324)
}

// TestMeasureConstant: the mean of equal cells is the cell, and the deviation exactly 0, whatever the
// rounding of their sum.
func TestMeasureConstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e300, 1e300).Draw(t, "cell")
		n := rapid.IntRange(1, 50).Draw(t, "rows")
		got := measure(mat.NewDense(n, 1, slices.Repeat([]float64{v}, n)))[0]
		if got.mean != v || got.sd != 0 {
			t.Fatalf("%d cells %v: mean %v, sd %v", n, v, got.mean, got.sd)
		}
	})
}

func TestMeasureMissing(t *testing.T) {
	nan := math.NaN()
	got := measure(mat.NewDense(4, 3, []float64{
		nan, 1, nan,
		nan, nan, 2,
		nan, 3, nan,
		nan, nan, nan,
	}))
	if got[0].count != 0 || !got[0].constant() {
		t.Errorf("a column without cells: %+v", got[0])
	}
	if m := got[1]; m.count != 2 || m.mean != 2 || m.sd != math.Sqrt2 {
		t.Errorf("cells 1 and 3: %+v", m)
	}
	if m := got[2]; m.count != 1 || m.mean != 2 || m.sd != 0 {
		t.Errorf("a single cell: %+v", m)
	}
}

func TestConstantColumns(t *testing.T) {
	nan, third := math.NaN(), 1.0/3
	for _, c := range []struct {
		name  string
		cells []float64
		tol   float64
		want  bool
	}{
		{"equal", []float64{5, 5, 5}, 0, true},
		{"zeros", []float64{0, 0, math.Copysign(0, -1)}, 0, true},
		{"no cell", []float64{nan, nan, nan}, 0, true},
		{"one value and missing cells", []float64{nan, 2, 2}, 0, true},
		{"rounding of a sum", []float64{0.1 + 0.2, 0.3, 3 * 0.1}, 0, true},
		{"rounding at a large scale", []float64{1e12 * third, 1e12 / 3, 1e12/3 + 1e-4}, 0, true},
		{"small unit", []float64{1e-200, 2e-200, 1e-200}, 0, false},
		{"large mean", []float64{1e12, 1e12, 1e12 + 1}, 0, false},
		{"opposite signs", []float64{-1e-300, 1e-300, 0}, 0, false},
		{"one that differs at the end", []float64{1, 1, 2}, 0, false},
		{"within a given tolerance", []float64{1, 1, 1.05}, 0.1, true},
		{"beyond a given tolerance", []float64{1, 1, 1.2}, 0.1, false},
	} {
		got := ConstantColumns(mat.NewDense(3, 1, c.cells), c.tol)
		if (len(got) == 1) != c.want {
			t.Errorf("%s: constant: %v, want %v", c.name, len(got) == 1, c.want)
		}
		if m := measure(mat.NewDense(3, 1, c.cells))[0]; c.tol == 0 && m.constant() != c.want {
			t.Errorf("%s: the two forms of the rule disagree", c.name)
		}
	}
	x := mat.NewDense(2, 4, []float64{1, 2, 3, 4, 1, 9, 3, 8})
	if got := ConstantColumns(x, 0); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("got columns %v, want [0 2]", got)
	}
	if got := ConstantColumns(nil, 0); got != nil {
		t.Errorf("no matrix: got %v", got)
	}
}

// TestConstantScaleFree: the rule does not depend on the unit of measure.
func TestConstantScaleFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.Float64Range(-10, 10), 2, 6).Draw(t, "cells")
		flat := rapid.Bool().Draw(t, "flat")
		for i := range cells {
			if flat {
				cells[i] = cells[0]
			}
			if math.Abs(cells[i]) < 1e-100 { // no number may vanish when it is scaled
				cells[i] = 0
			}
		}
		unit := math.Ldexp(1, rapid.IntRange(-500, 500).Draw(t, "exponent"))
		scaled := slices.Clone(cells)
		for i := range scaled {
			scaled[i] *= unit
		}
		a := len(ConstantColumns(mat.NewDense(len(cells), 1, cells), 0))
		if b := len(ConstantColumns(mat.NewDense(len(scaled), 1, scaled), 0)); a != b {
			t.Fatalf("%v: constant %d; times %g: %d", cells, a, unit, b)
		}
	})
}
