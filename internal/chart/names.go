package chart

import (
	"strings"
	"unicode"

	"github.com/fspca/fspca/internal/letters"
)

// textSize is that of the letters of a page, in pixels.
const textSize = 12

// letterSize is about how wide a letter is, as a share of the size of the text. Fonts differ: these are the
// widths of a wide one.
func letterSize(r rune) float64 {
	switch {
	case letters.Joins(r):
		return 0
	case letters.Wide(r) || r >= 0x1f000:
		return 1.05
	case strings.ContainsRune("mwMW%@…", r):
		return 0.95
	case strings.ContainsRune("−+=±<>~", r):
		return 0.84
	case strings.ContainsRune("ijl.,:;'|! ", r):
		return 0.34
	case unicode.IsUpper(r):
		return 0.7
	}
	return 0.64
}

// pixels measures the letters of a page.
var pixels letters.Ruler = func(r rune) float64 { return textSize * letterSize(r) }

// textWidth is about how wide a text is, in pixels.
func textWidth(text string) float64 { return pixels.Of(text) }

// nameRoom is the width that names take beside bars and rows, at most a share of
// the whole.
func nameRoom(names []string, width, share float64) float64 {
	widest := 0.0
	for _, n := range names {
		widest = max(widest, textWidth(n))
	}
	return min(widest+10, width*share)
}
