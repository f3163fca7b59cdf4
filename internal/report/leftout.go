package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/chart"
)

// leftOut shows what the chosen columns tell of the others.
func (p *page) leftOut() []section {
	s := p.selection
	if s == nil {
		return nil
	}
	left := s.told()
	if len(left) == 0 {
		return nil
	}
	known := slices.DeleteFunc(slices.Clone(left), func(c told) bool { return c.R2 == nil })
	slices.SortStableFunc(known, func(a, b told) int { return cmp.Compare(*a.R2, *b.R2) })
	out := section{ID: "left-out", Title: "The columns that were left out", Text: []string{
		"R² is what the chosen columns tell of a column that was left out, by least squares: 1 is all, 0 nothing. Beside it stands the chosen column that is most correlated with it."}}
	numbers := table{Caption: "The columns that were left out, those told least of first", Head: []string{"column", "R²", "nearest chosen", "r"}}
	for _, c := range slices.Concat(known, slices.DeleteFunc(slices.Clone(left), func(c told) bool { return c.R2 != nil })) {
		numbers.Rows = append(numbers.Rows, []string{c.Name, perhaps(c.R2, 3), cmp.Or(c.Nearest, "–"), perhaps(c.Correlation, 2)})
	}
	if len(known) == 0 {
		out.Tables = []table{numbers}
		return []section{out}
	}
	title := "What the chosen columns tell of each other column (R²)"
	if len(known) > mostBars {
		title = fmt.Sprintf("The %d of %d other columns that the chosen ones tell least of (R²)", mostBars, len(known))
	}
	var bars []chart.Bar
	for _, c := range known[:min(mostBars, len(known))] {
		bars = append(bars, chart.Bar{Name: c.Name, Value: *c.R2, Label: fixed(*c.R2, 2)})
	}
	out.Figures = []figure{newFigure("told", title, "A bar for each column that was left out, as long as its R².",
		func(w float64) string {
			return chart.Bars{Caption: title, Bars: bars, High: 1, Low: -1, Width: w}.SVG()
		}, numbers)}
	if across := p.correlations(known[:min(mostBars, len(known))]); across != nil {
		out.Figures = append(out.Figures, across...)
	} else {
		out.Figures = append(out.Figures, s.nearest(known[:min(mostBars, len(known))])...)
	}
	return []section{out}
}

// told are the columns that were left out, from the figures or from the ledger.
func (s *selection) told() []told {
	if s.Figures != nil && len(s.Figures.Columns) > 0 {
		return s.Figures.Columns
	}
	var out []told
	for _, e := range s.Ledger {
		if !e.Chosen && !e.Excluded {
			c := told{Name: e.Name, R2: e.R2, Nearest: e.Nearest}
			if e.Nearest != "" {
				c.Correlation = &e.Correlation
			}
			out = append(out, c)
		}
	}
	return out
}

// correlations shows how some columns that were left out go with each chosen one;
// nothing where the table does not have them as numbers without gaps, or they are many.
func (p *page) correlations(left []told) []figure {
	s := p.selection
	if p.Table == nil || p.Table.Numeric() == nil || len(s.Features) > mostCells {
		return nil
	}
	column := map[string]int{}
	for j, name := range p.Table.NumericNames() {
		column[name] = j
	}
	standard := func(name string) []float64 {
		j, there := column[name]
		if !there {
			return nil
		}
		x := mat.Col(nil, j, p.Table.Numeric())
		mean, sum := floats.Sum(x)/float64(len(x)), 0.0
		for i := range x {
			x[i] -= mean
			sum += x[i] * x[i]
		}
		floats.Scale(1/math.Sqrt(sum), x)
		return x
	}
	kept := make([][]float64, len(s.Features))
	for j, name := range s.Features {
		if kept[j] = standard(name); kept[j] == nil {
			return nil
		}
	}
	title := "Correlation of the columns left out (rows) with the chosen ones (columns)"
	heat := chart.Heat{Caption: title, Peak: 1, Columns: s.Features}
	numbers := table{Caption: title, Head: append([]string{"column"}, s.Features...)}
	for _, c := range left {
		x := standard(c.Name)
		if x == nil {
			return nil
		}
		row, cells := make([]float64, len(kept)), []string{c.Name}
		for j := range kept {
			row[j] = floats.Dot(x, kept[j])
			if math.IsNaN(row[j]) {
				return nil
			}
			cells = append(cells, fixed(row[j], 2))
		}
		heat.Rows, heat.Values, numbers.Rows = append(heat.Rows, c.Name), append(heat.Values, row), append(numbers.Rows, cells)
	}
	return []figure{newFigure("correlations", title, "A cell for each pair of a column left out and a chosen one: blue where they rise together, orange where one falls.",
		func(w float64) string { heat.Width = w; return heat.SVG() }, numbers)}
}

// nearest shows which chosen column each other is nearest to.
func (s *selection) nearest(left []told) []figure {
	heat := chart.Heat{Caption: "Correlation with the nearest chosen column", Peak: 1}
	place := map[string]int{}
	for _, c := range left {
		if _, there := place[c.Nearest]; !there && c.Correlation != nil {
			place[c.Nearest] = len(heat.Columns)
			heat.Columns = append(heat.Columns, c.Nearest)
		}
	}
	if len(heat.Columns) == 0 || len(heat.Columns) > mostCells {
		return nil
	}
	for _, c := range left[:min(mostBars, len(left))] {
		if c.Correlation == nil {
			continue
		}
		row := make([]float64, len(heat.Columns))
		for j := range row {
			row[j] = math.NaN()
		}
		row[place[c.Nearest]] = *c.Correlation
		heat.Rows, heat.Values = append(heat.Rows, c.Name), append(heat.Values, row)
	}
	numbers := table{Caption: "Nearest chosen column", Head: []string{"column", "nearest chosen", "r"}}
	for _, c := range left {
		numbers.Rows = append(numbers.Rows, []string{c.Name, cmp.Or(c.Nearest, "–"), perhaps(c.Correlation, 2)})
	}
	return []figure{newFigure("nearest", "Correlation of the columns left out with the nearest chosen one",
		"A row for each column that was left out, with a cell under the chosen column that it is most correlated with.",
		func(w float64) string { heat.Width = w; return heat.SVG() }, numbers)}
}
