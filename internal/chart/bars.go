package chart

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// Bars are horizontal bars with a name at the left and the value behind them.
// Negative values go to the left of 0.
type Bars struct {
	Caption string
	Bars    []Bar
	Low     float64 // left end of the axis, where a value below it is cut off; 0 or negative
	High    float64 // right end, 0 for the largest value
	Width   float64 // of the drawing in pixels
}

// Bar is one of them. Label is what is written of its value; Soft draws it fainter.
type Bar struct {
	Name, Label string
	Value       float64
	Soft        bool
}

const barHeight = 22.0

// At is SVG of a width.
func (c Bars) At(width float64) string {
	c.Width = width
	return c.SVG()
}

// SVG draws the bars for a page, whose style sheet gives them their colours.
func (c Bars) SVG() string {
	names := lists.Map(c.Bars, func(b Bar) string { return b.Name })
	labels := lists.Map(c.Bars, func(b Bar) string { return b.Label })
	high, low := c.High, 0.0
	for _, bar := range c.Bars {
		if c.High == 0 {
			high = max(high, bar.Value)
		}
		low = min(low, max(bar.Value, c.Low))
	}
	if !(high > low) {
		high = low + 1
	}
	room := nameRoom(names, c.Width, 0.4)
	short := pixels.FitAll(names, room-4)
	from, to := room+4, c.Width-nameRoom(labels, c.Width, 0.4)-4
	at := func(v float64) float64 { return from + (min(max(v, low), high)-low)/(high-low)*(to-from) }
	var b strings.Builder
	for i, bar := range c.Bars {
		y := barHeight * float64(i)
		class, value := "bar", bar.Value
		if bar.Soft {
			class = "bar soft"
		}
		if math.IsNaN(value) {
			value = 0
		}
		left, right := at(min(0, value)), at(max(0, value))
		fmt.Fprintf(&b, `<g class="mark"><title>%s: %s</title><text class="tick" x="%.1f" y="%.1f" text-anchor="end">%s</text>`,
			html.EscapeString(bar.Name), html.EscapeString(bar.Label), room, y+15, html.EscapeString(short[i]))
		fmt.Fprintf(&b, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%g" rx="2"/><text class="value" x="%.1f" y="%.1f">%s</text></g>`,
			class, left, y+3, max(1, right-left), barHeight-7, right+6, y+15, html.EscapeString(bar.Label))
	}
	return picture(c.Width, barHeight*float64(len(c.Bars))+4, c.Caption, b.String())
}
