package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

var nan = math.NaN()

// sample returns a frame with columns of both kinds and missing cells.
func sample(t testing.TB) *Frame {
	t.Helper()
	f := must.Get(Assemble(mat.NewDense(4, 2, []float64{1, 10, 2, nan, 3, 30, 4, nan}),
		[]Column{
			{Name: "a"},
			{Name: "color", Factor: &Factor{Levels: []string{"blue", "red"}, Codes: []int32{1, 0, Missing, 1}}},
			{Name: "b"},
			{Name: "size", Factor: &Factor{Levels: []string{"s", "m", "l"}, Codes: []int32{0, 1, 2, 0}}},
		}, "y", &Factor{Levels: []string{"n", "p"}, Codes: []int32{0, 1, 1, 0}}))(t)
	return f
}

func TestFrame(t *testing.T) {
	f := sample(t)
	if got, want := show(f), `a 1 2 3 4; color["blue" "red"] "red" "blue" "" "red"; b 10 NaN 30 NaN; size["s" "m" "l"] "s" "m" "l" "s"; class y["n" "p"] "n" "p" "p" "n"`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got, want := fmt.Sprintf("%v %v %s %d", f.Names(), f.NumericNames(), f.ClassName(), f.Rows()), "[a color b size] [a b] y 4"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if f.Factor("a") != nil || f.Factor("y") != nil || f.Factor("z") != nil || f.Factor("size") == nil {
		t.Error("Factor knows the wrong columns")
	}
	if got, want := f.String(), `frame of 4 rows, 2 numeric and 2 categorical columns, class "y" of 2 levels`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNew(t *testing.T) {
	x := mat.NewDense(2, 3, []float64{1, 2, 3, 4, nan, 6})
	f, err := New(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	if f.Numeric() != x {
		t.Error("the matrix is not shared")
	}
	if got, want := show(f), "x1 1 4; x2 2 NaN; x3 3 6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	window := mat.NewDense(2, 5, []float64{0, 1, 2, 3, 0, 0, 4, 5, 6, 0}).Slice(0, 2, 1, 4).(*mat.Dense)
	if f, err = New([]string{"u", "v", "w"}, window); err != nil || show(f) != "u 1 4; v 2 5; w 3 6" {
		t.Errorf("a window on a larger matrix: got %v, %v", f, err)
	}
}

func TestAssembleErrors(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	factor := func(levels string, codes ...int32) *Factor {
		return &Factor{Levels: strings.Split(levels, " "), Codes: codes}
	}
	for _, test := range []struct {
		name string
		make func() (*Frame, error)
		want string
	}{
		{"nil matrix", func() (*Frame, error) { return New(nil, nil) }, "the matrix is nil or empty: want at least one row and one column"},
		{"empty matrix", func() (*Frame, error) { return New(nil, &mat.Dense{}) }, "the matrix is nil or empty"},
		{"too few names", func() (*Frame, error) { return New([]string{"a"}, x) }, "got 1 name for 2 columns"},
		{"name twice", func() (*Frame, error) { return New([]string{"a", "a"}, x) }, `columns 1 and 2 are both named "a": names must differ`},
		{"empty name", func() (*Frame, error) { return New([]string{"a", ""}, x) }, "column 2: the name is empty"},
		{"Latin-1 name", func() (*Frame, error) { return New([]string{"a", "\xe4"}, x) }, `column 2: the name "\xe4" is not UTF-8`},
		{"infinite", func() (*Frame, error) {
			return New([]string{"a", "b"}, mat.NewDense(2, 2, []float64{1, 2, 3, math.Inf(-1)}))
		}, `row 2, column "b": -Inf is not a finite number`},
		{"nothing", func() (*Frame, error) { return Assemble(nil, nil, "", nil) }, "no rows: want at least one"},
		{"too few columns", func() (*Frame, error) { return Assemble(x, []Column{{Name: "a"}}, "", nil) }, "got 1 numeric columns and a matrix of 2 columns"},
		{"no matrix", func() (*Frame, error) {
			return Assemble(nil, []Column{{Name: "a"}, {Name: "b", Factor: factor("u", 0)}}, "", nil)
		}, "got 1 numeric columns and a matrix of 0 columns"},
		{"lengths differ", func() (*Frame, error) {
			return Assemble(x, []Column{{Name: "a"}, {Name: "b"}, {Name: "c", Factor: factor("u", 0)}}, "y", factor("u", 0, 0, 0))
		}, "column \"c\" has 1 rows, want 2 as the others have\ncolumn \"y\" has 3 rows, want 2 as the others have"},
		{"class named as a column", func() (*Frame, error) {
			return Assemble(x, []Column{{Name: "a"}, {Name: "b"}}, "b", factor("u", 0, 0))
		}, `column 2 and the class are both named "b": names must differ`},
		{"class without a name", func() (*Frame, error) { return Assemble(nil, nil, "", factor("u", 0)) }, "class: the name is empty"},
		{"class without values", func() (*Frame, error) { return Assemble(x, []Column{{Name: "a"}, {Name: "b"}}, "y", nil) }, `class "y" has a name but no values`},
		{"class missing", func() (*Frame, error) { return Assemble(nil, nil, "y", factor("u", 0, Missing)) }, `class "y" is missing in row 2: remove the row, or the class`},
		{"empty level", func() (*Frame, error) {
			return Assemble(nil, nil, "y", &Factor{Levels: []string{""}, Codes: []int32{0}})
		}, `column "y" has an empty level: a missing cell is code -1`},
		{"level twice", func() (*Frame, error) { return Assemble(nil, nil, "y", factor("u u", 0)) }, `column "y" has the level "u" twice`},
		{"Latin-1 level", func() (*Frame, error) { return Assemble(nil, nil, "y", factor("\xe4", 0)) }, `column "y": level "\xe4" is not UTF-8`},
		{"code too large", func() (*Frame, error) { return Assemble(nil, nil, "y", factor("u", 0, 1)) }, `column "y", row 2: code 1 is outside −1…0`},
		{"code too small", func() (*Frame, error) {
			return Assemble(nil, []Column{{Name: "c", Factor: factor("u", -2)}}, "", nil)
		}, `column "c", row 1: code -2 is outside −1…0`},
	} {
		f, err := test.make()
		if err == nil || f != nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s:\n got %v\nwant %s", test.name, err, test.want)
		}
	}
}

func TestPick(t *testing.T) {
	f := sample(t)
	g, err := f.Pick([]string{"size", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(g), `size["s" "m" "l"] "s" "m" "l" "s"; b 10 NaN 30 NaN; class y["n" "p"] "n" "p" "p" "n"`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if g, err = f.Pick([]string{"b", "color", "a"}); err != nil || !slices.Equal(g.Numeric().RawRowView(2), []float64{30, 3}) {
		t.Errorf("got %v, %v", g, err)
	}
	if g, err = f.Pick(f.Names()); err != nil || g.Numeric() != f.Numeric() {
		t.Errorf("all columns: the matrix is not shared (%v)", err)
	}
	if g, err = f.Pick(nil); err != nil || g.Rows() != 4 || g.Numeric() != nil || g.Class() == nil {
		t.Errorf("no columns: got %v, %v", g, err)
	}
	if _, err = f.Pick([]string{"a", "a"}); err == nil || err.Error() != `column "a" is picked twice` {
		t.Errorf("got %v", err)
	}
	_, err = f.Pick([]string{"colour", "a", "zzz", "y", "zzz"})
	if want := `3 columns are missing: "colour" (the nearest is "color"), "zzz", "y" among the features (it is the class)`; err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
	var e *MissingColumnsError
	if !errors.As(err, &e) || !slices.Equal(e.Missing, []string{"colour", "zzz", "y"}) || !slices.Equal(e.Nearest, []string{"color", "", ""}) {
		t.Errorf("got %#v", err)
	}
}

func TestSubset(t *testing.T) {
	f := sample(t)
	g := f.Subset([]int{3, 2, 3})
	if got, want := show(g), `a 4 3 4; color["blue" "red"] "red" "" "red"; b NaN 30 NaN; size["s" "m" "l"] "s" "l" "s"; class y["n" "p"] "n" "p" "n"`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	g.Numeric().Set(0, 0, 99)
	if f.Numeric().At(3, 0) != 4 {
		t.Error("the numbers of a subset are not its own")
	}
	empty := f.Subset(nil)
	if empty.Rows() != 0 || empty.Numeric() == nil || !empty.Numeric().IsEmpty() || len(empty.Names()) != 4 {
		t.Errorf("without rows: got %v", empty)
	}
	if _, err := empty.Pick([]string{"b"}); err != nil {
		t.Error(err)
	}
	if err := empty.CheckComplete("x"); err != nil {
		t.Error(err)
	}
	if n := base.NewDenseCopy(empty); n == nil {
		t.Error("golearn cannot copy it")
	}
}

func TestClassChanges(t *testing.T) {
	f := sample(t)
	g := f.WithoutClass()
	if g.Class() != nil || g.ClassName() != "" || g.Numeric() != f.Numeric() || g.WithoutClass() != g {
		t.Errorf("without class: got %v", g)
	}
	h, err := g.WithClass("z", &Factor{Levels: []string{"u"}, Codes: []int32{0, 0, 0, 0}})
	if err != nil || h.ClassName() != "z" || h.Class().Text(3) != "u" || len(h.AllAttributes()) != 5 {
		t.Errorf("got %v, %v", h, err)
	}
	for want, class := range map[string]*Factor{
		`class "z" has a name but no values`:                          nil,
		`column "z" has 1 rows, want 4`:                               {Levels: []string{"u"}, Codes: []int32{0}},
		`class "z" is missing in row 4: remove the row, or the class`: {Levels: []string{"u"}, Codes: []int32{0, 0, 0, -1}},
	} {
		if _, err := f.WithClass("z", class); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := f.WithClass("a", f.Class()); err == nil || err.Error() != `column 1 and the class are both named "a": names must differ` {
		t.Errorf("got %v", err)
	}
}

func TestCheckComplete(t *testing.T) {
	f := sample(t)
	err := f.CheckComplete("fspca")
	want := `fspca needs complete data, but 2 numeric cells of 4 rows are missing, the first in row 2, column "b" ("b": 2); put an impute step before it, or drop the columns`
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
	var e *MissingCellsError
	if !errors.As(err, &e) || e.Row != 2 || e.Column != "b" || e.Counts[0] != 2 {
		t.Errorf("got %#v", err)
	}
	g := must.Get(f.Pick([]string{"a", "color"}))(t)
	if err := g.CheckComplete("fspca"); err != nil {
		t.Errorf("only a category is missing: got %v", err)
	}
}
