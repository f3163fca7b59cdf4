package transformer_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/transformer"
	"github.com/fspca/fspca/transformer/transformertest"
)

// TestConformance runs the suite on every step that a config can name, and on steps with options.
func TestConformance(t *testing.T) {
	all := map[string]func() transformer.Transformer{
		"impute median":        func() transformer.Transformer { return &transformer.Impute{Strategy: transformer.Median} },
		"impute most frequent": func() transformer.Transformer { return &transformer.Impute{Strategy: transformer.MostFrequent} },
		"impute constant": func() transformer.Transformer {
			return &transformer.Impute{Strategy: transformer.Fixed, Value: -1, Level: "none"}
		},
		"onehot ignoring": func() transformer.Transformer {
			return &transformer.OneHot{IgnoreUnseen: true, IgnoreMissing: true}
		},
		"log1p": func() transformer.Transformer {
			return on(func() transformer.Transformer { return &transformer.Log1p{} }, "bravo*", "foxtrot*", "golf*")
		},
		"power raw": func() transformer.Transformer { return &transformer.Power{Raw: true} },
		"quantile_bins 3": func() transformer.Transformer {
			return &transformer.QuantileBins{Bins: 3}
		},
		"dates with parts":      func() transformer.Transformer { return &transformer.Dates{Parts: []string{"unix", "quarter"}} },
		"ordinal ignoring":      func() transformer.Transformer { return &transformer.Ordinal{IgnoreUnseen: true} },
		"missing_indicator all": func() transformer.Transformer { return &transformer.MissingIndicator{All: true} },
		"correlation_filter":    func() transformer.Transformer { return &transformer.CorrelationFilter{Threshold: 0.8} },
		"variance_filter":       func() transformer.Transformer { return &transformer.VarianceFilter{Threshold: 0.5} },
		"select": func() transformer.Transformer {
			return &transformer.Select{Columns: []string{"categorical", "*o*", "delta*"}}
		},
		"select numeric": func() transformer.Transformer { return &transformer.Select{Columns: []string{"numeric"}} },
		"drop":           func() transformer.Transformer { return &transformer.Drop{Columns: []string{"*a*"}} },
		"columns: onehot": func() transformer.Transformer {
			return on(func() transformer.Transformer { return &transformer.OneHot{} }, "bravo*", "col*", "echo*")
		},
		"columns: standardize": func() transformer.Transformer {
			return on(func() transformer.Transformer { return &transformer.Standardize{} }, "numeric")
		},
		"columns: missing_indicator": func() transformer.Transformer {
			return on(func() transformer.Transformer { return &transformer.MissingIndicator{All: true} }, "d*", "c*")
		},
		"columns in columns": func() transformer.Transformer {
			return on(func() transformer.Transformer {
				return on(func() transformer.Transformer { return &transformer.Center{} }, "d*")
			}, "e*", "d*")
		},
	}
	for name, newStep := range registered() {
		if all[name] == nil {
			all[name] = newStep
		}
	}
	for name, newStep := range all {
		t.Run(name, func(t *testing.T) { transformertest.Run(t, newStep) })
	}
}

// registered returns every kind of step of this package that a config can name, with default options.
func registered() map[string]func() transformer.Transformer {
	all := map[string]func() transformer.Transformer{}
	for _, k := range pipeline.Kinds() {
		newStep := func() transformer.Transformer {
			s, _ := k.New(nil) // TestEveryKindIsBuilt
			return s.Transformer
		}
		if s := newStep(); s != nil && reflect.TypeOf(s).Elem().PkgPath() == reflect.TypeFor[transformer.Center]().PkgPath() {
			all[k.Name()] = newStep
		}
	}
	return all
}

// on applies a step to some columns.
func on(newStep func() transformer.Transformer, columns ...string) transformer.Transformer {
	return &transformer.OnColumns{Columns: columns, New: newStep}
}

func TestScaling(t *testing.T) {
	train := table(t,
		column{name: "a", numbers: []float64{1e6, 1e6 + 2, 1e6 + 4}},
		column{name: "colour", texts: []string{"red", "", "blue"}},
		column{name: "flat", numbers: []float64{0.3, 0.1 + 0.2, 0.3}}, // differs by rounding alone
	)
	rows := table(t,
		column{name: "flat", numbers: []float64{1.3}},
		column{name: "colour", texts: []string{""}},
		column{name: "a", numbers: []float64{1e6 + 8}},
	)
	for _, c := range []struct {
		step    transformer.Transformer
		a, flat float64
	}{
		{&transformer.Center{}, 6, 1},
		{&transformer.Robust{}, 3, 1},
		{&transformer.Standardize{}, 3, 1},
		{&transformer.MinMax{}, 2, 1},
	} {
		wantTable(t, apply(t, c.step, train, rows),
			column{name: "a", numbers: []float64{c.a}},
			column{name: "colour", texts: []string{""}},
			column{name: "flat", numbers: []float64{c.flat}})
	}
}

// TestMinMaxEnds: the ends of the fitted range map to 0 and 1 exactly.
func TestMinMaxEnds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cells := rapid.SliceOfN(rapid.Float64Range(-1e12, 1e12), 2, 20).Draw(rt, "cells")
		if slices.Max(cells)-slices.Min(cells) <= 1e-12*max(slices.Max(cells), -slices.Min(cells)) {
			return // constant
		}
		f := must.Get(dataset.New([]string{"a"}, mat.NewDense(len(cells), 1, cells)))(rt)
		out := must.Get(transformer.FitTransform(&transformer.MinMax{}, f))(rt)
		got := mat.Col(nil, 0, out.(*dataset.Frame).Numeric())
		if slices.Min(got) != 0 || slices.Max(got) != 1 {
			rt.Fatalf("%v maps to %v", cells, got)
		}
	})
}

func TestScalingErrors(t *testing.T) {
	holes := table(t,
		column{name: "a", numbers: []float64{1, nan, nan}},
		column{name: "b", numbers: []float64{1, 2, nan}},
	)
	wide := table(t, column{name: "a", numbers: []float64{-1.7e308, 1.7e308, 1.7e308}})
	for name, step := range map[string]transformer.Transformer{
		"center": &transformer.Center{}, "standardize": &transformer.Standardize{}, "minmax": &transformer.MinMax{},
	} {
		wantError(t, step.Fit(holes), name, "3 ", "row 2", `"a"`, `"b"`, "impute", "drop")
		wantError(t, step.Fit(wide), name, `column "a"`, "1.7e+308")
		must.OK(t, step.Fit(table(t, column{name: "a", numbers: []float64{1, 2}}, column{name: "b", numbers: []float64{1, 2}})))
		_, err := step.Transform(holes)
		wantError(t, err, name, "row 2", `"a"`, "impute")
		narrow := must.Get(step.Narrow([]string{"b"}))(t)
		_, err = narrow.Transform(table(t, column{name: "a", numbers: []float64{nan}}, column{name: "b", numbers: []float64{1}}))
		if err != nil {
			t.Errorf("%s: a missing cell in a column that is not needed: %v", name, err)
		}
	}
}

// wantError checks that err is there and holds each of the texts.
func wantError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", texts)
		return
	}
	for _, s := range texts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("the error does not say %q: %v", s, err)
		}
	}
}

func TestConstant(t *testing.T) {
	train := table(t,
		column{name: "flat", numbers: []float64{7, 7, 7}},
		column{name: "a", numbers: []float64{1, 2, nan}},
		column{name: "one", texts: []string{"x", "", "x"}},
		column{name: "colour", texts: []string{"red", "red", "blue"}},
		column{name: "holes", numbers: []float64{nan, 4, 4}},
		column{name: "none", numbers: []float64{nan, nan, nan}},
	)
	step := &transformer.Constant{}
	rows := table(t, column{name: "colour", texts: []string{"green"}}, column{name: "a", numbers: []float64{nan}})
	wantTable(t, apply(t, step, train, rows),
		column{name: "a", numbers: []float64{nan}}, column{name: "colour", texts: []string{"green"}})
	if want := []string{"flat", "one", "holes", "none"}; !slices.Equal(step.Dropped(), want) {
		t.Errorf("dropped %q, want %q", step.Dropped(), want)
	}
	step.Dropped()[0] = "overwritten"
	if step.Dropped()[0] != "flat" {
		t.Error("Dropped returns the step's own slice")
	}

	wantError(t, (&transformer.Constant{}).Fit(table(t, column{name: "flat", numbers: []float64{7, 7}})), "no column is left", "flat")
	wantError(t, (&transformer.Constant{Tolerance: -1}).Fit(train), "tolerance", "-1")
	wide := &transformer.Constant{Tolerance: 0.6}
	wantError(t, wide.Fit(table(t, column{name: "a", numbers: []float64{1, 2}})), "no column is left")
	if (&transformer.Constant{}).Dropped() != nil {
		t.Error("Dropped before Fit is not nil")
	}
}
