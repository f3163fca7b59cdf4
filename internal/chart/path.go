package chart

import (
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"html"
	"io"
	"math"
	"strings"
)

// Path is the picture of a path: what share of dense PCA's variance k columns
// keep, the bound on the best k, and which columns are chosen at each k.
type Path struct {
	Components int // m
	Columns    int // d
	Points     []PathPoint
}

// PathPoint is one k of a path.
type PathPoint struct {
	K            int
	Share, Bound float64            // of dense PCA's variance: explained, and at most possible
	Features     []string           // the chosen columns
	Names        map[string]float64 // the share of the explained variance that each carries
}

// The layout, in units of the view box. Text of 14 units is 11 pixels high where the
// picture is shown 390 pixels wide.
const (
	width     = 480.0
	left      = 58.0
	right     = 146.0 // names of the columns
	top       = 66.0
	curve     = 220.0 // height of the upper panel
	between   = 92.0
	rowHeight = 18.0
	bottom    = 34.0
	mostRows  = 60 // columns that are drawn: those chosen first
)

// faintest is the opacity of a cell that carries nothing.
const faintest = 0.15

// pathStyle is what a path has beside the style of all documents.
const pathStyle = `.name{fill:var(--ink)}.share{fill:none;stroke:var(--first);stroke-width:2}
.bound{fill:none;stroke:var(--second);stroke-width:2;stroke-dasharray:6 4}.dot,.cell{fill:var(--first)}
.key-share{fill:var(--first);font-weight:600}.key-bound{fill:var(--second);font-weight:600}
`

// Write draws the chart, which has at least one point; k ascends.
func (c Path) Write(w io.Writer) error {
	rows, folded := c.rows()
	height := top + curve + between + float64(len(rows))*rowHeight + bottom
	var b strings.Builder
	title := fmt.Sprintf("What k of %d columns keep of the variance that PCA explains (m = %d)", c.Columns, c.Components)
	c.drawAxes(&b)
	c.drawLine(&b, "bound", func(p PathPoint) float64 { return p.Bound })
	c.drawLine(&b, "share", func(p PathPoint) float64 { return p.Share })
	c.drawKeys(&b)
	c.drawRows(&b, rows, folded)
	return document{width, height, title, "The share kept and its upper bound for each k, and the columns chosen at each k.", pathStyle, b.String()}.write(w)
}

// x is the place of k; a single k stands in the middle.
func (c Path) x(k int) float64 {
	lo, hi := c.Points[0].K, c.Points[len(c.Points)-1].K
	if lo == hi {
		return (left + width - right) / 2
	}
	return left + float64(k-lo)/float64(hi-lo)*(width-right-left)
}

// y is the place of a share, from 0 to the top of the axis.
func (c Path) y(share float64) float64 {
	return top + curve*(1-share/c.ceiling())
}

// ceiling is the upper end of the axis: a tenth above all lines, at most 1.
func (c Path) ceiling() float64 {
	high := 0.0
	for _, p := range c.Points {
		high = max(high, p.Share, p.Bound)
	}
	return min(1, math.Ceil(high*10+1e-9)/10)
}

func (c Path) drawAxes(b *strings.Builder) {
	step := 0.1
	if c.ceiling() > 0.55 {
		step = 0.2
	}
	for i := 0; float64(i)*step <= c.ceiling()+1e-9; i++ {
		y := c.y(float64(i) * step)
		fmt.Fprintf(b, `<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" text-anchor="end">%.0f %%</text>`+"\n",
			left, width-right, y, y, left-8, y+4, 100*float64(i)*step)
	}
	every, last, end := c.every(), math.Inf(-1), len(c.Points)-1
	for i, p := range c.Points {
		x := c.x(p.K)
		if x-last < kRoom || i < end && c.x(c.Points[end].K)-x < kRoom || i > 0 && i < end && p.K%every != 0 {
			continue
		}
		last = x
		fmt.Fprintf(b, `<text x="%.1f" y="%g" text-anchor="middle">%d</text>`+"\n", x, top+curve+20, p.K)
	}
	fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle">k, columns chosen</text>`+"\n", (left+width-right)/2, top+curve+38)
}

// kRoom is the distance of two k that are written.
const kRoom = 36.0

// every is the step of the k that are written where there is no room for all: round numbers, if these are k
// of the path.
func (c Path) every() int {
	if len(c.Points) < 3 || float64(len(c.Points)-1)*kRoom <= width-right-left {
		return 1
	}
	least := float64(c.Points[len(c.Points)-1].K-c.Points[0].K) * kRoom / (width - right - left)
	step := roundStep(least)
	for _, p := range c.Points[1 : len(c.Points)-1] {
		if p.K%step == 0 {
			return step
		}
	}
	return 1
}

// roundStep is 1, 2 or 5 times a power of ten: the smallest that is at least as large.
func roundStep(least float64) int {
	for power := 1; ; power *= 10 {
		for _, f := range []int{1, 2, 5} {
			if float64(f*power) >= least {
				return f * power
			}
		}
	}
}

// drawLine draws a line through a value of every point.
func (c Path) drawLine(b *strings.Builder, class string, value func(PathPoint) float64) {
	var path strings.Builder
	for i, p := range c.Points {
		fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], c.x(p.K), c.y(value(p)))
	}
	fmt.Fprintf(b, `<path class="%s" d="%s"/>`+"\n", class, &path)
	if class != "share" {
		return
	}
	for _, p := range c.Points {
		fmt.Fprintf(b, `<circle class="dot" cx="%.1f" cy="%.1f" r="%g"><title>k = %d: %.2f %%, at most %.2f %%</title></circle>`+"\n",
			c.x(p.K), c.y(p.Share), dotRadius(len(c.Points)), p.K, 100*p.Share, 100*p.Bound)
	}
}

func dotRadius(points int) float64 {
	if points > 60 {
		return 1.6
	}
	return 3
}

// drawKeys names the lines at their right ends, never on one another.
func (c Path) drawKeys(b *strings.Builder) {
	last := c.Points[len(c.Points)-1]
	share, bound := c.y(last.Share)+4, c.y(last.Bound)+4
	if share-bound < 18 {
		share, bound = (share+bound)/2+9, (share+bound)/2-9
	}
	x := width - right + 10
	fmt.Fprintf(b, `<text class="key-bound" x="%.1f" y="%.1f">best ≤ %.1f %%</text><text class="key-share" x="%.1f" y="%.1f">chosen %.1f %%</text>`+"\n",
		x, bound, math.Ceil(1000*last.Bound-1e-9)/10, x, share, 100*last.Share)
}

// rows returns the columns in the order in which they are first chosen, as many as
// fit, and the number of the others.
func (c Path) rows() (rows []string, folded int) {
	seen := map[string]bool{}
	for _, p := range c.Points {
		for _, name := range p.Features {
			switch {
			case seen[name]:
			case len(rows) < mostRows:
				rows = append(rows, name)
			default:
				folded++
			}
			seen[name] = true
		}
	}
	return rows, folded
}

// drawRows draws for each column the k at which it is chosen, stronger where it
// carries more of the variance.
func (c Path) drawRows(b *strings.Builder, rows []string, folded int) {
	y := top + curve + between
	fmt.Fprintf(b, `<text x="%g" y="%.1f">columns chosen at each k, stronger where</text><text x="%g" y="%.1f">they carry more of the explained variance</text>`+"\n", left, y-28, left, y-10)
	peak := 0.0
	for _, p := range c.Points {
		for _, share := range p.Names {
			peak = max(peak, share)
		}
	}
	short := pixels.FitAll(rows, (right-14)*textSize/14) // the text of this picture has 14 units
	for r, name := range rows {
		for i, p := range c.Points {
			share, chosen := p.Names[name]
			if !chosen {
				continue
			}
			from, to := c.cell(i)
			fmt.Fprintf(b, `<rect class="cell" x="%.1f" y="%.1f" width="%.1f" height="%g" opacity="%.4f"><title>%s: %.1f %% at k = %d</title></rect>`+"\n",
				from, y+1, to-from, rowHeight-2, shade(share, peak), html.EscapeString(name), 100*share, p.K)
		}
		fmt.Fprintf(b, `<text class="name" x="%g" y="%.1f">%s</text>`+"\n", width-right+10, y+rowHeight-4, html.EscapeString(short[r]))
		y += rowHeight
	}
	if folded > 0 {
		fmt.Fprintf(b, `<text x="%g" y="%.1f">and %s, chosen later</text>`+"\n", left, y+rowHeight, words.Count(folded, "more column"))
	}
}

// shade is the opacity of a cell: it rises with the share, whatever k is.
func shade(share, peak float64) float64 {
	if !(peak > 0) {
		return 1
	}
	return faintest + (1-faintest)*share/peak
}

// cell is the width of point i among its neighbours, halfway to each.
func (c Path) cell(i int) (from, to float64) {
	x := c.x(c.Points[i].K)
	from, to = x-5, x+5
	if i > 0 {
		from = (x + c.x(c.Points[i-1].K)) / 2
	}
	if i < len(c.Points)-1 {
		to = (x + c.x(c.Points[i+1].K)) / 2
	}
	return from, to
}
