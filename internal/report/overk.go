package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/words"
)

// stop is where a slider over k can stand.
type stop struct {
	K      int
	Answer string
	Names  string
}

// overPath shows what each more column buys.
func (p *page) overPath() []section {
	if len(p.path) == 0 {
		return nil
	}
	out := section{ID: "path", Title: "What each more column buys"}
	out.Text = []string{"All shares are of the total variance. The bound is what the best k columns explain at most; PCA on all columns is what no choice of columns exceeds."}
	for _, at := range p.path {
		text := fmt.Sprintf("%s of the total variance, %s of what PCA explains", percent(at.OfTotal), percent(at.OfPCA))
		if at.Proved {
			text += "; proved to be the best"
		} else if at.Upper != 0 {
			text += fmt.Sprintf("; the best explains at most %s", percent(at.bound()))
		}
		if at.R2 != nil {
			text += fmt.Sprintf("; R² of all columns %s", fixed(*at.R2, 3))
		}
		out.Slider = append(out.Slider, stop{at.K, text, words.Some(at.Features, 200)})
	}
	out.Figures = []figure{p.overK(), p.cells()}
	return []section{out}
}

// bound is the upper bound as a share of the total variance.
func (at point) bound() float64 {
	if at.Objective == 0 || at.Upper == 0 {
		return math.NaN()
	}
	return at.Upper / at.Objective * at.OfTotal
}

// dense is what PCA on all columns explains, as a share of the total variance.
func (at point) dense() float64 {
	if at.OfPCA == 0 {
		return math.NaN()
	}
	return at.OfTotal / at.OfPCA
}

func (p *page) overK() figure {
	lines := chart.Lines{Caption: "Share of the variance over k", WholeX: true, XLabel: "k, columns chosen", YLabel: "% of the total variance"}
	numbers := table{Caption: "What each more column buys", Head: []string{"k", "explained", "at most", "PCA on all", "of PCA", "R² of all columns", "came", "went"}, Texts: []string{"came", "went"}}
	chosen, bound := chart.Series{Name: "chosen", Style: "first"}, chart.Series{Name: "bound", Style: "second", Dashed: true}
	dense, told := chart.Series{Name: "PCA on all", Style: "soft"}, chart.Series{Name: "R² of all", Style: "third"}
	for _, at := range p.path {
		k := float64(at.K)
		r2 := math.NaN()
		if at.R2 != nil {
			r2 = *at.R2
		}
		for _, line := range []struct {
			s *chart.Series
			v float64
		}{{&chosen, at.OfTotal}, {&bound, math.Min(at.bound(), at.dense())}, {&dense, at.dense()}, {&told, r2}} {
			line.s.X, line.s.Y = append(line.s.X, k), append(line.s.Y, 100*line.v)
		}
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(at.K), percent(at.OfTotal), percent(at.bound()), percent(at.dense()),
			percent(at.OfPCA), fixed(r2, 3), words.Some(at.Added, 10), words.Some(at.Removed, 10)})
	}
	lines.Series = []chart.Series{chosen, bound, dense, told}
	return newFigure("over-k", "What k columns explain, over k", "Lines over k: what the chosen columns explain, the bound on the best choice, PCA on all columns, and R² of all columns.",
		lines.At, numbers)
}

// cells shows which columns are chosen at each k.
func (p *page) cells() figure {
	heat, place := p.emptyCells()
	numbers := table{Caption: "The columns at each k", Head: []string{"k", "columns"}, Texts: []string{"columns"}}
	for j, at := range p.path {
		for i, name := range at.Features {
			v, label := 1.0, "chosen"
			if len(at.Contributions) == len(at.Features) {
				v, label = at.Contributions[i], percent(at.Contributions[i])
			}
			heat.Values[place[name]][j], heat.Labels[place[name]][j] = v, label
		}
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(at.K), words.Some(at.Features, len(at.Features))})
	}
	title := "The columns chosen at each k, stronger where they carry more of the variance"
	const most = 60
	if n := len(heat.Rows); n > most {
		title = fmt.Sprintf("%s (the first %d of %d)", title, most, n)
		heat.Rows, heat.Values, heat.Labels = heat.Rows[:most], heat.Values[:most], heat.Labels[:most]
	}
	heat.Caption = title
	return newFigure("columns-over-k", title, "A row for each column and a cell for each k at which it is chosen.",
		heat.At, numbers)
}

// emptyCells has a row for each column that is chosen at some k, and says where that is.
func (p *page) emptyCells() (chart.Heat, map[string]int) {
	heat := chart.Heat{XLabel: "k", Present: true}
	place := map[string]int{}
	for _, at := range p.path {
		heat.Columns = append(heat.Columns, strconv.Itoa(at.K))
		for _, name := range at.Features {
			if _, there := place[name]; !there {
				place[name] = len(heat.Rows)
				heat.Rows = append(heat.Rows, name)
			}
		}
	}
	heat.Values, heat.Labels = make([][]float64, len(heat.Rows)), make([][]string, len(heat.Rows))
	for i := range heat.Values {
		heat.Values[i], heat.Labels[i] = make([]float64, len(p.path)), make([]string, len(p.path))
		for j := range p.path {
			heat.Values[i][j] = math.NaN()
		}
	}
	return heat, place
}
