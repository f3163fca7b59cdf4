package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/fspca/fspca/internal/delimited"
)

// noteLines notes what is wrong with lines of the text.
func (t *csvTable) noteLines() {
	t.notes = map[int]bool{}
	cut := t.endsEarly()
	ragged := t.noteFooter()
	for i, r := range ragged {
		lines := linesUpTo(r.Lines, r.Last)
		switch {
		case r.Zero:
			t.bad.add(r.First, 0, "", fmt.Errorf("%w%s: it is damaged, or was not written to its end", errZero, lines))
		case r.Carriage:
			t.bad.add(r.First, 0, "", fmt.Errorf(`a bare carriage return stands inside the line, where a line may have to end: convert the file so that all lines end in "\n"`))
			t.notes[r.First] = true
		default:
			t.bad.add(r.First, 0, "", fmt.Errorf("%w: got %d%s, want %d as in the first line%s", csv.ErrFieldCount, r.Got, lines, t.fields, t.raggedHint(i)))
		}
	}
	if line := t.table.Carriage; line > 0 && !t.notes[line] && len(t.table.Ragged) == 0 {
		t.bad.add(line, 0, "", errors.New(`a bare carriage return stands inside a cell: convert the file so that all lines end in "\n", or put the cell in quotes`))
	}
	if line := t.table.Zero; line > 0 && !slices.ContainsFunc(t.table.Ragged, func(r delimited.Run) bool { return r.Zero }) {
		t.bad.add(line, 0, "", errZero)
	}
	if t.table.Syntax != nil && !cut {
		t.syntax(t.table.Syntax)
	}
	if t.table.Err != nil {
		t.noteCut(t.table.Err)
	}
}

// endsEarly reports whether the text ends before its end. What is wrong with its last line comes of
// that, and is passed over.
func (t *csvTable) endsEarly() bool {
	if !errors.Is(t.table.Err, io.ErrUnexpectedEOF) {
		return false
	}
	if n := len(t.table.Ragged); n > 0 && t.table.Ragged[n-1].Lines == 1 && t.table.Ragged[n-1].Row == t.table.Rows {
		t.table.Ragged = t.table.Ragged[:n-1]
	}
	return true
}

// noteFooter notes that the last lines are notes below the table, if they are short
// and start with a word. It returns the other lines with a wrong number of cells.
func (t *csvTable) noteFooter() []delimited.Run {
	ragged := t.table.Ragged
	at := len(ragged)
	lines := 0
	for at > 0 && t.table.Rows > 0 && ragged[at-1].Row == t.table.Rows && ragged[at-1].Got < t.fields && !ragged[at-1].Zero && !ragged[at-1].Carriage {
		at--
		lines += ragged[at].Lines
	}
	if lines == 0 || lines > mostNotes || !unicode.IsLetter(ragged[at].Initial) && !strings.ContainsRune("(*=_[<†‡§¹\x1a", ragged[at].Initial) {
		return ragged
	}
	was := linesUpTo(lines, ragged[len(ragged)-1].Last)
	t.bad.add(ragged[at].First, 0, "", fmt.Errorf("%w: got %d%s, want %d as in the first line: if it is a note below the table, leave it out (option skip_footer: %d)",
		csv.ErrFieldCount, ragged[at].Got, was, t.fields, lines))
	return ragged[:at]
}

// mostNotes is how many lines a note below a table may have.
const mostNotes = 20

// raggedHint returns what lines with a wrong number of cells may be.
func (t *csvTable) raggedHint(i int) string {
	r := t.table.Ragged[i]
	switch {
	case strings.ContainsRune("<=>", r.Initial) && r.Got == 1:
		return ": if it is a mark of a merge conflict in Git, resolve that"
	case strings.ContainsRune("#%;!", r.Initial):
		return fmt.Sprintf(": if it is a comment, leave such lines out (option comment: %q)", string(r.Initial))
	case t.table.Rows == 0 && r.Got == t.fields+1:
		return ": if every line ends in a delimiter, remove it, or name the last column"
	}
	return ""
}

// syntax notes a quote at a wrong place, after which nothing more is read.
func (t *csvTable) syntax(err error) {
	var e *delimited.SyntaxError
	switch {
	case errors.As(err, &e) && errors.Is(err, csv.ErrQuote):
		t.bad.add(e.Line, 0, "", fmt.Errorf(`a quoted cell that starts here does not end well: %w: double the quotes inside it and end it by one (in R: qmethod = "double")`, e.Err))
	case errors.As(err, &e):
		t.bad.add(e.Line, 0, "", fmt.Errorf(`%w: put the whole cell in quotes and double those inside`, e.Err))
	default:
		t.noteCut(err)
	}
}

// noteCut notes an error of the reader.
func (t *csvTable) noteCut(err error) {
	var long *delimited.LongError
	if errors.As(err, &long) {
		t.bad.add(long.Line, 0, "", err)
		return
	}
	t.bad.add(0, 0, "", cutShort(err))
}
