package transformer_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/transformer"
)

type bothTables struct{ Train, New [][]float64 }

// sklearnGolden is testdata/sklearn_golden.json; sklearn_golden.py beside it made it.
type sklearnGolden struct {
	Names    []string
	Columns  [][]float64
	New      [][]float64
	Robust   bothTables
	Log1p    [][]float64
	Power    bothTables
	PowerRaw bothTables `json:"power_raw"`
	Lambdas  map[string]float64
	Bins     map[string]bothTables

	Levels, Numbers []string
	Ordinal         []float64
	OrdinalNumbers  []float64 `json:"ordinal_numbers"`
	Holes           [][]*float64
	Indicator       [][]float64
	Variance        map[string][]string
	Correlation     []string
	Dates           []string
	Parts           map[string][]float64
}

func readGolden(t *testing.T) *sklearnGolden {
	t.Helper()
	b := must.Get(os.ReadFile("testdata/sklearn_golden.json"))(t)
	g := &sklearnGolden{}
	must.OK(t, json.Unmarshal(b, g))
	return g
}

func (g *sklearnGolden) table(t *testing.T, columns [][]float64) *dataset.Frame {
	var cols []column
	for j, c := range columns {
		cols = append(cols, column{name: g.Names[j], numbers: c})
	}
	return table(t, cols...)
}

// wantNumbers compares the numeric columns of a frame with want; without is passed over.
func wantNumbers(t *testing.T, what string, f *dataset.Frame, want [][]float64, tolerance float64, without ...string) {
	t.Helper()
	if len(f.NumericNames()) != len(want) {
		t.Fatalf("%s: %d columns, want %d", what, len(f.NumericNames()), len(want))
	}
	for j, name := range f.NumericNames() {
		if slices.Contains(without, name) {
			continue
		}
		for i, w := range want[j] {
			if got := f.Numeric().At(i, j); !(math.Abs(got-w) <= tolerance*max(1, math.Abs(w))) && !(math.IsNaN(got) && math.IsNaN(w)) {
				t.Errorf("%s: column %q, row %d: got %v, scikit-learn gives %v", what, name, i+1, got, w)
				break
			}
		}
	}
}

// TestScikitLearn: what the steps make of a table is what scikit-learn's make of it.
func TestScikitLearn(t *testing.T) {
	g := readGolden(t)
	train, rows := g.table(t, g.Columns), g.table(t, g.New)
	both := func(what string, s transformer.Transformer, want bothTables, tolerance float64, without ...string) {
		t.Helper()
		wantNumbers(t, what, apply(t, s, train, train).(*dataset.Frame), want.Train, tolerance, without...)
		wantNumbers(t, what+", new rows", apply(t, s, train, rows).(*dataset.Frame), want.New, tolerance, append(without, "flat")...)
	}
	both("robust", &transformer.Robust{}, g.Robust, 1e-10)
	for bins, want := range g.Bins {
		k, _ := strconv.Atoi(bins)
		both("quantile_bins "+bins, &transformer.QuantileBins{Bins: k}, want, 0)
	}
	// scikit-learn looks for λ where the powers of the column "offset", 10⁶ and a little, have lost
	// their digits; and gives the constant column a λ, which changes new rows alone.
	both("power", &transformer.Power{}, g.Power, 1e-6, "offset")
	power := &transformer.Power{}
	apply(t, power, train, train)
	for name, lambda := range power.Lambdas() {
		if want := g.Lambdas[name]; name != "offset" && name != "flat" && math.Abs(lambda-want) > 1e-6*max(1, math.Abs(want)) {
			t.Errorf("power: λ of %q is %v, scikit-learn has %v", name, lambda, want)
		}
	}
	both("power raw", &transformer.Power{Raw: true}, g.PowerRaw, 1e-6, "offset", "flat")
	some := must.Get(train.Pick([]string{"skewed", "counts", "small"}))(t)
	wantNumbers(t, "log1p", apply(t, &transformer.Log1p{}, some, some).(*dataset.Frame), g.Log1p, 1e-15)
	for threshold, want := range g.Variance {
		v, _ := strconv.ParseFloat(threshold, 64)
		s := &transformer.VarianceFilter{Threshold: v}
		apply(t, s, train, train)
		if !slices.Equal(s.Outputs(), want) {
			t.Errorf("variance_filter %s keeps %q, scikit-learn %q", threshold, s.Outputs(), want)
		}
	}
	correlated := &transformer.CorrelationFilter{}
	apply(t, correlated, train, train)
	if got := slices.DeleteFunc(correlated.Outputs(), func(s string) bool { return s == "flat" }); !slices.Equal(got, g.Correlation) {
		t.Errorf("correlation_filter keeps %q, NumPy's correlations say %q", got, g.Correlation)
	}
}

func TestScikitLearnCategories(t *testing.T) {
	g := readGolden(t)
	f := table(t, column{name: "level", texts: g.Levels}, column{name: "number", texts: g.Numbers}, column{name: "at", texts: g.Dates})
	two, _ := f.Pick([]string{"level", "number"})
	wantNumbers(t, "ordinal", apply(t, &transformer.Ordinal{}, two, two).(*dataset.Frame), [][]float64{g.Ordinal, g.OrdinalNumbers}, 0)
	dates := &transformer.Dates{Parts: transformer.DateParts()}
	var want [][]float64
	for _, part := range transformer.DateParts() {
		want = append(want, g.Parts[part])
	}
	out := apply(t, dates, f, f).(*dataset.Frame)
	wantNumbers(t, "dates", out, want, 0)
	if names := out.Names(); names[2] != "at_year" || len(names) != 2+len(want) {
		t.Errorf("dates yields %q", names)
	}
	var cols []column
	for j, c := range g.Holes {
		v := make([]float64, len(c))
		for i, p := range c {
			if v[i] = nan; p != nil {
				v[i] = *p
			}
		}
		cols = append(cols, column{name: fmt.Sprint("h", j), numbers: v})
	}
	holes := table(t, cols...)
	marked := apply(t, &transformer.MissingIndicator{}, holes, holes).(*dataset.Frame)
	if want := []string{"h0", "h1", "h2", "h1_missing", "h2_missing"}; !slices.Equal(marked.Names(), want) {
		t.Fatalf("missing_indicator yields %q, want %q", marked.Names(), want)
	}
	added, _ := marked.Pick([]string{"h1_missing", "h2_missing"})
	wantNumbers(t, "missing_indicator", added, g.Indicator, 0)
}
