package chart

import (
	"fmt"
	"html"
	"unicode/utf8"
)

// picture is an svg element for a page, whose style sheet gives it its colours. Its
// text is that of a screen as long as it is shown at its own width.
func picture(width, height float64, caption, content string) string {
	return fmt.Sprintf(`<svg viewBox="0 0 %g %g" style="max-width:%gpx" role="img" aria-label="%s">`, width, height, width, html.EscapeString(caption)) + content + `</svg>`
}

// fit leaves out the end of a name that is wider than there is room for.
func fit(name string, room float64) string {
	most := max(2, int(room/letterWidth))
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most-1]) + "…"
}

// nameRoom is the width that names take beside bars and rows, at most a share of
// the whole.
func nameRoom(names []string, width, share float64) float64 {
	widest := 0
	for _, n := range names {
		widest = max(widest, utf8.RuneCountInString(n))
	}
	return min(float64(widest)*letterWidth+10, width*share)
}
