package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/bounded"
)

// workbook is an open workbook.
type workbook struct {
	parts    map[string]*zip.File
	sheets   []sheet
	strings  []string // that cells share
	dates    []bool   // by style of a cell
	from1904 bool     // dates count from 1904 instead of 1900
}

// sheet is one of the sheets with cells.
type sheet struct {
	name, part string
	hidden     bool
}

func openWorkbook(r io.ReaderAt, size int64) (*workbook, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("the file is not a whole workbook: it is cut short or damaged: %w", err)
	}
	b := &workbook{parts: make(map[string]*zip.File, len(archive.File))}
	for _, f := range archive.File {
		b.parts[strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/")] = f
	}
	for _, read := range []func() error{b.readSheets, b.readStrings, b.readStyles} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// each calls do for each element of a part that starts. It may read on from the decoder.
func (b *workbook) each(part string, do func(*xml.Decoder, xml.StartElement) error) error {
	f := b.parts[part]
	if f == nil {
		return fmt.Errorf("the workbook is damaged: it has no part %s", part)
	}
	err := bounded.CheckExpansion(f.UncompressedSize64, f.CompressedSize64)
	if err != nil {
		return fmt.Errorf("the workbook's part %s: %w", part, err)
	}
	in, err := f.Open()
	if err != nil {
		return fmt.Errorf("the workbook is damaged: %s: %w", part, err)
	}
	defer in.Close()
	d := xml.NewDecoder(bounded.Expansion(in, func() int64 { return int64(f.CompressedSize64) }, 0))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if start, ok := token.(xml.StartElement); ok && err == nil {
			err = do(d, start)
		}
		var told *toldError
		if errors.As(err, &told) {
			return err
		}
		if err != nil {
			return fmt.Errorf("the workbook is damaged: %s: %w", part, err)
		}
	}
}

// toldError is an error that says what is wrong without more.
type toldError struct{ error }

// Unwrap returns the error that is told.
func (e *toldError) Unwrap() error { return e.error }

func attribute(e xml.StartElement, name string) string { return attributeIn(e, name, "") }

// relation returns the attribute r:id, not the sheet's own id.
func relation(e xml.StartElement) string { return attributeIn(e, "id", "relationships") }

// attributeIn returns an attribute whose name space has a word; "" if there is none.
func attributeIn(e xml.StartElement, name, word string) string {
	i := slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == name && strings.Contains(a.Name.Space, word) })
	if i < 0 {
		return ""
	}
	return e.Attr[i].Value
}

// readSheets reads the list of sheets and where they are.
func (b *workbook) readSheets() error {
	const home = "xl/workbook.xml"
	targets, err := b.sheetParts()
	if err != nil {
		return err
	}
	err = b.each(home, func(_ *xml.Decoder, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			date := attribute(e, "date1904")
			b.from1904 = date == "1" || date == "true"
		case "sheet":
			if part, ok := targets[relation(e)]; ok { // not a sheet of charts
				state := attribute(e, "state")
				b.sheets = append(b.sheets, sheet{attribute(e, "name"), part, state != "" && state != "visible"})
			}
		}
		return nil
	})
	if err == nil && len(b.sheets) == 0 {
		err = errors.New("the workbook has no sheet with cells")
	}
	return err
}

// sheetParts returns the part of each sheet by its identifier.
func (b *workbook) sheetParts() (map[string]string, error) {
	targets := map[string]string{}
	err := b.each("xl/_rels/workbook.xml.rels", func(_ *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "Relationship" || !strings.HasSuffix(attribute(e, "Type"), "/worksheet") {
			return nil
		}
		target := attribute(e, "Target")
		if absolute, ok := strings.CutPrefix(target, "/"); ok {
			target = absolute
		} else {
			target = path.Join("xl", target)
		}
		targets[attribute(e, "Id")] = target
		return nil
	})
	return targets, err
}

// textsPart holds the texts that cells share.
const textsPart = "xl/sharedStrings.xml"

// readStrings reads the texts that cells share, if there are any.
func (b *workbook) readStrings() error {
	if b.parts[textsPart] == nil {
		return nil
	}
	return b.each(textsPart, func(d *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := richText(d)
		b.strings = append(b.strings, text)
		return err
	})
}

// richText reads what is in an element to its end: the texts of its parts, without the readings of
// Japanese characters.
func richText(d *xml.Decoder) (string, error) {
	var text strings.Builder
	depth, in := 1, false
	for depth > 0 {
		token, err := d.Token()
		if err != nil {
			return "", cut(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "rPh" {
				if err := d.Skip(); err != nil {
					return "", cut(err)
				}
				continue
			}
			depth, in = depth+1, t.Name.Local == "t"
		case xml.EndElement:
			depth, in = depth-1, false
		case xml.CharData:
			if in {
				text.Write(t)
			}
		}
	}
	return text.String(), nil
}

// cut makes an end inside of an element an error that says so.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// choose returns the sheet of a name, or the only one that holds cells.
func (b *workbook) choose(name string) (*sheet, error) {
	if name != "" {
		if i := slices.IndexFunc(b.sheets, func(s sheet) bool { return s.name == name }); i >= 0 {
			return &b.sheets[i], nil
		}
		return nil, fmt.Errorf("there is no sheet %q (option sheet): the sheets are %s", name, b.names(b.sheets))
	}
	filled, err := b.filled()
	if err != nil {
		return nil, err
	}
	switch len(filled) {
	case 0:
		return nil, errors.New("no sheet holds a cell")
	case 1:
		return &filled[0], nil
	}
	return nil, fmt.Errorf("%d sheets hold cells: name one of %s (option sheet)", len(filled), b.names(filled))
}

// filled returns the sheets that hold cells, without those that are hidden.
func (b *workbook) filled() ([]sheet, error) {
	var filled []sheet
	for _, s := range b.sheets {
		if s.hidden && len(b.sheets) > 1 {
			continue
		}
		some, err := b.holdsCells(&s)
		if err != nil {
			return nil, err
		}
		if some {
			filled = append(filled, s)
		}
	}
	return filled, nil
}

var errFound = &toldError{errors.New("found")}

func (b *workbook) holdsCells(s *sheet) (bool, error) {
	err := b.each(s.part, func(_ *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local == "v" || e.Name.Local == "is" {
			return errFound
		}
		return nil
	})
	if errors.Is(err, errFound) {
		return true, nil
	}
	return false, err
}

func (b *workbook) names(sheets []sheet) string {
	var quoted []string
	for _, s := range sheets[:min(20, len(sheets))] {
		quoted = append(quoted, fmt.Sprintf("%q", s.name))
	}
	return strings.Join(slices.Compact(quoted), ", ")
}
