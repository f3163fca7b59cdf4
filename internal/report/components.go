package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/selector"
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
	if p.Scree != nil && len(p.Scree.Variances) > 1 {
		out.Text = []string{fmt.Sprintf("%s of PCA on all columns explain more than those of shuffled tables; the model has %d.",
			count(p.Scree.Components, "component"), s.Components)}
		out.Figures = append(out.Figures, screeFigure(p.Scree))
	}
	return []section{out}
}

// screeFigure compares the variances of PCA's components with those of shuffled tables.
func screeFigure(s *selector.Scree) figure {
	lines := chart.Lines{Caption: "Scree", WholeX: true, XLabel: "component", YLabel: "variance"}
	numbers := table{Caption: "Variances of PCA on all columns", Head: []string{"component", "PCA", "shuffled"}}
	observed := chart.Series{Name: "PCA on all", Style: "first", Y: s.Variances}
	shuffled := chart.Series{Name: "shuffled", Style: "second", Dashed: true, Y: s.Shuffled}
	for j, v := range s.Variances {
		observed.X, shuffled.X = append(observed.X, float64(j+1)), append(shuffled.X, float64(j+1))
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(j + 1), num(v), num(s.Shuffled[j])})
	}
	lines.Series = []chart.Series{observed, shuffled}
	return newFigure("scree", "Scree: the variance of each component of PCA, beside shuffled tables",
		"A line over the components of PCA on all columns; the dashed one is the 95th percentile of tables whose columns are shuffled.",
		func(w float64) string { lines.Width = w; return lines.SVG() }, numbers)
}
