package dataset

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/internal/must"
)

// foreign is a grid of somebody else: MapOverRows goes through the rows in
// random order, cells may be nil, and it fails on demand.
type foreign struct {
	base.FixedDataGrid
	missing map[string]int // attribute → row whose cell is nil
	lying   bool           // MapOverRows hands out wrong cells
	repeats bool           // MapOverRows hands out row 0 for row 1
	panics  string
}

func (g foreign) Get(spec base.AttributeSpec, row int) []byte {
	if g.panics == "Get" {
		panic("out of order")
	}
	if at, ok := g.missing[spec.GetAttribute().GetName()]; ok && at == row {
		return nil
	}
	return g.FixedDataGrid.Get(spec, row)
}

func (g foreign) MapOverRows(specs []base.AttributeSpec, fn func([][]byte, int) (bool, error)) error {
	if g.panics == "MapOverRows" {
		panic("out of order")
	}
	_, rows := g.Size()
	cells := make([][]byte, len(specs))
	for _, row := range rand.New(rand.NewPCG(1, 2)).Perm(rows) {
		for j, spec := range specs {
			from := row
			if g.lying {
				from = (row + 1) % rows
			}
			cells[j] = g.Get(spec, from)
		}
		if g.repeats && row == 1 {
			row = 0
			for j, spec := range specs {
				cells[j] = g.Get(spec, 0)
			}
		}
		if more, err := fn(cells, row); err != nil || !more {
			return err
		}
	}
	return nil
}

func TestFromGridForeign(t *testing.T) {
	inner := dense(t)
	for name, g := range map[string]foreign{
		"random order":           {FixedDataGrid: inner},
		"a lying MapOverRows":    {FixedDataGrid: inner, lying: true},
		"a row twice":            {FixedDataGrid: inner, repeats: true},
		"a panic in MapOverRows": {FixedDataGrid: inner, panics: "MapOverRows"},
	} {
		f, err := FromGrid(g)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := show(f); got != denseShown {
			t.Errorf("%s:\n got %s\nwant %s", name, got, denseShown)
		}
	}
	g := foreign{FixedDataGrid: inner, missing: map[string]int{"f1": 0, "c": 1, "b": 2}}
	f := fromGrid(t, g)
	if got, want := show(f), `f1 NaN 2.5 3.5; f2 10 NaN 30; c["red" "blue"] "red" "" ""; b 1 0 NaN; class y["no" "yes"] "no" "yes" "no"`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	back, err := fromGrid(t, base.NewDenseCopy(f)).Pick(f.Names()) // golearn puts columns of a kind together
	if err != nil || Hash(back) != Hash(f) {
		t.Errorf("after golearn: got %s (%v)", show(back), err)
	}
	if _, err := FromGrid(foreign{FixedDataGrid: inner, missing: map[string]int{"y": 1}}); err == nil || !strings.Contains(err.Error(), `class "y" is missing in row 2`) {
		t.Errorf("got %v", err)
	}
	_, err = FromGrid(foreign{FixedDataGrid: inner, panics: "Get"})
	if want := "reading a dataset.foreign: golearn panicked: out of order"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// nilAttribute is what a golearn filter that drops a column leaves behind.
type nilAttribute struct{ base.FixedDataGrid }

func (g nilAttribute) AllAttributes() []base.Attribute {
	return append(g.FixedDataGrid.AllAttributes(), nil)
}

func TestFromGridErrors(t *testing.T) {
	twoClasses := dense(t)
	must.OK(t, twoClasses.AddClassAttribute(twoClasses.AllAttributes()[0]))
	twins := base.NewDenseInstances()
	twins.AddAttribute(base.NewFloatAttribute("a"))
	twins.AddAttribute(base.NewFloatAttribute("a"))
	must.OK(t, twins.Extend(1))
	noRows := base.NewDenseInstances()
	noRows.AddAttribute(base.NewFloatAttribute("a"))
	outOfRange := dense(t)
	spec := must.Get(outOfRange.GetAttribute(outOfRange.AllAttributes()[2]))(t)
	outOfRange.Set(spec, 1, base.PackU64ToBytes(77))
	var nothing *base.DenseInstances
	var noFrame *Frame
	for _, test := range []struct {
		grid base.FixedDataGrid
		want string
	}{
		{nil, "the grid is nil"},
		{nothing, "the grid is nil"},
		{noFrame, "the grid is nil"},
		{base.NewDenseInstances(), "the grid has 0 rows and 0 attributes: want at least one of each"},
		{noRows, "the grid has 0 rows and 1 attributes: want at least one of each"},
		{twoClasses, `the grid has 2 class attributes, "f1", "y": want at most one`},
		{twins, `columns 1 and 2 are both named "a": names must differ`},
		{nilAttribute{dense(t)}, "the grid has a nil attribute (a filter that drops columns leaves one)"},
		{outOfRange, `row 2, column "c": value 77 of an attribute that has 3 values`},
		{base.NewInstancesViewFromRows(dense(t), map[int]int{5: 9, 6: 9, 7: 9, 8: 9}), "reading a *base.InstancesView: golearn panicked: "},
	} {
		f, err := FromGrid(test.grid)
		if err == nil || f != nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%T: got %v, want %s", test.grid, err, test.want)
		}
	}
}
