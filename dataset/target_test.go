package dataset

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

func TestTarget(t *testing.T) {
	values := []float64{2.5, -1, 2.5, 1e-300, math.Copysign(0, -1), 0, 0.1}
	target := must.Get(NewTarget(values))(t)
	f := must.Get(New(nil, mat.NewDense(len(values), 2, make([]float64, 2*len(values)))))(t)
	f = must.Get(f.WithClass("y", target))(t)
	if !slices.Equal(f.Target(), values) {
		t.Errorf("target %v, want %v", f.Target(), values)
	}
	rows := []int{3, 0, 6}
	if got := f.Subset(rows).Target(); !slices.Equal(got, []float64{1e-300, 2.5, 0.1}) {
		t.Errorf("target of a subset: %v", got)
	}
	read, err := (&Factor{Levels: target.Levels, Codes: target.Codes}).AsTarget()
	if err != nil || !slices.Equal(read.Numbers, target.Numbers) {
		t.Errorf("the texts of the levels are read as %v, %v", read, err)
	}
	if _, err := NewTarget([]float64{1, math.NaN()}); err == nil || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("NaN: %v", err)
	}
	_, err = (&Factor{Levels: []string{"a", "1", "b"}, Codes: []int32{1, 0, 2}}).AsTarget()
	if want := "row 2: \"a\" is not a number\nrow 3: \"b\" is not a number"; err == nil || err.Error() != want {
		t.Errorf("text: %v, want %s", err, want)
	}
}

func TestWithTarget(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, math.NaN()})
	f := must.Get(Assemble(x, []Column{{Name: "a"}, {Name: "c", Factor: &Factor{Levels: []string{"u"}, Codes: []int32{0, 0}}}, {Name: "b"}}, "", nil))(t)
	g, err := f.WithTarget("a")
	if err != nil || !slices.Equal(g.Names(), []string{"c", "b"}) || g.ClassName() != "a" || !slices.Equal(g.Target(), []float64{1, 3}) {
		t.Errorf("%v, %v", g, err)
	}
	for name, want := range map[string]string{"c": `holds text, such as "u"`, "b": "row 2", "d": `"d"`} {
		if _, err := f.WithTarget(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
