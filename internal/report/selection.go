package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
)

// mostBars is the number of bars that a chart has; the table has all.
const mostBars = 40

// contributions are the shares of the explained variance that the chosen columns carry:
// Σ_j λ_j w_ij², divided by their sum.
func (s *selection) contributions() []float64 {
	shares, sum := make([]float64, len(s.W)), 0.0
	for i, row := range s.W {
		for j, w := range row {
			if j < len(s.Variances) {
				shares[i] += s.Variances[j] * w * w
			}
		}
		sum += shares[i]
	}
	for i := range shares {
		if sum > 0 {
			shares[i] /= sum
		}
	}
	return shares
}

// descending returns the places of values, largest first, of equals the first.
func descending(values []float64) []int {
	order := lists.Upto[int](len(values))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[j], values[i]) })
	return order
}

// columns shows what was chosen.
func (p *page) columns() []section {
	s := p.selection
	if s == nil || len(s.Features) == 0 || len(s.W) != len(s.Features) {
		return nil
	}
	shares := s.contributions()
	order := descending(shares)
	numbers := s.columnTable(shares, order, standIns(p.leftColumns()))
	bars := lists.Map(order, func(i int) chart.Bar {
		return chart.Bar{Name: s.Features[i], Value: shares[i], Label: percent(shares[i])}
	})
	out := section{ID: "columns", Title: "The chosen columns"}
	out.Text = []string{"A column's contribution is the share of the explained variance that it carries. A stand-in is a column that was left out and is most correlated with it."}
	if len(order) > mostBars {
		out.Text = append(out.Text, fmt.Sprintf("The picture shows the %d with the largest contribution, the table all %d.", mostBars, len(order)))
	}
	out.Figures = append(out.Figures, barFigure("contributions", "Contribution of each chosen column",
		"A bar for each chosen column, as long as its share of the explained variance.",
		chart.Bars{Caption: "Contribution of each chosen column", Bars: bars}, numbers))
	out.Figures = append(out.Figures, p.pixels(shares)...)
	out.Figures = append(out.Figures, p.spectrum(shares)...)
	out.Figures = append(out.Figures, s.loadings(order)...)
	return []section{out}
}

func (s *selection) columnTable(shares []float64, order []int, standIns map[string]string) table {
	t := table{Caption: "The chosen columns", Head: []string{"column", "contribution"}, Texts: []string{"stand-ins"}}
	often := map[string]float64{}
	if b := s.Stability; b != nil && b.Replicates > 0 {
		t.Head = append(t.Head, "chosen again")
		for _, c := range b.Columns {
			often[c.Name] = c.Frequency
		}
	}
	t.Head = append(t.Head, "stand-ins")
	for _, i := range order {
		name := s.Features[i]
		row := []string{name, percent(shares[i])}
		if s.Stability != nil && s.Stability.Replicates > 0 {
			row = append(row, percent(often[name]))
		}
		t.Rows = append(t.Rows, append(row, cmp.Or(standIns[name], "–")))
	}
	return t
}

// standIns names, for each chosen column, those that were left out and are most
// correlated with it.
func standIns(left []told) map[string]string {
	type standIn struct {
		name string
		r    float64
	}
	near := map[string][]standIn{}
	for _, c := range left {
		if c.Correlation != nil && c.Nearest != "" {
			near[c.Nearest] = append(near[c.Nearest], standIn{c.Name, *c.Correlation})
		}
	}
	out := map[string]string{}
	for name, all := range near {
		slices.SortStableFunc(all, func(a, b standIn) int { return cmp.Compare(math.Abs(b.r), math.Abs(a.r)) })
		texts := lists.Map(all[:min(3, len(all))], func(c standIn) string { return fmt.Sprintf("%s (r = %s)", c.name, fixed(c.r, 2)) })
		out[name] = strings.Join(texts, ", ")
	}
	return out
}

// mostCells bounds the columns of the picture of loadings.
const mostCells = 30

func (s *selection) loadings(order []int) []figure {
	m := len(s.W[0])
	shown := order[:min(mostBars, len(order))]
	heat := chart.Heat{Caption: "Loadings", XLabel: "component"}
	all := table{Caption: "Loadings", Head: []string{"column"}}
	for j := range m {
		all.Head = append(all.Head, strconv.Itoa(j+1))
		if j < mostCells {
			heat.Columns = append(heat.Columns, strconv.Itoa(j+1))
		}
	}
	for at, i := range order {
		row := []string{s.Features[i]}
		for _, w := range s.W[i] {
			row = append(row, fixed(w, 3))
		}
		all.Rows = append(all.Rows, row)
		if at < len(shown) {
			heat.Rows = append(heat.Rows, s.Features[i])
			heat.Values = append(heat.Values, s.W[i][:min(m, mostCells)])
		}
	}
	return []figure{newFigure("loadings", "Loadings: the weight of each column in each component",
		"A cell for each column and component, blue where the weight is positive and orange where it is negative.",
		heat.At, all)}
}
