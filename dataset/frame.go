package dataset

import (
	"errors"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
)

// A Column is one feature of a [Frame]. A numeric column has a nil Factor; its
// values are the next column of the frame's matrix, numeric columns being
// counted in the order of [Frame.Columns].
type Column struct {
	Name   string
	Factor *Factor
}

// A Frame is a table: n rows, named feature columns in file order, numeric or
// categorical, and at most one class column, which is categorical. The numeric
// columns are the columns of one dense n×p matrix.
//
// A Frame is immutable by convention: what Numeric, Columns, Factor and Class
// return is shared and read only, and methods that change something return
// another Frame. All methods are safe for concurrent use.
//
// A *Frame is a golearn base.FixedDataGrid.
type Frame struct {
	rows      int
	cols      []Column
	places    []int      // column → its column of x, −1 when categorical; nil: all are numeric, in order
	index     nameIndex  // of cols
	x         *mat.Dense // n×p; nil when p = 0
	className string
	class     *Factor
	idName    string
	ids       []string // names of the rows; nil without
	src       provenance

	numbers *attributePool // golearn's attributes of numeric columns
	once    sync.Once
	grid    *grid // what golearn sees; made on demand
}

// New returns a frame of numeric columns over the n×d matrix x, which is
// shared, not copied. NaN is a missing cell. Nil names stand for x1…xd.
//
// Errors: x is nil or empty; there are not d names; a name is empty, used
// twice or not UTF-8; a cell is infinite.
func New(names []string, x *mat.Dense) (*Frame, error) {
	if x == nil || x.IsEmpty() {
		return nil, errors.New("the matrix is nil or empty: want at least one row and one column")
	}
	_, d := x.Dims()
	if names == nil {
		names = numberedNames(d)
	}
	if len(names) != d {
		return nil, fmt.Errorf("got %s for %s", words.Count(len(names), "name"), words.Count(d, "column"))
	}
	cols := make([]Column, d)
	for j, name := range names {
		cols[j].Name = name
	}
	return Assemble(x, cols, "", nil)
}

// Assemble returns a frame with the given feature columns and, if class is not
// nil, the class column className. The numeric columns are the columns of x in
// order. x (n×p, nil for p = 0), the levels and the codes are shared, not
// copied; cols is copied. A frame needs a column or a class. It may have no
// feature, as golearn's predictions.
//
// Errors, all of them at once: the number of numeric columns is not p; the
// columns differ in length; a name is empty, used twice (the class counts) or
// not UTF-8; a cell of x is infinite; a factor has an empty level (a missing
// cell is code [Missing]), a level used twice or not UTF-8, or a code outside
// −1…len(Levels)−1; a class cell is missing.
func Assemble(x *mat.Dense, cols []Column, className string, class *Factor) (*Frame, error) {
	return assemble(x, slices.Clone(cols), className, class, false)
}

// assemble is Assemble of columns that become the frame's, and of a matrix that may be known to have no
// infinite cell.
func assemble(x *mat.Dense, cols []Column, className string, class *Factor, finite bool) (*Frame, error) {
	if x != nil && x.IsEmpty() {
		x = nil
	}
	f := &Frame{rows: rowsOf(x, cols, class), cols: cols, x: x, numbers: new(attributePool)}
	if class != nil {
		f.className, f.class = className, class.attached(className)
	}
	var errs []error
	if f.rows == 0 {
		errs = append(errs, errors.New("no rows: want at least one"))
	}
	errs = append(errs, f.checkNames()...)
	p, bad := f.takeColumns()
	errs = append(errs, bad...)
	if class == nil && className != "" {
		errs = append(errs, fmt.Errorf("class %q has a name but no values", className))
	}
	errs = append(errs, f.checkClass()...)
	errs = append(errs, f.checkMatrix(p, finite)...)
	if len(errs) > 0 {
		return nil, joinCapped(errs)
	}
	return f, nil
}

// nameKey is what two names of columns have in common if they are one: the bytes in Unicode's form
// NFC, in which equal characters are equal.
func nameKey(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return norm.NFC.String(name)
		}
	}
	return name
}

// SameName reports whether two names of columns are equal in Unicode's form NFC.
func SameName(a, b string) bool { return a == b || nameKey(a) == nameKey(b) }

// named returns the place of the feature column of a name.
func (f *Frame) named(name string) (int, bool) {
	return f.index.find(name, f.nameAt)
}

func (f *Frame) nameAt(j int) string { return f.cols[j].Name }

// numericName returns the name of the j-th numeric column.
func (f *Frame) numericName(j int) string {
	if f.places != nil {
		j = slices.Index(f.places, j)
	}
	return f.cols[j].Name
}

// place returns the column of x that a column is, −1 for a categorical one.
func (f *Frame) place(j int) int {
	if f.places == nil {
		return j
	}
	return f.places[j]
}

// Rows returns the number of rows, n.
func (f *Frame) Rows() int { return f.rows }

// Columns returns the feature columns in file order, without the class. The
// slice is a copy; the factors are shared and read only.
func (f *Frame) Columns() []Column { return slices.Clone(f.cols) }

// Names returns the names of the feature columns in file order.
func (f *Frame) Names() []string {
	return lists.Map(f.cols, func(c Column) string { return c.Name })
}

// NumericNames returns the names of the numeric feature columns, which are the
// columns of Numeric, in order.
func (f *Frame) NumericNames() []string {
	return f.namesOf(func(c Column) bool { return c.Factor == nil })
}

// namesOf returns the names of some columns, nil for none.
func (f *Frame) namesOf(is func(Column) bool) []string {
	count := lists.Count(f.cols, is)
	if count == 0 {
		return nil
	}
	names := make([]string, 0, count)
	for _, c := range f.cols {
		if is(c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// CategoricalNames returns the names of the categorical feature columns in order.
func (f *Frame) CategoricalNames() []string {
	return f.namesOf(func(c Column) bool { return c.Factor != nil })
}

// Numeric returns the n×p matrix of the numeric columns, in which NaN is a
// missing cell; nil when p = 0, an empty matrix when there are columns but no
// rows. Shared: read only.
func (f *Frame) Numeric() *mat.Dense { return f.x }

// Factor returns the values of a categorical feature column; nil when there is
// no such column or it is numeric. Shared: read only.
func (f *Frame) Factor(name string) *Factor {
	if j, ok := f.named(name); ok {
		return f.cols[j].Factor
	}
	return nil
}

// ClassName returns the name of the class column, "" without one.
func (f *Frame) ClassName() string { return f.className }

// Class returns the class column, or nil. None of its cells is missing. It is
// shared: read only.
func (f *Frame) Class() *Factor { return f.class }

// String returns one line about the frame's shape.
func (f *Frame) String() string {
	p := len(f.NumericNames())
	s := fmt.Sprintf("frame of %d rows, %d numeric and %d categorical columns", f.rows, p, len(f.cols)-p)
	if f.class != nil {
		s += fmt.Sprintf(", class %q of %d levels", f.className, len(f.class.Levels))
	}
	return s
}

// numberedNames returns x1…xd, the names of columns that have none.
func numberedNames(d int) []string {
	return lists.Make(d, numberedName)
}

// numberedName is the name of a column, counted from 0, that has none.
func numberedName(j int) string { return fmt.Sprintf("x%d", j+1) }
