package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestWriteCSV(t *testing.T) {
	f, err := Assemble(mat.NewDense(3, 2, []float64{1, 1e21, 0.1, nan, -2500000, 1e-7}),
		[]Column{
			{Name: "a,b"},
			{Name: "text", Factor: &Factor{Levels: []string{` x`, `say "hi"`, "two\nlines"}, Codes: []int32{1, Missing, 2}}},
			{Name: "n"},
		}, "y", &Factor{Levels: []string{"1", "01"}, Codes: []int32{0, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteCSV(&b, f); err != nil {
		t.Fatal(err)
	}
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
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[ -~\t\nß]{1,6}`), 1, 6, rapid.ID).Draw(t, "names")
	text := rapid.StringMatching(`[!-~ \t\n,"ß]{0,3}[!-~]`)
	factor := func(label string, missing bool) *Factor {
		b := newFactorBuilder(0)
		for range rows {
			if missing && rapid.Bool().Draw(t, "missing") {
				b.addMissing()
			} else {
				b.add(text.Draw(t, label))
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
	f, err := Assemble(x, cols, names[0], factor("class", false))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func isNotInf(v float64) bool { return v-v == 0 || v != v }

func TestWriteCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := frames(t)
		var b bytes.Buffer
		if err := WriteCSV(&b, f); err != nil {
			t.Fatal(err)
		}
		if len(f.Columns()) == 0 {
			return // a file of labels alone is not read
		}
		g, err := ReadCSV(&b, "t.csv", options(f))
		if err != nil {
			t.Fatal(err)
		}
		if Hash(f) != Hash(g) {
			t.Fatalf("wrote %s\nread %s", show(f), show(g))
		}
	})
}

// A missing cell alone in its row is not a blank line.
func TestWriteCSVOneColumn(t *testing.T) {
	f, err := New([]string{"a"}, mat.NewDense(3, 1, []float64{1, nan, 3}))
	if err != nil {
		t.Fatal(err)
	}
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
		`"a\rb" cannot be written: it would not be read back as it is`:               {{Name: "a\rb", Factor: one}},
		`"\ufeffa" cannot be written: it would not be read back as it is`:            {{Name: "\ufeffa", Factor: one}},
		`column "c": " " cannot be written: it would not be read back as it is`:      {{Name: "c", Factor: &Factor{Levels: []string{" "}, Codes: []int32{0}}}},
		`column "c": "u\r\nv" cannot be written: it would not be read back as it is`: {{Name: "c", Factor: &Factor{Levels: []string{"u\r\nv"}, Codes: []int32{0}}}},
	} {
		f, err := Assemble(nil, cols, "", nil)
		if err != nil {
			t.Fatal(err)
		}
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

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	check := func(path, want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 2 {
			t.Errorf("left behind: %v", entries)
		}
	}
	if err := WriteFile(path, text("one")); err != nil {
		t.Fatal(err)
	}
	check(path, "one")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, text("two")); err != nil {
		t.Fatal(err)
	}
	check(path, "two")
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("permissions: got %v, %v", info.Mode(), err)
	}
	err := WriteFile(path, func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("three", 1<<16))
		return errFull
	})
	if !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	check(path, "two")
	func() {
		defer func() { recover() }()
		WriteFile(path, func(io.Writer) error { panic("bug") })
	}()
	check(path, "two")

	if runtime.GOOS != "windows" {
		link := filepath.Join(dir, "link.csv")
		if err := os.Symlink("out.csv", link); err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(link, text("four")); err != nil {
			t.Fatal(err)
		}
		check(path, "four")
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Error("the link is gone")
		}
		if err := WriteFile(os.DevNull, text("five")); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
			t.Error("the null device is gone")
		}
	}
	if err := WriteFile(dir, text("six")); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("got %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "none", "out.csv"), text("seven")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	// The message names the file that was asked for, not the one beside it.
	none := filepath.Join(dir, "none")
	want := fmt.Sprintf("cannot write %s: there is no folder %s: ", filepath.Join(none, "out.csv"), none)
	if err := WriteFile(filepath.Join(none, "out.csv"), text("eight")); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
	other := &os.PathError{Op: "read", Path: "other", Err: errFull}
	if err := WriteFile(path, func(io.Writer) error { return other }); err != other {
		t.Errorf("an error of another file: got %v", err)
	}
	full := &os.PathError{Op: "write", Path: "beside", Err: errFull}
	if err := inPlaceOf("out.csv", "beside", full); err == nil || err.Error() != "cannot write out.csv: "+errFull.Error() || !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}
