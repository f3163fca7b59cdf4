package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/fspca/fspca/internal/chart"
)

// components shows the variance of each component.
func (p *page) components() []section {
	s := p.selection
	if s == nil || len(s.Variances) == 0 {
		return nil
	}
	numbers := table{Caption: "Variance of each component", Head: []string{"component", "variance", "of the total"}}
	var bars []chart.Bar
	for j, v := range s.Variances {
		share := math.NaN()
		if s.Total > 0 {
			share = v / s.Total
		}
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(j + 1), num(v), percent(share)})
		if j < mostBars {
			bars = append(bars, chart.Bar{Name: strconv.Itoa(j + 1), Value: v, Label: num(v)})
		}
	}
	out := section{ID: "components", Title: "The components", Figures: []figure{newFigure("variances", "Variance of each component on the chosen columns",
		"A bar for each component, as long as its variance.",
		func(w float64) string {
			return chart.Bars{Caption: "Variance of each component", Bars: bars, Width: w}.SVG()
		}, numbers)}}
	out.Figures = append(out.Figures, s.Scree.figure(s.Components)...)
	return []section{out}
}

// figure compares the variances of dense PCA's components with those of shuffled data.
func (s *scree) figure(m int) []figure {
	if s == nil || len(s.Variances) == 0 {
		return nil
	}
	lines := chart.Lines{Caption: "Scree", WholeX: true, XLabel: "component", YLabel: "variance"}
	numbers := table{Caption: "Variances of PCA on all columns", Head: []string{"component", "PCA", "shuffled"}}
	add := func(name, style string, dashed bool, values []float64) {
		line := chart.Series{Name: name, Style: style, Dashed: dashed, Y: values}
		for j := range values {
			line.X = append(line.X, float64(j+1))
		}
		lines.Series = append(lines.Series, line)
	}
	add("PCA on all", "first", false, s.Variances)
	if len(s.Shuffled) > 0 {
		add("shuffled data", "second", true, s.Shuffled)
	}
	for j, v := range s.Variances {
		shuffled := math.NaN()
		if j < len(s.Shuffled) {
			shuffled = s.Shuffled[j]
		}
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(j + 1), num(v), num(shuffled)})
	}
	return []figure{newFigure("scree", fmt.Sprintf("Scree: PCA on all columns, of which m = %d components are taken", m),
		"The variance of each component of PCA, beside that of tables whose columns are shuffled.",
		func(w float64) string { lines.Width = w; return lines.SVG() }, numbers)}
}
