package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// writeSweep writes sweep.csv and sweep.svg.
func writeSweep(dir string, points []*point) error {
	var csv strings.Builder
	csv.WriteString("k,fspca_seconds,fspca_steps,algorithm2_octave_seconds,algorithm2_octave_start_seconds\n")
	for _, p := range points {
		fmt.Fprintf(&csv, "%d,%.4f,%d,%.2f,%.2f\n", p.k, medianOf(p.own), p.steps, p.alg2, p.start)
	}
	if err := os.WriteFile(filepath.Join(dir, "sweep.csv"), []byte(csv.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "sweep.svg"), []byte(sweepPlot(points)), 0o644)
}

// Size of the plot and its margins, in pixels.
const (
	plotWidth, plotHeight                    = 760, 420
	left, right, top, bottom         float64 = 70, 190, 50, 60
	plotFont                                 = `font-family="system-ui, sans-serif"`
	ownColor, otherColor, startColor         = "#1f6feb", "#b35900", "#8250df"
)

// logScale maps lo…hi to the pixels from…to.
func logScale(lo, hi, from, to float64) func(float64) float64 {
	return func(v float64) float64 {
		return from + (math.Log(v)-math.Log(lo))/(math.Log(hi)-math.Log(lo))*(to-from)
	}
}

func sweepPlot(points []*point) string {
	low, high := math.Inf(1), 0.0
	for _, p := range points {
		low, high = min(low, medianOf(p.own), p.alg2), max(high, medianOf(p.own), p.alg2+p.start)
	}
	low, high = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	x := logScale(100, 5000, left, plotWidth-right)
	y := logScale(low, high, plotHeight-bottom, top)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="Time of a fit over k">`+"\n", plotWidth, plotHeight, plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#ffffff"/><text x="%.0f" y="28" %s font-size="16" fill="#1b1f24">Time of a fit over k (scheme D, d = 5000, m = 10)</text>`+"\n", left, plotFont)
	for v := low; v <= high*1.001; v *= 10 {
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#d8dee4"/><text x="%.1f" y="%.1f" %s font-size="12" fill="#57606a" text-anchor="end">%g s</text>`+"\n", left, plotWidth-right, y(v), y(v), left-8, y(v)+4, plotFont, v)
	}
	for _, k := range []int{100, 200, 500, 1000, 2000, 5000} {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" %s font-size="12" fill="#57606a" text-anchor="middle">%d</text>`+"\n", x(float64(k)), plotHeight-bottom+20, plotFont, k)
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%d" %s font-size="13" fill="#57606a" text-anchor="middle">k, columns chosen</text>`+"\n", (left+plotWidth-right)/2, plotHeight-14, plotFont)
	line(&b, points, x, y, ownColor, fmt.Sprintf("fspca, time ∝ k^%.2f", slope(points)), func(p *point) float64 { return medianOf(p.own) })
	line(&b, points, x, y, startColor, "Algorithm 2 in Octave", func(p *point) float64 { return p.alg2 + p.start })
	line(&b, points, x, y, otherColor, "its steps alone", func(p *point) float64 { return p.alg2 })
	b.WriteString("</svg>\n")
	return b.String()
}

// line draws one series with its name at the right end.
func line(b *strings.Builder, points []*point, x, y func(float64) float64, color, name string, value func(*point) float64) {
	var path []string
	var end float64
	for _, p := range points {
		v := value(p)
		if v <= 0 {
			continue
		}
		end = y(v)
		path = append(path, fmt.Sprintf("%.1f,%.1f", x(float64(p.k)), end))
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`, x(float64(p.k)), end, color)
	}
	if len(path) == 0 {
		return
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/><text x="%.1f" y="%.1f" %s font-size="13" fill="%s">%s</text>`+"\n", strings.Join(path, " "), color, plotWidth-right+10, end+4, plotFont, color, name)
}
