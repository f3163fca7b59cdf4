// Package letters says how much room text takes on a terminal, and lines up tables by it.
package letters

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Wide reports whether a letter takes two cells of a terminal, as those of Chinese, Japanese and Korean do:
// East Asian Width W or F of Unicode Standard Annex 11.
func Wide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// Joins reports whether a letter takes no room of its own: marks over others, joiners, and the vowels and
// endings of Korean syllables.
func Joins(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me) || r >= 0x200b && r <= 0x200d || r >= 0x1160 && r <= 0x11ff || r == 0xfeff
}

// cells is the room of one letter.
func cells(r rune) int {
	switch {
	case Joins(r):
		return 0
	case Wide(r):
		return 2
	}
	return 1
}

// Width is the number of cells that a text takes on a terminal.
func Width(text string) int {
	sum := 0
	for _, r := range text {
		sum += cells(r)
	}
	return sum
}

// Cut leaves out the end of a text that takes more cells than there are.
func Cut(text string, room int) string {
	if Width(text) <= room {
		return text
	}
	if room < 1 {
		return ""
	}
	room-- // for the …
	for at, r := range text {
		if room -= cells(r); room < 0 {
			return text[:at] + "…"
		}
	}
	return text
}

// Plain writes a name on one line: characters that would move the cursor, colour the terminal or turn the
// direction of what follows are shown as Go escapes them, such as \n.
func Plain(name string) string {
	if strings.IndexFunc(name, steers) < 0 {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		if steers(r) {
			quoted := fmt.Sprintf("%+q", r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// steers reports whether a character tells a terminal what to do.
func steers(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
