package dataset

import (
	"math"
	"strconv"
	"strings"
)

// A cellKind is what the text of one cell can be.
type cellKind int

const (
	textCell      cellKind = iota
	numberCell             // a finite decimal number
	nonFiniteCell          // "inf", "NaN", "1e999": a number or a text, as the rest of the column is
)

// parseCell reads a cell as a number. Space around it does not matter. Only
// decimal notation counts: hexadecimal floats and digits grouped by "_", which
// strconv would take, are text, since a file that has them means something
// else by them (an address, an identifier).
func parseCell(s string) (float64, cellKind) {
	s = trimCell(s)
	if s == "" {
		return 0, textCell
	}
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case '0' <= b && b <= '9', b == '.', b == '-', b == '+', b == 'e', b == 'E':
		default:
			if isNonFiniteWord(s) {
				return math.NaN(), nonFiniteCell
			}
			return 0, textCell
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case math.IsInf(v, 0):
		return v, nonFiniteCell
	case err != nil:
		return 0, textCell
	}
	return v, numberCell
}

// isNonFiniteWord reports whether s spells an infinity or not-a-number.
func isNonFiniteWord(s string) bool {
	if len(s) > len("+infinity") {
		return false
	}
	s = strings.ToLower(s)
	if s[0] == '+' || s[0] == '-' {
		s = s[1:]
	}
	return s == "inf" || s == "infinity" || s == "nan"
}

// trimCell removes the space around a cell; cells without any, nearly all, cost
// two comparisons.
func trimCell(s string) string {
	if s == "" || (s[0] > ' ' && s[0] < 0x80 && s[len(s)-1] > ' ' && s[len(s)-1] < 0x80) {
		return s
	}
	return strings.TrimSpace(s)
}
