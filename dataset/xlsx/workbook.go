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

// workbook is an open workbook. The names of its parts do not depend on the case of letters.
type workbook struct {
	parts    map[string]*zip.File // by their names in small letters
	home     string               // the part that lists the sheets
	texts    string               // the part of the texts that cells share
	styles   string               // the part of the styles of cells
	targets  map[string]string    // the parts of sheets by their identifiers
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
		b.parts[strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))] = f
	}
	for _, read := range []func() error{b.readPlaces, b.readSheets, b.readStrings, b.readStyles} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// part returns a part; nil if there is none of the name.
func (b *workbook) part(name string) *zip.File { return b.parts[strings.ToLower(name)] }

// each calls do for each element of a part that starts. It may read on from the decoder.
func (b *workbook) each(part string, do func(*xml.Decoder, xml.StartElement) error) error {
	f := b.part(part)
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
	err := b.each(b.home, func(_ *xml.Decoder, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			date := attribute(e, "date1904")
			b.from1904 = date == "1" || date == "true"
		case "sheet":
			if part, ok := b.targets[relation(e)]; ok { // not a sheet of charts
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

// readPlaces finds the parts, which may have any names: those of the file name the list of sheets, and those of
// the list the sheets, texts and styles.
func (b *workbook) readPlaces() error {
	b.home, b.texts, b.styles = "xl/workbook.xml", "xl/sharedStrings.xml", "xl/styles.xml"
	if b.part("_rels/.rels") != nil {
		err := b.relations("", ".rels", func(kind, _, target string) {
			if kind == "officeDocument" {
				b.home = target
			}
		})
		if err != nil {
			return err
		}
	}
	if path.Ext(b.home) == ".bin" {
		return errors.New("the file is a binary workbook (.xlsb): save it as .xlsx or CSV")
	}
	b.targets = map[string]string{}
	return b.relations(path.Dir(b.home), path.Base(b.home)+".rels", func(kind, id, target string) {
		switch kind {
		case "worksheet":
			b.targets[id] = target
		case "sharedStrings":
			b.texts = target
		case "styles":
			b.styles = target
		}
	})
}

// relations calls do for each part that a part of a folder refers to, with the last word of what it is for.
func (b *workbook) relations(folder, name string, do func(kind, id, target string)) error {
	return b.each(path.Join(folder, "_rels", name), func(_ *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "Relationship" || attribute(e, "TargetMode") == "External" {
			return nil
		}
		target := attribute(e, "Target")
		if absolute, ok := strings.CutPrefix(target, "/"); ok {
			target = absolute
		} else {
			target = path.Join(folder, target)
		}
		do(path.Base(attribute(e, "Type")), attribute(e, "Id"), target)
		return nil
	})
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
