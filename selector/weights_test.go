package selector_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// weighing is a table of some shape, each of which takes another route through the solver.
type weighing struct {
	name string
	n, d int
}

var weighings = []weighing{{"covariance", 60, 12}, {"gram", 24, 40}, {"implicit", 700, 640}}

// weightedFrame is x with a last column w.
func weightedFrame(t *testing.T, x *mat.Dense, w []float64) *dataset.Frame {
	t.Helper()
	n, d := x.Dims()
	y := mat.NewDense(n, d+1, nil)
	names := lists.Make(d+1, func(j int) string { return fmt.Sprintf("x%d", j+1) })
	names[d] = "w"
	for i := range n {
		copy(y.RawRowView(i), x.RawRowView(i))
		y.Set(i, d, w[i])
	}
	return must.Get(dataset.New(names, y))(t)
}

// repeated returns the rows of x, each as often as its weight says.
func repeated(x *mat.Dense, w []float64) *mat.Dense {
	var data []float64
	rows := 0
	_, d := x.Dims()
	for i, times := range w {
		for range int(times) {
			data = append(data, x.RawRowView(i)...)
			rows++
		}
	}
	return mat.NewDense(rows, d, data)
}

// sparseNamed are the sparse rows of x.
func sparseNamed(t *testing.T, x *mat.Dense, names []string) *dataset.Sparse {
	t.Helper()
	n, d := x.Dims()
	offsets := []int64{0}
	var indices []int32
	var values []float64
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v != 0 {
				indices, values = append(indices, int32(j)), append(values, v)
			}
		}
		offsets = append(offsets, int64(len(indices)))
	}
	return must.Get(dataset.NewSparse(n, d, offsets, indices, values, names))(t)
}

// thinned is a copy of x in which cells below 0 are 0, and column 1 far from 0.
func thinned(x *mat.Dense) *mat.Dense {
	y := mat.DenseCopyOf(x)
	y.Apply(func(_, j int, v float64) float64 {
		if j == 1 {
			return 1000 + v
		}
		return max(0, v)
	}, y)
	return y
}

// fittedOn fits dense or sparse rows.
func fittedOn(t *testing.T, o selector.Options, f *dataset.Frame, sparse bool) *selector.Model {
	t.Helper()
	s := selector.New(o)
	var err error
	if sparse {
		err = s.FitSparse(context.Background(), sparseNamed(t, f.Numeric(), f.Names()))
	} else {
		err = s.Fit(f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Model()
}

// sameModels reports whether two models agree up to rounding.
func sameModels(t *testing.T, what string, a, b *selector.Model) {
	t.Helper()
	if !slices.Equal(a.Features(), b.Features()) {
		t.Errorf("%s: %q and %q are chosen", what, a.Features(), b.Features())
		return
	}
	if !slices.Equal(a.Warnings(), b.Warnings()) {
		t.Errorf("%s: notes %q and %q", what, a.Warnings(), b.Warnings())
	}
	near := func(name string, u, v []float64, tolerance float64) {
		if len(u) != len(v) {
			t.Errorf("%s: %s has %d and %d numbers", what, name, len(u), len(v))
			return
		}
		for i := range u {
			if !(math.Abs(u[i]-v[i]) <= tolerance*(1+math.Abs(u[i]))) {
				t.Errorf("%s: %s[%d] is %v and %v", what, name, i, u[i], v[i])
				return
			}
		}
	}
	near("explained variance", a.ExplainedVariance(), b.ExplainedVariance(), 1e-10)
	near("loadings", a.Loadings().RawMatrix().Data, b.Loadings().RawMatrix().Data, 1e-7)
	near("mean", a.Mean(), b.Mean(), 1e-12)
	near("scale", a.Scale(), b.Scale(), 1e-12)
	near("total", []float64{a.TotalVariance(), a.LeadingVariance()}, []float64{b.TotalVariance(), b.LeadingVariance()}, 1e-10)
	if fa, fb := a.Reconstruction(), b.Reconstruction(); fa != nil && fa.R2 != nil {
		near("figures", []float64{*fa.R2, *fa.R2Components, *fa.Noise, *fa.PCA}, []float64{*fb.R2, *fb.R2Components, *fb.Noise, *fb.PCA}, 1e-8)
	}
	var scores [2][]float64
	for i, m := range []*selector.Model{a, b} {
		for _, e := range m.Ledger() {
			scores[i] = append(scores[i], e.Score)
		}
	}
	near("ledger", scores[0], scores[1], 1e-7)
	if a.Rebuilt() != nil {
		z := mat.NewDense(1, len(a.ExplainedVariance()), nil)
		for j := range a.ExplainedVariance() {
			z.Set(0, j, 1)
		}
		back, err := a.ReconstructAll(z)
		other, err2 := b.ReconstructAll(z)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		near("decoder", back.RawMatrix().Data, other.RawMatrix().Data, 1e-7)
	}
	if sa, sb := a.Stability(), b.Stability(); sa != nil && fmt.Sprint(sa) != fmt.Sprint(sb) {
		t.Errorf("%s: stability %v and %v", what, sa, sb)
	}
}

// TestWeights: weight 2 is the row twice, weight 0 the row absent, on every route, dense and sparse.
func TestWeights(t *testing.T) {
	for _, shape := range weighings {
		for _, sparse := range []bool{false, true} {
			for _, o := range []selector.Options{
				{Features: 5, Components: 2, Decoder: true, Ledger: true, Reconstruction: true, Bootstrap: 5},
				{Features: 5, Components: 2, Standardize: true, Decoder: true, Ridge: 0.1, Reconstruction: true},
				{Features: 5, Components: 2, Uncentered: true, Decoder: true, Ledger: true, Exclude: []string{"x3"}},
				{Features: 4, Components: 3, Criterion: "reconstruction", Standardize: true, Reconstruction: true, Decoder: true},
			} {
				if shape.name == "implicit" && (testing.Short() || o.Criterion != "") {
					continue
				}
				x := thinned(sample(7, shape.n, shape.d))
				w := lists.Make(shape.n, func(i int) float64 { return float64(i*7%4) + float64(i%2) })
				if shape.name == "implicit" {
					o.Bootstrap, o.Reconstruction = 0, false
				}
				what := fmt.Sprintf("%s, sparse %v, %+v", shape.name, sparse, o)
				plain := weightedFrame(t, repeated(x, w), slices.Repeat([]float64{1}, int(lists.Sum(w))))
				o.Weight = "w"
				ones := fittedOn(t, o, plain, sparse)
				sameModels(t, what, fittedOn(t, o, weightedFrame(t, x, w), sparse), ones)

				halves := make([]float64, shape.n) // any weights: the same as rows of half the weight twice
				var twice []float64
				for i := range halves {
					halves[i] = 0.3 + float64(i%5)
					twice = append(twice, halves[i]/2, halves[i]/2)
				}
				o.Bootstrap = 0
				sameModels(t, "halves, "+what, fittedOn(t, o, weightedFrame(t, x, halves), sparse),
					fittedOn(t, o, weightedFrame(t, repeated(x, slices.Repeat([]float64{2}, shape.n)), twice), sparse))
			}
		}
	}
}

// TestSignsOfTwoColumns: two standardized columns have loadings of equal size. Rounding, which weights and
// repeated rows have each their own of, does not decide the sign.
func TestSignsOfTwoColumns(t *testing.T) {
	for seed := range uint64(40) {
		x := sample(seed, 30, 5)
		w := lists.Make(30, func(i int) float64 { return float64(1 + i%3) })
		for _, criterion := range []string{"variance", "reconstruction"} {
			o := selector.Options{Features: 2, Components: 1, Standardize: true, Criterion: criterion, Weight: "w"}
			twice := weightedFrame(t, repeated(x, w), slices.Repeat([]float64{1}, int(lists.Sum(w))))
			sameModels(t, fmt.Sprintf("seed %d, %s", seed, criterion), fittedOn(t, o, weightedFrame(t, x, w), false), fittedOn(t, o, twice, false))
		}
	}
}

// TestWeightsOfOne: weights of 1 give the bytes of the model without.
func TestWeightsOfOne(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		x := thinned(sample(3, 40, 9))
		f := weightedFrame(t, x, slices.Repeat([]float64{1}, 40))
		without := must.Get(f.Pick(f.Names()[:9]))(t)
		o := selector.Options{Features: 4, Components: 2, Standardize: true, Ledger: true, Decoder: true, Bootstrap: 4, Reconstruction: true}
		var b bytes.Buffer
		must.Get(fittedOn(t, o, without, sparse).WriteTo(&b))(t)
		var c bytes.Buffer
		o.Weight = "w"
		must.Get(fittedOn(t, o, f, sparse).WriteTo(&c))(t)
		strip := func(text string) string {
			lines := strings.Split(strings.Replace(text, ` "weight": "w",`, "", 1), "\n")
			return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, "checksum") }), "\n")
		}
		if strip(b.String()) != strip(c.String()) {
			t.Errorf("sparse %v: weights of 1 change the model\n%s\n%s", sparse, b.String(), c.String())
		}
	}
}

// TestBadWeights: what makes no covariance is refused, with its place.
func TestBadWeights(t *testing.T) {
	x := sample(1, 4, 3)
	for _, c := range []struct {
		w    []float64
		want string
	}{
		{[]float64{1, -2, 1, 1}, `row 2, column "w": the weight is -2`},
		{[]float64{1, 1, math.NaN(), -1}, `row 3, column "w": the weight is missing`},
		{[]float64{0, 0, 0, 0}, "add up to 0"},
		{[]float64{0.25, 0.25, 0.25, 0.25}, "add up to 1"},
	} {
		s := selector.New(selector.Options{Features: 2, Components: 1, Weight: "w"})
		err := s.Fit(weightedFrame(t, x, c.w))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("weights %v: the error is %v, want %q", c.w, err, c.want)
		}
		given := selector.New(selector.Options{Features: 2, Components: 1})
		f, _ := dataset.New(nil, x)
		if err := given.FitWeighted(context.Background(), f, c.w); err == nil || given.Model() != nil {
			t.Errorf("weights %v are taken", c.w)
		}
	}
	s := selector.New(selector.Options{Features: 2, Components: 1, Weight: "v"})
	if err := s.Fit(weightedFrame(t, x, []float64{1, 1, 1, 1})); err == nil || !strings.Contains(err.Error(), `"v"`) {
		t.Errorf("a column that is not there: %v", err)
	}
}

// TestWeightedEvaluation: rows of weight 2 count as twice, and parallel analysis and a path know weights.
func TestWeightedEvaluation(t *testing.T) {
	x := sample(5, 50, 6)
	w := lists.Make(50, func(i int) float64 { return float64(1 + i%3) })
	m := fittedOn(t, selector.Options{Features: 3, Components: 2, Decoder: true, Weight: "w"}, weightedFrame(t, x, w), false)
	f, _ := dataset.New(nil, x)
	a := must.Get(m.EvaluateWeighted(f, w))(t)
	g, _ := dataset.New(nil, repeated(x, w))
	b := must.Get(m.Evaluate(g))(t)
	if math.Abs(*a.R2-*b.R2) > 1e-12 {
		t.Errorf("R² is %v with weights and %v with rows repeated", *a.R2, *b.R2)
	}
	for _, few := range [][]float64{{1, 0, 0}, {0.2, 0.1, 0.3}} { // no variance is needed to measure
		h, _ := dataset.New(nil, sample(6, 3, 6))
		c, d := must.Get(m.EvaluateWeighted(h, few))(t), must.Get(m.EvaluateWeighted(h, []float64{few[0] * 10, few[1] * 10, few[2] * 10}))(t)
		if math.Abs(*c.R2-*d.R2) > 1e-12 {
			t.Errorf("R² is %v with weights %v and %v with ten times as many", *c.R2, few, *d.R2)
		}
		if _, err := selector.Weights(weightedFrame(t, sample(6, 3, 6), few), "w"); err != nil {
			t.Error(err)
		}
	}
	if _, err := m.EvaluateWeighted(f, make([]float64, 50)); err == nil {
		t.Error("weights of 0 alone are taken")
	}
	for _, scale := range []float64{0x1p-1060, 0x1p1016} { // the sums hold weights of any size
		scaled := must.Get(m.EvaluateWeighted(f, lists.Map(w, func(v float64) float64 { return v * scale })))(t)
		if !reflect.DeepEqual(scaled, a) {
			t.Errorf("weights times %v: R² %v, want %v", scale, scaled.R2, *a.R2)
		}
	}
	huge := slices.Repeat([]float64{1e308}, 50)
	if _, err := m.EvaluateWeighted(f, huge); err == nil || !strings.Contains(err.Error(), "divide them by a constant") {
		t.Errorf("weights whose sum is infinite: %v", err)
	}
	if _, err := selector.Weights(weightedFrame(t, x, huge), "w"); err == nil || !strings.Contains(err.Error(), "divide them by a constant") {
		t.Errorf("a column of weights whose sum is infinite: %v", err)
	}
	o := selector.Options{Features: 3, ParallelAnalysis: true, Weight: "w"}
	one := slices.Repeat([]float64{1}, int(lists.Sum(w)))
	parallel, rows := fittedOn(t, o, weightedFrame(t, x, w), false), fittedOn(t, o, weightedFrame(t, repeated(x, w), one), false)
	sameModels(t, "parallel analysis", parallel, rows)
	models := must.Get(selector.New(selector.Options{Components: 2, Weight: "w"}).Path(context.Background(), weightedFrame(t, x, w), selector.Points{Max: 5}))(t)
	others := must.Get(selector.New(selector.Options{Components: 2, Weight: "w"}).Path(context.Background(), weightedFrame(t, repeated(x, w), one), selector.Points{Max: 5}))(t)
	for i := range models {
		sameModels(t, "path", models[i], others[i])
	}
}

// TestHugeWeights: weights whose sum is no number of rows, or no number at all, are named as what they are.
func TestHugeWeights(t *testing.T) {
	f := must.Get(dataset.New(names(5), sample(3, 20, 5)))(t)
	for _, tc := range []struct {
		weight float64
		opt    selector.Options
		want   string
	}{
		{1e307, selector.Options{Components: 1}, "+Inf: divide them by a constant"},
		{1e300, selector.Options{Components: 1, Bootstrap: 3}, "ask for as many rows in each draw: divide them by a constant"},
		{1e300, selector.Options{ParallelAnalysis: true}, "2e+301 stand for too large a table to permute: divide them by a constant"},
		{1e15, selector.Options{ParallelAnalysis: true}, "2e+16 stand for too large a table to permute: divide them by a constant"},
		{1e300, selector.Options{Components: 1}, ""},
	} {
		tc.opt.Features = 2
		err := selector.New(tc.opt).FitWeighted(t.Context(), f, slices.Repeat([]float64{tc.weight}, 20))
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("weights of %v: %v, want %q", tc.weight, err, tc.want)
		}
	}
	if got, want := solver.Copies([]float64{1.4, 1.2, 3, 1e300, 5}), []int{1, 2, 3, min(1<<53, math.MaxInt) - 6, 0}; !slices.Equal(got, want) {
		t.Errorf("copies %v, want %v", got, want)
	}
}
