package chart

import (
	"fmt"
	"html"
)

// picture is an svg element for a page, whose style sheet gives it its colours. Its
// text is that of a screen as long as it is shown at its own width.
func picture(width, height float64, caption, content string) string {
	return fmt.Sprintf(`<svg viewBox="0 0 %g %g" style="max-width:%gpx" role="img" aria-label="%s">`, width, height, width, html.EscapeString(caption)) + content + `</svg>`
}
