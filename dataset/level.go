package dataset

import (
	"strconv"
	"strings"
)

// textKey returns a key that is equal for two texts of the same level. These are
// the same decimal number in any notation ("1", "1.0", "+1", "10e-1"), or the
// same text without surrounding space, in Unicode's form NFC. A number with
// leading zeros ("01") is text.
func textKey(level string) string { return levelKey(cleanText(level)) }

// FindLevel returns a function that finds a text among levels and returns its
// index: the same text, else the first level that is the same: the same decimal
// number in any notation ("1", "1.0", "10e-1"), or the same text without surrounding
// space, in Unicode's form NFC. It returns −1 if there is none.
func FindLevel(levels []string) func(text string) int {
	exact, byKey := make(map[string]int, len(levels)), make(map[string]int, len(levels))
	for i, level := range levels {
		exact[level] = i
		if key := textKey(level); key != level {
			if _, ok := byKey[key]; !ok {
				byKey[key] = i
			}
		}
	}
	return func(text string) int {
		if i, ok := exact[text]; ok {
			return i
		}
		key := textKey(text)
		if i, ok := byKey[key]; ok {
			return i
		}
		if i, ok := exact[key]; ok {
			return i
		}
		return -1
	}
}

// levelKey is textKey of a clean text. The key of a number is exact: its
// significant digits and an exponent, after a zero byte, which no text has.
func levelKey(s string) string {
	if s == "" || leadingZero(s) {
		return s
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return s
		}
	}
	if _, kind := parseCell(s); kind == textCell {
		return s
	}
	return numberKey(s)
}

// numberKey is the key of a number.
func numberKey(s string) string {
	sign, rest := "", s
	if rest[0] == '+' || rest[0] == '-' {
		sign, rest = strings.TrimPrefix(rest[:1], "+"), rest[1:]
	}
	exponent := 0
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(rest[i+1:]); err != nil {
			return s
		}
		rest = rest[:i]
	}
	whole, fraction, _ := strings.Cut(rest, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	short := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(short)
	if short == "" {
		return "\x000"
	}
	return "\x00" + sign + short + "e" + strconv.Itoa(exponent)
}

// leadingZero reports whether s is digits that start with a 0 that a number would
// not be written with, as identifiers and codes do.
func leadingZero(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return len(s) > 1 && s[0] == '0' && '0' <= s[1] && s[1] <= '9'
}

// mergedFactor returns the factor of texts by their codes. The order of the levels
// does not depend on the rows. The codes are taken over.
func mergedFactor(texts []string, codes []int32) *Factor {
	return orderedFactor(mergedLevels(texts, codes), codes)
}

// mergedLevels returns the levels of texts in the order of these, and changes the codes
// to theirs. Texts that are one level are called by the first of them.
func mergedLevels(texts []string, codes []int32) []string {
	var levels []string
	keys := make(map[string]int32, len(texts))
	to := make([]int32, len(texts))
	for i, text := range texts {
		text = cleanText(text)
		key := levelKey(text)
		code, ok := keys[key]
		if !ok {
			code = int32(len(levels))
			keys[key] = code
			levels = append(levels, text)
		}
		to[i] = code
	}
	if len(levels) < len(texts) {
		recode(codes, to)
	}
	return levels
}
