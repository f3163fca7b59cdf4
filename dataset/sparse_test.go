package dataset

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// cells writes a sparse table cell by cell, with the names and the class.
func cells(t *testing.T, s *Sparse) string {
	t.Helper()
	var b strings.Builder
	for j := range s.Columns() {
		fmt.Fprintf(&b, "%s ", s.Name(j))
	}
	if s.Class() != nil {
		fmt.Fprintf(&b, "-> %s ", s.ClassName())
	}
	for i := range s.Rows() {
		b.WriteString("| ")
		indices, values := s.Row(i)
		next := 0
		for j := range s.Columns() {
			v := 0.0
			if next < len(indices) && int(indices[next]) == j {
				v = values[next]
				next++
				if v == 0 {
					t.Errorf("row %d stores a zero", i)
				}
			}
			fmt.Fprintf(&b, "%v ", v)
		}
		if next != len(indices) {
			t.Errorf("row %d has indices %v", i, indices)
		}
		if s.Class() != nil {
			fmt.Fprintf(&b, "-> %s ", s.Class().Text(i))
		}
	}
	return strings.TrimSpace(b.String())
}

// checkSparse checks what every sparse table that was read promises.
func checkSparse(t *testing.T, s *Sparse) {
	t.Helper()
	offsets, indices, values := s.Compressed()
	again := must.Get(NewSparse(s.Rows(), s.Columns(), offsets, indices, values, nil))(t)
	if s.Class() != nil {
		must.Get(again.WithClass(s.ClassName(), s.Class()))(t)
	}
	if slices.Contains(values, 0) {
		t.Fatal("a zero is stored")
	}
	for _, j := range []int{0, s.Columns() / 2, s.Columns() - 1} {
		if at, err := s.Locate([]string{s.Name(j)}); err != nil || at[0] != j {
			t.Fatalf("column %d is called %q and found at %v (%v)", j, s.Name(j), at, err)
		}
	}
}

func TestNewSparse(t *testing.T) {
	offsets, indices, values := []int64{0, 2, 2, 3}, []int32{0, 2, 1}, []float64{1, -2, 3}
	s, err := NewSparse(3, 3, offsets, indices, values, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	class := &Factor{Levels: []string{"u", "v"}, Codes: []int32{0, 1, 0}}
	s = must.Get(s.WithClass("kind", class))(t)
	if got, want := cells(t, s), "a b c -> kind | 1 0 -2 -> u | 0 0 0 -> v | 0 3 0 -> u"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if at, err := s.Locate([]string{"c", "a"}); err != nil || !slices.Equal(at, []int{2, 0}) {
		t.Errorf("c and a are at %v (%v)", at, err)
	}
	_, err = s.Locate([]string{"c", "aa", "kind"})
	var missing *MissingColumnsError
	if !errors.As(err, &missing) || !slices.Equal(missing.Missing, []string{"aa", "kind"}) || missing.Class != "kind" {
		t.Errorf("%v", err)
	}
	f := must.Get(s.Dense())(t)
	want := mat.NewDense(3, 3, []float64{1, 0, -2, 0, 0, 0, 0, 3, 0})
	if !mat.Equal(f.Numeric(), want) || !slices.Equal(f.Names(), []string{"a", "b", "c"}) || f.Class().Text(1) != "v" {
		t.Errorf("dense: %v", f)
	}
}

func TestNewSparseErrors(t *testing.T) {
	fine := func() ([]int64, []int32, []float64) {
		return []int64{0, 2, 2, 3}, []int32{0, 2, 1}, []float64{1, -2, 3}
	}
	for want, spoil := range map[string]func(o *[]int64, x *[]int32, v *[]float64, names *[]string){
		"offsets":      func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { *o = (*o)[:2] },
		"offset 2 to":  func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { (*o)[2] = 1 },
		"ascending":    func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { (*x)[1] = 0 },
		"of 3 columns": func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { (*x)[1] = 3 },
		"follows":      func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { (*x)[2] = -1 },
		`"x2": NaN`:    func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { (*v)[2] = math.NaN() },
		"2 names":      func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { *names = []string{"a", "b"} },
		"twice":        func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { *names = []string{"a", "b", "a"} },
		"not empty":    func(o *[]int64, x *[]int32, v *[]float64, names *[]string) { *names = []string{"a", "", "c"} },
	} {
		o, x, v := fine()
		var names []string
		spoil(&o, &x, &v, &names)
		if _, err := NewSparse(3, 3, o, x, v, names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	o, x, v := fine()
	s := must.Get(NewSparse(3, 3, o, x, v, nil))(t)
	for want, class := range map[string]*Factor{
		"2 rows":   {Levels: []string{"u"}, Codes: []int32{0, 0}},
		"missing":  {Levels: []string{"u"}, Codes: []int32{0, Missing, 0}},
		"the name": {Levels: []string{"u"}, Codes: []int32{0, 0, 0}},
	} {
		name := "kind"
		if want == "the name" {
			name = "x3"
		}
		if _, err := s.WithClass(name, class); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	wide := must.Get(NewSparse(3, math.MaxInt32, o, x, v, nil))(t)
	if _, err := wide.Dense(); err == nil || !strings.Contains(err.Error(), "2 GiB") {
		t.Errorf("%v", err)
	}
}

// TestReadSparse: files by their names, as sparse rows and as tables.
func TestReadSparse(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.OK(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	svm := "1 1:2 3:4\n0 2:-1\n"
	mtx := "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 2\n2 2 -1\n1 3 4\n"
	want := "x1 x2 x3 | 2 0 4 | 0 -1 0"
	for name, text := range map[string]string{
		"a.svm": svm, "a.libsvm": svm, "A.SVMLIGHT": svm, "a.svm.gz": gzipped(svm), "b.mtx": mtx, "b.mtx.gz": gzipped(mtx),
	} {
		path := write(name, text)
		s := must.Get(ReadSparse(path, ReadOptions{}))(t)
		checkSparse(t, s)
		if got := cells(t, s); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		f := must.Get(Read(path, ReadOptions{}))(t)
		if !mat.Equal(f.Numeric(), mat.NewDense(2, 3, []float64{2, 0, 4, 0, -1, 0})) {
			t.Errorf("%s: read as %v", name, f.Numeric())
		}
	}
	if f, err := Read(filepath.Join(dir, "a.svm"), ReadOptions{Label: "label"}); err != nil || f.Class().Text(1) != "0" {
		t.Errorf("class %v (%v)", f, err)
	}
	for name, want := range map[string]string{"nothing.svm": "no such file", "x.csv": "no such file", ".": "is a directory"} {
		if _, err := ReadSparse(filepath.Join(dir, name), ReadOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	must.OK(t, os.Mkdir(filepath.Join(dir, "d.svm"), 0o700))
	if _, err := ReadSparse(filepath.Join(dir, "d.svm"), ReadOptions{}); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("%v", err)
	}
	if _, err := Read(write("wide.svm", "1 2147483646:1\n"), ReadOptions{}); err == nil || !strings.Contains(err.Error(), "wide.svm: 1 rows × 2147483646") {
		t.Errorf("%v", err)
	}
}
