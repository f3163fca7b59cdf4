package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/delimited"
)

// headRecords is how many records are looked at to tell a header from what may
// stand before it.
const headRecords = 40

// readHeader reads the names and finds the columns that the options name.
func (t *csvTable) readHeader() error {
	names, err := t.readNames()
	if err != nil {
		return err
	}
	t.columns = chooseColumns(names, t.opt, t.line, &t.bad)
	t.warnings = append(t.warnings, t.groupedColumns()...)
	t.warnings = append(t.warnings, t.codedColumns()...)
	t.early = t.earlyNotation()
	t.head = nil
	return t.bad.err()
}

// readNames reads the header, or counts the columns where there is none.
func (t *csvTable) readNames() ([]string, error) {
	head, err := t.firstRecords()
	if err != nil {
		return nil, err
	}
	if t.opt.NoHeader {
		return t.countNames(head)
	}
	names := cleanTexts(head[0].Fields)
	if slices.Contains(t.opt.SkipLines, headerLines) {
		t.form.Header = cleanTexts(head[0].Fields)
	}
	if shortHeader(head) {
		names = slices.Insert(names, 0, "row")
	}
	t.line, t.fields = head[0].Line, len(names)
	t.source.Skip(head[0])
	t.head, err = t.skipUnits()
	return names, err
}

// countNames names the columns of a table without a header, by its first records.
func (t *csvTable) countNames(head []delimited.Record) (names []string, err error) {
	var notes []Warning
	t.head, t.fields = head, len(head[0].Fields)
	if names, t.labelPlace, notes, err = t.opt.placeNames(t.fields); err != nil {
		return nil, &ParseError{File: t.bad.file, Err: err}
	}
	t.warnings = append(t.warnings, notes...)
	if err := t.opt.As.checkLabelPlace(head, t.form.Numbers); err != nil && notes == nil {
		return nil, &ParseError{File: t.bad.file, Line: head[0].Line, Err: err}
	}
	return names, nil
}

// firstRecords returns what the table begins with, once that is known to be a table.
func (t *csvTable) firstRecords() ([]delimited.Record, error) {
	t.source.SkipLines(t.opt.SkipRows)
	guess := t.opt.Delimiter == 0 || t.opt.tabByName || t.opt.As != nil && t.opt.As.Delimiter != ""
	if delimiter, ok := separatorLine(t.source.FirstLine()); ok {
		t.source.SkipLines(1)
		if guess {
			t.form.Delimiter = delimiter
		}
	}
	head, err := t.source.Head(t.form, headRecords)
	if err != nil {
		if d := t.quotedDelimiter(); guess && d != "" {
			return nil, &ParseError{File: t.bad.file, Err: fmt.Errorf("a quoted cell does not end at %s: the delimiter seems to be %s (option delimiter)", quotedEnd(t.form.Delimiter), d)}
		}
		t.syntax(err)
		return nil, t.bad.err()
	}
	if len(head) == 0 || len(head) == 1 && len(head[0].Fields) == 1 && head[0].Fields[0] == "" && t.form.Delimiter != Whitespace {
		return nil, &ParseError{File: t.bad.file, Err: emptyFile{}}
	}
	err = foreignText(head[0].Fields)
	if err == nil {
		err = t.otherDelimiter(head, guess)
	}
	if err == nil {
		err = t.laterStart(head)
	}
	if err != nil {
		return nil, &ParseError{File: t.bad.file, Line: head[0].Line, Err: err}
	}
	return head, nil
}

// skipUnits passes over lines of units below the header, if it is to, and returns the first rows.
func (t *csvTable) skipUnits() ([]delimited.Record, error) {
	for skipped := 0; ; skipped++ {
		head, err := t.source.Head(t.form, headRecords)
		if err != nil {
			t.syntax(err)
			return nil, t.bad.err()
		}
		if skipped == mostUnitRows || !slices.Contains(t.opt.SkipLines, unitLines) || !t.isUnits(head) {
			return head, nil
		}
		t.source.Skip(head[0])
	}
}

// isUnits reports whether the first record holds text and no number, and one below it does.
func (t *csvTable) isUnits(head []delimited.Record) bool {
	if len(head) < 2 || t.hasNumber(head[0]) || !slices.ContainsFunc(head[1:min(len(head), mostUnitRows+1)], t.hasNumber) {
		return false
	}
	return slices.ContainsFunc(head[0].Fields, func(s string) bool { return s != "" && !isMissingWord(s) && !t.markers.has(s) })
}

// shortHeader reports whether every row has one cell more than the header: its
// name, for which programs in R write none.
func shortHeader(head []delimited.Record) bool {
	want, named := len(head[0].Fields)+1, false
	for _, r := range head[1:] {
		if len(r.Fields) != want {
			return false
		}
		named = named || r.Fields[want-1] != ""
	}
	return named
}

// foreignText reports whether the first record shows that it is not text of lines
// in UTF-8.
func foreignText(record []string) error {
	for _, s := range record {
		if strings.Contains(strings.TrimSuffix(s, "\r"), "\r") {
			return errCarriage
		}
		if !utf8.ValidString(s) {
			return errEncoding(s)
		}
		if strings.Contains(s, "\x00") {
			return errZero
		}
	}
	return nil
}

// errEncoding is the error for text that is not UTF-8.
func errEncoding(s string) error {
	hint := ""
	for i := range len(s) {
		if s[i] >= 0xa0 && (i+1 == len(s) || s[i+1] < 0x80) && (i == 0 || s[i-1] < 0x80) { // a letter alone
			hint = ", such as by iconv -f WINDOWS-1252 -t UTF-8 if it comes from the west of Europe"
		}
	}
	return fmt.Errorf("%q is not UTF-8: convert the file%s", clip(s), hint)
}

var (
	errCarriage = errors.New(`lines end in a bare carriage return: convert them to end in "\n"`)
	errZero     = errors.New("the file is not text: it has a zero byte")
)

func (t *csvTable) hasNumber(r delimited.Record) bool {
	return slices.ContainsFunc(r.Fields, func(s string) bool {
		if _, kind := t.form.Numbers.Parse(s); kind == delimited.Number {
			return true
		}
		d, ok := unmask(s, t.form.Numbers)
		return ok && !slices.Contains(d.by, unitName)
	})
}
