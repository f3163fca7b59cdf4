package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/spelling"
)

// A Sparse is a table of numbers of which most are 0: only the others are
// stored, row by row. Its columns are all numeric, none of its cells is
// missing, and it may have a class. It is no golearn grid, whose every cell has
// a place in memory; [Sparse.Dense] makes one of a table that is small enough.
//
// It is immutable by convention, as a [Frame] is.
type Sparse struct {
	rows, columns int
	offsets       []int64
	indices       []int32
	values        []float64

	names  []string // nil: numbered
	origin []int32  // numbers of the columns in the file, from 0, ascending; nil: all
	total  int      // columns of the file
	open   bool     // columns after those exist, and hold nothing

	className  string
	class      *Factor
	unlabelled bool // the class may lack cells, and Dense makes a column of it

	idName string
	ids    []string // names of the rows; nil without

	src provenance
}

// NewSparse returns the rows×columns table whose row i has values[p] in column
// indices[p] for offsets[i] ≤ p < offsets[i+1], and 0 elsewhere. Names nil stand
// for x1, x2, … The slices are shared. Errors: fields that contradict each other,
// a row whose columns do not ascend, a value that is not finite; names that are
// empty, not UTF-8 or used twice.
func NewSparse(rows, columns int, offsets []int64, indices []int32, values []float64, names []string) (*Sparse, error) {
	s := &Sparse{rows: rows, columns: columns, offsets: offsets, indices: indices, values: values, names: names, total: columns}
	if rows < 0 || columns < 0 || columns > math.MaxInt32 {
		return nil, fmt.Errorf("a sparse table of %d rows and %d columns: want counts of 0 or more, and at most %d columns", rows, columns, math.MaxInt32)
	}
	if len(offsets) != rows+1 || offsets[0] != 0 || offsets[rows] != int64(len(indices)) || len(indices) != len(values) {
		return nil, fmt.Errorf("a sparse table of %d rows, %d indices and %d values has %d offsets: want rows + 1 of them, from 0 to the number of both", rows, len(indices), len(values), len(offsets))
	}
	if names != nil {
		if len(names) != columns {
			return nil, fmt.Errorf("a sparse table of %d columns has %d names", columns, len(names))
		}
		if err := checkNames(names); err != nil {
			return nil, err
		}
	}
	for i := range rows {
		if err := s.checkRow(i); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func checkNames(names []string) error {
	var errs []error
	seen := make(map[string]bool, len(names))
	for j, name := range names {
		switch {
		case name == "" || !utf8.ValidString(name):
			errs = append(errs, fmt.Errorf("the name of column %d is %q: want one that is UTF-8 and not empty", j+1, name))
		case seen[name]:
			errs = append(errs, fmt.Errorf("the name %q is used twice: names must differ", name))
		}
		seen[name] = true
	}
	return joinCapped(errs)
}

func (s *Sparse) checkRow(i int) error {
	if s.offsets[i] > s.offsets[i+1] || s.offsets[i+1] > int64(len(s.indices)) {
		return fmt.Errorf("row %d goes from offset %d to %d of %d", i+1, s.offsets[i], s.offsets[i+1], len(s.indices))
	}
	indices, values := s.Row(i)
	before := int32(-1)
	for p, j := range indices {
		switch v := values[p]; {
		case j <= before:
			return fmt.Errorf("row %d: index %d follows %d, want them ascending from 0", i+1, j, before)
		case int(j) >= s.columns:
			return fmt.Errorf("row %d: index %d of %d columns", i+1, j, s.columns)
		case v-v != 0:
			return fmt.Errorf("row %d, column %q: %v is not a finite number", i+1, s.Name(int(j)), v)
		}
		before = j
	}
	return nil
}

// WithClass returns the table with a class, which must have a label for every
// row.
func (s *Sparse) WithClass(name string, class *Factor) (*Sparse, error) {
	if class == nil {
		return nil, fmt.Errorf("class %q has a name but no values", name)
	}
	errs := class.check(name, s.rows)
	if slices.Contains(class.Codes, Missing) {
		errs = append(errs, fmt.Errorf("the class %q has missing cells", name))
	}
	if at, err := s.Locate([]string{name}); name == "" || err == nil && at[0] >= 0 {
		errs = append(errs, fmt.Errorf("the class cannot have the name %q: want one that no other column has", name))
	}
	if errs != nil {
		return nil, joinCapped(errs)
	}
	t := *s
	t.className, t.class = name, class
	return &t, nil
}

// Rows returns n.
func (s *Sparse) Rows() int { return s.rows }

// Columns returns d, the number of features.
func (s *Sparse) Columns() int { return s.columns }

// Entries returns the number of cells that are stored.
func (s *Sparse) Entries() int { return len(s.indices) }

// Compressed returns the rows as compressed sparse rows, shared: row i has
// values[p] in column indices[p], ascending, for offsets[i] ≤ p < offsets[i+1].
func (s *Sparse) Compressed() (offsets []int64, indices []int32, values []float64) {
	return s.offsets, s.indices, s.values
}

// Row returns the columns of row i with an entry, ascending, and the entries.
// Both are shared. It panics if there is no such row.
func (s *Sparse) Row(i int) (indices []int32, values []float64) {
	lo, hi := s.offsets[i], s.offsets[i+1]
	return s.indices[lo:hi], s.values[lo:hi]
}

// ClassName returns the name of the class, "" without one.
func (s *Sparse) ClassName() string { return s.className }

// Class returns the class, nil without one. Only rows that were read with
// [ReadOptions.LabelOptional] may lack it.
func (s *Sparse) Class() *Factor { return s.class }

// Name returns the name of column j, from 0. It panics if there is no such column.
func (s *Sparse) Name(j int) string {
	switch {
	case s.names != nil:
		return s.names[j]
	case s.origin != nil:
		j = int(s.origin[j])
	}
	return "x" + strconv.Itoa(j+1)
}

// Locate returns the columns, from 0, that have the given names. A svmlight
// file does not say how many columns there are: a column after the last entry
// exists, all of its cells are 0, and its place is −1. One
// *[MissingColumnsError], wrapped, lists all missing names.
func (s *Sparse) Locate(names []string) ([]int, error) {
	return s.locate("", names)
}

// locate is Locate for an option that is called what.
func (s *Sparse) locate(what string, names []string) ([]int, error) {
	at := make([]int, len(names))
	var place map[string]int
	if s.names != nil {
		place = lists.Index(lists.Map(s.names, nameKey))
	}
	missing := &MissingColumnsError{What: what, Class: s.className}
	for i, name := range names {
		j, ok := place[nameKey(name)]
		if s.names == nil {
			j, ok = s.numbered(name)
		}
		at[i] = j
		if !ok && !slices.Contains(missing.Missing, name) {
			missing.Missing = append(missing.Missing, name)
		}
	}
	if missing.Missing == nil {
		return at, nil
	}
	return nil, s.withNames(missing)
}

// numbered returns the column with a name of the form x1.
func (s *Sparse) numbered(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "x")
	number, err := strconv.ParseInt(digits, 10, 32)
	if !ok || err != nil || number < 1 || digits[0] < '1' || digits[0] > '9' {
		return 0, false
	}
	j := int(number - 1)
	if j >= s.total {
		return -1, s.open
	}
	if s.origin != nil {
		return slices.BinarySearch(s.origin, int32(j))
	}
	return j, true
}

// withNames adds the names nearest to missing ones, or which there are.
func (s *Sparse) withNames(e *MissingColumnsError) error {
	if s.names == nil {
		switch {
		case s.open:
			return fmt.Errorf("%w; columns are named x1, x2, …", e)
		case s.columns == 0:
			return e
		case s.columns == 1:
			return fmt.Errorf("%w; the only column is %s", e, s.Name(0))
		}
		return fmt.Errorf("%w; the columns are %s to %s", e, s.Name(0), s.Name(s.columns-1))
	}
	for _, name := range e.Missing {
		e.Nearest = append(e.Nearest, spelling.Nearest(name, s.names))
	}
	return withChoice(e, s.names)
}

// maxDenseCells bounds the tables that Dense makes: 2 GiB of numbers.
const maxDenseCells = 1 << 28

// Dense returns the table with every cell stored. It is an error if there are
// more than 2²⁸ of them (2 GiB), and nothing is allocated then.
func (s *Sparse) Dense() (*Frame, error) {
	if s.columns > 0 && s.rows > maxDenseCells/s.columns {
		return nil, fmt.Errorf("%d rows × %d columns with every cell stored are more than %d cells (2 GiB): leave columns or rows out", s.rows, s.columns, maxDenseCells)
	}
	if s.rows == 0 || s.columns == 0 {
		return nil, errors.New("the table has no cell")
	}
	x := s.cells()
	cols := make([]Column, s.columns, s.columns+1)
	for j := range cols {
		cols[j].Name = s.Name(j)
	}
	className, class := s.className, s.class
	if s.unlabelled {
		cols, className, class = append(cols, Column{Name: className, Factor: class}), "", nil
	}
	f, err := Assemble(x, cols, className, class)
	if err != nil {
		return nil, err
	}
	f.src = s.src
	if s.ids == nil {
		return f, nil
	}
	return f.WithID(f.freeName(s.idName), s.ids)
}

// cells returns the numbers with every cell stored.
func (s *Sparse) cells() *mat.Dense {
	x := mat.NewDense(s.rows, s.columns, memory.Numbers(s.rows*s.columns))
	for i := range s.rows {
		indices, values := s.Row(i)
		row := x.RawRowView(i)
		for p, j := range indices {
			row[j] = values[p]
		}
	}
	return x
}
