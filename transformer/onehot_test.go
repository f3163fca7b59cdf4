package transformer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/transformer"
)

func TestOneHot(t *testing.T) {
	train := table(t,
		column{name: "colour", texts: []string{"red", "blue", "red"}},
		column{name: "a", numbers: []float64{1, nan, 3}},
		column{name: "size", texts: []string{"S", "M", "L"}},
	)
	rows := table(t,
		column{name: "size", texts: []string{"L", "S"}},
		column{name: "colour", texts: []string{"blue", "red"}}, // other codes than in train
		column{name: "a", numbers: []float64{nan, 5}},
	)
	step := &transformer.OneHot{}
	wantTable(t, apply(t, step, train, rows),
		column{name: "colour=red", numbers: []float64{0, 1}},
		column{name: "colour=blue", numbers: []float64{1, 0}},
		column{name: "a", numbers: []float64{nan, 5}},
		column{name: "size=S", numbers: []float64{0, 1}},
		column{name: "size=M", numbers: []float64{0, 0}},
		column{name: "size=L", numbers: []float64{1, 0}})

	narrow := must.Get(step.Narrow([]string{"size=M", "a"}))(t)
	if want := []string{"a", "size"}; !slices.Equal(narrow.Inputs(), want) {
		t.Errorf("narrowed, it needs %q, want %q", narrow.Inputs(), want)
	}
	// A level that has no output any more is still a known one.
	out := must.Get(narrow.Transform(rows))(t)
	wantTable(t, out, column{name: "size=M", numbers: []float64{0, 0}}, column{name: "a", numbers: []float64{nan, 5}})
}

// TestOneHotUnusedLevel: a level that is listed but occurs in no row of Fit has no column.
func TestOneHotUnusedLevel(t *testing.T) {
	f := table(t, column{name: "c", texts: []string{"x", "y", "z"}}).Subset([]int{0, 2})
	step := &transformer.OneHot{}
	wantTable(t, apply(t, step, f, f),
		column{name: "c=x", numbers: []float64{1, 0}}, column{name: "c=z", numbers: []float64{0, 1}})
}

func TestOneHotUnseen(t *testing.T) {
	train := table(t, column{name: "colour", texts: []string{"red", "blue"}}, column{name: "size", texts: []string{"S", "M"}})
	rows := table(t, column{name: "colour", texts: []string{"red", "pink", "pink"}}, column{name: "size", texts: []string{"L", "M", "XL"}})
	step := &transformer.OneHot{}
	must.OK(t, step.Fit(train))
	_, err := step.Transform(rows)
	wantError(t, err, `column "colour": the level "pink" (row 2) did not`, `column "size": the levels "L" (row 1), "XL" (row 3) did not`, "unseen: ignore")
	names := table(t, column{name: "colour", texts: []string{"a", "b", "c", "red", "d", "e", "f", "g"}}, column{name: "size", texts: slices.Repeat([]string{"S"}, 8)})
	_, err = step.Transform(names)
	wantError(t, err, `"e" (row 6) and 2 more did not`)

	ignore := &transformer.OneHot{IgnoreUnseen: true}
	wantTable(t, apply(t, ignore, train, rows),
		column{name: "colour=red", numbers: []float64{1, 0, 0}},
		column{name: "colour=blue", numbers: []float64{0, 0, 0}},
		column{name: "size=S", numbers: []float64{0, 0, 0}},
		column{name: "size=M", numbers: []float64{0, 1, 0}})
}

func TestOneHotMissing(t *testing.T) {
	holes := table(t, column{name: "colour", texts: []string{"red", "", ""}}, column{name: "size", texts: []string{"S", "M", ""}})
	whole := table(t, column{name: "colour", texts: []string{"red"}}, column{name: "size", texts: []string{"S"}})
	step := &transformer.OneHot{}
	wantError(t, step.Fit(holes), `onehot needs complete data, but 3 categorical cells of 3 rows are missing, the first in row 2, column "colour" ("colour": 2, "size": 1)`, "impute", "most_frequent", "option missing: ignore")
	must.OK(t, step.Fit(whole))
	_, err := step.Transform(holes)
	wantError(t, err, `column "colour"`, "row 2", "impute")

	ignore := &transformer.OneHot{IgnoreMissing: true, IgnoreUnseen: true}
	wantTable(t, apply(t, ignore, whole, holes),
		column{name: "colour=red", numbers: []float64{1, 0, 0}}, column{name: "size=S", numbers: []float64{1, 0, 0}})
	nothing := table(t, column{name: "colour", texts: []string{"", ""}})
	wantError(t, ignore.Fit(nothing), "no column is left", "colour")
}

func TestOneHotNames(t *testing.T) {
	clash := table(t,
		column{name: "a=b", texts: []string{"c", "d"}},
		column{name: "a", texts: []string{"b=c", "d"}},
		column{name: "a=d", numbers: []float64{1, 2}},
	)
	wantError(t, (&transformer.OneHot{}).Fit(clash), `"a=b=c"`, `"a=b" and "a"`, `"a=d"`, "rename")
	class := &dataset.Factor{Levels: []string{"x"}, Codes: []int32{0, 0}}
	f := must.Get(table(t, column{name: "a", texts: []string{"b", "c"}}).WithClass("a=b", class))(t)
	wantError(t, (&transformer.OneHot{}).Fit(f), `"a=b"`, "class", "rename")
}

// TestOneHotOfDates: an error for unseen dates names the step that makes numbers of them.
func TestOneHotOfDates(t *testing.T) {
	days := func(texts ...string) *dataset.Frame { return table(t, column{name: "day", texts: texts}) }
	step := &transformer.OneHot{}
	must.OK(t, step.Fit(days("2026-11-27", "2026-11-28")))
	for day, want := range map[string]string{"2026-11-29": "put a step dates before this one", "Sunday": "option unseen: ignore"} {
		if _, err := step.Transform(days("2026-11-27", day)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", day, err, want)
		}
	}
}
