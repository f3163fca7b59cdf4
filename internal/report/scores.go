package report

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
)

const (
	mostPoints = 1000 // that are drawn
	mostAxes   = 10   // components that can be drawn
	mostKeys   = 10   // classes with a colour of their own
)

// Scores are rows on the components.
type Scores struct {
	z       [][]float64
	class   []int
	classes []string
	of      int
}

// Sample returns the places of at most 1000 of n rows, evenly spread.
func Sample(n int) []int {
	step := (n + mostPoints - 1) / mostPoints
	var rows []int
	for i := 0; i < n; i += max(1, step) {
		rows = append(rows, i)
	}
	return rows
}

// NewScores takes the components of some rows of a table with so many, and their
// classes; class may be nil.
func NewScores(z mat.Matrix, class *dataset.Factor, of int) *Scores {
	n, m := z.Dims()
	s := &Scores{of: of, z: make([][]float64, n)}
	for i := range n {
		s.z[i] = make([]float64, min(m, mostAxes))
		for j := range s.z[i] {
			s.z[i][j] = z.At(i, j)
		}
	}
	if class == nil || class.Numbers != nil || len(class.Levels) == 0 || len(class.Levels) > mostKeys {
		return s
	}
	s.classes = class.Levels
	for _, code := range class.Codes {
		s.class = append(s.class, int(code))
	}
	return s
}

// picker lets two components be chosen for a scatter.
type picker struct {
	Names     []string
	Fractions [][]float64 // the place of each point along each component's axis, from 0 to 1
}

// scores shows the rows by two components.
func (p *page) scores() []section {
	s := p.Scores
	if s == nil || len(s.z) == 0 || len(s.z[0]) < 2 {
		return nil
	}
	c := chart.Scatter{Points: s.z, Class: s.class, Classes: s.classes, X: 0, Y: 1, Caption: "Rows by two components"}
	for j := range s.z[0] {
		c.Names = append(c.Names, "component "+strconv.Itoa(j+1))
	}
	pick := &picker{Names: c.Names}
	for _, along := range c.Fractions() {
		short := lists.Map(along, func(v float64) float64 { return math.Round(1000*v) / 1000 })
		pick.Fractions = append(pick.Fractions, short)
	}
	about := "A point for each row, placed by its values on two components."
	title := fmt.Sprintf("%s by two components", words.Count(len(s.z), "row"))
	if len(s.z) < s.of {
		title = fmt.Sprintf("%d of %s by two components", len(s.z), words.Count(s.of, "row"))
	}
	if len(s.classes) > 0 {
		about += " The class gives it its colour and shape."
	}
	drawn := newFigure("scatter", title, about, c.At, s.table(c.Names))
	return []section{{ID: "scores", Title: "The rows", Picker: pick, Figures: []figure{drawn}}}
}

// table has the range of each component, in each class if there are any: the rows
// themselves are in what transform writes.
func (s *Scores) table(names []string) table {
	t := table{Caption: "Mean and range of each component", Head: []string{"component", "rows", "mean", "least", "largest"}, Texts: []string{"rows"}}
	groups := append([]string{"all"}, s.classes...)
	for j, name := range names {
		for g, group := range groups {
			n, sum, lo, hi := 0, 0.0, math.Inf(1), math.Inf(-1)
			for i, z := range s.z {
				if g > 0 && s.class[i] != g-1 {
					continue
				}
				n, sum, lo, hi = n+1, sum+z[j], min(lo, z[j]), max(hi, z[j])
			}
			if n > 0 {
				mean := sum / float64(n)
				if math.Abs(mean) <= 1e-12*max(math.Abs(lo), math.Abs(hi)) {
					mean = 0 // rounding
				}
				t.Rows = append(t.Rows, []string{name, group, num(mean), num(lo), num(hi)})
			}
		}
	}
	return t
}

// ScreeOf returns the scree of a model, with parallel analysis of the rows of its fit. Without it where
// that would take long, or there are no rows with every cell; nil where the model has none then.
func ScreeOf(ctx context.Context, m *selector.Model, rows *dataset.Frame) *selector.Scree {
	const most, tables = 2e6, 20 // cells, and tables that are shuffled
	if m == nil {
		return nil
	}
	kept := m.Scree()
	if kept != nil && kept.Shuffled != nil || rows == nil || rows.Rows()*len(rows.NumericNames()) > most {
		return kept
	}
	s, err := m.ParallelAnalysis(ctx, rows, tables)
	if err != nil {
		return kept // interrupted, or rows that it cannot be made of: the page does without
	}
	return s
}
