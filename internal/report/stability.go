package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/words"
)

// stability shows how much the choice depends on the rows at hand.
func (p *page) stability() []section {
	out := section{ID: "stability", Title: "How much the choice depends on the rows"}
	if s := p.selection; s != nil && s.Stability != nil && s.Stability.Replicates > 0 {
		b := s.Stability
		numbers := table{Caption: "How often columns are chosen", Head: []string{"column", "times", "share", "chosen by the model"}, Texts: []string{"chosen by the model"}}
		var bars []chart.Bar
		for _, c := range b.Columns {
			chosen := "no"
			if c.Chosen {
				chosen = "yes"
			}
			numbers.Rows = append(numbers.Rows, []string{c.Name, strconv.Itoa(c.Times), percent(c.Frequency), chosen})
			bars = append(bars, chart.Bar{Name: c.Name, Value: c.Frequency, Label: percent(c.Frequency), Soft: !c.Chosen})
		}
		title := fmt.Sprintf("How often each column is chosen in %s of the rows", words.Count(b.Replicates, "draw"))
		out.Text = append(out.Text, "Each draw takes as many rows, with replacement, and chooses anew. Columns that the model did not choose are grey.")
		out.Figures = append(out.Figures, barFigure("draws", title, "A bar for each column, as long as the share of the draws that chose it.",
			chart.Bars{Caption: title, Bars: bars, High: 1}, numbers))
	}
	if p.run != nil && p.run.Stability != nil {
		o := p.run.Stability
		numbers := table{Caption: "How many parts chose a column", Head: []string{"column", "parts"}}
		var bars []chart.Bar
		for _, f := range o.Frequency {
			numbers.Rows = append(numbers.Rows, []string{f.Feature, strconv.Itoa(f.Folds)})
			bars = append(bars, chart.Bar{Name: f.Feature, Value: float64(f.Folds), Label: strconv.Itoa(f.Folds)})
		}
		out.Text = append(out.Text, fmt.Sprintf("Two parts of the rows share %s of the columns that either chooses.", percent(o.MeanJaccard)))
		title := fmt.Sprintf("How many of %d parts chose each column", o.Folds)
		out.Figures = append(out.Figures, barFigure("agreement", title, "A bar for each column, as long as the number of parts that chose it.",
			chart.Bars{Caption: title, Bars: bars, High: float64(o.Folds)}, numbers))
	}
	return one(out)
}

// rebuilt shows what comes back of other rows.
func (p *page) rebuilt() []section {
	e := p.evaluation
	if e == nil {
		return nil
	}
	known := slices.DeleteFunc(slices.Clone(e.Columns), func(c told) bool { return c.R2 == nil })
	slices.SortStableFunc(known, func(a, b told) int { return cmp.Compare(*a.R2, *b.R2) })
	numbers := table{Caption: "Columns, those told least of first", Head: []string{"column", "R²"}}
	var bars []chart.Bar
	for _, c := range known {
		numbers.Rows = append(numbers.Rows, []string{c.Name, fixed(*c.R2, 3)})
		bars = append(bars, chart.Bar{Name: c.Name, Value: *c.R2, Label: fixed(*c.R2, 2)})
	}
	out := section{ID: "rebuilt", Title: "What comes back of these rows", Text: []string{
		"R² of a column is 1 − (squared errors)/(squares about the mean of the fit): negative where the mean alone is nearer."}}
	if len(bars) > 0 {
		out.Figures = []figure{barFigure("evaluated", "R² of each column, least first", "A bar for each column, as long as its R² on these rows.",
			chart.Bars{Caption: "R² of each column", Bars: bars, High: 1, Low: -1}, numbers)}
	}
	far := table{Caption: "The rows that come back worst", Head: []string{"row", "root mean squared error"}}
	for _, i := range descending(e.Residuals)[:min(20, len(e.Residuals))] {
		far.Rows = append(far.Rows, []string{strconv.Itoa(i + 1), num(e.Residuals[i])})
	}
	out.Tables = append(out.Tables, far)
	return []section{out}
}
