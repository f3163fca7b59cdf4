package chart

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// drawNames writes the names at the right, level with the lines' ends but
// never on one another.
func (c Lines) drawNames(b *strings.Builder, y axis) {
	right := c.right()
	for _, n := range c.placeNames(y) {
		fmt.Fprintf(b, `<g class="%s">`, n.s.class())
		if !n.s.Loose && !n.s.Stems {
			fmt.Fprintf(b, `<path class="lead" d="M%.1f %.1fL%.1f %.1f"/>`, right-4, n.end, right+14, n.pos)
		}
		fmt.Fprintf(b, `<text class="name" x="%.1f" y="%.1f">%s</text></g>`, right+18, n.pos+4, html.EscapeString(pixels.Fit(n.s.Name, c.width()-right-18)))
	}
}

// placedName is the name of a line: where the line ends, and where the name stands.
type placedName struct {
	s        Series
	end, pos float64
}

// last is the place of the last point that is there, −1 without one.
func (s Series) last() int {
	last := len(s.Y) - 1
	for last >= 0 && math.IsNaN(s.Y[last]) {
		last--
	}
	return last
}

// placeNames moves names apart that would overlap.
func (c Lines) placeNames(y axis) []placedName {
	var names []placedName
	for _, s := range c.named() {
		end := y.at(s.Y[s.last()])
		if (s.Loose || s.Stems) && !s.Mark {
			end = marginTop // names in order, not beside a point
		}
		names = append(names, placedName{s, end, end})
	}
	slices.SortStableFunc(names, func(p, q placedName) int { return cmp.Compare(p.end, q.end) })
	for i := 1; i < len(names); i++ {
		names[i].pos = max(names[i].pos, names[i-1].pos+labelGap)
	}
	bottom := c.bottom() + labelGap
	for i := len(names) - 1; i >= 0; i-- {
		names[i].pos = min(names[i].pos, bottom-labelGap*float64(len(names)-i))
		if i+1 < len(names) {
			names[i].pos = min(names[i].pos, names[i+1].pos-labelGap)
		}
	}
	return names
}

// drawKey writes the names beneath the axes, each behind its line and marker.
func (c Lines) drawKey(b *strings.Builder) {
	y := narrowHeight + 10
	for i, s := range c.Series {
		if !slices.ContainsFunc(c.named(), func(n Series) bool { return n.Name == s.Name }) {
			continue
		}
		fmt.Fprintf(b, `<g class="%s">`, s.class())
		if !s.Loose && !s.Stems {
			fmt.Fprintf(b, `<path class="line" d="M12 %.1fH40"/>`, y-4)
		}
		point := fmt.Sprintf(`<path class="point" d="%s"/>`, marker(i, 26, y-4))
		if s.Mark {
			point = fmt.Sprintf(`<circle class="ring" cx="26" cy="%.1f" r="7"/>`, y-4)
		}
		fmt.Fprintf(b, `%s<text class="name" x="48" y="%.1f">%s</text></g>`, point, y, html.EscapeString(pixels.Fit(s.Name, c.width()-56)))
		y += labelGap
	}
}
