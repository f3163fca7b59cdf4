package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/parallel"
	"github.com/fspca/fspca/internal/words"
)

// Pick returns a frame of the named feature columns in the given order, with the same rows and class. Names
// are compared in Unicode's form NFC. The numbers are copied unless all columns are picked in order. Names
// that are not features give a *[MissingColumnsError] that lists them all. A name given twice is an error.
func (f *Frame) Pick(names []string) (*Frame, error) {
	if f == nil {
		return nil, errors.New("there are no rows: the frame is nil")
	}
	for _, name := range names {
		if _, ok := f.named(name); !ok {
			return nil, missingColumns("", names, f.Names(), f.className)
		}
	}
	picked := &Frame{rows: f.rows, className: f.className, class: f.class, idName: f.idName, ids: f.ids, numbers: f.numbers, src: f.src,
		index: newNameIndex(len(names))}
	var from []int // columns of f.x
	for _, name := range names {
		if _, twice := picked.named(name); twice {
			return nil, fmt.Errorf("column %q is picked twice", name)
		}
		j, _ := f.named(name)
		picked.cols = append(picked.cols, f.cols[j].called(name))
		picked.index.add(name, len(picked.cols)-1, picked.nameAt)
		if f.place(j) < 0 {
			picked.places = append(picked.places, -1)
			continue
		}
		picked.places = append(picked.places, len(from))
		from = append(from, f.place(j))
	}
	picked.x = pickColumns(f.x, from)
	return picked, nil
}

// called returns the column with a name that is the same in Unicode's form NFC.
func (c Column) called(name string) Column {
	if c.Name == name {
		return c
	}
	c.Name = name
	if c.Factor != nil {
		c.Factor = c.Factor.attached(name)
	}
	return c
}

// pickColumns returns the given columns of x: x itself if they are all of its
// columns in order, a copy otherwise, nil if there are none.
func pickColumns(x *mat.Dense, from []int) *mat.Dense {
	if x == nil || len(from) == 0 {
		return nil
	}
	if x.IsEmpty() {
		return x
	}
	n, p := x.Dims()
	if len(from) == p && slices.IsSorted(from) {
		return x
	}
	to := mat.NewDense(n, len(from), memory.Numbers(n*len(from)))
	for i := range n {
		row, src := to.RawRowView(i), x.RawRowView(i)
		for k, j := range from {
			row[k] = src[j]
		}
	}
	return to
}

// Subset returns a frame with copies of the given rows (0-based, in the given
// order, repeats allowed), with all levels of every factor. It panics if a row
// is out of range. Without rows, Numeric is an empty matrix.
func (f *Frame) Subset(rows []int) *Frame {
	s := &Frame{rows: len(rows), cols: slices.Clone(f.cols), places: f.places, index: f.index,
		className: f.className, idName: f.idName, numbers: f.numbers, src: f.src.subset(rows)}
	if f.ids != nil {
		s.ids = lists.At(f.ids, rows)
	}
	for j, c := range s.cols {
		s.cols[j].Factor = c.Factor.subset(rows)
	}
	s.class = f.class.subset(rows)
	if f.x == nil {
		return s
	}
	s.x = new(mat.Dense)
	if len(rows) > 0 {
		_, p := f.x.Dims()
		s.x = mat.NewDense(len(rows), p, memory.Numbers(len(rows)*p))
		for i, r := range rows {
			s.x.SetRow(i, f.x.RawRowView(r))
		}
	}
	return s
}

// WithoutClass returns the frame without its class column.
func (f *Frame) WithoutClass() *Frame {
	if f.class == nil {
		return f
	}
	g := f.copied()
	g.className, g.class = "", nil
	return g
}

// copied returns a frame of the same parts, whose side towards golearn is not made yet.
func (f *Frame) copied() *Frame {
	return &Frame{rows: f.rows, cols: f.cols, places: f.places, index: f.index, x: f.x, numbers: f.numbers,
		className: f.className, class: f.class, idName: f.idName, ids: f.ids, src: f.src}
}

// WithClass returns the frame with another class column. It must have the
// frame's number of rows, no missing cell, and a name that no feature has.
func (f *Frame) WithClass(name string, class *Factor) (*Frame, error) {
	if class == nil {
		return nil, fmt.Errorf("class %q has a name but no values", name)
	}
	g := f.copied()
	g.className, g.class = name, class.attached(name)
	errs := append(g.checkNames(), g.checkClass()...)
	if len(errs) > 0 {
		return nil, joinCapped(errs)
	}
	return g, nil
}

// A MissingCellsError says where numbers or categories are missing.
type MissingCellsError struct {
	What    string   // what needs them complete
	Row     int      // the first row with a missing cell, from 1
	Place   string   // where it is, such as "line 7" of a file; "" for its row
	Column  string   // its first missing column
	Rows    int      // the number of rows of the frame, or of those that were looked at
	Columns []string // the columns with missing cells, in order
	Counts  []int    // how many each of Columns has
	Cure    string   // what to do; "" for what a pipeline can do

	Partial     bool   // there are more rows behind Rows, which were not looked at
	Categorical bool   // the cells are categories, not numbers
	Ignore      string // the option of What that lets them be ignored, such as "missing: ignore"; "" if there is none
}

// Error names the first cell, the columns with their counts, and the cures.
func (e *MissingCellsError) Error() string {
	total := lists.Sum(e.Counts)
	var b strings.Builder
	place, kind := e.Place, "numeric cell"
	if e.Categorical {
		kind = "categorical cell"
	}
	if place == "" {
		place = fmt.Sprintf("row %d", e.Row)
	}
	rows := words.Count(e.Rows, "row")
	if e.Partial {
		rows = "the first " + rows
	}
	fmt.Fprintf(&b, "%s needs complete data, but %s of %s %s missing, the first in %s, column %q (",
		e.What, words.Count(total, kind), rows, words.Of(total, "is", "are"), place, e.Column)
	e.list(&b)
	cure := e.Cure
	if cure == "" {
		cure = e.cureOfPipeline()
	}
	return b.String() + "); " + cure
}

// cureOfPipeline says what can be done in a pipeline that is yet to be fitted.
func (e *MissingCellsError) cureOfPipeline() string {
	cure := "put an impute step before it"
	if e.Categorical {
		cure = `put an impute step with strategy "most_frequent" before it`
	}
	if e.Ignore != "" {
		return cure + ", drop the columns, or let missing cells be ignored (option " + e.Ignore + ")"
	}
	return cure + ", or drop the columns"
}

// list writes the columns with their counts.
func (e *MissingCellsError) list(b *strings.Builder) {
	for i, name := range e.Columns {
		if i == maxReported {
			fmt.Fprintf(b, ", and %s", words.Count(len(e.Columns)-i, "more column"))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%q", name)
		if i < len(e.Counts) {
			fmt.Fprintf(b, ": %d", e.Counts[i])
		}
	}
}

// CheckComplete returns a *[MissingCellsError] if a numeric cell is missing, else
// nil. What names the step that needs complete cells, such as "fspca".
func (f *Frame) CheckComplete(what string) error {
	if f.x == nil || f.x.IsEmpty() || complete(f.x) {
		return nil
	}
	names := f.NumericNames()
	counts := &missingCounts{counts: make([]int, len(names))}
	for i := range f.rows {
		counts.add(f.x.RawRowView(i))
	}
	return counts.err(what, names, f.RowPlace)
}

// CheckLevels returns a *[MissingCellsError] if a categorical cell is missing, else nil. What names the step
// that needs complete cells.
func (f *Frame) CheckLevels(what string) error {
	e := &MissingCellsError{What: what, Rows: f.rows, Row: f.rows + 1, Categorical: true}
	for _, c := range f.cols {
		if c.Factor == nil {
			continue
		}
		first := slices.Index(c.Factor.Codes, Missing)
		if first < 0 {
			continue
		}
		count := lists.Count(c.Factor.Codes, func(code int32) bool { return code == Missing })
		e.Columns, e.Counts = append(e.Columns, c.Name), append(e.Counts, count)
		if first+1 < e.Row {
			e.Row, e.Column, e.Place = first+1, c.Name, f.RowPlace(first)
		}
	}
	if len(e.Columns) == 0 {
		return nil
	}
	return e
}

// completeCells is the number of cells that one goroutine looks at in one go.
const completeCells = 1 << 18

// complete says whether no cell is NaN.
func complete(x *mat.Dense) bool {
	n, p := x.Dims()
	rows := max(1, completeCells/p)
	holes := parallel.Each(context.Background(), (n+rows-1)/rows, 0, func(part int) error {
		for i := part * rows; i < min(n, (part+1)*rows); i++ {
			for _, v := range x.RawRowView(i) {
				if v != v {
					return errMissing
				}
			}
		}
		return nil
	})
	return holes == nil
}

var errMissing = errors.New("a cell is missing")
