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
	t.warnings = append(t.warnings, t.groupedColumns(t.head)...)
	t.head = nil
	return t.bad.err()
}

// readNames reads the header, or counts the columns where there is none.
func (t *csvTable) readNames() ([]string, error) {
	t.source.SkipLines(t.opt.SkipRows)
	guess := t.opt.Delimiter == 0 || t.opt.As != nil && t.opt.As.Delimiter != ""
	if delimiter, ok := separatorLine(t.source.FirstLine()); ok {
		t.source.SkipLines(1)
		if guess {
			t.form.Delimiter, guess = delimiter, false
		}
	}
	head, err := t.source.Head(t.form, headRecords)
	if err != nil {
		if d := t.quotedDelimiter(); guess && d != "" {
			return nil, &ParseError{File: t.bad.file, Err: fmt.Errorf("a quoted cell does not end at a comma: the delimiter seems to be %s (option delimiter)", d)}
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
	if err != nil {
		return nil, &ParseError{File: t.bad.file, Line: head[0].Line, Err: err}
	}
	if err := t.laterStart(head); err != nil {
		return nil, &ParseError{File: t.bad.file, Line: head[0].Line, Err: err}
	}
	names := cleanTexts(head[0].Fields)
	t.fields = len(names)
	if t.opt.NoHeader {
		var unlabelled bool
		if names, unlabelled, err = t.opt.placeNames(t.fields); err != nil {
			return nil, &ParseError{File: t.bad.file, Err: err}
		}
		if err := t.opt.As.checkLabelPlace(head, t.form.Numbers); err != nil && !unlabelled {
			return nil, &ParseError{File: t.bad.file, Line: head[0].Line, Err: err}
		}
		t.labelPlace = slices.Index(names, t.opt.Label) + 1
		if unlabelled {
			t.warnings = append(t.warnings, labelLeftOut(t.fields, *t.opt.As))
		}
	} else {
		t.line = head[0].Line
		if shortHeader(head) {
			names = slices.Insert(names, 0, "row")
		}
		t.fields = len(names)
		if slices.Contains(t.opt.SkipLines, headerLines) {
			t.form.Header = cleanTexts(head[0].Fields)
		}
		t.source.Skip(head[0])
		if head, err = t.skipUnits(); err != nil {
			return nil, err
		}
	}
	t.head = head
	return names, nil
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

// separatorLine returns the delimiter that the first line of a spreadsheet's file
// names, as "sep=;".
func separatorLine(line string) (rune, bool) {
	line = strings.Trim(strings.TrimRight(line, " \r"), `"`)
	if len(line) < 5 || !strings.EqualFold(line[:4], "sep=") {
		return 0, false
	}
	r, size := utf8.DecodeRuneInString(line[4:])
	return r, size == len(line)-4 && delimited.ValidDelimiter(r)
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

// otherDelimiter reports whether the first records show that another delimiter
// stands between cells.
func (t *csvTable) otherDelimiter(head []delimited.Record, guess bool) error {
	if t.form.Delimiter == ' ' && hasEmpty(head) && alignedCells(head, " ") {
		return errors.New("the cells seem to be aligned by several spaces (option delimiter: whitespace)")
	}
	if !guess || len(head[0].Fields) != 1 {
		return nil
	}
	first := head[0].Fields[0]
	if strings.Contains(first, ",") && t.form.Delimiter == ',' {
		return fmt.Errorf("there is one column, %q: the lines seem to be in quotes as a whole: remove the quotes around them", clip(first))
	}
	for _, d := range []string{";", "\t", "|", ","} {
		if strings.Contains(first, d) {
			return fmt.Errorf("there is one column, %q: the delimiter seems to be %q (option delimiter; give \",\" if one column is right)", clip(first), d)
		}
	}
	if d := t.rareDelimiter(head); d != "" {
		return fmt.Errorf("there is one column, %q: the delimiter seems to be %q (option delimiter; give \",\" if one column is right)", clip(first), d)
	}
	if alignedCells(head, "") {
		return fmt.Errorf("there is one column, %q: white space seems to stand between cells (option delimiter: whitespace; give \",\" if one column is right)", clip(first))
	}
	return nil
}

// rareDelimiter returns a character that divides every line into equally many cells, several of which
// are numbers below the first line; "" if there is none.
func (t *csvTable) rareDelimiter(head []delimited.Record) string {
	for _, d := range []string{":", "~", "^", "\x01", "\v", "\x1f", "&", "!", "#", "/"} {
		want := strings.Count(head[0].Fields[0], d)
		if want == 0 || len(head) < 2 {
			continue
		}
		divides := !slices.ContainsFunc(head[1:], func(r delimited.Record) bool {
			cells := strings.Split(r.Fields[0], d)
			return len(cells) != want+1 || slices.ContainsFunc(cells, func(s string) bool {
				_, kind := t.form.Numbers.Parse(strings.TrimSpace(s))
				return s != "" && kind != delimited.Number
			})
		})
		if divides && !t.hasNumber(delimited.Record{Fields: strings.Split(head[0].Fields[0], d)}) {
			return d
		}
	}
	return ""
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

// quotedDelimiter returns the delimiter with which the first records, which have
// quotes, can be read; "" if there is none.
func (t *csvTable) quotedDelimiter() string {
	for _, d := range []struct {
		delimiter rune
		name      string
	}{{';', `";"`}, {'\t', `"\t"`}, {'|', `"|"`}, {Whitespace, "whitespace"}} {
		form := t.form
		form.Delimiter = d.delimiter
		head, err := t.source.Head(form, headRecords)
		if err != nil || len(head) == 0 || len(head[0].Fields) < 2 {
			continue
		}
		width := len(head[len(head)-1].Fields)
		if first := len(head[0].Fields); (first == width || first == width-1) && !slices.ContainsFunc(head[1:], func(r delimited.Record) bool { return len(r.Fields) != width }) {
			return d.name
		}
	}
	return ""
}

var (
	errCarriage = errors.New(`lines end in a bare carriage return: convert them to end in "\n"`)
	errZero     = errors.New("the file is not text: it has a zero byte")
)

func hasEmpty(head []delimited.Record) bool {
	return slices.ContainsFunc(head, func(r delimited.Record) bool { return slices.Contains(r.Fields, "") })
}

// alignedCells reports whether white space would divide every line into equally
// many cells, more than one. The first line may have one less, as R writes it.
func alignedCells(head []delimited.Record, delimiter string) bool {
	if len(head) < 2 {
		return false
	}
	head = slices.DeleteFunc(slices.Clone(head), func(r delimited.Record) bool { return strings.Join(r.Fields, "") == "" })
	if len(head) < 2 {
		return false
	}
	count := func(r delimited.Record) int {
		return len(strings.FieldsFunc(strings.Join(r.Fields, delimiter), func(c rune) bool { return c == ' ' || c == '\t' }))
	}
	want := count(head[1])
	for _, r := range head[2:] {
		if count(r) != want {
			return false
		}
	}
	first := count(head[0])
	return first > 1 && (first == want || first == want-1)
}

// laterStart returns an error if the first record does not seem to belong to the
// table, but a later one seems to be its header, or its first row without one.
func (t *csvTable) laterStart(head []delimited.Record) error {
	width := usualWidth(head)
	if width < 2 || !suspicious(head[0], width, t.opt.NoHeader) {
		return nil
	}
	at, sign := -1, commentSign(head[:1])
	for i, r := range head[1:] {
		if sign != "" && commentSign([]delimited.Record{r}) == sign {
			continue
		}
		data := t.hasNumber(r) && len(r.Fields) == width && !slices.Contains(r.Fields, "")
		if t.opt.NoHeader && data || !t.opt.NoHeader && t.isHeader(r, width) && t.dataFollows(r, head[i+2:], width) {
			at = i + 1
			break
		}
		if data {
			break
		}
	}
	if at < 0 {
		return nil
	}
	what := fmt.Sprintf("the header seems to be line %d (%s)", head[at].Line, quotedNames(head[at].Fields))
	if t.opt.NoHeader {
		what = fmt.Sprintf("the data seem to start on line %d", head[at].Line)
	}
	if sign := commentSign(head[:at]); sign != "" {
		return fmt.Errorf("%s, after lines that start with %q: leave these out (option comment: %q)", what, sign, sign)
	}
	return fmt.Errorf("%s: leave out what is before it (option skip_rows: %d)", what, head[at].Line-1)
}

// suspicious reports whether a record of a table with so many columns is not like
// its header, or its first row.
func suspicious(r delimited.Record, width int, noHeader bool) bool {
	if len(r.Fields) != width {
		return true
	}
	if noHeader {
		return false
	}
	if slices.Contains(r.Fields, "") || width > mostTitleCells {
		return slices.Contains(r.Fields, "")
	}
	return len(slices.Compact(slices.Sorted(slices.Values(r.Fields)))) < width
}

// mostTitleCells is how many cells a title is looked for in.
const mostTitleCells = 1000

// usualWidth returns the most frequent number of cells of records; the larger of
// two.
func usualWidth(head []delimited.Record) int {
	counts := map[int]int{}
	best := 0
	for _, r := range head {
		counts[len(r.Fields)]++
	}
	for width, n := range counts {
		if n > counts[best] || n == counts[best] && width > best {
			best = width
		}
	}
	return best
}

// isHeader reports whether a record could be a header: names, all different, no
// numbers; the first may be empty.
func (t *csvTable) isHeader(r delimited.Record, width int) bool {
	if len(r.Fields) != width && (len(r.Fields) != width-1 || width < 3) {
		return false
	}
	sorted := slices.Sorted(slices.Values(r.Fields))
	return sorted[min(1, len(sorted)-1)] != "" && len(slices.Compact(sorted)) == len(r.Fields) && !t.hasNumber(r)
}

// dataFollows reports whether a row with a number follows a header, or its units. A
// header that is short of a name stands right above the rows.
func (t *csvTable) dataFollows(header delimited.Record, next []delimited.Record, width int) bool {
	within := 1 + len(header.Fields) - (width - 1)
	return slices.ContainsFunc(next[:min(within, len(next))], func(r delimited.Record) bool { return len(r.Fields) == width && t.hasNumber(r) })
}

func (t *csvTable) hasNumber(r delimited.Record) bool {
	return slices.ContainsFunc(r.Fields, func(s string) bool {
		if _, kind := t.form.Numbers.Parse(s); kind == delimited.Number {
			return true
		}
		d, ok := unmask(s, t.form.Numbers)
		return ok && !slices.Contains(d.by, unitName)
	})
}

// commentSign returns what all records start with if it is a usual sign of
// comments, else "".
func commentSign(head []delimited.Record) string {
	for _, sign := range []string{"#", "%", "//", "!", ";", "*", "--"} {
		if !slices.ContainsFunc(head, func(r delimited.Record) bool { return !strings.HasPrefix(r.Fields[0], sign) }) {
			return sign
		}
	}
	return ""
}

// quotedNames returns the first names of a header for an error.
func quotedNames(names []string) string {
	const most = 3
	quoted := make([]string, 0, most+1)
	for i, name := range names {
		if i == most {
			quoted = append(quoted, "…")
			break
		}
		quoted = append(quoted, fmt.Sprintf("%q", clip(name)))
	}
	return strings.Join(quoted, ", ")
}
