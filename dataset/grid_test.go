package dataset

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

func TestGridCells(t *testing.T) {
	f := sample(t)
	attrs := f.AllAttributes()
	if columns, rows := f.Size(); columns != 5 || rows != 4 || len(attrs) != 5 {
		t.Fatalf("got %d columns, %d rows, %d attributes", columns, rows, len(attrs))
	}
	u64 := base.PackU64ToBytes
	want := map[string][][]byte{
		"a":     {base.PackFloatToBytes(1), base.PackFloatToBytes(2), base.PackFloatToBytes(3), base.PackFloatToBytes(4)},
		"color": {u64(1), u64(0), u64(2), u64(1)}, // 2 is "", a missing cell
		"b":     {base.PackFloatToBytes(10), base.PackFloatToBytes(nan), base.PackFloatToBytes(30), base.PackFloatToBytes(nan)},
		"size":  {u64(0), u64(1), u64(2), u64(0)},
		"y":     {u64(0), u64(1), u64(1), u64(0)},
	}
	var specs []base.AttributeSpec
	for j, name := range []string{"a", "color", "b", "size", "y"} {
		if attrs[j].GetName() != name {
			t.Errorf("attribute %d is %q, want %q", j, attrs[j].GetName(), name)
		}
		spec := must.Get(f.GetAttribute(attrs[j]))(t)
		if spec.GetAttribute() != attrs[j] {
			t.Error("the spec is of another attribute")
		}
		specs = append(specs, spec)
		for i := range 4 {
			if got := f.Get(spec, i); !bytes.Equal(got, want[name][i]) {
				t.Errorf("%s, row %d: got %v, want %v", name, i, got, want[name][i])
			}
		}
	}
	row := 0
	err := f.MapOverRows(specs, func(cells [][]byte, i int) (bool, error) {
		for j, cell := range cells {
			if i != row || !bytes.Equal(cell, want[attrs[j].GetName()][i]) {
				t.Errorf("MapOverRows: %s, row %d (%d): got %v", attrs[j].GetName(), i, row, cell)
			}
		}
		row++
		return i < 2, nil
	})
	if err != nil || row != 3 {
		t.Errorf("MapOverRows: %v after %d rows, want 3", err, row)
	}
	failed := fmt.Errorf("enough")
	if err := f.MapOverRows(specs, func([][]byte, int) (bool, error) { return true, failed }); err != failed {
		t.Errorf("got %v", err)
	}
	if got, want := f.RowString(2), "3  30 l p"; got != want {
		t.Errorf("RowString: got %q, want %q", got, want)
	}
}

func TestGridOutside(t *testing.T) {
	f, other := sample(t), base.NewDenseInstances()
	foreign := base.NewFloatAttribute("color") // a name that is here, of another kind
	spec := other.AddAttribute(foreign)
	if _, err := f.GetAttribute(foreign); err == nil {
		t.Error("an attribute of another kind is accepted")
	}
	if _, err := f.GetAttribute(nil); err == nil {
		t.Error("nil is accepted")
	}
	if got := f.Get(spec, 0); got != nil {
		t.Errorf("Get of a foreign spec: got %v", got)
	}
	if got := f.Get(base.AttributeSpec{}, 0); got != nil {
		t.Errorf("Get of an empty spec: got %v", got)
	}
	if err := f.MapOverRows([]base.AttributeSpec{spec}, nil); err == nil {
		t.Error("MapOverRows takes a foreign spec")
	}
	equal := base.NewFloatAttribute("b")
	own, err := f.GetAttribute(equal)
	if err != nil || own.GetAttribute() == base.Attribute(equal) || base.UnpackBytesToFloat(f.Get(own, 2)) != 30 {
		t.Errorf("an equal attribute: got %v, %v", own, err)
	}
	for _, row := range []int{-1, 4} {
		if f.Get(own, row) != nil || f.RowString(row) != "" {
			t.Errorf("row %d exists", row)
		}
	}
}

// A frame does not change, and says so.
func TestGridClassAttributes(t *testing.T) {
	f := sample(t)
	attrs := f.AllAttributes()
	feature, class, absent := attrs[0], attrs[4], base.NewFloatAttribute("absent")
	if got := f.AllClassAttributes(); len(got) != 1 || got[0] != class {
		t.Fatalf("got %v", got)
	}
	if err := f.AddClassAttribute(class); err != nil {
		t.Error(err)
	}
	if err := f.RemoveClassAttribute(feature); err != nil {
		t.Error(err)
	}
	for want, err := range map[string]error{
		"use WithClass":    f.AddClassAttribute(feature),
		"use WithoutClass": f.RemoveClassAttribute(class),
		"no attribute":     f.AddClassAttribute(absent),
		"no attribute ":    f.RemoveClassAttribute(absent),
	} {
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if got := f.WithoutClass().AllClassAttributes(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

// What golearn makes of a frame holds the same cells.
func TestGolearnReadsFrame(t *testing.T) {
	f := sample(t)
	attrs := f.AllAttributes()
	if got := base.GetClass(f, 1); got != "p" {
		t.Errorf("GetClass: got %q", got)
	}
	if got := base.GetClassDistribution(f); got["n"] != 2 || got["p"] != 2 {
		t.Errorf("GetClassDistribution: got %v", got)
	}
	dense := base.NewDenseCopy(f)
	for name, g := range map[string]base.FixedDataGrid{
		"NewDenseCopy":                dense,
		"NewInstancesViewFromAttrs":   base.NewInstancesViewFromAttrs(f, attrs),
		"NewInstancesViewFromRows":    base.NewInstancesViewFromRows(f, map[int]int{}),
		"NewInstancesViewFromVisible": base.NewInstancesViewFromVisible(f, []int{0, 1, 2, 3}, attrs),
	} {
		back, err := FromGrid(g)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if back, err = back.Pick(f.Names()); err != nil || Hash(back) != Hash(f) { // a dense copy groups columns by kind
			t.Errorf("%s: got %s (%v)", name, show(back), err)
		}
	}
	var text bytes.Buffer
	if err := base.SerializeInstancesToCSVStream(base.NewInstancesViewFromAttrs(f, attrs[:1]), &text); err != nil || !strings.HasPrefix(text.String(), "a\n1.0") {
		t.Errorf("got %q, %v", text.String(), err)
	}
	if s := dense.String(); !strings.Contains(s, "4 row(s)") {
		t.Errorf("got %s", s)
	}
	// Specs in golearn's order are in the order of the attributes.
	for j, spec := range base.ResolveAllAttributes(f) {
		if spec.GetAttribute() != attrs[j] {
			t.Errorf("spec %d is of %v, want %v", j, spec.GetAttribute(), attrs[j])
		}
	}
}

func TestGolearnOrderOfManyColumns(t *testing.T) {
	const d = 3*skeletonGroup + 5
	cols := make([]Column, d)
	p := 0
	for j := range cols {
		cols[j].Name = fmt.Sprint("c", j)
		if j%50 == 7 {
			cols[j].Factor = &Factor{Levels: []string{"u", "v"}, Codes: []int32{0, 1}}
		} else {
			p++
		}
	}
	data := lists.Upto[float64](2 * p)
	f := must.Get(Assemble(mat.NewDense(2, p, data), cols, "", nil))(t)
	attrs := f.AllAttributes()
	specs := base.ResolveAllAttributes(f)
	for j := range specs {
		if specs[j].GetAttribute() != attrs[j] {
			t.Fatalf("spec %d is of %v", j, specs[j].GetAttribute())
		}
	}
	if got := base.UnpackBytesToFloat(f.Get(specs[d-1], 1)); got != float64(2*p-1) {
		t.Errorf("last cell: got %v", got)
	}
}

// A factor that was made from another is seen with its own levels and codes.
func TestGridOfChangedFactors(t *testing.T) {
	f := sample(t)
	size := *f.Factor("size")
	size.Codes = []int32{0, Missing, 1, 2}
	renamed := *f.Factor("size")
	renamed.Levels = []string{"S", "M", "L"}
	g, err := Assemble(nil, []Column{{Name: "size", Factor: &size}, {Name: "other", Factor: f.Factor("size")}, {Name: "third", Factor: &renamed}}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	texts := func(g *Frame, row int) string {
		var b strings.Builder
		for _, a := range g.AllAttributes() {
			spec := must.Get(g.GetAttribute(a))(t)
			fmt.Fprintf(&b, "%s=%s ", a.GetName(), a.GetStringFromSysVal(g.Get(spec, row)))
		}
		return b.String()
	}
	if got, want := texts(g, 1), "size= other=m third=M "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	renamed = *f.Class()
	renamed.Levels = []string{"no", "yes"}
	if g, err = f.WithClass("y", &renamed); err != nil || base.GetClass(g, 1) != "yes" || base.GetClass(f, 1) != "p" {
		t.Errorf("class: got %v, %v", g, err)
	}
}

func TestGridConcurrently(t *testing.T) {
	f := sample(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			g := f.Subset([]int{0, 1, 2})
			for _, f := range []*Frame{f, g} {
				specs := base.ResolveAllAttributes(f)
				sum := 0.0
				err := f.MapOverRows(specs, func(cells [][]byte, i int) (bool, error) {
					sum += base.UnpackBytesToFloat(f.Get(specs[0], i))
					return true, nil
				})
				if err != nil || sum < 6 {
					t.Errorf("got %v, %v", sum, err)
				}
			}
			picked, err := f.Pick([]string{"color", "a"})
			if err != nil {
				t.Error(err)
			}
			own := f.AllAttributes()
			if own[0] != g.AllAttributes()[0] || own[0] != picked.AllAttributes()[1] || own[1] != picked.AllAttributes()[0] || own[0] != f.WithoutClass().AllAttributes()[0] {
				t.Error("a frame made from this one has other attributes")
			}
		})
	}
	wait.Wait()
}

// An exported float keeps its value.
func TestAttributeTextIsExact(t *testing.T) {
	values := []float64{0.1, 1.0 / 3, 1e6 + 0.1, math.Pi * 1e10, -2.5}
	f := must.Get(New(nil, mat.NewDense(len(values), 1, values)))(t)
	spec := base.ResolveAllAttributes(f)[0]
	for i, v := range values {
		text := spec.GetAttribute().GetStringFromSysVal(f.Get(spec, i))
		if got, kind := parseCell(text); kind != numberCell || got != v {
			t.Errorf("%v is exported as %s", v, text)
		}
	}
}
