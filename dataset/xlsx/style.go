package xlsx

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"
)

// readStyles finds out which styles of cells show a number as a date or time.
func (b *workbook) readStyles() error {
	if b.part(b.styles) == nil {
		return nil
	}
	dates := map[int]bool{}
	for id := range 60 {
		dates[id] = id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 // those of the standard
	}
	cells := false
	return b.each(b.styles, func(_ *xml.Decoder, e xml.StartElement) error {
		id, _ := strconv.Atoi(attribute(e, "numFmtId"))
		switch e.Name.Local {
		case "numFmt":
			dates[id] = isDate(attribute(e, "formatCode"))
		case "cellXfs", "cellStyleXfs":
			cells = e.Name.Local == "cellXfs"
		case "dxfs", "cellStyles":
			cells = false
		case "xf":
			if cells {
				b.dates = append(b.dates, dates[id])
			}
		}
		return nil
	})
}

// isDate reports whether a format shows a number as a date or time: one with the letters of years,
// months, days, hours or seconds outside of quotes, brackets and escapes.
func isDate(format string) bool {
	format, _, _ = strings.Cut(format, ";") // the part for numbers above 0
	quoted, bracket := false, false
	for i := 0; i < len(format); i++ {
		switch c := format[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\\' || c == '_' || c == '*':
			i++
		case c == '[':
			bracket = true
			if rest := strings.ToLower(format[i+1:]); strings.HasPrefix(rest, "h") || strings.HasPrefix(rest, "mm") || strings.HasPrefix(rest, "ss") {
				return true // [h]:mm, a duration
			}
		case c == ']':
			bracket = false
		case bracket:
		case strings.HasPrefix(strings.ToLower(format[i:]), "general"):
			i += len("general") - 1
		case strings.IndexByte("yYmMdDhHsS", c) >= 0:
			return true
		}
	}
	return false
}

// dateText writes the number of a date as a text in ISO 8601, with the time if there is one.
func (b *workbook) dateText(number string) string {
	v, err := strconv.ParseFloat(number, 64)
	const most = 2958466 // the year 10000
	if err != nil || v < 0 || v >= most {
		return number
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case b.from1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case v < 60: // before the day 60, 29 February 1900, which was not
		start = start.AddDate(0, 0, 1)
	}
	days := math.Floor(v)
	t := start.AddDate(0, 0, int(days)).Add(time.Duration(math.Round((v-days)*86400*1000)) * time.Millisecond)
	switch {
	case v == days:
		return t.Format("2006-01-02")
	case v < 1:
		return t.Format("15:04:05.999")
	}
	return t.Format("2006-01-02T15:04:05.999")
}
