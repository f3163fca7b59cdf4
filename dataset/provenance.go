package dataset

import (
	"fmt"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
)

// provenance is what a table remembers of the file that it was read from, and what is made of the
// table after it.
type provenance struct {
	reading *Reading        // nil of a table that was not read from a file
	notes   []Warning       // what the reader found odd
	lines   delimited.Lines // of the rows, where it was a text
	rows    []int           // the rows that are left, counted as in the file; nil for all
}

// subset is what the given rows remember.
func (p provenance) subset(rows []int) provenance {
	from := lists.Map(rows, p.row)
	p.rows = from
	return p
}

// row returns the row of the file that row i of the table was, from 0.
func (p provenance) row(i int) int {
	if p.rows == nil {
		return i
	}
	return p.rows[i]
}

func (p provenance) how() Reading {
	if p.reading == nil {
		return Reading{}
	}
	return *p.reading
}

// Reading returns how the table was read; the zero value for one that was not read from a file.
// Shared: read only.
func (f *Frame) Reading() Reading { return f.src.how() }

// Reading returns how the table was read; the zero value for one that was not read from a file.
// Shared: read only.
func (s *Sparse) Reading() Reading { return s.src.how() }

// RowPlace says where row i (from 0) is in its file: "line 7" of a text, else "row 6".
func (f *Frame) RowPlace(i int) string {
	return f.src.place(f.src.row(i))
}

// place says where a row of the file is.
func (p provenance) place(row int) string {
	if line := p.lines.Line(row); line > 0 {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("row %d", row+1)
}

// WithRows returns the frame with the row names and row places of the frame from which it was made row
// by row.
func (f *Frame) WithRows(of *Frame) *Frame {
	if of == nil || f == of || f.rows != of.rows || f.src.lines != nil || of.src.lines == nil && of.src.rows == nil {
		return f
	}
	g := f.WithSource(of)
	g.src.reading, g.src.notes = f.src.reading, f.src.notes
	return g
}

// WithSource returns the frame with the file information of the frame from which it was made row
// by row.
func (f *Frame) WithSource(of *Frame) *Frame {
	if of == nil || f == of || f.rows != of.rows {
		return f
	}
	g := f.copied()
	g.src = of.src
	return g
}
