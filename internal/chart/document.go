package chart

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"
)

// document is an SVG file of its own. It needs nothing else, suits light and dark
// pages, and its title and description are read aloud.
type document struct {
	width, height float64
	title, about  string
	style         string // beside the style of all documents
	content       string
}

const documentStyle = `svg{--paper:#ffffff;--card:#ffffff;--ink:#1b1f24;--soft:#59636e;--faint:#818a94;--grid:#e4e7eb;--first:#0b62c4;--second:#b4530a;--third:#7a43c9;color-scheme:light dark}
@media (prefers-color-scheme:dark){svg{--paper:#14181d;--card:#14181d;--ink:#e8ecf1;--soft:#a6b0bb;--faint:#7d8894;--grid:#2c333b;--first:#6cb0ff;--second:#f0a35e;--third:#c4a1ff}}
text{font:14px system-ui,sans-serif;fill:var(--soft)}.title{font-size:18px;font-weight:600;fill:var(--ink)}.grid{stroke:var(--grid)}
`

// titleLeft is where a title begins; titleLine is the height of one of its lines.
const (
	titleLeft = 12.0
	titleLine = 22
)

func (d document) write(w io.Writer) error {
	var title strings.Builder
	for i, line := range titleLines(d.title, d.width) {
		fmt.Fprintf(&title, `<text class="title" x="%g" y="%d">%s</text>`, titleLeft, 26+titleLine*i, html.EscapeString(line))
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" aria-labelledby="title about">
<title id="title">%s</title><desc id="about">%s</desc>
<style>
%s%s</style>
<rect width="100%%" height="100%%" fill="var(--paper)"/>%s
%s</svg>
`, d.width, d.height, d.width, d.height, html.EscapeString(d.title), html.EscapeString(d.about), documentStyle, d.style, title.String(), d.content)
	return err
}

// titleLines breaks a title between words, so that each line fits the width.
func titleLines(title string, width float64) []string {
	const letter = 11.0 // of the title's size, about
	var lines []string
	for _, word := range strings.Fields(title) {
		last := len(lines) - 1
		if last >= 0 && float64(utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word))*letter <= width-2*titleLeft {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// linesStyle gives the series of Lines, by their place, colours of their own.
const linesStyle = `.axis{stroke:var(--faint)}.line,.lead{fill:none;stroke:var(--c);stroke-width:2}.lead{stroke-width:1;opacity:.45}
.point{fill:var(--c);stroke:var(--card)}.close{opacity:0}.fall{fill:none;stroke:var(--ink)}.dashed .line{stroke-dasharray:6 4}
text{font-size:12px}text.name{fill:var(--c);font-weight:600}.s-first{--c:var(--first)}.s-second{--c:var(--second)}.s-third{--c:var(--third)}
`

// Write draws the chart as a file of its own, with the caption as title. The
// styles of its series are "first", "second" and "third".
func (c Lines) Write(w io.Writer, about string) error {
	c.Width = 400 // so that its text of 12 pixels is legible in a hand
	head := 14 + float64(titleLine*len(titleLines(c.Caption, c.Width)))
	content := fmt.Sprintf(`<g transform="translate(0 %g)">`, head) + c.content() + "</g>\n"
	return document{c.width(), c.height() + head, c.Caption, about, linesStyle, content}.write(w)
}
