package dataset

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/internal/must"
)

func TestWriteCSV(t *testing.T) {
	f := must.Get(Assemble(mat.NewDense(3, 2, []float64{1, 1e21, 0.1, nan, -2500000, 1e-7}),
		[]Column{
			{Name: "a,b"},
			{Name: "text", Factor: &Factor{Levels: []string{`x`, `say "hi"`, "two\nlines"}, Codes: []int32{1, Missing, 2}}},
			{Name: "n"},
		}, "y", &Factor{Levels: []string{"1", "01"}, Codes: []int32{0, 1, 0}}))(t)
	var b bytes.Buffer
	must.OK(t, WriteCSV(&b, f))
	want := "\"a,b\",text,n,y\n1,\"say \"\"hi\"\"\",1e+21,1\n0.1,,,01\n-2500000,\"two\nlines\",1e-07,1\n"
	if got := b.String(); got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// options returns the options that read a frame back as it is.
func options(f *Frame) ReadOptions {
	opt := ReadOptions{Label: f.ClassName(), Delimiter: ','}
	for _, c := range f.Columns() {
		if c.Factor != nil {
			opt.Categorical = append(opt.Categorical, c.Name)
		}
	}
	return opt
}

// frames generates frames whose factors have all their levels, in the reader's
// order, as read frames have.
func frames(t *rapid.T) *Frame {
	rows := rapid.IntRange(1, 6).Draw(t, "rows")
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[ -~\t\nß]{1,6}`).Filter(isClean), 1, 6, rapid.ID).Draw(t, "names")
	text := rapid.StringMatching(`[!-~ \t\n,"ß]{0,3}[!-~]`).Filter(isClean)
	factor := func(label string, missing bool) *Factor {
		b := newFactorBuilder()
		first := map[string]string{} // of the texts that are one level
		for range rows {
			if missing && rapid.Bool().Draw(t, "missing") {
				b.addMissing()
			} else {
				s := text.Draw(t, label)
				if _, ok := first[textKey(s)]; !ok {
					first[textKey(s)] = s
				}
				b.add(first[textKey(s)])
			}
		}
		return b.factor()
	}
	var cols []Column
	var data [][]float64
	number := rapid.OneOf(rapid.Float64(), rapid.Just(nan), rapid.Map(rapid.IntRange(-9, 9), func(i int) float64 { return float64(i) }))
	for _, name := range names[1:] {
		c := Column{Name: name}
		if rapid.Bool().Draw(t, "categorical") {
			c.Factor = factor("level", true)
		} else {
			data = append(data, rapid.SliceOfN(number.Filter(isNotInf), rows, rows).Draw(t, "numbers"))
		}
		cols = append(cols, c)
	}
	var x *mat.Dense
	if len(data) > 0 {
		x = mat.NewDense(rows, len(data), nil)
		for j, column := range data {
			x.SetCol(j, column)
		}
	}
	return must.Get(Assemble(x, cols, names[0], factor("class", false)))(t)
}

func isNotInf(v float64) bool { return v-v == 0 || v != v }

func TestWriteCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := frames(t)
		var b bytes.Buffer
		must.OK(t, WriteCSV(&b, f))
		if len(f.Columns()) == 0 {
			return // a file of labels alone is not read
		}
		g := must.Get(ReadCSV(&b, "t.csv", options(f)))(t)
		if Hash(f) != Hash(g) {
			t.Fatalf("wrote %s\nread %s", show(f), show(g))
		}
	})
}

// A missing cell alone in its row is not a blank line.
func TestWriteCSVOneColumn(t *testing.T) {
	f := must.Get(New([]string{"a"}, mat.NewDense(3, 1, []float64{1, nan, 3})))(t)
	var b bytes.Buffer
	if err := WriteCSV(&b, f); err != nil || b.String() != "a\n1\n\"\"\n3\n" {
		t.Errorf("got %q, %v", b.String(), err)
	}
	g, err := ReadCSV(&b, "t.csv", ReadOptions{})
	if err != nil || Hash(g) != Hash(f) {
		t.Errorf("got %v, %v", g, err)
	}
}

func TestWriteCSVErrors(t *testing.T) {
	one := &Factor{Levels: []string{"u"}, Codes: []int32{0}}
	for want, cols := range map[string][]Column{
		`"a\rb" cannot be written: it would not be read back as it is; change the text, or write .parquet`:               {{Name: "a\rb", Factor: one}},
		`"\ufeffa" cannot be written: it would not be read back as it is; change the text, or write .parquet`:            {{Name: "\ufeffa", Factor: one}},
		`column "c": " " cannot be written: it would not be read back as it is; change the text, or write .parquet`:      {{Name: "c", Factor: &Factor{Levels: []string{" "}, Codes: []int32{0}}}},
		`"a " cannot be written: it would not be read back as it is; change the text, or write .parquet`:                 {{Name: "a ", Factor: one}},
		"\"e\u0301\" cannot be written: it would not be read back as it is; change the text, or write .parquet":          {{Name: "e\u0301", Factor: one}},
		`column "c": "1.0" cannot be written: it would not be read back as it is; change the text, or write .parquet`:    {{Name: "c", Factor: &Factor{Levels: []string{"1", "1.0"}, Codes: []int32{0}}}},
		`column "c": "u\r\nv" cannot be written: it would not be read back as it is; change the text, or write .parquet`: {{Name: "c", Factor: &Factor{Levels: []string{"u\r\nv"}, Codes: []int32{0}}}},
	} {
		f := must.Get(Assemble(nil, cols, "", nil))(t)
		if err := WriteCSV(io.Discard, f); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	f := sample(t)
	if err := WriteCSV(failing{}, f); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

var errFull = errors.New("the disk is full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestHash(t *testing.T) {
	f := sample(t)
	seen := map[string]string{Hash(f): "the frame"}
	other := func(name string, g *Frame, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := seen[Hash(g)]; ok {
			t.Errorf("%s has the hash of %s", name, before)
		}
		seen[Hash(g)] = name
	}
	g, err := f.Pick([]string{"color", "a", "b", "size"})
	other("another order", g, err)
	other("without class", f.WithoutClass(), nil)
	other("other rows", f.Subset([]int{1, 0, 2, 3}), nil)
	other("fewer rows", f.Subset([]int{0, 1, 2}), nil)
	g, err = f.WithClass("y2", f.Class())
	other("another class name", g, err)
	g, err = f.WithClass("y", &Factor{Levels: []string{"n", "q"}, Codes: f.Class().Codes})
	other("another level", g, err)
	x := mat.DenseCopyOf(f.Numeric())
	x.Set(0, 0, 1.0000000000000002)
	g, err = Assemble(x, f.Columns(), "y", f.Class())
	other("another number", g, err)

	x = mat.DenseCopyOf(f.Numeric())
	x.Set(1, 1, math.Float64frombits(math.Float64bits(nan)^1)) // another NaN
	if same, err := Assemble(x, f.Columns(), "y", f.Class()); err != nil || Hash(same) != Hash(f) {
		t.Errorf("another NaN has another hash (%v)", err)
	}
	if same := f.Subset([]int{0, 1, 2, 3}); Hash(same) != Hash(f) {
		t.Error("a copy has another hash")
	}
	// Pinned: reports of different versions are compared by it.
	if got, want := Hash(f)[:16], "931472c22abd1660"; got != want {
		t.Errorf("got %s…, want %s…: hashes in old reports no longer hold", got, want)
	}
}
