package dataset

import (
	"strings"
	"unsafe"

	"github.com/fspca/fspca/internal/delimited"
)

// A cellKind is what the text of one cell can be.
type cellKind = delimited.Kind

const (
	textCell      = delimited.Text
	numberCell    = delimited.Number    // a finite decimal number
	nonFiniteCell = delimited.NonFinite // "inf", "NaN", "1e999": a number or a text, as the rest of the column is
)

// parseCell reads a cell as a number. Space around it does not matter. Only
// decimal notation counts: hexadecimal floats and digits grouped by "_", which
// strconv would take, are text. A file that has them means something else by
// them (an address, an identifier).
func parseCell(s string) (float64, cellKind) {
	s = trimCell(s)
	return delimited.ParseNumber(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// trimCell removes the space around a cell; cells without any, nearly all, cost
// two comparisons.
func trimCell(s string) string {
	if s == "" || (s[0] > ' ' && s[0] < 0x80 && s[len(s)-1] > ' ' && s[len(s)-1] < 0x80) {
		return s
	}
	return strings.TrimSpace(s)
}
