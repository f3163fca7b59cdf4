package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/memory"
)

// Whitespace as [ReadOptions.Delimiter] means any run of spaces and tabs
// between cells, as in tables that are aligned by spaces.
const Whitespace = delimited.Whitespace

// ReadCSV reads a table of delimited text from r, which is decompressed if it
// starts as gzip does; name is its name in errors.
//
// Lines end with \n or \r\n, and cells may be quoted as in RFC 4180. Blank lines
// and a UTF-8 byte order mark are skipped. Space around a cell does not belong to
// it. An empty cell, or one that [ReadOptions.Missing] lists, is missing. A first
// line "sep=;", as spreadsheets write it, names the delimiter. If every row has
// one cell more than the header, the first is the name of the row, as R writes it.
// Its column is called "row".
//
// The type of a column comes from all of its rows. It is numeric if every cell
// that is not missing is a finite decimal number; a column without any cell is
// numeric too. It is categorical if no cell is a number, or if it is declared so.
// Levels are sorted by value if all are numbers, else by text. Levels that are the
// same number ("1", "1.0", "+1") are one level, written as its first cell; a
// number with leading zeros ("01") is text. Names and levels are in Unicode's form
// NFC.
//
// A column of numbers in another notation, such as "4,5", "1,234", "95%" or
// "12 kg", is an error that says which option reads it. If the column is
// declared categorical, it is text. So are hexadecimal numbers and "_" between
// digits.
//
// Errors are *[ParseError] values with file, line and column. All that are found
// come at once (20 at most, then a count; one cause is one error):
//
//   - a column that mixes numbers and text, a number that is not finite, a missing
//     label cell;
//   - a line with too few or too many cells, a file without rows;
//   - a column name that is empty or used twice, or a column named in opt that is
//     missing (with the nearest existing name);
//   - text that is not UTF-8, a zero byte, a bare carriage return;
//   - a file that seems to have another delimiter, or its header on a later line.
func ReadCSV(r io.Reader, name string, opt ReadOptions) (*Frame, error) {
	if err := checkOptions(textReader, "csv", name, opt); err != nil {
		return nil, err
	}
	opt = opt.asRead(textReader, "csv").cleaned()
	if opt.Transpose {
		return readTransposed(r, name, opt)
	}
	if opt.Names != "" {
		return nil, &ParseError{File: name, Err: errNamesAlone}
	}
	t, err := openCSV(r, name, opt)
	if err != nil {
		return nil, err
	}
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	t.table = t.source.Read(t.form, t.plan())
	if err := t.stopped(); err != nil {
		return nil, err
	}
	f, err := t.frame()
	if err != nil {
		return nil, err
	}
	if opt.As == nil {
		t.warnings = append(t.warnings, markersAbsent(t.markers.absent())...)
	}
	t.remember(f)
	return f.takeID(opt.ID)
}

// errNamesAlone is the error of the option names where nothing is transposed.
var errNamesAlone = errors.New("option names needs the option transpose: it says which column names the columns of a transposed table")

// remember notes in a frame how it was read, and where its rows are.
func (t *csvTable) remember(f *Frame) {
	r := t.reading()
	f.src = provenance{reading: &r, lines: t.table.Lines(), notes: t.warnings}
}

// reading says how the text was read.
func (t *csvTable) reading() Reading {
	r := readingOf(t.opt.kind, t.opt)
	if t.opt.NoHeader {
		r.Columns, r.Label = t.fields, t.labelPlace
		r.LabelText = r.Label > 0 && t.hasTextIn(r.Label-1)
	}
	return r
}

// hasTextIn reports whether a column that was read has a text that is no number.
func (t *csvTable) hasTextIn(field int) bool {
	i := slices.IndexFunc(t.columns, func(c chosenColumn) bool { return c.field == field })
	return i >= 0 && slices.ContainsFunc(t.table.Texts[i], func(s string) bool {
		_, kind := t.form.Numbers.Parse(s)
		return kind == delimited.Text
	})
}

// openCSV opens a text for reading from its first line.
func openCSV(r io.Reader, name string, opt ReadOptions) (*csvTable, error) {
	t := &csvTable{opt: opt}
	t.bad.file = name
	if err := t.setFormat(); err != nil {
		return nil, err
	}
	in, err := openDelimited(r, opt)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	in.SkipFooter, in.Limit, in.Context = opt.SkipFooter, opt.LineLimit, opt.ctx
	if t.source, err = delimited.Open(in); err != nil {
		t.noteCut(err)
		return nil, t.bad.err()
	}
	return t, nil
}

// stopped returns an error if the reading was ended: what has been read then tells nothing.
func (t *csvTable) stopped() error {
	if err := bounded.Err(t.opt.ctx); err != nil {
		return &ParseError{File: t.bad.file, Err: err}
	}
	var short *memory.Error
	var many *delimited.TextsError
	if (errors.As(t.table.Err, &short) || errors.As(t.table.Err, &many)) && t.early != nil {
		return t.early // numbers that are read as texts are what takes the room
	}
	if errors.As(t.table.Err, &short) || t.table.Broken {
		return &ParseError{File: t.bad.file, Err: t.table.Err}
	}
	if errors.As(t.table.Err, &many) {
		c := t.columns[many.Column]
		return &ParseError{File: t.bad.file, Line: many.Line, Field: c.field + 1, Column: c.name,
			Err: tooManyTexts(many, c.name)}
	}
	return nil
}

// tooManyTexts is what the user can do about a column of more than mostTexts texts.
func tooManyTexts(what error, name string) error {
	return fmt.Errorf("%w: no category has that many; if it names the rows, say so (option id: %q), else leave it out (option drop)", what, name)
}

// mostTexts is how many different texts a column may have that does not name the rows: as many levels would
// take minutes and gigabytes wherever they are used.
const mostTexts = 1 << 20

// openDelimited decompresses r if it is compressed.
func openDelimited(r io.Reader, opt ReadOptions) (delimited.Input, error) {
	if at, ok := r.(io.ReadSeeker); ok && !files.Absent(r) { // leaves a file a file, of which the lines can be counted
		start := make([]byte, len(gzipMagic))
		from, err := at.Seek(0, io.SeekCurrent)
		if err == nil {
			n, _ := io.ReadFull(at, start)
			if _, err = at.Seek(from, io.SeekStart); err == nil && string(start[:n]) != gzipMagic {
				return delimited.Input{Reader: r}, nil
			}
		}
	}
	text, err := unzipped(r, opt.ctx)
	if err != nil {
		return delimited.Input{}, err
	}
	in := delimited.Input{Reader: text}
	if text.packed && text.size > 0 {
		in.Share = func() float64 { return float64(text.count.Count()) / float64(text.size) }
	}
	return in, nil
}

// csvTable is a file of delimited text on its way to a frame.
type csvTable struct {
	opt    ReadOptions
	form   delimited.Format
	source *delimited.Source
	table  *delimited.Table
	bad    mistakes

	fields  int            // of each record
	line    int            // of the header, 0 without one
	columns []chosenColumn // those not dropped, in file order
	width   int            // those read as numbers
	markers csvMarkers
	notes   map[int]bool // lines about which enough is said

	early      *ParseError        // what the first rows say of the notation of numbers; nil for nothing
	head       []delimited.Record // the first rows, until the columns are chosen
	labelPlace int                // of the label among columns without names, from 1
	warnings   []Warning          // what is odd and no mistake
}

// setFormat takes over the options that say how cells are written.
func (t *csvTable) setFormat() error {
	opt := t.opt
	var errs []error
	t.form = delimited.Format{Delimiter: opt.Delimiter, Comment: opt.Comment}
	if opt.Delimiter == 0 {
		t.form.Delimiter = ','
	} else if !delimited.ValidDelimiter(opt.Delimiter) {
		errs = append(errs, fmt.Errorf("delimiter %q cannot stand between cells: want a character such as ',' or ';' or a tab", opt.Delimiter))
	}
	numbers, _ := opt.notation()
	t.form.Numbers = numbers
	if err := errors.Join(append(errs, opt.CheckText())...); err != nil {
		return err
	}
	t.markers = newCSVMarkers(opt.Missing, numbers)
	return nil
}

// plan says which columns are read and how.
func (t *csvTable) plan() delimited.Plan {
	p := delimited.Plan{Fields: t.fields, Missing: t.markers.has, Suspects: t.markers.suspects, MostTexts: mostTexts}
	p.Columns = make([]delimited.Column, 0, len(t.columns))
	for _, c := range t.columns {
		p.Columns = append(p.Columns, delimited.Column{Field: c.field, Text: c.declared, Names: t.opt.ID != "" && c.name == t.opt.ID})
	}
	return p
}
