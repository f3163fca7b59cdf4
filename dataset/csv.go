package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ReadCSV reads a table of delimited text from r, which is decompressed if it
// starts as gzip does; name is its name in errors.
//
// Lines end with \n or \r\n, cells may be quoted as in RFC 4180, blank lines and
// a UTF-8 byte order mark are skipped, space before a cell outside of quotes
// does not belong to it. An empty cell, or one that [ReadOptions.Missing] lists,
// is missing.
//
// The type of a column comes from all of its rows. It is numeric if every cell
// that is not missing is a finite decimal number (so a column without any cell
// is numeric), categorical if none is or if it is declared so. Levels are in
// order of value if all are numbers, else of text. Hexadecimal numbers and "_"
// between digits are text.
//
// Errors are *[ParseError] values with file, line and column, all that are found
// at once (20 at most, then a count): a column that mixes numbers and text, a
// cell that is not finite, a missing label cell, lines with too few or too many
// cells, names that are empty or used twice, columns named in opt that are not
// there (with the nearest that is), text that is not UTF-8, a file without rows,
// and one that seems to have another delimiter.
func ReadCSV(r io.Reader, name string, opt ReadOptions) (*Frame, error) {
	t := &csvTable{opt: opt}
	t.bad.file = name
	for _, m := range opt.Missing {
		if m = strings.TrimSpace(m); m != "" {
			t.markers = append(t.markers, m)
		}
	}
	if t.opt.Delimiter == 0 {
		t.opt.Delimiter = ','
	} else if !validDelimiter(t.opt.Delimiter) {
		return nil, fmt.Errorf("delimiter %q cannot stand between cells: want a character such as ',' or ';' or a tab", opt.Delimiter)
	}
	if err := t.open(r); err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	if err := t.readHeader(opt.Delimiter == 0); err != nil {
		return nil, err
	}
	t.readRows()
	return t.frame()
}

func validDelimiter(r rune) bool {
	return r != '"' && r != '\r' && r != '\n' && r != utf8.RuneError && r != 0 && utf8.ValidRune(r)
}

// csvTable is a file of delimited text on its way to a frame.
type csvTable struct {
	opt     ReadOptions
	markers []string // of missing cells, but for the empty one
	r       *csv.Reader
	size    int64 // bytes of text, 0 when not known
	bad     mistakes

	fields  int          // of each record
	first   []string     // a record that was read as a header but is data
	columns []*csvColumn // those not dropped, in file order
	width   int          // columns not declared categorical
	data    []float64    // their cells, row-major; NaN for missing ones and text
	rows    int
	ragged  []raggedLines
}

// open prepares the reading of records from r.
func (t *csvTable) open(r io.Reader) error {
	text, size, err := openText(r)
	if err != nil {
		return err
	}
	t.size = size
	t.r = csv.NewReader(text)
	t.r.Comma = t.opt.Delimiter
	t.r.FieldsPerRecord = -1 // counted here, to report all lines
	t.r.ReuseRecord = true
	// Between tabs this would take an empty cell for space before the next.
	t.r.TrimLeadingSpace = !unicode.IsSpace(t.opt.Delimiter)
	return nil
}

// readHeader reads the names and finds the columns that the options name.
func (t *csvTable) readHeader(guess bool) error {
	record, err := t.r.Read()
	if err == io.EOF {
		return &ParseError{File: t.bad.file, Err: errors.New("the file is empty")}
	} else if err != nil {
		t.syntax(err)
		return t.bad.err()
	}
	if err := foreignText(record, guess); err != nil {
		return &ParseError{File: t.bad.file, Line: t.lineOf(0), Err: err}
	}
	names := slices.Clone(record)
	t.fields = len(names)
	if t.opt.NoHeader {
		t.first, names = record, numberedNames(len(names))
	}
	t.setColumns(names)
	return t.bad.err()
}

// foreignText reports whether the first record shows that the text is not what
// it is read as.
func foreignText(record []string, guess bool) error {
	for _, s := range record {
		if i := strings.IndexByte(s, '\r'); i >= 0 && i < len(s)-1 {
			return errors.New(`lines end in a bare carriage return: convert them to end in "\n"`)
		}
		if !utf8.ValidString(s) {
			return fmt.Errorf("%q is not UTF-8: convert the file", s)
		}
		if strings.Contains(s, "\x00") {
			return errors.New("the file is not text: it has a zero byte")
		}
	}
	if !guess || len(record) != 1 {
		return nil
	}
	for _, d := range []string{";", "\t", "|"} {
		if strings.Contains(record[0], d) {
			return fmt.Errorf("there is one column, %q: the delimiter seems to be %q (option delimiter; give \",\" if one column is right)", clip(record[0]), d)
		}
	}
	return nil
}

// setColumns makes the columns that are read.
func (t *csvTable) setColumns(names []string) {
	line := t.lineOf(0)
	if t.opt.NoHeader {
		line = 0
	}
	for _, chosen := range chooseColumns(names, t.opt, line, &t.bad) {
		c := &csvColumn{chosenColumn: chosen}
		if c.declared {
			c.builder = newFactorBuilder(0)
		} else {
			t.width++
		}
		t.columns = append(t.columns, c)
	}
}

// lineOf returns the line of a field of the record that was read last.
func (t *csvTable) lineOf(field int) int {
	line, _ := t.r.FieldPos(field)
	return line
}
