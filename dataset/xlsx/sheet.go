package xlsx

import (
	"bufio"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The limits of the format.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
)

// writeText writes a sheet as comma-separated text, a line for each row.
func writeText(w io.Writer, r io.ReaderAt, size int64, name string) error {
	b, err := openWorkbook(r, size)
	if err != nil {
		return err
	}
	s, err := b.choose(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	t := &sheetText{book: b, out: out, csv: csv.NewWriter(out)}
	if b.part(s.part) != nil {
		t.most = b.believed(s.part)
	}
	if err := b.each(s.part, t.element); err != nil {
		return err
	}
	if err := t.endRow(); err != nil {
		return err
	}
	t.csv.Flush()
	if err := t.csv.Error(); err != nil {
		return err
	}
	return out.Flush()
}

// sheetText is a sheet on its way to text.
type sheetText struct {
	book  *workbook
	out   *bufio.Writer
	csv   *csv.Writer
	row   int // the one that is being read, from 1
	lines int // written
	cells []string
	width int   // of the header
	bytes int64 // of text so far, separators and blank cells too
	most  int64 // of them that are believed
}

// What a sheet is believed to hold as text: some bytes at any rate, and then so many for each byte of
// the compressed parts, of which tables have about one. Few cells that lie far apart, or that share a
// long text, can claim any number.
const (
	freeText = 16 << 20
	mostText = 25
)

// believed returns how many bytes of text a sheet is believed to hold.
func (b *workbook) believed(part string) int64 {
	packed := b.part(part).CompressedSize64
	if texts := b.part(b.texts); texts != nil {
		packed += texts.CompressedSize64
	}
	return freeText + mostText*int64(min(packed, 1<<50))
}

// count counts bytes of text.
func (t *sheetText) count(n int) error {
	if t.bytes += int64(n); t.bytes > t.most {
		return &toldError{fmt.Errorf("row %d: the sheet comes to more than %d MiB of text, too much for the size of its file: its cells are far apart or share long texts; if the table is right, save it as CSV", t.row, t.most>>20)}
	}
	return nil
}

// element takes over what starts in the XML of a sheet.
func (t *sheetText) element(d *xml.Decoder, e xml.StartElement) error {
	switch e.Name.Local {
	case "row":
		if err := t.endRow(); err != nil {
			return err
		}
		return t.startRow(e)
	case "c":
		return t.cell(d, e)
	}
	return nil
}

func (t *sheetText) startRow(e xml.StartElement) error {
	row := t.row + 1
	if r := attribute(e, "r"); r != "" {
		var err error
		if row, err = strconv.Atoi(r); err != nil || row <= t.row || row > maxRows {
			return fmt.Errorf("row %q follows row %d", r, t.row)
		}
	}
	t.row = row
	return nil
}

// endRow writes the row, after empty lines for rows that are not there.
func (t *sheetText) endRow() error {
	last := len(t.cells)
	for last > 0 && strings.TrimSpace(t.cells[last-1]) == "" {
		last--
	}
	if last == 0 {
		t.cells = t.cells[:0]
		return nil
	}
	if err := t.pad(last); err != nil {
		return err
	}
	t.csv.Flush()
	for ; t.lines < t.row-1; t.lines++ {
		if err := t.out.WriteByte('\n'); err != nil {
			return err
		}
	}
	t.lines++
	err := t.csv.Write(t.cells)
	t.cells = t.cells[:0]
	if err == nil {
		err = t.csv.Error()
	}
	return err
}

// pad makes the row as wide as the first, of which last cells hold something.
func (t *sheetText) pad(last int) error {
	if t.width == 0 {
		t.width = last
	}
	if err := t.count(max(0, t.width-len(t.cells))); err != nil {
		return err
	}
	t.blanksTo(t.width)
	t.cells = t.cells[:max(last, t.width)]
	return nil
}

// blanksTo adds empty cells up to a column.
func (t *sheetText) blanksTo(column int) {
	t.cells = append(t.cells, make([]string, max(0, column-len(t.cells)))...)
}

// cell takes over a cell.
func (t *sheetText) cell(d *xml.Decoder, e xml.StartElement) error {
	column := len(t.cells)
	if r := attribute(e, "r"); r != "" {
		var err error
		if column, err = columnOf(r); err != nil {
			return err
		}
	}
	if column < len(t.cells) || column >= maxColumns {
		return fmt.Errorf("row %d: the cell %q follows one in column %d", t.row, attribute(e, "r"), len(t.cells))
	}
	text, err := t.text(d, e)
	if err != nil {
		return err
	}
	if text == "" {
		return nil
	}
	if err := t.count(column - len(t.cells) + len(text) + 1); err != nil {
		return err
	}
	t.blanksTo(column)
	t.cells = append(t.cells, lineEnds.Replace(text))
	return nil
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// columnOf returns the column, from 0, of a place such as "AB12".
func columnOf(place string) (int, error) {
	column := 0
	for i := range len(place) {
		c := place[i] &^ 0x20 // in upper case
		if c < 'A' || c > 'Z' {
			break
		}
		if column = 26*column + int(c-'A') + 1; column > maxColumns {
			break
		}
	}
	if column == 0 || column > maxColumns {
		return 0, fmt.Errorf("%q is not a cell reference", place)
	}
	return column - 1, nil
}

// text reads a cell to its end and returns it as text.
func (t *sheetText) text(d *xml.Decoder, e xml.StartElement) (string, error) {
	kind := attribute(e, "t")
	value, formula, err := cellValue(d)
	switch {
	case err != nil:
		return "", err
	case value == "" && formula != "" && kind != "str": // never computed, as other programs write it
		return formula, nil
	case value == "":
		return "", nil
	}
	switch kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || i < 0 || i >= len(t.book.strings) {
			return "", fmt.Errorf("row %d: the cell %s refers to text %q of %d", t.row, attribute(e, "r"), value, len(t.book.strings))
		}
		return t.book.strings[i], nil
	case "str":
		return unescaped(value), nil
	case "", "n":
		value = strings.TrimSpace(value)
		if style, err := strconv.Atoi(attribute(e, "s")); err == nil && style >= 0 && style < len(t.book.dates) && t.book.dates[style] {
			return t.book.dateText(value), nil
		}
	}
	return value, nil
}

// cellValue reads the value of a cell or its own text, and its formula, to the end of the cell.
func cellValue(d *xml.Decoder) (text, formula string, err error) {
	var value, expression strings.Builder
	var in *strings.Builder // where the text goes; nil: nowhere
	for {
		token, err := d.Token()
		if err != nil {
			return "", "", cut(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				in = &value
			case "f":
				in = &expression
				formula = "=" // of a shared one, which stands elsewhere
			case "is":
				text, err := richText(d)
				if err != nil {
					return "", "", err
				}
				value.WriteString(text)
			default:
				if err := d.Skip(); err != nil {
					return "", "", cut(err)
				}
			}
		case xml.EndElement:
			if in = nil; t.Name.Local == "c" {
				return value.String(), formula + expression.String(), nil
			}
		case xml.CharData:
			if in != nil {
				in.Write(t)
			}
		}
	}
}
