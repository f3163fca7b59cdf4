package chart

import (
	"fmt"
	"html"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// Scatter shows points by any two of several coordinates. Those of X and Y are drawn;
// the axes of the others are there, hidden, for a script of the page that moves the
// points.
type Scatter struct {
	Caption string
	Names   []string    // of the coordinates
	Points  [][]float64 // a row for each, with as many numbers as there are names
	Class   []int       // of each point, an index of Classes; nil for none
	Classes []string
	X, Y    int
	Width   float64 // of the drawing in pixels
}

// At is SVG of a width.
func (c Scatter) At(width float64) string {
	c.Width = width
	return c.SVG()
}

// SVG draws the points for a page, whose style sheet gives the classes c0 to c9 their
// colours. Each point is at the origin and moved to its place; data-x and data-y of
// the drawing say where the axes begin and end.
func (c Scatter) SVG() string {
	high := min(c.Width*0.8, 420)
	left, right, top, bottom := 52.0, c.Width-12, 10.0, high-44
	xs, ys := make([]axis, len(c.Names)), make([]axis, len(c.Names))
	for j := range c.Names {
		values := lists.Map(c.Points, func(p []float64) float64 { return p[j] })
		xs[j] = newAxis(values, false, left, right, max(3, int(c.Width/90)))
		ys[j] = newAxis(values, false, bottom, top, 5)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<g class="plane" data-x="%g %g" data-y="%g %g">`, left, right, bottom, top)
	for j := range c.Names {
		c.drawAxis(&b, "x", j, j == c.X, xs[j], top, bottom)
		c.drawAxis(&b, "y", j, j == c.Y, ys[j], left, right)
	}
	for i, p := range c.Points {
		style, class, name := "none", 0, ""
		if c.Class == nil {
			style = "c0"
		} else if at := c.Class[i]; at >= 0 {
			style, class, name = fmt.Sprintf("c%d", at%10), at, c.Classes[at]
		}
		title := ""
		if name != "" {
			title = `<title>` + html.EscapeString(name) + `</title>`
		}
		fmt.Fprintf(&b, `<path class="%s" d="%s" transform="translate(%.1f %.1f)">%s</path>`, style, marker(class, 0, 0), xs[c.X].at(p[c.X]), ys[c.Y].at(p[c.Y]), title)
	}
	b.WriteString(`</g>`)
	return picture(c.Width, high+c.drawKey(&b, high), c.Caption, b.String())
}

// drawAxis draws the ticks of a coordinate along x or y, and the other's extent
// where they run.
func (c Scatter) drawAxis(b *strings.Builder, way string, j int, shown bool, a axis, from, to float64) {
	hidden := ""
	if !shown {
		hidden = ` style="display:none"`
	}
	fmt.Fprintf(b, `<g class="along-%s" data-at="%d"%s>`, way, j, hidden)
	for _, t := range a.ticks {
		p := a.at(t)
		if way == "x" {
			fmt.Fprintf(b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text class="tick" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, p, p, from, to, p, to+18, tickLabel(t))
		} else {
			fmt.Fprintf(b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text class="tick" x="%.1f" y="%.1f" text-anchor="end">%s</text>`, from, to, p, p, from-6, p+4, tickLabel(t))
		}
	}
	name := html.EscapeString(c.Names[j])
	if way == "x" {
		fmt.Fprintf(b, `<text class="label" x="%.1f" y="%.1f" text-anchor="middle">%s</text></g>`, (a.from+a.to)/2, to+38, name)
	} else {
		fmt.Fprintf(b, `<text class="label" transform="translate(12 %.1f) rotate(-90)" text-anchor="middle">%s</text></g>`, (a.from+a.to)/2, name)
	}
}

// drawKey names the classes beneath and returns the height that takes.
func (c Scatter) drawKey(b *strings.Builder, y float64) float64 {
	if len(c.Classes) == 0 {
		return 0
	}
	x, high := 10.0, 24.0
	for i, name := range pixels.FitAll(c.Classes, c.Width/2) {
		wide := 28 + textWidth(name)
		if x+wide > c.Width && x > 10 {
			x, high = 10, high+20
		}
		fmt.Fprintf(b, `<g class="key"><path class="c%d" d="%s"/><text class="tick" x="%.1f" y="%.1f">%s</text></g>`, i%10, marker(i, x+4, y+high-14), x+13, y+high-10, html.EscapeString(name))
		x += wide
	}
	return high
}

// Fractions returns where each point lies on the axis of each coordinate, from 0 to 1:
// what a script needs to move the points.
func (c Scatter) Fractions() [][]float64 {
	out := make([][]float64, len(c.Names))
	for j := range c.Names {
		values := lists.Map(c.Points, func(p []float64) float64 { return p[j] })
		a := newAxis(values, false, 0, 1, 5)
		out[j] = lists.Map(values, a.at)
	}
	return out
}
