package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
)

// leftOut shows what the chosen columns tell of the others.
func (p *page) leftOut() []section {
	s := p.selection
	if s == nil {
		return nil
	}
	left := p.leftColumns()
	if len(left) == 0 {
		return nil
	}
	known := slices.DeleteFunc(slices.Clone(left), func(c told) bool { return c.R2 == nil })
	slices.SortStableFunc(known, func(a, b told) int { return cmp.Compare(*a.R2, *b.R2) })
	out := section{ID: "left-out", Title: "The columns that were left out", Text: []string{
		"R² is what the chosen columns tell of a column that was left out, by least squares: 1 is all, 0 nothing. Beside it stands the chosen column that is most correlated with it."}}
	numbers := table{Caption: "The columns that were left out, those told least of first", Head: []string{"column", "R²", "nearest chosen", "r"}, Texts: []string{"nearest chosen"}}
	for _, c := range slices.Concat(known, slices.DeleteFunc(slices.Clone(left), func(c told) bool { return c.R2 != nil })) {
		numbers.Rows = append(numbers.Rows, []string{c.Name, perhaps(c.R2, 3), cmp.Or(c.Nearest, "–"), perhaps(c.Correlation, 2)})
	}
	if len(known) == 0 {
		return p.leftUntold(out, left, numbers)
	}
	out.Figures = []figure{toldFigure(known, numbers)}
	if across := p.correlations(known[:min(mostBars, len(known))]); across != nil {
		out.Figures = append(out.Figures, across...)
	} else {
		out.Figures = append(out.Figures, s.nearest(known[:min(mostBars, len(known))])...)
	}
	return []section{out}
}

// toldFigure is a bar for each column, those told least of first.
func toldFigure(known []told, numbers table) figure {
	title := "What the chosen columns tell of each other column (R²)"
	if len(known) > mostBars {
		title = fmt.Sprintf("The %d of %d other columns that the chosen ones tell least of (R²)", mostBars, len(known))
	}
	bars := lists.Map(known, func(c told) chart.Bar { return chart.Bar{Name: c.Name, Value: *c.R2, Label: fixed(*c.R2, 2)} })
	return barFigure("told", title, "A bar for each column that was left out, as long as its R².",
		chart.Bars{Caption: title, Bars: bars, High: 1, Low: -1}, numbers)
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

// leftColumns are the columns that were left out: those that the selection tells of, else those of the
// table with the chosen one that each is most correlated with.
func (p *page) leftColumns() []told {
	if !p.looked {
		p.left, p.looked = p.findLeft(), true
	}
	return p.left
}

func (p *page) findLeft() []told {
	if left := p.selection.told(); len(left) > 0 {
		return left
	}
	kept := p.standardised(p.selection.Features)
	if kept == nil || len(kept)*len(p.Table.NumericNames())*p.Table.Rows() > mostProducts {
		return nil
	}
	var left []told
	for _, name := range p.Table.NumericNames() {
		if slices.Contains(p.selection.Features, name) {
			continue
		}
		x := p.standardised([]string{name})
		if x == nil {
			continue // it does not vary
		}
		c := told{Name: name, Correlation: new(float64)}
		for j, y := range kept {
			if r := floats.Dot(x[0], y); math.Abs(r) > math.Abs(*c.Correlation) {
				c.Nearest, *c.Correlation = p.selection.Features[j], r
			}
		}
		left = append(left, c)
	}
	return left
}

// mostProducts is the number of multiplications up to which correlations are computed for a page.
const mostProducts = 1e9

// standardised returns columns of the table with mean 0 and sum of squares 1; nil if the table lacks
// one, or one has gaps or does not vary.
func (p *page) standardised(names []string) [][]float64 {
	if p.Table == nil || p.Table.Numeric() == nil {
		return nil
	}
	if p.column == nil {
		p.column = lists.Index(p.Table.NumericNames())
	}
	out := make([][]float64, len(names))
	for i, name := range names {
		j, there := p.column[name]
		if !there {
			return nil
		}
		x := mat.Col(nil, j, p.Table.Numeric())
		mean := floats.Sum(x) / float64(len(x))
		floats.AddConst(-mean, x)
		norm := floats.Norm(x, 2)
		if !(norm > 1e-12*math.Abs(mean)*math.Sqrt(float64(len(x)))) || math.IsInf(norm, 0) {
			return nil
		}
		floats.Scale(1/norm, x)
		out[i] = x
	}
	return out
}

// leftUntold is the section where no R² is known: the columns that are least like any chosen one first.
func (p *page) leftUntold(out section, left []told, numbers table) []section {
	out.Text = []string{"Beside each column that was left out stands the chosen one that it is most correlated with."}
	slices.SortStableFunc(left, func(a, b told) int { return cmp.Compare(size(a.Correlation), size(b.Correlation)) })
	numbers.Caption, numbers.Head, numbers.Rows = "The columns that were left out, those least like a chosen one first", []string{"column", "nearest chosen", "r"}, nil
	for _, c := range left {
		numbers.Rows = append(numbers.Rows, []string{c.Name, cmp.Or(c.Nearest, "–"), perhaps(c.Correlation, 2)})
	}
	out.Figures = p.correlations(left[:min(mostBars, len(left))])
	if out.Figures == nil {
		out.Figures = p.selection.nearest(left[:min(mostBars, len(left))])
	}
	numbers.Folded = len(out.Figures) > 0 || len(left) > mostBars
	out.Tables = []table{numbers}
	if len(out.Figures) == 0 && len(left) > mostBars {
		first := numbers
		first.Caption, first.Rows, first.Folded = fmt.Sprintf("The %d of %d columns left out that are least like a chosen one", mostBars, len(left)), numbers.Rows[:mostBars], false
		out.Tables = []table{first, numbers}
	}
	return []section{out}
}

func size(v *float64) float64 {
	if v == nil {
		return 0
	}
	return math.Abs(*v)
}

// correlations shows how some columns that were left out go with each chosen one;
// nothing where the table does not have them as numbers without gaps, or they are many.
func (p *page) correlations(left []told) []figure {
	s := p.selection
	if len(s.Features) > mostCells {
		return nil
	}
	kept := p.standardised(s.Features)
	if kept == nil {
		return nil
	}
	title := "Correlation of the columns left out (rows) with the chosen ones (columns)"
	heat := chart.Heat{Caption: title, Peak: 1, Columns: s.Features}
	numbers := table{Caption: title, Head: append([]string{"column"}, s.Features...)}
	for _, c := range left {
		x := p.standardised([]string{c.Name})
		if x == nil {
			continue
		}
		row, cells := make([]float64, len(kept)), []string{c.Name}
		for j := range kept {
			row[j] = floats.Dot(x[0], kept[j])
			cells = append(cells, fixed(row[j], 2))
		}
		heat.Rows, heat.Values, numbers.Rows = append(heat.Rows, c.Name), append(heat.Values, row), append(numbers.Rows, cells)
	}
	if len(heat.Rows) == 0 {
		return nil
	}
	return []figure{newFigure("correlations", title, "A cell for each pair of a column left out and a chosen one: blue where they rise together, orange where one falls as the other rises.",
		heat.At, numbers)}
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
		row := slices.Repeat([]float64{math.NaN()}, len(heat.Columns))
		row[place[c.Nearest]] = *c.Correlation
		heat.Rows, heat.Values = append(heat.Rows, c.Name), append(heat.Values, row)
	}
	numbers := table{Caption: "Nearest chosen column", Head: []string{"column", "nearest chosen", "r"}, Texts: []string{"nearest chosen"}}
	for _, c := range left {
		numbers.Rows = append(numbers.Rows, []string{c.Name, cmp.Or(c.Nearest, "–"), perhaps(c.Correlation, 2)})
	}
	return []figure{newFigure("nearest", "Correlation of the columns left out with the nearest chosen one",
		"A row for each column that was left out, with a cell under the chosen column that it is most correlated with.",
		heat.At, numbers)}
}
