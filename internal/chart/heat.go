package chart

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Heat is a table of coloured cells: stronger where the value is larger, in another
// colour where it is negative.
type Heat struct {
	Caption       string
	XLabel        string
	Rows, Columns []string // names; both may be empty strings, as in a picture of pixels
	Values        [][]float64
	Labels        [][]string // what is written in the cells and read aloud; nil for the value
	Peak          float64    // the value of the strongest colour, 0 for the largest there is
	Square        bool       // cells are as high as they are wide, without numbers in them
	Present       bool       // a cell is there or not: the faintest of those that are is told from none
	Width         float64    // of the drawing in pixels
}

// The layout of cells.
const (
	cellHeight   = 24.0
	widestCell   = 64.0
	narrowSquare = 36.0
	shortName    = 26.0 // of a column, such as 100, which lies even where not all have room
	mostUpright  = 110.0
	strongest    = 0.5  // opacity, so that text on a cell keeps its contrast
	leastPresent = 0.24 // of a cell that is there
)

// At is SVG of a width.
func (c Heat) At(width float64) string {
	c.Width = width
	return c.SVG()
}

// SVG draws the table for a page, whose style sheet gives it its colours. A NaN
// leaves its cell empty.
func (c Heat) SVG() string {
	if len(c.Values) == 0 || len(c.Columns) == 0 {
		return picture(c.Width, 20, c.Caption, "")
	}
	c.Peak = c.peak()
	room := nameRoom(c.Rows, c.Width, 0.35)
	wide := min((c.Width-room-4)/float64(len(c.Columns)), widestCell)
	high, head := cellHeight, c.headHeight(wide)
	if c.Square {
		wide = min(wide, narrowSquare)
		high, head = wide, 2
	}
	var b strings.Builder
	if !c.Square {
		c.drawHead(&b, room, wide, head)
	}
	names := pixels.FitAll(c.Rows, room-4)
	for i, row := range c.Values {
		y := head + high*float64(i)
		if c.Rows[i] != "" {
			fmt.Fprintf(&b, `<text class="tick" x="%.1f" y="%.1f" text-anchor="end">%s</text>`, room, y+high/2+4, html.EscapeString(names[i]))
		}
		for j, v := range row {
			c.drawCell(&b, i, j, v, room+4+wide*float64(j), y, wide, high)
		}
	}
	return picture(c.Width, head+high*float64(len(c.Values))+4, c.Caption, b.String())
}

// upright reports whether the names of the columns stand on end: they are words that their cells are too
// narrow for. Numbers, of which a few tell the others, lie and have gaps.
func (c Heat) upright(wide float64) bool {
	return c.widest() > max(wide-4, shortName)
}

func (c Heat) widest() float64 { return nameRoom(c.Columns, math.Inf(1), 1) - 10 }

// headHeight is that of the names of the columns and of what they are.
func (c Heat) headHeight(wide float64) float64 {
	head := 22.0
	if c.upright(wide) {
		head = min(c.widest(), mostUpright) + 12
	}
	if c.XLabel != "" {
		head += 18
	}
	return head
}

// drawHead names the columns, as many as there is room for.
func (c Heat) drawHead(b *strings.Builder, room, wide, head float64) {
	if c.XLabel != "" {
		fmt.Fprintf(b, `<text class="label" x="%.1f" y="14">%s</text>`, room+4, html.EscapeString(c.XLabel))
	}
	need := c.widest() + 4
	names := c.Columns
	if c.upright(wide) {
		need, names = textSize+1, pixels.FitAll(names, mostUpright)
	}
	every, from := max(1, int(math.Ceil(need/wide))), 0
	if first, ok := counted(names); ok && every > 1 {
		every = roundStep(float64(every))
		from = (every - first%every) % every
	}
	for j := from; j < len(names); j += every {
		x, y, name := room+4+wide*(float64(j)+0.5), head-8, html.EscapeString(names[j])
		if c.upright(wide) {
			fmt.Fprintf(b, `<text class="tick" transform="translate(%.1f %.1f) rotate(-90)">%s</text>`, x+4, y, name)
			continue
		}
		fmt.Fprintf(b, `<text class="tick" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, min(x, c.Width-textWidth(names[j])/2), y, name)
	}
}

// counted returns the first of names that are whole numbers from 0 on, each one more than that before it.
func counted(names []string) (first int, ok bool) {
	for i, name := range names {
		n, err := strconv.Atoi(name)
		if i == 0 {
			first = n
		}
		if err != nil || n != first+i || first < 0 {
			return 0, false
		}
	}
	return first, len(names) > 0
}

func (c Heat) drawCell(b *strings.Builder, i, j int, v, x, y, wide, high float64) {
	class, opacity := "cell", c.opacity(v, c.written(wide))
	if v < 0 {
		class = "cell negative"
	}
	label := c.label(i, j, v)
	name := strings.Trim(c.Rows[i]+", "+c.Columns[j], ", ")
	if name != "" && label != "" {
		name += ": "
	}
	fmt.Fprintf(b, `<g class="mark"><title>%s</title><rect class="frame" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill-opacity="%.3f"/>`,
		html.EscapeString(name+label), x+0.5, y+0.5, wide-1, high-1, class, x+0.5, y+0.5, wide-1, high-1, opacity)
	if c.written(wide) {
		fmt.Fprintf(b, `<text class="in" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, x+wide/2, y+high/2+4, html.EscapeString(label))
	}
	b.WriteString(`</g>`)
}

// opacity rises with the size of a value; 0 is that of no cell.
func (c Heat) opacity(v float64, written bool) float64 {
	least, full := 0.0, 1.0
	if c.Present {
		least = leastPresent
	}
	if written {
		least, full = least/2, strongest
	}
	if math.IsNaN(v) || !(c.Peak > 0) {
		return 0
	}
	return least + (full-least)*min(1, math.Abs(v)/c.Peak)
}

// written reports whether there is room for the labels of all cells.
func (c Heat) written(wide float64) bool {
	if c.Square {
		return false
	}
	for i, row := range c.Values {
		for j, v := range row {
			if textWidth(c.label(i, j, v))+2 > wide {
				return false
			}
		}
	}
	return true
}

func (c Heat) peak() float64 {
	if c.Peak != 0 {
		return c.Peak
	}
	peak := 0.0
	for _, v := range slices.Concat(c.Values...) {
		if !math.IsNaN(v) {
			peak = max(peak, math.Abs(v))
		}
	}
	return peak
}

func (c Heat) label(i, j int, v float64) string {
	switch {
	case c.Labels != nil:
		return c.Labels[i][j]
	case math.IsNaN(v):
		return ""
	}
	return strings.Replace(strconv.FormatFloat(math.Round(100*v)/100+0, 'f', 2, 64), "-", "−", 1)
}
