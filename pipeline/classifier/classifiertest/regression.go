package classifiertest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/clone"
	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/transformer"
)

// Regression is iris with a numeric target: the last column, which is no feature
// any more.
func Regression(t testing.TB, iris *dataset.Frame) *dataset.Frame {
	t.Helper()
	names := iris.Names()
	last := len(names) - 1
	values := mat.Col(nil, last, iris.Numeric())
	target := must.Get(dataset.NewTarget(values))(t)
	f, err := iris.WithoutClass().Pick(names[:last])
	if err == nil {
		f, err = f.WithClass(names[last], target)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// RunRegression checks what Run checks for classifiers that are fitted to a
// numeric target. Those that fresh makes must explain nine tenths of the variance
// of the width of a petal by the other measures.
func RunRegression(t *testing.T, fresh func() classifier.Classifier) {
	t.Helper()
	all := must.Get(dataset.Builtin("iris"))(t)
	f := Regression(t, all)
	make := maker{fresh, .9}
	for name, check := range map[string]func(t *testing.T, fresh maker, f *dataset.Frame){
		"learns-numbers": learnsNumbers, "refit": refitNumbers, "save": saveNumbers,
		"alone": alone, "processors": anyProcessors, "cancelled": cancelledPrediction,
	} {
		t.Run(name, func(t *testing.T) { check(t, make, f) })
	}
}

func learnsNumbers(t *testing.T, fresh maker, f *dataset.Frame) {
	c := fresh.new()
	if _, err := c.PredictFrame(context.Background(), f); !errors.Is(err, transformer.ErrNotFitted) {
		t.Errorf("unfitted: %v", err)
	}
	mustFit(t, c, f.Subset(rowsEvery(f.Rows(), 2, 0)))
	test := f.Subset(rowsEvery(f.Rows(), 2, 1))
	p := must.Get(c.PredictFrame(context.Background(), test.WithoutClass()))(t)
	if p.Classes != nil || p.Probabilities != nil || c.Classes() != nil || len(p.Values) != test.Rows() {
		t.Errorf("a regression gives %+v, classes %q", p, c.Classes())
	}
	truth := test.Target()
	mean, left, total := 0.0, 0.0, 0.0
	for _, v := range truth {
		mean += v / float64(len(truth))
	}
	for i, v := range truth {
		left += math.Pow(v-p.Values[i], 2)
		total += math.Pow(v-mean, 2)
	}
	if r2 := 1 - left/total; !(r2 > fresh.least) {
		t.Errorf("R² is %v", r2)
	}
	grid := must.Get(c.Predict(test))(t)
	attributes := grid.AllClassAttributes()
	if len(attributes) != 1 || attributes[0].GetName() != test.ClassName() {
		t.Errorf("golearn's grid has the class attributes %v", attributes)
	}
	names := test.Names()
	slices.Reverse(names)
	turned := must.Get(test.Pick(names))(t)
	if answers(t, c, turned) != answers(t, c, test) {
		t.Error("reordered columns change the numbers")
	}
}

// refitNumbers: a failed or cancelled fit changes nothing, nor does the fit of a
// copy, nor what becomes of the caller's memory.
func refitNumbers(t *testing.T, fresh maker, f *dataset.Frame) {
	x := mat.DenseCopyOf(f.Numeric())
	own := must.Get(dataset.Assemble(x, f.Columns(), f.ClassName(), f.Class()))(t)
	c := fresh.fitted(t, own)
	want := answers(t, c, f)
	x.Scale(-3, x)
	if answers(t, c, f) != want {
		t.Error("the caller's memory is kept: overwriting it changes the numbers")
	}
	mustFit(t, clone.Of(c), own)
	if err := c.FitFrame(context.Background(), f.WithoutClass()); err == nil || !strings.Contains(err.Error(), "no class column") {
		t.Errorf("no target: %v", err)
	}
	for n := 0; ; n++ {
		ctx := countdown.New(n)
		err := c.FitFrame(ctx, own)
		if err == nil && !ctx.Ended() {
			break
		}
		if err == nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at the %d-th look: %v", n, err)
		}
		if answers(t, c, f) != want {
			t.Fatal("a cancelled fit changed the numbers")
		}
	}
}

func saveNumbers(t *testing.T, fresh maker, f *dataset.Frame) {
	c := fresh.fitted(t, f)
	state := stateOf(t, c)
	other := fresh.new()
	must.OK(t, other.LoadFrom(strings.NewReader(state)))
	if answers(t, other, f) != answers(t, c, f) {
		t.Error("what was loaded answers otherwise")
	}
	for cut := 0; cut < len(state)-1; cut += 1 + len(state)/50 {
		if other.LoadFrom(strings.NewReader(state[:cut])) == nil {
			t.Errorf("cut at %d: no error", cut)
		}
	}
}
