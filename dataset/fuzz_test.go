package dataset

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzReadCSV: whatever the bytes, ReadCSV returns an error or a frame that
// Assemble accepts, golearn can read, and WriteCSV and ReadCSV keep.
func FuzzReadCSV(f *testing.F) {
	for _, seed := range []string{
		"", "a", "a,b\n1,2\n", "\ufeffa,b\r\n1,x\r\n,y\r\n", "\xff\xfea\x00", "a;b\n1;2\n", "a\tb\n\t1\n",
		"a,b\n\"x\ny\",1\n\"\"\"\",2\n", "a,b\n1,\"x\n", "a\n1e999\nNaN\n0x1p-2\n1_0\n", "y,y\n1,2\n", ",a\n1,2\n", "0,1\n2,3\n",
		"a,y\n1,01\n2,1\n", gzipped("a,b\n1,2\n"), "a\rb\r", "a, b\n 1, \" x\"\n", "a\n-0\n\"\"\n1e-320\n", "a,y\nNA,u\nz,v\n",
	} {
		f.Add([]byte(seed), "y", ',', false, "NA", "a")
		f.Add([]byte(seed), "", rune(0), true, "", "x1")
	}
	f.Fuzz(func(t *testing.T, text []byte, label string, delimiter rune, noHeader bool, missing, categorical string) {
		opt := ReadOptions{Label: label, Delimiter: delimiter, NoHeader: noHeader, Missing: []string{missing}}
		if strings.Contains(string(text), categorical) {
			opt.Categorical = []string{categorical}
		}
		frame, err := ReadCSV(bytes.NewReader(text), "t.csv", opt)
		if (err == nil) == (frame == nil) {
			t.Fatalf("got %v and %v", frame, err)
		}
		if err != nil {
			return
		}
		checkFrame(t, frame)
		var b bytes.Buffer
		if err := WriteCSV(&b, frame); err != nil {
			return // names of control characters
		}
		again, err := ReadCSV(bytes.NewReader(b.Bytes()), "t.csv", options(frame))
		if err != nil {
			t.Fatalf("%v\nof what was written: %q", err, b.Bytes())
		}
		if Hash(again) != Hash(frame) {
			t.Fatalf("read %s\nwrote %q\nread %s", show(frame), b.Bytes(), show(again))
		}
	})
}

// checkFrame checks what every frame promises.
func checkFrame(t *testing.T, f *Frame) {
	t.Helper()
	again, err := Assemble(f.Numeric(), f.Columns(), f.ClassName(), f.Class())
	if err != nil {
		t.Fatal(err)
	}
	if Hash(again) != Hash(f) {
		t.Fatal("the parts of the frame are not the frame")
	}
	for _, a := range f.AllAttributes() {
		spec, err := f.GetAttribute(a)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Rows() {
			a.GetStringFromSysVal(f.Get(spec, i))
		}
	}
}

// FuzzReadNPY: whatever the bytes, ReadNPY returns an error or a finite matrix,
// the same whether or not the length is known.
func FuzzReadNPY(f *testing.F) {
	files, err := filepath.Glob("testdata/npy/*.npy")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds (%v)", err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ReadNPY(bytes.NewReader(b), "x.npy")
		y, err2 := ReadNPY(io.MultiReader(bytes.NewReader(b)), "x.npy")
		if (err == nil) != (err2 == nil) || (err == nil) == (x == nil) {
			t.Fatalf("length known: %v; not known: %v", err, err2)
		}
		if err != nil {
			return
		}
		rows, columns := x.Dims()
		for i := range rows {
			for j := range columns {
				if v := x.At(i, j); v-v != 0 || v != y.At(i, j) {
					t.Fatalf("(%d,%d) = %v, %v", i, j, v, y.At(i, j))
				}
			}
		}
	})
}
