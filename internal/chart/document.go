package chart

import (
	"fmt"
	"html"
	"io"
)

// document is an SVG file of its own. It needs nothing else, suits light and dark
// pages, and its title and description are read aloud.
type document struct {
	width, height float64
	title, about  string
	style         string // beside the style of all documents
	content       string
}

const documentStyle = `svg{--paper:#ffffff;--card:#ffffff;--ink:#1b1f24;--soft:#59636e;--faint:#8b949e;--grid:#e4e7eb;--first:#0b62c4;--second:#b4530a;--third:#7a43c9;color-scheme:light dark}
@media (prefers-color-scheme:dark){svg{--paper:#14181d;--card:#14181d;--ink:#e8ecf1;--soft:#9aa5b1;--faint:#6e7985;--grid:#2c333b;--first:#6cb0ff;--second:#f0a35e;--third:#c4a1ff}}
text{font:12px system-ui,sans-serif;fill:var(--soft)}.title{font-size:16px;font-weight:600;fill:var(--ink)}.grid{stroke:var(--grid)}
`

// titleLeft is where a title begins.
const titleLeft = left

func (d document) write(w io.Writer) error {
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" aria-labelledby="title about">
<title id="title">%s</title><desc id="about">%s</desc>
<style>
%s%s</style>
<rect width="100%%" height="100%%" fill="var(--paper)"/><text class="title" x="%g" y="26">%s</text>
%s</svg>
`, d.width, d.height, d.width, d.height, html.EscapeString(d.title), html.EscapeString(d.about), documentStyle, d.style, titleLeft, html.EscapeString(d.title), d.content)
	return err
}

// linesStyle gives the series of Lines, by their place, colours of their own.
const linesStyle = `.axis{stroke:var(--faint)}.line,.lead{fill:none;stroke:var(--c);stroke-width:2}.lead{stroke-width:1;opacity:.45}
.point{fill:var(--c);stroke:var(--card)}.fall{fill:none;stroke:var(--ink)}.dashed .line{stroke-dasharray:6 4}
text.name{fill:var(--c);font-weight:600}.s-first{--c:var(--first)}.s-second{--c:var(--second)}.s-third{--c:var(--third)}
`

// Write draws the chart as a file of its own, with the caption as title. The
// styles of its series are "first", "second" and "third".
func (c Lines) Write(w io.Writer, about string) error {
	const head = 36
	content := fmt.Sprintf(`<g transform="translate(0 %d)">`, head) + c.content() + "</g>\n"
	return document{chartWidth, chartHeight + head, c.Caption, about, linesStyle, content}.write(w)
}
