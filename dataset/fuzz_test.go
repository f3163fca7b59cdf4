package dataset

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/pattern"
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
	again := must.Get(Assemble(f.Numeric(), f.Columns(), f.ClassName(), f.Class()))(t)
	if Hash(again) != Hash(f) {
		t.Fatal("the parts of the frame are not the frame")
	}
	for _, a := range f.AllAttributes() {
		spec := must.Get(f.GetAttribute(a))(t)
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
		b := must.Get(os.ReadFile(path))(f)
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

// FuzzReadNPZ: whatever the bytes of an archive or of the array in it, an error or the frame that the
// array alone is.
func FuzzReadNPZ(f *testing.F) {
	files, err := filepath.Glob("testdata/npy/*.npy")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds (%v)", err)
	}
	for _, path := range files {
		b := must.Get(os.ReadFile(path))(f)
		f.Add([]byte(zipped(f, "a.npy", string(b))), false)
		f.Add(b, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, array bool) {
		archive := b
		if array {
			archive = []byte(zipped(t, "a.npy", string(b)))
		}
		in, err := OpenReader(bytes.NewReader(archive), "t.npz", "")
		if err != nil {
			if array {
				t.Fatalf("not opened: %v", err)
			}
			return
		}
		defer in.Close()
		got, err := in.Read(ReadOptions{})
		if (err == nil) == (got == nil) {
			t.Fatalf("%v and %v", got, err)
		}
		if err == nil {
			checkFrame(t, got)
		}
		if !array {
			return
		}
		alone, errAlone := ReadNPY(bytes.NewReader(b), "a.npy")
		if (err == nil) != (errAlone == nil) {
			t.Fatalf("in the archive %v, alone %v", err, errAlone)
		}
		if err == nil && !mat.Equal(alone, got.Numeric()) {
			t.Fatal("another matrix in the archive than alone")
		}
	})
}

// FuzzReadSVMLight: whatever the bytes, ReadSVMLight returns an error or a
// table that keeps its promises, the same from a compressed file; the columns
// that are read alone are those of the whole.
func FuzzReadSVMLight(f *testing.F) {
	for _, seed := range []string{
		"", "1", "1 1:2 3:4.5\n-1 2:-1e-3\n", "1,3 qid:2 0:1 # x\r\n\n2\n", "1:1 1:1", "\ufeff1 2147483646:1", "1 2147483647:1",
		"a 3:0 2:1 3:0\n", gzipped("1 1:1\n"), "1 1:inf 2:0x1 3: 4:1_0", "\x001 1:1", "\xff 1:1\n1 1:1",
	} {
		f.Add([]byte(seed), "label", uint8(0), "x1", "x2")
		f.Add([]byte(seed), "", uint8(2), "x3", "x3")
	}
	f.Fuzz(func(t *testing.T, text []byte, label string, base uint8, only, drop string) {
		opt := ReadOptions{Label: label, Base: IndexBase(base % 3)}
		s, err := ReadSVMLight(bytes.NewReader(text), "t.svm", opt)
		checkRead(t, s, err, func(text []byte) (*Sparse, error) {
			return ReadSVMLight(bytes.NewReader(text), "t.svm", opt)
		}, text)
		if err != nil {
			return
		}
		opt.Only = []string{only}
		part, err := ReadSVMLight(bytes.NewReader(text), "t.svm", opt)
		checkPart(t, s, part, err, only)
		opt.Only, opt.Drop = nil, []string{drop}
		if s.Columns() > 1000 {
			return
		}
		part, err = ReadSVMLight(bytes.NewReader(text), "t.svm", opt)
		if err == nil {
			for _, name := range []string{"x1", "x2", "x9"} {
				if dropped, _ := pattern.Expand([]string{cleanText(drop)}, []string{name}); len(dropped) == 0 {
					checkPart(t, s, part, nil, name)
				}
			}
		}
	})
}

// FuzzReadMatrixMarket is FuzzReadSVMLight for Matrix Market files.
func FuzzReadMatrixMarket(f *testing.F) {
	for _, seed := range []string{
		"", "coordinate real general\n2 3 2\n1 1 1.5\n2 3 -2\n", "coordinate pattern symmetric\n2 2 1\n2 1\n", "coordinate real skew-symmetric\n2 2 1\n1 2 3",
		"array integer general\n2 1\n1\n0\n", "array real symmetric\n2 2\n1\n2\n3\n", "array real skew-symmetric\n2 2\n9\n", "coordinate real general\n2000000000 3 1\n1 1 1",
		"array real general\n2000000000 2000000000\n1", "coordinate complex hermitian\n1 1 1\n1 1 1 0\n", "coordinate real general\n%\n\n2 2 1\n%\n1 1 1e999\n",
	} {
		f.Add([]byte(marketStart+seed), "x1")
		f.Add([]byte(gzipped(marketStart+seed)), "x2")
	}
	f.Fuzz(func(t *testing.T, text []byte, only string) {
		var opt ReadOptions
		read := func(text []byte) (*Sparse, error) { return ReadMatrixMarket(bytes.NewReader(text), "t.mtx", opt) }
		s, err := read(text)
		checkRead(t, s, err, read, text)
		if err != nil {
			return
		}
		opt.Only = []string{only}
		part, err := read(text)
		checkPart(t, s, part, err, only)
	})
}

// checkRead checks a table that was read, and that of the text compressed.
func checkRead(t *testing.T, s *Sparse, err error, read func([]byte) (*Sparse, error), text []byte) {
	t.Helper()
	if (err == nil) == (s == nil) {
		t.Fatalf("got %v and %v", s, err)
	}
	if err == nil {
		checkSparse(t, s)
	}
	if bytes.HasPrefix(text, []byte("\x1f\x8b")) || len(text)%16 != 0 { // compressing takes longer than all the rest
		return
	}
	zipped, err2 := read([]byte(gzipped(string(text))))
	if (err2 == nil) != (err == nil) || err == nil && (zipped.Entries() != s.Entries() || zipped.Columns() != s.Columns() || zipped.Rows() != s.Rows()) {
		t.Fatalf("%v and compressed %v (%v, %v)", s, zipped, err, err2)
	}
}

// checkPart checks that a column is the same in the whole and in a part of it.
func checkPart(t *testing.T, whole, part *Sparse, err error, name string) {
	t.Helper()
	at, missing := whole.Locate([]string{name})
	if (missing == nil) != (err == nil) {
		t.Fatalf("column %q: in the whole %v, alone %v", name, missing, err)
	}
	if err != nil {
		return
	}
	checkSparse(t, part)
	there := must.Get(part.Locate([]string{name}))(t)
	for i := range whole.Rows() {
		if a, b := cell(whole, i, at[0]), cell(part, i, there[0]); a != b {
			t.Fatalf("row %d, column %q: %v in the whole, %v in a part", i, name, a, b)
		}
	}
}

func cell(s *Sparse, i, j int) float64 {
	indices, values := s.Row(i)
	if at, ok := slices.BinarySearch(indices, int32(j)); ok && j >= 0 {
		return values[at]
	}
	return 0
}
