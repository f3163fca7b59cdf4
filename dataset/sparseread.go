package dataset

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// IndexBase says what the first column is called in a file of entries
// index:value.
type IndexBase int

// The index bases.
const (
	// AutoBase takes the indices to start at 0 if there is an index 0 in the
	// file, at 1 otherwise. Each file is looked at by itself: if indices start at
	// 0, but the first column is empty in one of two files, say ZeroBased.
	AutoBase  IndexBase = iota
	OneBased            // index 1 is x1, as LIBSVM and SVMlight write
	ZeroBased           // index 0 is x1, as some other programs do
)

// SVMLightLabel is the name of the class of an svmlight file.
const SVMLightLabel = "label"

// sparseFormats are the endings of files of sparse rows.
var sparseFormats = []string{".svm", ".libsvm", ".svmlight", ".mtx"}

// IsSparseFile reports whether the name of path is that of a file of sparse
// rows, which ReadSparse reads.
func IsSparseFile(path string) bool {
	return slices.Contains(sparseFormats, sparseFormatOf(path))
}

func sparseFormatOf(path string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz"))
}

// ReadSparse reads sparse rows from a file, by the ending of its name: .svm,
// .libsvm and .svmlight (see [ReadSVMLight]) or .mtx (see [ReadMatrixMarket]),
// compressed by gzip or not. Of the options Label, Drop, Only and Base apply.
func ReadSparse(path string, opt ReadOptions) (*Sparse, error) {
	format := sparseFormatOf(path)
	if !IsSparseFile(path) {
		return nil, fmt.Errorf("%s: the name is not that of a file of sparse rows: want one of %s, or these with .gz", path, strings.Join(sparseFormats, " "))
	}
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if format == ".mtx" {
		return ReadMatrixMarket(file, path, opt)
	}
	return ReadSVMLight(file, path, opt)
}

// openFile opens a file that is no directory.
func openFile(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("%s is a directory: want a file", path)
	}
	return file, nil
}

// checkSparseOptions returns an error for options that say nothing about sparse
// rows.
func checkSparseOptions(opt ReadOptions) error {
	var errs []error
	for _, o := range []struct {
		name string
		set  bool
	}{
		{"delimiter", opt.Delimiter != 0}, {"header", opt.NoHeader},
		{"missing", len(opt.Missing) > 0}, {"categorical", len(opt.Categorical) > 0},
	} {
		if o.set {
			errs = append(errs, fmt.Errorf("a file of sparse rows has no option %s: its columns are numbers named x1, x2, … and a cell that is not there is 0", o.name))
		}
	}
	return errors.Join(errs...)
}

// A columnFilter decides which columns of a file are kept. Columns have numbers
// from 0; their names are x1, x2, …
type columnFilter struct {
	only []int32 // ascending; nil: all
	drop []int32 // ascending
}

// newColumnFilter reads the options for a file with the given number of
// columns; open files have any number.
func newColumnFilter(opt ReadOptions, columns int, open bool) (*columnFilter, error) {
	table := &Sparse{columns: columns, total: columns, open: open}
	if open {
		table.total = math.MaxInt32
	}
	numbers := func(what string, names []string) ([]int32, error) {
		at, err := table.locate(what, names)
		if err != nil {
			return nil, err
		}
		list := make([]int32, len(at))
		for i, j := range at {
			list[i] = int32(j)
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	only, err1 := numbers("", opt.Only)
	drop, err2 := numbers("drop", opt.Drop)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	f := &columnFilter{drop: drop}
	if opt.Only != nil {
		f.only = only
		for _, j := range drop {
			if _, needed := slices.BinarySearch(only, j); needed {
				return nil, fmt.Errorf("column %q is needed and cannot be dropped", table.Name(int(j)))
			}
		}
	}
	return f, nil
}

// all reports whether every column is kept.
func (f *columnFilter) all() bool { return f.only == nil && len(f.drop) == 0 }

// place returns where column j is among those that are kept.
func (f *columnFilter) place(j int32) (int32, bool) {
	if f.only != nil {
		at, found := slices.BinarySearch(f.only, j)
		return int32(at), found
	}
	before, dropped := slices.BinarySearch(f.drop, j)
	return j - int32(before), !dropped
}

// columns returns the numbers of the columns that are kept of so many; nil for
// all.
func (f *columnFilter) columns(count int) []int32 {
	switch {
	case f.only != nil:
		return f.only
	case len(f.drop) == 0 || int(f.drop[0]) >= count:
		return nil
	}
	kept := make([]int32, 0, count)
	next := 0
	for j := range int32(count) {
		if next < len(f.drop) && f.drop[next] == j {
			next++
			continue
		}
		kept = append(kept, j)
	}
	return kept
}

// keep leaves the columns that the filter keeps; the indices count from first,
// and those of other columns may be absent already. The columns of a file with
// any number of them are known to hold nothing after the last, unless only some
// were read.
func (s *Sparse) keep(f *columnFilter, first int32) error {
	s.columns = s.total
	if n := len(f.drop); n > 0 && int(f.drop[n-1]) >= s.total {
		e := &MissingColumnsError{What: "drop"}
		for _, j := range f.drop {
			if int(j) >= s.total {
				e.Missing = append(e.Missing, (&Sparse{}).Name(int(j)))
			}
		}
		return (&Sparse{columns: s.total}).withNames(e)
	}
	if !f.all() {
		s.origin = f.columns(s.total)
		s.columns = len(s.origin)
	}
	if f.only != nil && s.columns > 0 {
		s.open, s.total = false, max(s.total, int(f.only[s.columns-1])+1)
	}
	if s.columns == 0 {
		return fmt.Errorf("no column is left as a feature of the %d there are", s.total)
	}
	if first == 0 && f.all() {
		return nil
	}
	to, lo := 0, int64(0)
	for i := range s.rows {
		hi := s.offsets[i+1]
		for p := lo; p < hi; p++ {
			if j, ok := f.place(s.indices[p] - first); ok {
				s.indices[to], s.values[to] = j, s.values[p]
				to++
			}
		}
		lo, s.offsets[i+1] = hi, int64(to)
	}
	s.indices, s.values = s.indices[:to], s.values[:to]
	return nil
}

// rowEntries sorts entries of a row by column.
type rowEntries struct {
	indices []int32
	values  []float64
}

func (r rowEntries) Len() int           { return len(r.indices) }
func (r rowEntries) Less(i, j int) bool { return r.indices[i] < r.indices[j] }
func (r rowEntries) Swap(i, j int) {
	r.indices[i], r.indices[j] = r.indices[j], r.indices[i]
	r.values[i], r.values[j] = r.values[j], r.values[i]
}
