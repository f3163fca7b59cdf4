package chart

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/lists"
)

// Lines is a chart of lines or loose points over two axes.
type Lines struct {
	Caption        string
	XLabel, YLabel string
	LogX, LogY     bool
	WholeX         bool // x counts something: ticks are whole numbers
	Series         []Series

	// Width is that of the drawing in pixels, 0 for 640. Below 560 the names stand
	// beneath the lines instead of beside them.
	Width float64
}

// Series is one line. A NaN leaves a gap.
type Series struct {
	Name   string
	Style  string // method whose colour it takes
	Dashed bool
	Loose  bool // points without a line
	Stems  bool // points on stems that rise from 0, without a line
	Mark   bool // its points are rings, larger than others
	X, Y   []float64
	Falls  []int // points at which an objective fell, to be marked
}

// The layout, in units of the view box.
const (
	chartWidth, chartHeight = 640.0, 380.0
	marginTop, marginBottom = 14.0, 52.0
	besideWidth             = 560.0 // from which the names stand beside the lines
	narrowHeight            = 290.0 // of the axes with all that is written at them
	labelGap                = 17.0  // between the names at the right
	letterWidth             = 7.2   // of tick labels, about
)

// At is SVG of a width.
func (c Lines) At(width float64) string {
	c.Width = width
	return c.SVG()
}

// SVG draws the chart for a page, whose style sheet gives it its colours.
func (c Lines) SVG() string {
	return picture(c.width(), c.height(), c.Caption, c.content())
}

func (c Lines) width() float64 { return cmp.Or(c.Width, chartWidth) }

// beside reports whether the names stand beside the lines.
func (c Lines) beside() bool { return c.width() >= besideWidth }

// right is where the axes end.
func (c Lines) right() float64 {
	if !c.beside() {
		return c.width() - 14
	}
	widest := longest(lists.Map(c.Series, func(s Series) string { return s.Name }))
	return c.width() - min(max(124, 22+letterWidth*float64(widest)), c.width()*0.4)
}

func (c Lines) height() float64 {
	if c.beside() {
		return chartHeight
	}
	return narrowHeight + labelGap*float64(len(c.named()))
}

// longest is the number of letters of the longest text.
func longest(texts []string) (letters int) {
	for _, text := range texts {
		letters = max(letters, utf8.RuneCountInString(text))
	}
	return letters
}

// bottom is the height of the lower axis.
func (c Lines) bottom() float64 {
	if c.beside() {
		return chartHeight - marginBottom
	}
	return narrowHeight - marginBottom
}

// named are the series that have a name to write.
func (c Lines) named() []Series {
	return lists.Where(c.Series, func(s Series) bool { return s.Name != "" && s.last() >= 0 })
}

// content draws all but the svg element itself.
func (c Lines) content() string {
	var xs, ys []float64
	for _, s := range c.Series {
		xs, ys = append(xs, s.X...), append(ys, s.Y...)
		if s.Stems {
			ys = append(ys, 0)
		}
	}
	y := newAxis(ys, c.LogY, c.bottom(), marginTop, 6)
	widest := longest(lists.Map(y.ticks, tickLabel))
	x := newAxis(xs, c.LogX, 34+letterWidth*float64(widest), c.right(), max(3, int(c.width()/80)))
	if c.WholeX {
		x.ticks = slices.DeleteFunc(x.ticks, func(t float64) bool { return t != math.Trunc(t) })
	}
	var b strings.Builder
	c.drawAxes(&b, x, y)
	for i, s := range c.Series {
		s.draw(&b, x, y, i)
	}
	if c.beside() {
		c.drawNames(&b, y)
	} else {
		c.drawKey(&b)
	}
	return b.String()
}

func (c Lines) drawAxes(b *strings.Builder, x, y axis) {
	for _, t := range y.ticks {
		p := y.at(t)
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, x.from, x.to, p, p)
		fmt.Fprintf(b, `<text class="tick" x="%.1f" y="%.1f" text-anchor="end">%s</text>`, x.from-8, p+4, tickLabel(t))
	}
	for _, t := range x.ticks {
		p := x.at(t)
		fmt.Fprintf(b, `<line class="axis" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, p, p, y.from, y.from+5)
		fmt.Fprintf(b, `<text class="tick" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, p, y.from+20, tickLabel(t))
	}
	fmt.Fprintf(b, `<line class="axis" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, x.from, x.to, y.from, y.from)
	fmt.Fprintf(b, `<text class="label" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, (x.from+x.to)/2, y.from+44, html.EscapeString(c.XLabel))
	fmt.Fprintf(b, `<text class="label" transform="translate(14 %.1f) rotate(-90)" text-anchor="middle">%s</text>`, (y.from+y.to)/2, html.EscapeString(c.YLabel))
}

// class is what the style sheet knows the series by.
func (s Series) class() string {
	if s.Dashed {
		return "s-" + s.Style + " dashed"
	}
	return "s-" + s.Style
}

// draw writes the line, its points and the marks of its falls.
func (s Series) draw(b *strings.Builder, x, y axis, index int) {
	fmt.Fprintf(b, `<g class="%s">`, s.class())
	if s.Stems {
		for i, v := range s.Y {
			if !math.IsNaN(v) {
				fmt.Fprintf(b, `<path class="line" d="M%.1f %.1fV%.1f"/>`, x.at(s.X[i]), y.at(0), y.at(v))
			}
		}
	} else if !s.Loose {
		fmt.Fprintf(b, `<path class="line" d="%s"/>`, s.path(x, y))
	}
	class := "point"
	if s.closeness(x) {
		class = "point close"
	}
	for i, v := range s.Y {
		if math.IsNaN(v) {
			continue
		}
		px, py := x.at(s.X[i]), y.at(v)
		tip := html.EscapeString(fmt.Sprintf("%s: %s at %s", s.Name, strconv.FormatFloat(v, 'g', 6, 64), strconv.FormatFloat(s.X[i], 'g', 6, 64)))
		if slices.Contains(s.Falls, i) {
			fmt.Fprintf(b, `<path class="fall" d="M%.1f %.1fl-6 -10h12z"><title>%s (fell)</title></path>`, px, py+11, tip)
		}
		if s.Mark {
			fmt.Fprintf(b, `<circle class="ring" cx="%.1f" cy="%.1f" r="8"><title>%s</title></circle>`, px, py, tip)
			continue
		}
		fmt.Fprintf(b, `<path class="%s" d="%s"><title>%s</title></path>`, class, marker(index, px, py), tip)
	}
	b.WriteString(`</g>`)
}

// closest is the mean distance of the points of a line at which each is seen: nearer ones hide it, and
// are seen only where they are pointed at.
const closest = 9.0

// closeness reports whether the points of a line are nearer than closest.
func (s Series) closeness(x axis) bool {
	return !s.Loose && !s.Stems && len(s.X) > 1 &&
		math.Abs(x.at(slices.Max(s.X))-x.at(slices.Min(s.X))) < closest*float64(len(s.X)-1)
}

// Sort orders the points by x.
func (s *Series) Sort() {
	order := lists.Upto[int](len(s.X))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.X[i], s.X[j]) })
	s.X, s.Y = lists.At(s.X, order), lists.At(s.Y, order)
}

func (s Series) path(x, y axis) string {
	var b strings.Builder
	pen := "M"
	for i, v := range s.Y {
		if math.IsNaN(v) {
			pen = "M"
			continue
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", pen, x.at(s.X[i]), y.at(v))
		pen = "L"
	}
	return b.String()
}

// marker returns the outline of a point; the shape tells series apart where
// colour does not.
func marker(index int, x, y float64) string {
	switch index % 5 {
	case 0:
		return fmt.Sprintf("M%.1f %.1fm-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", x, y)
	case 1:
		return fmt.Sprintf("M%.1f %.1fh5v5h-5z", x-2.5, y-2.5)
	case 2:
		return fmt.Sprintf("M%.1f %.1fl3.4 6h-6.8z", x, y-3.6)
	case 3:
		return fmt.Sprintf("M%.1f %.1fl3.6 3.6l-3.6 3.6l-3.6 -3.6z", x, y-3.6)
	}
	return fmt.Sprintf("M%.1f %.1fl-3.4 -6h6.8z", x, y+3.6)
}
