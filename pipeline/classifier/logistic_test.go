package classifier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/saved"
)

// numericFrame makes a frame of numeric columns x1… with a class.
func numericFrame(t testing.TB, x *mat.Dense, levels []string, codes []int32) *dataset.Frame {
	t.Helper()
	f := must.Get(dataset.New(nil, x))(t)
	return must.Get(f.WithClass("class", &dataset.Factor{Levels: levels, Codes: codes}))(t)
}

// cloud makes n rows of p columns around one centre per class, half negative.
func cloud(t testing.TB, seed uint64, n, p, classes int) *dataset.Frame {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, p, nil)
	codes := make([]int32, n)
	levels := []string{"a", "b", "c", "d"}[:classes]
	for i := range n {
		codes[i] = int32(i % classes)
		for j := range p {
			x.Set(i, j, random.NormFloat64()+float64((i%classes+j)%classes)-1)
		}
	}
	return numericFrame(t, x, levels, codes)
}

type logisticCase struct {
	Name       string
	C, Loss    float64
	Weights    [][]float64
	Intercepts []float64
	X          [][]float64
	Y          []int32
}

// frame gives the rows of the case: its own, or those of the built-in data that
// it is named after.
func (c *logisticCase) frame(t *testing.T) *dataset.Frame {
	if c.X == nil {
		return must.Get(dataset.Builtin(c.Name))(t)
	}
	levels := []string{"c0", "c1", "c2"}[:len(c.Weights)]
	return numericFrame(t, saved.Dense(c.X), levels, c.Y)
}

// TestLogisticGolden compares with Newton's method in NumPy; see
// testdata/logistic_golden.py.
func TestLogisticGolden(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/logistic_golden.json"))(t)
	var golden struct{ Cases []logisticCase }
	must.OK(t, json.Unmarshal(text, &golden))
	if len(golden.Cases) != 5 {
		t.Fatalf("%d cases", len(golden.Cases))
	}
	for _, c := range golden.Cases {
		t.Run(c.Name, func(t *testing.T) {
			f := c.frame(t)
			l := &Logistic{L2: 1 / c.C, Tolerance: 1e-9}
			must.OK(t, l.FitFrame(context.Background(), f))
			if l.Status() != "converged" {
				t.Errorf("status %q: %v", l.Status(), l.Warnings())
			}
			weights, intercepts := l.Weights()
			want := saved.Dense(c.Weights)
			for j := range f.Names() {
				// A column's weights are compared with the largest of them.
				largest := 0.0
				for k := range c.Weights {
					largest = max(largest, math.Abs(want.At(k, j)))
				}
				for k := range c.Weights {
					if got := weights.At(k, j); math.Abs(got-want.At(k, j)) > 1e-5*largest {
						t.Errorf("weight of class %d, column %d: %v, want %v", k, j, got, want.At(k, j))
					}
				}
			}
			if !floats.EqualApprox(intercepts, c.Intercepts, 1e-5*floats.Norm(c.Intercepts, math.Inf(1))) {
				t.Errorf("intercepts %v, want %v", intercepts, c.Intercepts)
			}
			if got := lossAt(f, weights, intercepts, c.C); math.Abs(got-c.Loss) > 1e-9*c.Loss {
				t.Errorf("loss %v, want %v", got, c.Loss)
			}
			// The default tolerance is good for four digits of the loss.
			rough := &Logistic{L2: 1 / c.C}
			must.OK(t, rough.FitFrame(context.Background(), f))
			weights, intercepts = rough.Weights()
			if got := lossAt(f, weights, intercepts, c.C); math.Abs(got-c.Loss) > 1e-4*c.Loss {
				t.Errorf("default tolerance: loss %v, want %v", got, c.Loss)
			}
		})
	}
}

// lossAt is the documented objective, in the plainest way.
func lossAt(f *dataset.Frame, weights *mat.Dense, intercepts []float64, c float64) float64 {
	loss := 0.0
	for i, code := range f.Class().Codes {
		sum := 0.0
		scores := lists.Make(len(intercepts), func(k int) float64 { return intercepts[k] + mat.Dot(weights.RowView(k), f.Numeric().RowView(i)) })
		top := floats.Max(scores)
		for _, s := range scores {
			sum += math.Exp(s - top)
		}
		loss += top + math.Log(sum) - scores[code]
	}
	if len(intercepts) == 2 {
		var d mat.VecDense
		d.SubVec(weights.RowView(1), weights.RowView(0))
		return loss + mat.Dot(&d, &d)/(2*c)
	}
	norm := mat.Norm(weights, 2)
	return loss + norm*norm/(2*c)
}

// TestLinearGradient checks the analytic gradients by central differences, on
// columns of very different units and on sizes that leave odd blocks, and the
// curvature by differences of the gradient.
func TestLinearGradient(t *testing.T) {
	for _, size := range []struct{ n, p, classes int }{{37, 3, 4}, {5, 2, 2}, {300, 7, 3}, {1500, 4, 2}} {
		f := cloud(t, 5, size.n, size.p, size.classes)
		x := mat.DenseCopyOf(f.Numeric())
		for i := range size.n {
			x.Set(i, 0, x.At(i, 0)*1e4+1e6)
			x.Set(i, 1, x.At(i, 1)*1e-3)
		}
		rows := must.Get(numericTraining("logistic", numericFrame(t, x, f.Class().Levels, f.Class().Codes)))(t)
		weights := rowWeights{rows.codes, []float64{1, 3, .5, 2}[:size.classes]}
		losses := map[string]scoreLoss{"softmax": &softmaxLoss{weights}, "hinge": &hingeLoss{weights}}
		if size.classes == 2 {
			losses["binary"] = &binaryLoss{weights}
		}
		for name, loss := range losses {
			k := size.classes
			if k == 2 && name != "softmax" {
				k = 1
			}
			checkGradient(t, fmt.Sprint(name, size), newLinearProblem(kernel.Matrix(x.RawMatrix()), loss, k, 0, .7, .25), (size.p+1)*k)
		}
	}
}

func checkGradient(t *testing.T, name string, l *linearProblem, order int) {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 2))
	point := make([]float64, order)
	for i := range point {
		point[i] = random.NormFloat64()
	}
	scores, slopes := make([]float64, l.x.Rows*l.k), make([]float64, l.x.Rows*l.k)
	value := func(at []float64) float64 {
		return l.sweep(at, scores, l.evaluateRows(scores, slopes), nil, nil) + l.penalty(at, nil)
	}
	want := fd.Gradient(nil, value, point, &fd.Settings{Formula: fd.Central})
	got := make([]float64, order)
	l.sweep(point, scores, l.evaluateRows(scores, slopes), slopes, got)
	l.penalty(point, got)
	scale := floats.Norm(want, 2)
	if floats.Distance(got, want, 2) > 1e-7*scale {
		t.Errorf("%s: gradient %v, by differences %v", name, got, want)
	}
	// The second derivative of each row.
	for i := range min(l.x.Rows, 20) {
		row, slope := scores[i*l.k:(i+1)*l.k], slopes[i*l.k:(i+1)*l.k]
		d, moved, after := make([]float64, l.k), make([]float64, l.k), make([]float64, l.k)
		for c := range d {
			d[c] = random.NormFloat64()
			moved[c] = row[c] + 1e-6*d[c]
		}
		l.loss.evaluate(i, moved, after)
		floats.Sub(after, slope)
		floats.Scale(1e6, after)
		l.loss.curve(i, slope, d)
		if floats.Distance(after, d, 2) > 1e-4*(1+floats.Norm(d, 2)) {
			t.Errorf("%s, row %d: curvature %v, by differences %v", name, i, d, after)
		}
	}
}

// TestLogisticSeparable: without noise the minimum is finite thanks to the
// penalty, whatever its strength, and the training rows come out right.
func TestLogisticSeparable(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{-3, 1, -2, -1, -1, 0, 1, 0, 2, -1, 3, 1})
	f := numericFrame(t, x, []string{"left", "right"}, []int32{0, 0, 0, 1, 1, 1})
	for _, c := range []float64{1e-3, 1, 1e3, 1e9} {
		l := &Logistic{L2: 1 / c}
		must.OK(t, l.FitFrame(context.Background(), f))
		predicted := must.Get(l.PredictFrame(context.Background(), f))(t)
		if l.Status() != "converged" || predicted.Classes.Text(2) != "left" || predicted.Classes.Text(3) != "right" {
			t.Errorf("C=%v: status %s, predictions %v", c, l.Status(), predicted.Classes.Codes)
		}
		if weights, _ := l.Weights(); math.IsNaN(mat.Sum(weights)) || math.IsInf(mat.Max(weights), 0) {
			t.Errorf("C=%v: weights %v", c, weights)
		}
	}
}

// TestLogisticUnits: columns multiplied by s, with L2 multiplied by s², give the
// same probabilities. Column units from 1e-6 to 1e6 must not stop the solver.
func TestLogisticUnits(t *testing.T) {
	f := cloud(t, 8, 90, 4, 3)
	var want *mat.Dense
	for _, s := range []float64{1, 1e-6, 1e6} {
		x := mat.DenseCopyOf(f.Numeric())
		x.Scale(s, x)
		scaled := numericFrame(t, x, f.Class().Levels, f.Class().Codes)
		l := &Logistic{L2: s * s, Tolerance: 1e-9}
		must.OK(t, l.FitFrame(context.Background(), scaled))
		predicted := must.Get(l.PredictFrame(context.Background(), scaled))(t)
		got := predicted.Probabilities
		if l.Status() != "converged" {
			t.Errorf("scale %v: %v", s, l.Warnings())
		}
		if want == nil {
			want = got
		} else if !mat.EqualApprox(got, want, 1e-7) {
			t.Errorf("scale %v: other probabilities", s)
		}
	}
}

// TestLogisticLimits: a limit that is reached is a status on a usable fit.
func TestLogisticLimits(t *testing.T) {
	f := cloud(t, 4, 200, 5, 3)
	l := &Logistic{MaxIterations: 2}
	must.OK(t, l.FitFrame(context.Background(), f))
	if l.Status() != "iteration_limit" || len(l.Warnings()) != 1 || !strings.Contains(l.Warnings()[0], "max_iterations") {
		t.Errorf("status %q, warnings %v", l.Status(), l.Warnings())
	}
	l = &Logistic{Tolerance: 1e-300} // below what rounding allows
	must.OK(t, l.FitFrame(context.Background(), f))
	if l.Status() != "stalled" || len(l.Warnings()) != 1 {
		t.Errorf("status %q, warnings %v", l.Status(), l.Warnings())
	}
	if gap := l.learned.(*logisticFit).gap; gap > 1e-10 {
		t.Errorf("stalled with the gap %v", gap)
	}
}

func TestLogisticErrors(t *testing.T) {
	f := cloud(t, 4, 20, 2, 2)
	oneClass := numericFrame(t, f.Numeric(), []string{"a", "b"}, make([]int32, 20))
	huge := mat.DenseCopyOf(f.Numeric())
	huge.Set(3, 1, 1e300)
	for _, test := range []struct {
		name string
		l    Logistic
		f    *dataset.Frame
		want string
	}{
		{"one class", Logistic{}, oneClass, `all 20 training rows have the class "a"`},
		{"no class", Logistic{}, f.WithoutClass(), "no class column"},
		{"L2", Logistic{L2: -1}, f, "l2 is -1"},
		{"L2 not a number", Logistic{L2: math.NaN()}, f, "l2 is NaN"},
		{"iterations", Logistic{MaxIterations: -1}, f, "max_iterations is -1"},
		{"tolerance", Logistic{Tolerance: math.Inf(1)}, f, "tolerance is +Inf"},
		{"overflow", Logistic{}, numericFrame(t, huge, f.Class().Levels, f.Class().Codes), `column "x2" are too large`},
	} {
		if err := test.l.FitFrame(context.Background(), test.f); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
	}
}

func TestLogisticSameBytesAnyProcessors(t *testing.T) {
	f := cloud(t, 4, 700, 9, 4)
	save := func(processors int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		var l Logistic
		must.OK(t, l.FitFrame(context.Background(), f))
		var out strings.Builder
		must.OK(t, l.SaveTo(&out))
		return out.String()
	}
	if save(1) != save(4) {
		t.Error("the fit depends on GOMAXPROCS")
	}
}

func BenchmarkLogisticFit_1797x64_10(b *testing.B) {
	f := must.Get(dataset.Builtin("digits"))(b)
	for b.Loop() {
		var l Logistic
		must.OK(b, l.FitFrame(context.Background(), f))
	}
}

// A weight of 2 for a class is its rows twice; balanced is the weights that it stands for; what is no class is an
// error, and a class without a row is none.
func TestClassWeights(t *testing.T) {
	scaled := cloud(t, 3, 120, 4, 3)
	class := scaled.Class()
	first, last := class.Levels[0], class.Levels[2]
	f := scaled
	twice := make([]int, 0, 2*f.Rows())
	counts := map[string]float64{}
	for i := range f.Rows() {
		twice = append(twice, i)
		if class.Text(i) == first {
			twice = append(twice, i)
		}
		counts[class.Text(i)]++
	}
	balanced := map[string]float64{}
	for class, n := range counts {
		balanced[class] = float64(f.Rows()) / (3 * n)
	}
	for name, pair := range map[string][2]Classifier{
		"logistic, twice":      {&Logistic{ClassWeights: map[string]float64{first: 2}, Tolerance: 1e-12}, &Logistic{Tolerance: 1e-12}},
		"linear_svm, twice":    {&LinearSVM{ClassWeights: map[string]float64{first: 2}, Tolerance: 1e-12}, &LinearSVM{Tolerance: 1e-12}},
		"logistic, balanced":   {&Logistic{ClassWeights: balanced}, &Logistic{ClassWeight: "balanced"}},
		"linear_svm, balanced": {&LinearSVM{ClassWeights: balanced}, &LinearSVM{ClassWeight: "balanced"}},
	} {
		rows := scaled
		if strings.HasSuffix(name, "twice") {
			rows = scaled.Subset(twice)
		}
		if err := errors.Join(pair[0].FitFrame(t.Context(), scaled), pair[1].FitFrame(t.Context(), rows)); err != nil {
			t.Fatal(name, err)
		}
		a, _ := pair[0].(interface {
			Weights() (*mat.Dense, []float64)
		}).Weights()
		b, _ := pair[1].(interface {
			Weights() (*mat.Dense, []float64)
		}).Weights()
		if !mat.EqualApprox(a, b, 1e-4) {
			t.Errorf("%s: weights %v, want %v", name, mat.Formatted(a), mat.Formatted(b))
		}
		var saved bytes.Buffer
		must.OK(t, pair[0].SaveTo(&saved))
		if err := pair[1].LoadFrom(&saved); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := (&Logistic{ClassWeights: map[string]float64{"23": 2}}).FitFrame(t.Context(), scaled)
	if err == nil || !strings.Contains(err.Error(), `the class "23", which is not in the class column`) {
		t.Errorf("error %v", err)
	}
	two := lists.Places(f.Rows(), func(i int) bool { return class.Text(i) != last })
	if err := (&LinearSVM{ClassWeights: map[string]float64{last: 2}}).FitFrame(t.Context(), scaled.Subset(two)); err != nil {
		t.Errorf("a class without a row: %v", err)
	}
}
