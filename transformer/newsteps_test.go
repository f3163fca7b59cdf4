package transformer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/transformer"
)

func TestLog1pErrors(t *testing.T) {
	low := table(t, column{name: "a", numbers: []float64{1, -1, 2}}, column{name: "b", numbers: []float64{nan, 0, -7}})
	wantError(t, (&transformer.Log1p{}).Fit(low), `column "a", row 2: the cell -1`, `column "b", row 3: the cell -7`, "above -1", "columns")
	step := &transformer.Log1p{}
	must.OK(t, step.Fit(table(t, column{name: "a", numbers: []float64{1}}, column{name: "b", numbers: []float64{nan}})))
	_, err := step.Transform(low)
	wantError(t, err, `"a", row 2`, `"b", row 3`)
}

// TestPowerShape: the likeliest power makes a lognormal column nearly symmetric, and does not depend
// on the sign: λ of −x is 2 − λ of x.
func TestPowerShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(20, 60).Draw(t, "rows")
		cells := make([]float64, n)
		for i := range cells {
			cells[i] = math.Exp(rapid.Float64Range(-2, 2).Draw(t, "log")) - rapid.Float64Range(0, 1).Draw(t, "shift")
		}
		x := mat.NewDense(n, 2, nil)
		for i, v := range cells {
			x.SetRow(i, []float64{v, -v})
		}
		f := must.Get(dataset.New([]string{"up", "down"}, x))(t)
		step := &transformer.Power{}
		out := must.Get(transformer.FitTransform(step, f))(t)
		l := step.Lambdas()
		if math.Abs(l["up"]+l["down"]-2) > 1e-5 {
			t.Fatalf("λ of x is %v and of −x %v", l["up"], l["down"])
		}
		y := out.(*dataset.Frame).Numeric()
		var sum, squares float64
		for i := range n {
			sum += y.At(i, 0)
			squares += y.At(i, 0) * y.At(i, 0)
		}
		if math.Abs(sum) > 1e-9*float64(n) || math.Abs(squares-float64(n)) > 1e-9*float64(n) {
			t.Fatalf("sum %v and sum of squares %v over %d rows, want 0 and n", sum, squares, n)
		}
	})
}

// TestPowerExtremes: whatever the scale of a column, its powers are finite and vary.
func TestPowerExtremes(t *testing.T) {
	for _, c := range [][]float64{
		{1e300, 2e300, 7e300}, {-1e300, 1, 1e300}, {1e-300, 2e-300, 5e-300}, {1.7e18, 1.7e18 + 40000, 1.7e18 + 41000},
		{1990, 1991, 1999, 2020}, {0, 0, 0, 1e9}, {-0.999999999, 1e12, 3}, {1e9, 1e9 + 1, 1e9 + 5},
	} {
		f := table(t, column{name: "a", numbers: c})
		out := apply(t, &transformer.Power{}, f, f).(*dataset.Frame).Numeric()
		if lo, hi := mat.Min(out), mat.Max(out); !(hi-lo > 0.5) || math.IsInf(hi-lo, 0) {
			t.Errorf("%v maps to %v", c, mat.Col(nil, 0, out))
		}
	}
}

func TestQuantileBins(t *testing.T) {
	train := table(t, column{name: "few", numbers: []float64{0, 0, 0, 0, 1, 1}}, column{name: "a", numbers: []float64{6, 5, 4, 3, 2, 1}},
		column{name: "flat", numbers: []float64{7, 7, 7, 7, 7, 7}})
	rows := table(t, column{name: "few", numbers: []float64{-9, 0, 1}}, column{name: "a", numbers: []float64{3.5, 3.4, 99}},
		column{name: "flat", numbers: []float64{6, 7, 8}})
	wantTable(t, apply(t, &transformer.QuantileBins{Bins: 2}, train, rows),
		column{name: "few", numbers: []float64{0, 0, 0}}, column{name: "a", numbers: []float64{1, 0, 1}}, column{name: "flat", numbers: []float64{0, 0, 0}})
	wantError(t, (&transformer.QuantileBins{Bins: 1}).Fit(train), "number of bins is 1")
	wantError(t, (&transformer.QuantileBins{}).Fit(table(t, column{name: "a", numbers: []float64{1, nan}})), `"a"`, "row 2")
}

func TestOrdinal(t *testing.T) {
	train := table(t, column{name: "n", texts: []string{"10", "9", ""}}, column{name: "c", texts: []string{"b", "a", "b"}})
	rows := table(t, column{name: "n", texts: []string{"9", "10"}}, column{name: "c", texts: []string{"", "zebra"}})
	step := &transformer.Ordinal{}
	wantTable(t, apply(t, step, train, train), column{name: "n", numbers: []float64{1, 0, nan}}, column{name: "c", numbers: []float64{1, 0, 1}})
	_, err := step.Transform(rows)
	wantError(t, err, `column "c": row 2`, `"zebra"`, "unseen: ignore")
	wantTable(t, apply(t, &transformer.Ordinal{IgnoreUnseen: true}, train, rows),
		column{name: "n", numbers: []float64{0, 1}}, column{name: "c", numbers: []float64{nan, nan}})
}

func TestMissingIndicatorNames(t *testing.T) {
	f := table(t, column{name: "a", numbers: []float64{1, nan}}, column{name: "a_missing", numbers: []float64{1, 2}})
	wantError(t, (&transformer.MissingIndicator{}).Fit(f), `"a_missing"`, "rename")
	whole := table(t, column{name: "a", numbers: []float64{1, 2}})
	wantTable(t, apply(t, &transformer.MissingIndicator{}, whole, whole), column{name: "a", numbers: []float64{1, 2}})
}

func TestDates(t *testing.T) {
	train := table(t,
		column{name: "on", texts: []string{"2024-02-29", "", "2023-12-31"}},
		column{name: "colour", texts: []string{"red", "2024-01-01", "blue"}},
		column{name: "at", texts: []string{"2024-02-29T23:05:09.25+01:00", "2024-03-01 07:00", ""}},
	)
	wantTable(t, apply(t, &transformer.Dates{}, train, train),
		column{name: "on_year", numbers: []float64{2024, nan, 2023}}, column{name: "on_month", numbers: []float64{2, nan, 12}},
		column{name: "on_day", numbers: []float64{29, nan, 31}}, column{name: "on_weekday", numbers: []float64{3, nan, 6}},
		column{name: "colour", texts: []string{"red", "2024-01-01", "blue"}},
		column{name: "at_year", numbers: []float64{2024, 2024, nan}}, column{name: "at_month", numbers: []float64{2, 3, nan}},
		column{name: "at_day", numbers: []float64{29, 1, nan}}, column{name: "at_weekday", numbers: []float64{3, 4, nan}},
		column{name: "at_hour", numbers: []float64{23, 7, nan}}, column{name: "at_minute", numbers: []float64{5, 0, nan}},
		column{name: "at_second", numbers: []float64{9.25, 0, nan}})
	iso := table(t, column{name: "d", texts: []string{"2024-05-06T07:08Z", "2024-05-06T07:08:09Z", "2024-05-06 07:08:09.5-0130", "2024-05-06T07:08+01:30", "2024-05-06"}})
	wantTable(t, apply(t, &transformer.Dates{Parts: []string{"second", "minute", "unix"}}, iso, iso),
		column{name: "d_second", numbers: []float64{0, 9, 9.5, 0, 0}}, column{name: "d_minute", numbers: []float64{8, 8, 8, 8, 0}},
		column{name: "d_unix", numbers: []float64{1714979280, 1714979289, 1714984689.5, 1714973880, 1714953600}})
	german := table(t, column{name: "d", texts: []string{"1.3.2024", "31.12.1999"}})
	wantTable(t, apply(t, &transformer.Dates{Format: "%d.%m.%Y", Parts: []string{"day", "month", "quarter"}}, german, german),
		column{name: "d_day", numbers: []float64{1, 31}}, column{name: "d_month", numbers: []float64{3, 12}}, column{name: "d_quarter", numbers: []float64{1, 4}})

	wantError(t, (&transformer.Dates{}).Fit(german), "no column is of dates", `"d"`, `"1.3.2024"`, "format")
	wantError(t, (&transformer.Dates{}).Fit(table(t, column{name: "a", numbers: []float64{1}})), "no categorical column")
	wantError(t, (&transformer.Dates{}).Fit(table(t, column{name: "d", texts: []string{"2024-01-01", "2024-02-30", "soon"}})),
		`column "d"`, `row 2 has "2024-02-30"`, `row 3 has "soon"`, "columns")
	wantError(t, (&transformer.Dates{Parts: []string{"year", "years", "year"}}).Fit(german), `"years"`, "twice")
	wantError(t, (&transformer.Dates{Format: "dd.mm"}).Fit(german), "%Y, %m, %d", `the sign`)
	step := &transformer.Dates{}
	must.OK(t, step.Fit(table(t, column{name: "d", texts: []string{"2024-01-01"}})))
	_, err := step.Transform(table(t, column{name: "d", texts: []string{"2024-01-01", "1.3.2024"}}))
	wantError(t, err, `column "d": row 2: "1.3.2024" is no date`)
	if got := strings.Count(err.Error(), "is no date"); got != 1 {
		t.Errorf("the error names one cell %d times: %v", got, err)
	}
}

func TestCorrelationFilter(t *testing.T) {
	f := table(t,
		column{name: "a", numbers: []float64{1, 2, 3, 5}}, column{name: "flat", numbers: []float64{1, 1, 1, 1}},
		column{name: "minus", numbers: []float64{-2, -4, -6, -10}}, column{name: "c", texts: []string{"x", "y", "x", "y"}},
		column{name: "other", numbers: []float64{1, -1, 1, -1}}, column{name: "again", numbers: []float64{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 5}},
	)
	step := &transformer.CorrelationFilter{}
	apply(t, step, f, f)
	if want := []string{"minus", "again"}; !slices.Equal(step.Dropped(), want) {
		t.Errorf("dropped %q, want %q", step.Dropped(), want)
	}
	wantError(t, (&transformer.CorrelationFilter{Threshold: 1}).Fit(f), "threshold is 1")
}

// TestCorrelationFilterBlocks: blocks of columns give what pairs give.
func TestCorrelationFilterBlocks(t *testing.T) {
	const n, p = 12, 300
	x := mat.NewDense(n, p, nil)
	for j := range p {
		for i := range n {
			x.Set(i, j, math.Sin(float64(7*i+(j%17)*(i+3)))+0.1*math.Cos(float64(j*i)))
		}
	}
	f := must.Get(dataset.New(nil, x))(t)
	step := &transformer.CorrelationFilter{Threshold: 0.9}
	apply(t, step, f, f)
	var kept []int
	for j := range p {
		if !slices.ContainsFunc(kept, func(i int) bool { return math.Abs(correlation(x, i, j)) > 0.9 }) {
			kept = append(kept, j)
		}
	}
	var want []string
	for _, j := range kept {
		want = append(want, f.Names()[j])
	}
	if !slices.Equal(step.Outputs(), want) || len(want) == p {
		t.Errorf("%d columns are kept, want %d", len(step.Outputs()), len(want))
	}
}

func correlation(x *mat.Dense, i, j int) float64 {
	n, _ := x.Dims()
	a, b := mat.Col(nil, i, x), mat.Col(nil, j, x)
	var sa, sb float64
	for r := range n {
		sa, sb = sa+a[r]/float64(n), sb+b[r]/float64(n)
	}
	var ab, aa, bb float64
	for r := range n {
		ab, aa, bb = ab+(a[r]-sa)*(b[r]-sb), aa+(a[r]-sa)*(a[r]-sa), bb+(b[r]-sb)*(b[r]-sb)
	}
	return ab / math.Sqrt(aa*bb)
}

func TestSelectDrop(t *testing.T) {
	f := table(t, column{name: "time_1", numbers: []float64{1}}, column{name: "c", texts: []string{"x"}},
		column{name: "time_2", numbers: []float64{2}}, column{name: "a*", numbers: []float64{3}}, column{name: "ab", numbers: []float64{4}},
		column{name: "categorical", numbers: []float64{5}})
	for _, c := range []struct{ columns, kept []string }{
		{[]string{"time_*"}, []string{"time_1", "time_2"}},
		{[]string{"ab", "time_2"}, []string{"time_2", "ab"}},
		{[]string{"a*"}, []string{"a*"}},                   // the name, not the pattern
		{[]string{"categorical"}, []string{"categorical"}}, // the name, not the kind
		{[]string{"numeric"}, []string{"time_1", "time_2", "a*", "ab", "categorical"}},
	} {
		keep, drop := &transformer.Select{Columns: c.columns}, &transformer.Drop{Columns: c.columns}
		apply(t, keep, f, f)
		apply(t, drop, f, f)
		if !slices.Equal(keep.Outputs(), c.kept) || !slices.Equal(drop.Dropped(), c.kept) || !slices.Equal(keep.Dropped(), drop.Outputs()) {
			t.Errorf("%q: select keeps %q, drop drops %q; want %q", c.columns, keep.Outputs(), drop.Dropped(), c.kept)
		}
	}
	wantError(t, (&transformer.Select{Columns: []string{"time-1", "x_*", "ab"}}).Fit(f), `"time-1"`, `"time_1"`, `"x_*"`)
	wantError(t, (&transformer.Drop{}).Fit(f), "no column is named", "time_*")
	wantError(t, (&transformer.Drop{Columns: []string{"*"}}).Fit(f), "no column is left")
	only := table(t, column{name: "a", numbers: []float64{1}})
	wantError(t, (&transformer.Select{Columns: []string{"categorical"}}).Fit(only), "no column is categorical")
}

// careless is a step that leaves an output out, or makes other rows.
type careless struct {
	transformer.Center
	rows bool
}

func (c *careless) Transform(g base.FixedDataGrid) (base.FixedDataGrid, error) {
	out, err := c.Center.Transform(g)
	if err != nil {
		return nil, err
	}
	f := out.(*dataset.Frame)
	if c.rows {
		return f.Subset([]int{0}), nil
	}
	return f.Pick(f.Names()[1:])
}

// A step of somebody's own that does not make what it says is an error, and no other column takes the place.
func TestOnColumnsOfCarelessStep(t *testing.T) {
	f := table(t, column{name: "a", numbers: []float64{1, 2}}, column{name: "b", numbers: []float64{3, 5}}, column{name: "c", numbers: []float64{7, 8}})
	for want, rows := range map[string]bool{`no column "a"`: false, "1 rows of 2": true} {
		on := &transformer.OnColumns{Columns: []string{"a", "b"}, New: func() transformer.Transformer { return &careless{rows: rows} }}
		must.OK(t, on.Fit(f))
		_, err := on.Transform(f)
		wantError(t, err, want)
	}
}

// TestOnColumns: the others pass through, in their places, and a step on all columns is the step.
func TestOnColumns(t *testing.T) {
	f := table(t, column{name: "a", numbers: []float64{1, 3}}, column{name: "c", texts: []string{"x", "y"}},
		column{name: "b", numbers: []float64{nan, 5}}, column{name: "d", texts: []string{"u", ""}})
	onehot := func() transformer.Transformer { return &transformer.OneHot{IgnoreMissing: true} }
	center := func() transformer.Transformer { return &transformer.Center{} }
	wantTable(t, apply(t, on(onehot, "d"), f, f), column{name: "a", numbers: []float64{1, 3}}, column{name: "c", texts: []string{"x", "y"}},
		column{name: "b", numbers: []float64{nan, 5}}, column{name: "d=u", numbers: []float64{1, 0}})
	wantTable(t, apply(t, on(onehot, "c", "b"), f, f), column{name: "a", numbers: []float64{1, 3}},
		column{name: "c=x", numbers: []float64{1, 0}}, column{name: "c=y", numbers: []float64{0, 1}},
		column{name: "b", numbers: []float64{nan, 5}}, column{name: "d", texts: []string{"u", ""}})
	wantTable(t, apply(t, on(center, "a"), f, f), column{name: "a", numbers: []float64{-1, 1}}, column{name: "c", texts: []string{"x", "y"}},
		column{name: "b", numbers: []float64{nan, 5}}, column{name: "d", texts: []string{"u", ""}})
	all := apply(t, on(onehot, "*"), f, f).(*dataset.Frame)
	alone := apply(t, onehot(), f, f).(*dataset.Frame)
	if dataset.Hash(all) != dataset.Hash(alone) {
		t.Error("a step on all columns gives another table than the step alone")
	}
	wantError(t, on(center, "z", "q*").Fit(f), `"z"`, `"q*"`)
	wantError(t, on(center, "b").Fit(f), "center", `"b"`, "row 1")
	taken := table(t, column{name: "a", numbers: []float64{1, nan}}, column{name: "a_missing", numbers: []float64{1, 2}})
	wantError(t, on(func() transformer.Transformer { return &transformer.MissingIndicator{} }, "a").Fit(taken), `"a_missing"`, "rename")
}

// TestOptionsAreCopied: a caller that changes its slice afterwards does not change a fitted step.
func TestOptionsAreCopied(t *testing.T) {
	f := table(t, column{name: "a", numbers: []float64{1, 3}}, column{name: "b", numbers: []float64{2, 5}})
	columns := []string{"a"}
	steps := []transformer.Transformer{&transformer.Select{Columns: columns}, on(func() transformer.Transformer { return &transformer.Center{} }, columns...)}
	for _, s := range steps {
		apply(t, s, f, f)
		before := savedText(t, s)
		columns[0] = "b"
		if after := savedText(t, s); after != before {
			t.Errorf("%T: saved as\n%s\nwant\n%s", s, after, before)
		}
		columns[0] = "a"
	}
}
