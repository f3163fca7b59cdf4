package xlsx

import (
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// readStrings reads the texts that cells share, if there are any.
func (b *workbook) readStrings() error {
	if b.part(b.texts) == nil {
		return nil
	}
	return b.each(b.texts, func(d *xml.Decoder, e xml.StartElement) error {
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
	return unescaped(text.String()), nil
}

// unescaped returns a text with the characters that stand in it by their number, such as _x000D_.
func unescaped(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	return escapes.ReplaceAllStringFunc(s, func(run string) string {
		var units []uint16
		for ; run != ""; run = run[len("_x000D_"):] {
			unit, _ := strconv.ParseUint(run[2:6], 16, 16) // 4 digits fit
			units = append(units, uint16(unit))
		}
		return string(utf16.Decode(units))
	})
}

var escapes = regexp.MustCompile(`(_x[0-9A-Fa-f]{4}_)+`)
