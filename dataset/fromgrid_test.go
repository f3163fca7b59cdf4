package dataset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/filters"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// dense returns DenseInstances with one attribute of each kind, given in this
// order: float f1, categorical c, binary b, float f2, categorical class y.
func dense(t testing.TB) *base.DenseInstances {
	t.Helper()
	g := base.NewDenseInstances()
	c, y := base.NewCategoricalAttribute(), base.NewCategoricalAttribute()
	c.SetName("c")
	y.SetName("y")
	attrs := []base.Attribute{base.NewFloatAttribute("f1"), c, base.NewBinaryAttribute("b"), base.NewFloatAttribute("f2"), y}
	cells := [][]string{{"1.5", "red", "1", "10", "no"}, {"2.5", "blue", "0", "NaN", "yes"}, {"3.5", "", "1", "30", "no"}}
	var specs []base.AttributeSpec
	for _, a := range attrs {
		specs = append(specs, g.AddAttribute(a))
	}
	must.OK(t, g.Extend(len(cells)))
	for i, row := range cells {
		for j, s := range row {
			g.Set(specs[j], i, attrs[j].GetSysValFromString(s))
		}
	}
	must.OK(t, g.AddClassAttribute(y))
	return g
}

const denseShown = `f1 1.5 2.5 3.5; f2 10 NaN 30; c["red" "blue"] "red" "blue" ""; b 1 0 1; class y["no" "yes"] "no" "yes" "no"`

func fromGrid(t testing.TB, g base.FixedDataGrid) *Frame {
	t.Helper()
	return must.Get(FromGrid(g))(t)
}

func TestFromGridDense(t *testing.T) {
	g := dense(t)
	f := fromGrid(t, g)
	if got := show(f); got != denseShown {
		t.Errorf("\n got %s\nwant %s", got, denseShown)
	}
	if fromGrid(t, f) != f {
		t.Error("a frame does not come back as it is")
	}
	// golearn sees the same attributes and the same bytes.
	for j, a := range g.AllAttributes() {
		own, err := f.GetAttribute(a)
		if err != nil || own.GetAttribute() != a {
			t.Errorf("attribute %d: got %v, %v", j, own, err)
		}
		spec := must.Get(g.GetAttribute(a))(t)
		for i := range 3 {
			if got, want := f.Get(own, i), g.Get(spec, i); string(got) != string(want) {
				t.Errorf("%s, row %d: got %v, want %v", a.GetName(), i, got, want)
			}
		}
	}
	// Those of the class and of categories are kept by what is made of them.
	h := must.Get(Assemble(mat.NewDense(3, 1, nil), []Column{{Name: "z"}, {Name: "c", Factor: f.Factor("c")}}, "y", f.Class()))(t)
	if h.AllClassAttributes()[0] != g.AllClassAttributes()[0] || h.AllAttributes()[1] != f.AllAttributes()[2] {
		t.Error("a frame with the same factors has other attributes")
	}
}

func TestFromGridViews(t *testing.T) {
	g := dense(t)
	attrs := g.AllAttributes()
	filter := filters.NewBinaryConvertFilter()
	one := func(rows map[int]int) base.FixedDataGrid { return base.NewInstancesViewFromRows(g, rows) }
	for _, test := range []struct {
		name string
		grid base.FixedDataGrid
		want string
	}{
		{"rows and attributes", base.NewInstancesViewFromVisible(g, []int{2, 0}, []base.Attribute{attrs[0], attrs[3], attrs[4]}), `f1 3.5 1.5; b 1 1; class y["no" "yes"] "no" "no"`},
		{"attributes without class", base.NewInstancesViewFromAttrs(g, attrs[:1]), "f1 1.5 2.5 3.5"},
		{"exchanged rows", one(map[int]int{0: 2, 2: 0}), `f1 3.5 2.5 1.5; f2 30 NaN 10; c["red" "blue"] "" "blue" "red"; b 1 0 1; class y["no" "yes"] "no" "yes" "no"`},
		{"repeated rows", one(map[int]int{0: 1, 1: 1, 2: 1, 3: 0}), `f1 2.5 2.5 2.5 1.5; f2 NaN NaN NaN 10; c["red" "blue"] "blue" "blue" "blue" "red"; b 0 0 0 1; class y["no" "yes"] "yes" "yes" "yes" "no"`},
		{"filtered", base.NewLazilyFilteredInstances(g, filter), denseShown},
		{"a filter over exchanged rows", base.NewLazilyFilteredInstances(one(map[int]int{0: 2, 2: 0}), filter), `f1 3.5 2.5 1.5; f2 30 NaN 10; c["red" "blue"] "" "blue" "red"; b 1 0 1; class y["no" "yes"] "no" "yes" "no"`},
		{"a view on a frame", base.NewInstancesViewFromRows(fromGrid(t, g), map[int]int{0: 2, 2: 0}), `f1 3.5 2.5 1.5; f2 30 NaN 10; c["red" "blue"] "" "blue" "red"; b 1 0 1; class y["no" "yes"] "no" "yes" "no"`},
		{"a matrix", base.InstancesFromMat64(2, 2, mat.NewDense(2, 2, []float64{1, 2, 3, 4})), "0 1 3; 1 2 4"},
	} {
		f, err := FromGrid(test.grid)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if got := show(f); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// Filters that change columns, and one that golearn's MapOverRows misleads.
func TestFromGridFiltered(t *testing.T) {
	g := dense(t)
	toFloat := filters.NewFloatConvertFilter()
	attrs := g.AllAttributes()
	for _, a := range []base.Attribute{attrs[2], attrs[4]} { // c, b
		must.OK(t, toFloat.AddAttribute(a))
	}
	must.OK(t, toFloat.Train())
	filtered := base.NewLazilyFilteredInstances(g, toFloat)
	f := fromGrid(t, filtered)
	for _, want := range []string{`f1 1.5 2.5 3.5; f2 10 NaN 30;`, `b 1 0 1`, `class y["no" "yes"] "no" "yes" "no"`} {
		if got := show(f); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
	}
	for _, a := range filtered.AllAttributes() { // every cell is what Get says
		spec := must.Get(filtered.GetAttribute(a))(t)
		own := must.Get(f.GetAttribute(a))(t)
		for i := range f.Rows() {
			if got, want := a.GetStringFromSysVal(f.Get(own, i)), a.GetStringFromSysVal(filtered.Get(spec, i)); got != want {
				t.Errorf("%s, row %d: got %s, want %s", a.GetName(), i, got, want)
			}
		}
	}
}

// Columns beyond golearn's first group of 511, in one group, and side by side in
// a part of one.
func TestFromGridStorage(t *testing.T) {
	const n, d = 5, 1100
	fill := func(g *base.DenseInstances, specs []base.AttributeSpec) {
		must.OK(t, g.Extend(n))
		for i := range n {
			for j, spec := range specs {
				g.Set(spec, i, base.PackFloatToBytes(float64(i*10000+j)))
			}
		}
	}
	check := func(name string, f *Frame, first, columns int) {
		t.Helper()
		if r, c := f.Numeric().Dims(); r != n || c != columns {
			t.Fatalf("%s: got %d×%d", name, r, c)
		}
		for i := range n {
			for j := range columns {
				if got, want := f.Numeric().At(i, j), float64(i*10000+j+first); got != want {
					t.Fatalf("%s: (%d,%d) = %v, want %v", name, i, j, got, want)
				}
			}
		}
	}
	shares := func(f *Frame, g *base.DenseInstances, spec base.AttributeSpec) bool {
		g.Set(spec, 0, base.PackFloatToBytes(-1))
		return f.Numeric().At(0, 0) == -1
	}

	several := base.NewDenseInstances()
	var specs []base.AttributeSpec
	for j := range d {
		specs = append(specs, several.AddAttribute(base.NewFloatAttribute(fmt.Sprint("v", j))))
	}
	fill(several, specs)
	f := fromGrid(t, several)
	check("default groups", f, 0, d)
	if shares(f, several, specs[0]) {
		t.Error("default groups: three pieces of memory cannot be one matrix")
	}

	single := base.NewDenseInstances()
	must.OK(t, single.CreateAttributeGroup("all", 8))
	specs = specs[:0]
	for j := range d {
		spec := must.Get(single.AddAttributeToAttributeGroup(base.NewFloatAttribute(fmt.Sprint("v", j)), "all"))(t)
		specs = append(specs, spec)
	}
	fill(single, specs)
	f = fromGrid(t, single)
	check("one group", f, 0, d)
	if !shares(f, single, specs[0]) {
		t.Error("one group: the memory is not shared")
	}
	fill2 := single.AllAttributes()[0]
	if err := single.AddClassAttribute(fill2); err != nil { // a float class in front
		t.Fatal(err)
	}
	f = fromGrid(t, single)
	check("a class in front", f, 1, d-1)
	if !shares(f, single, specs[1]) {
		t.Error("a class in front: the memory is not shared")
	}
	if got := strings.Join(f.Class().Levels, " "); got != "-1 10000 20000 30000 40000" {
		t.Errorf("the class has the levels %s", got)
	}
	must.OK(t, single.RemoveClassAttribute(fill2))
	if err := single.AddClassAttribute(single.AllAttributes()[7]); err != nil { // a class amid
		t.Fatal(err)
	}
	f = fromGrid(t, single)
	if got := f.Numeric().At(2, 7); got != 20008 {
		t.Errorf("a class amid: got %v after it", got)
	}
	if shares(f, single, specs[0]) && f.Numeric().At(0, 0) != -1 {
		t.Error("a class amid: the memory is shared though a column is missing in it")
	}
}

// Binary attributes are packed, eight to a byte.
func TestFromGridBits(t *testing.T) {
	const d = 19
	g := base.NewDenseInstances()
	var specs []base.AttributeSpec
	for j := range d {
		specs = append(specs, g.AddAttribute(base.NewBinaryAttribute(fmt.Sprint("b", j))))
	}
	must.OK(t, g.Extend(3))
	bit := func(i, j int) byte { return byte((i*7 + j*j) % 3 % 2) }
	for i := range 3 {
		for j, spec := range specs {
			g.Set(spec, i, []byte{bit(i, j)})
		}
	}
	f := fromGrid(t, g)
	for i := range 3 {
		for j, spec := range specs {
			if f.Numeric().At(i, j) != float64(bit(i, j)) {
				t.Errorf("(%d,%d) = %v", i, j, f.Numeric().At(i, j))
			}
			own := must.Get(f.GetAttribute(spec.GetAttribute()))(t)
			if got := f.Get(own, i); len(got) != 1 || got[0] != bit(i, j) {
				t.Errorf("(%d,%d): golearn sees %v", i, j, got)
			}
		}
	}
}

func TestFromGridNumericClass(t *testing.T) {
	g := base.NewDenseInstances()
	x, y := base.NewFloatAttribute("x"), base.NewFloatAttribute("y")
	sx, sy := g.AddAttribute(x), g.AddAttribute(y)
	must.OK(t, g.Extend(4))
	for i, v := range []float64{10, 0.1, 10, -2} {
		g.Set(sx, i, base.PackFloatToBytes(float64(i)))
		g.Set(sy, i, base.PackFloatToBytes(v))
	}
	must.OK(t, g.AddClassAttribute(y))
	f := fromGrid(t, g)
	if got, want := show(f), `x 0 1 2 3; class y["-2" "0.1" "10"] "10" "0.1" "10" "-2"`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if f.AllClassAttributes()[0] != base.Attribute(y) || base.GetClass(f, 1) != base.GetClass(g, 1) {
		t.Error("golearn sees another class")
	}
	if copied := base.NewDenseCopy(f); base.UnpackBytesToFloat(copied.Get(sy, 3)) != -2 {
		t.Error("golearn copies another class")
	}
	g.Set(sy, 2, base.PackFloatToBytes(nan))
	if _, err := FromGrid(g); err == nil || err.Error() != `class "y" is missing in row 3: remove the row, or the class` {
		t.Errorf("got %v", err)
	}

	binary := base.NewDenseInstances()
	b := base.NewBinaryAttribute("b")
	sx, sb := binary.AddAttribute(base.NewFloatAttribute("x")), binary.AddAttribute(b)
	must.OK(t, binary.Extend(2))
	binary.Set(sx, 0, base.PackFloatToBytes(7))
	binary.Set(sb, 1, []byte{1})
	must.OK(t, binary.AddClassAttribute(b))
	f = fromGrid(t, binary)
	if got, want := show(f), `x 7 0; class b["0" "1"] "0" "1"`; got != want || base.GetClass(f, 1) != "1" || base.GetClass(f, 0) != "0" {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
