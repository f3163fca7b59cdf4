package report

import (
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/chart"
)

// The widths for which each chart is drawn, in pixels: of a page on a desk and of one
// in a hand.
const (
	wide   = 720
	narrow = 336
)

// figure is a chart, drawn for both widths, with its numbers as a table for those who
// do not see it.
type figure struct {
	ID, Title    string
	About        string
	Wide, Narrow template.HTML
	Numbers      table
}

// table has a caption, a head, and rows; the first cell of a row names it.
type table struct {
	Caption string
	Head    []string
	Texts   []string // of Head, those beside the first with names of columns, classes and the like
	Rows    [][]string
	Facts   bool // cells are texts rather than numbers
	Folded  bool // closed until it is opened
}

// Text reports whether a column of the table holds texts, which begin at its left; numbers end at the right.
func (t table) Text(column int) bool { return slices.Contains(t.Texts, t.Head[column]) }

// drawing draws a chart for a width.
type drawing func(width float64) string

func newFigure(id, title, about string, draw drawing, numbers table) figure {
	return figure{ID: id, Title: title, About: about, Numbers: numbers,
		Wide: template.HTML(draw(wide)), Narrow: template.HTML(draw(narrow))} // chart escapes its texts
}

// barFigure draws the first bars, of which the table has all.
func barFigure(id, title, about string, c chart.Bars, numbers table) figure {
	c.Bars = c.Bars[:min(mostBars, len(c.Bars))]
	return newFigure(id, title, about, c.At, numbers)
}

// num writes a number with four digits.
func num(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strings.Replace(strconv.FormatFloat(v, 'g', 4, 64), "-", "−", 1)
}

// fixed writes a number with so many digits behind the point.
func fixed(v float64, digits int) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strings.Replace(strconv.FormatFloat(v+0, 'f', digits, 64), "-", "−", 1)
}

// perhaps writes a number that may not be known.
func perhaps(v *float64, digits int) string {
	if v == nil {
		return "–"
	}
	return fixed(*v, digits)
}

// percent writes a share.
func percent(share float64) string { return fixed(100*share, 1) + "\u00a0%" }
