package selector_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// TestOneRuleForConstant: Constant, the scaling steps and FSPCA call the same columns constant, dense
// or sparse, whatever their scale and however near to constant they are; and what a scaling step
// makes of such a column does not vary either.
func TestOneRuleForConstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 40).Draw(t, "rows")
		d := rapid.IntRange(1, 6).Draw(t, "columns")
		x := mat.NewDense(n, d+1, nil)
		for i := range n {
			x.Set(i, d, float64(i%2)) // one that varies
		}
		for j := range d {
			base := rapid.Float64Range(0.5, 1).Draw(t, "value") * math.Ldexp(1, rapid.IntRange(-80, 80).Draw(t, "exponent"))
			units := rapid.IntRange(0, 80).Draw(t, "units of rounding")
			for i := range n {
				step := float64(rapid.IntRange(0, units).Draw(t, "step"))
				x.Set(i, j, base+step*math.Abs(base)*0x1p-53)
			}
		}
		f := must.Get(dataset.New(nil, x))(t)
		constant := &transformer.Constant{}
		must.OK(t, constant.Fit(f))
		want := constant.Dropped()
		for _, s := range []interface {
			transformer.Transformer
			Constant() []string
		}{&transformer.Center{}, &transformer.Standardize{}, &transformer.MinMax{}, &transformer.Robust{}} {
			scaled := must.Get(transformer.FitTransform(s, f))(t)
			if got := s.Constant(); !slices.Equal(got, want) {
				t.Fatalf("%T calls %q constant, the step constant %q", s, got, want)
			}
			narrow := must.Get(s.Narrow(s.Outputs()[d:]))(t)
			if got := narrow.(interface{ Constant() []string }).Constant(); !slices.Equal(got, want) {
				t.Fatalf("%T, narrowed, calls %q constant, want %q", s, got, want)
			}
			if got := fspcaConstant(t, scaled.(*dataset.Frame)); !slices.Equal(got, want) {
				t.Fatalf("after %T, fspca calls %q constant, want %q", s, got, want)
			}
		}
		if got := fspcaConstant(t, f); !slices.Equal(got, want) {
			t.Fatalf("fspca calls %q constant, the step constant %q", got, want)
		}
		s := selector.New(selector.Options{Features: 1, Components: 1})
		must.OK(t, s.FitSparse(context.Background(), everyCell(t, x)))
		if got := s.Model().Constant(); !slices.Equal(got, want) {
			t.Fatalf("on sparse rows fspca calls %q constant, want %q", got, want)
		}
	})
}

func fspcaConstant(t *rapid.T, f *dataset.Frame) []string {
	s := selector.New(selector.Options{Features: 1, Components: 1})
	must.OK(t, s.Fit(f))
	return s.Model().Constant()
}

// everyCell stores all cells of x as sparse rows.
func everyCell(t *rapid.T, x *mat.Dense) *dataset.Sparse {
	n, d := x.Dims()
	offsets := []int64{0}
	var indices []int32
	for range n {
		for j := range d {
			indices = append(indices, int32(j))
		}
		offsets = append(offsets, int64(len(indices)))
	}
	return must.Get(dataset.NewSparse(n, d, offsets, indices, x.RawMatrix().Data, nil))(t)
}

// TestNanoseconds: time stamps in nanoseconds that are microseconds apart vary; standardized, they
// count as much as another column. Ones that differ by their rounding do not vary, and the rounding
// does not become the variance of the table.
func TestNanoseconds(t *testing.T) {
	for _, c := range []struct {
		step     float64
		constant []string
	}{{1000, nil}, {100, []string{"x1"}}} {
		t.Run(fmt.Sprint(c.step), func(t *testing.T) {
			x := sample(3, 40, 4)
			for i := range 40 {
				x.Set(i, 0, 1.7e18+c.step*float64(i))
			}
			f := must.Get(dataset.New(nil, x))(t)
			standardize := &transformer.Standardize{}
			scaled := must.Get(transformer.FitTransform(standardize, f))(t)
			s := selector.New(selector.Options{Features: 4, Components: 1})
			must.OK(t, s.Fit(scaled))
			if !slices.Equal(standardize.Constant(), c.constant) || !slices.Equal(s.Model().Constant(), c.constant) {
				t.Errorf("standardize calls %q constant and fspca %q, want %q", standardize.Constant(), s.Model().Constant(), c.constant)
			}
			weight := math.Abs(s.Model().Loadings().At(0, 0))
			if c.constant != nil && weight != 0 || weight > 0.9 {
				t.Errorf("the first component's weight of the time stamp is %v", weight)
			}
		})
	}
}
