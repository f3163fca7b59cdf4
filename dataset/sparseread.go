package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/pattern"
)

// IndexBase says what the first column is called in a file of entries
// index:value.
type IndexBase int

// The index bases.
const (
	// AutoBase lets the indices start at 0 if the file has an index 0, and at 1
	// otherwise. This is decided for each file: use ZeroBased if indices start at
	// 0 but the first column may be empty in one of several files.
	AutoBase  IndexBase = iota
	OneBased            // index 1 is x1, as LIBSVM and SVMlight write
	ZeroBased           // index 0 is x1, as some other programs do
)

// SVMLightLabel is the name of the class of an svmlight file.
const SVMLightLabel = "label"

// ReadSparse reads sparse rows from a file: svmlight (.svm, .libsvm, .svmlight; see [ReadSVMLight])
// or Matrix Market (.mtx; see [ReadMatrixMarket]), compressed or not, the format being found as in
// [Read].
func ReadSparse(path string, opt ReadOptions) (*Sparse, error) {
	return ReadSparseContext(context.Background(), path, opt)
}

// ReadSparseContext is ReadSparse with a context; if ctx ends, the error is the context's.
func ReadSparseContext(ctx context.Context, path string, opt ReadOptions) (*Sparse, error) {
	f, err := OpenContext(ctx, path, opt.Format)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadSparse(opt)
}

// openFile opens a file that is no directory.
func openFile(ctx context.Context, path string) (*os.File, error) {
	file, err := bounded.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("%s is a directory: want a file", path)
	}
	return file, nil
}

// A columnFilter decides which columns of a file are kept. Columns have numbers
// from 0; their names are x1, x2, … unless a file names them.
type columnFilter struct {
	only     []int32  // ascending; nil: all
	drop     []int32  // ascending
	patterns []string // of columns to drop, for a file whose columns are not known yet
}

// maxNumbered is how many columns without names a pattern is compared with.
const maxNumbered = 1 << 24

// newColumnFilter reads the options for a file with the given number of
// columns; open files have any number. Names nil stand for x1, x2, …
func newColumnFilter(opt ReadOptions, columns int, open bool, names []string) (*columnFilter, error) {
	table := &Sparse{columns: columns, total: columns, open: open, names: names}
	if open {
		table.total = math.MaxInt32
	}
	f := new(columnFilter)
	drop := opt.Drop
	if open {
		drop, f.patterns = splitPatterns(drop)
	} else {
		var err error
		if drop, err = table.expand(drop); err != nil {
			return nil, err
		}
	}
	only, err1 := table.numbers("", opt.Only)
	dropped, err2 := table.numbers("drop", drop)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	f.drop = dropped
	if opt.Only != nil {
		f.only = only
		if err := f.checkOnly(table, opt.Only); err != nil {
			return nil, err
		}
		f.patterns = nil // what is not needed is not read anyway
	}
	return f, nil
}

// checkOnly returns an error if one of the columns that are needed is dropped.
func (f *columnFilter) checkOnly(table *Sparse, only []string) error {
	for _, name := range only {
		j, err := table.numbers("", []string{name})
		_, dropped := slices.BinarySearch(f.drop, j[0])
		if err == nil && (dropped || slices.ContainsFunc(f.patterns, func(p string) bool { return pattern.Match(p, name) })) {
			return fmt.Errorf("column %q is needed and cannot be dropped: leave it out of the option drop", name)
		}
	}
	return nil
}

// splitPatterns divides the entries of a list into names and patterns, for columns named x1, x2, …
func splitPatterns(list []string) (names, patterns []string) {
	for _, entry := range pattern.Split(list) {
		if pattern.Is(entry) {
			patterns = append(patterns, entry)
		} else {
			names = append(names, entry)
		}
	}
	return names, patterns
}

// expand returns the names of columns that a list with patterns stands for.
func (s *Sparse) expand(list []string) ([]string, error) {
	literal, patterns := splitPatterns(list)
	names := s.names
	switch {
	case s.names == nil && len(patterns) == 0:
		return literal, nil
	case s.names == nil && s.total > maxNumbered:
		return nil, fmt.Errorf("drop: the pattern %q is for tables of at most %d columns without names", patterns[0], maxNumbered)
	case s.names == nil:
		names, list = numberedNames(s.total), patterns
	default:
		literal = nil
	}
	at, unmatched := pattern.Expand(list, names)
	for _, j := range at {
		literal = append(literal, names[j])
	}
	return append(literal, unmatched...), nil // the unmatched ones are then missed by name
}

// numbers returns the columns of the given names, ascending.
func (s *Sparse) numbers(what string, names []string) ([]int32, error) {
	at, err := s.locate(what, names)
	if err != nil {
		return nil, err
	}
	list := lists.Map(at, func(j int) int32 { return int32(j) })
	slices.Sort(list)
	return slices.Compact(list), nil
}

// all reports whether every column is kept.
func (f *columnFilter) all() bool {
	return f.only == nil && len(f.drop) == 0 && len(f.patterns) == 0
}

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
	if err := f.expandDrop(s.total); err != nil {
		return err
	}
	if err := f.checkDrop(s.total); err != nil {
		return err
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
	s.renameKept()
	if first == 0 && f.all() {
		return nil
	}
	s.filter(f, first)
	return nil
}

// renameKept leaves the names of the columns that are kept.
func (s *Sparse) renameKept() {
	if s.names != nil && s.origin != nil {
		names := lists.At(s.names, s.origin)
		s.names, s.origin = names, nil
	}
}

// expandDrop adds the columns that the patterns to drop fit, of total.
func (f *columnFilter) expandDrop(total int) error {
	if len(f.patterns) == 0 {
		return nil
	}
	table := &Sparse{columns: total, total: total}
	matched, err := table.expand(f.patterns)
	if err != nil {
		return err
	}
	more, err := table.numbers("drop", matched)
	if err != nil {
		return err
	}
	f.drop = append(f.drop, more...)
	slices.Sort(f.drop)
	f.drop = slices.Compact(f.drop)
	return nil
}

// checkDrop returns an error if a column is to be dropped that is not there, of total.
func (f *columnFilter) checkDrop(total int) error {
	if n := len(f.drop); n > 0 && int(f.drop[n-1]) >= total {
		e := &MissingColumnsError{What: "drop"}
		for _, j := range f.drop {
			if int(j) >= total {
				e.Missing = append(e.Missing, (&Sparse{}).Name(int(j)))
			}
		}
		return (&Sparse{columns: total}).withNames(e)
	}
	return nil
}

// filter drops the entries of columns that the filter does not keep, and renumbers the others.
func (s *Sparse) filter(f *columnFilter, first int32) {
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
}

// rowEntries sorts entries of a row by column.
type rowEntries struct {
	indices []int32
	values  []float64
}

// Len, Less and Swap are those of sort.Interface.
func (r rowEntries) Len() int { return len(r.indices) }

// Less orders the entries of a row by their columns.
func (r rowEntries) Less(i, j int) bool { return r.indices[i] < r.indices[j] }

// Swap changes the places of two entries.
func (r rowEntries) Swap(i, j int) {
	r.indices[i], r.indices[j] = r.indices[j], r.indices[i]
	r.values[i], r.values[j] = r.values[j], r.values[i]
}
