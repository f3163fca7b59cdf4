package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/words"
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
		bars = append(bars, chart.Bar{Name: strconv.Itoa(j + 1), Value: v, Label: num(v)})
	}
	out := section{ID: "components", Title: "The components", Figures: []figure{barFigure("variances", "Variance of each component on the chosen columns",
		"A bar for each component, as long as its variance.",
		chart.Bars{Caption: "Variance of each component", Bars: bars}, numbers)}}
	if s.Scree != nil && len(s.Scree.Variances) > 1 {
		if n := s.Scree.Components; n > 0 {
			out.Text = []string{fmt.Sprintf("Parallel analysis: %s of PCA on all columns %s more than shuffled data do; the model has %d.",
				words.Count(n, "component"), words.Of(n, "explains", "explain"), s.Components)}
		}
		out.Figures = append(out.Figures, screeFigure(s.Scree))
	}
	return []section{out}
}

// screeFigure draws the variances of PCA's components, with those of shuffled tables if they are known.
func screeFigure(s *selector.Scree) figure {
	lines := chart.Lines{Caption: "Scree", WholeX: true, XLabel: "component", YLabel: "variance"}
	numbers := table{Caption: "Variances of PCA on all columns", Head: []string{"component", "PCA"}}
	title, about := "Scree: the variance of each component of PCA", "A line over the components of PCA on all columns."
	if s.Shuffled != nil {
		numbers.Head = append(numbers.Head, "shuffled")
		title += ", beside shuffled tables"
		about += " The dashed line is the 95th percentile of tables whose columns are shuffled."
	}
	var at []float64
	for j, v := range s.Variances {
		at = append(at, float64(j+1))
		row := []string{strconv.Itoa(j + 1), num(v)}
		if s.Shuffled != nil {
			row = append(row, num(s.Shuffled[j]))
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	lines.Series = []chart.Series{{Name: "PCA on all", Style: "first", X: at, Y: s.Variances}}
	if s.Shuffled != nil {
		lines.Series = append(lines.Series, chart.Series{Name: "shuffled", Style: "second", Dashed: true, X: at, Y: s.Shuffled})
	}
	return newFigure("scree", title, about, lines.At, numbers)
}
