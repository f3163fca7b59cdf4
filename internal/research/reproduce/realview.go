package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/solver"
)

// realColumns are the columns of a data set's table: keys of curve.points.
func realColumns() (keys []string, groups []Group) {
	keys = []string{"go", "ipu from convex", "soap from convex", "srt from convex", "ipu from go", "soap from go", "srt from go", "tpower", "tpower_deflation"}
	groups = []Group{{"", 2}, {"from the convex relaxation", 3}, {"from Go", 3}, {"", 2}}
	keys = append(keys, string(solver.EffortThorough))
	return keys, append(groups, Group{"ours", 1})
}

func columnTitle(key string) string {
	method, _, _ := strings.Cut(key, " ")
	return methodTitles[method]
}

// realSection describes the curves.
func realSection(curves []*curve, notes []string) *Section {
	s := &Section{Notes: notes, Text: []string{
		"Normalised explained variance Tr(WᵀAW)/Tr(A_m) over the number of columns k, m as stated. A is XᵀX, not divided by anything, plus 0.1·I, as the paper has it; the variance is that of A itself.",
		"The paper starts every method from the convex relaxation, here with λ = 1; the same methods from Go stand beside. TPower (D) has other columns for each component: it uses up to k·m of them, so that it solves a looser problem, and its vectors are not orthogonal: Tr(WᵀAW), which the paper reports and the tables list, counts some variance twice. The charts show the variance in the span of its vectors.",
	}}
	points := Data{Name: "real", Columns: []string{"data", "method", "start", "k", "m", "objective", "normalised", "leading_variance", "steps", "status", "columns_used", "normalised_orthogonal"}}
	for _, c := range curves {
		if len(c.data.features) > 5 {
			s.Charts = append(s.Charts, c.chart(), c.shortfallChart())
		}
		s.Tables = append(s.Tables, c.table())
		points.Rows = append(points.Rows, c.rows()...)
	}
	s.Data = []Data{points}
	s.Checks = realChecks(curves)
	return s
}

// chart draws what the paper's figure shows, and ours.
func (c *curve) chart() chart.Lines {
	ch := chart.Lines{Caption: fmt.Sprintf("%s, m = %d", c.data.title, c.data.components), XLabel: "columns k", YLabel: "normalised explained variance"}
	for _, key := range []string{"ipu from convex", "go", "soap from convex", "srt from convex", "tpower", "tpower_deflation", "thorough"} {
		method, _, _ := strings.Cut(key, " ")
		s := chart.Series{Name: methodTitles[method], Style: method, Dashed: method == "tpower_deflation"}
		for _, k := range c.data.features {
			p, ok := c.points[key][k]
			if !ok {
				continue
			}
			v := p.objective / c.leading
			if method == "tpower_deflation" {
				v = p.adjusted / c.leading
			}
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, v)
		}
		if len(s.X) > 0 {
			ch.Series = append(ch.Series, s)
		}
	}
	return ch
}

// shortfallChart draws how much less than thorough search the others explain.
func (c *curve) shortfallChart() chart.Lines {
	ch := chart.Lines{Caption: c.data.short + ": how far below thorough search", XLabel: "columns k", YLabel: "per cent"}
	for _, key := range []string{"ipu from convex", "go", "soap from convex", "srt from convex", "tpower"} {
		method, _, _ := strings.Cut(key, " ")
		s := chart.Series{Name: methodTitles[method], Style: method}
		for _, k := range c.data.features {
			best := c.points[string(solver.EffortThorough)][k].objective
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, 100*(1-c.points[key][k].objective/best))
		}
		ch.Series = append(ch.Series, s)
	}
	return ch
}

// table lists the shares, the best of those with k shared columns in bold.
func (c *curve) table() Table {
	keys, groups := realColumns()
	t := Table{Caption: c.data.title, Groups: groups, Header: []string{"k"}}
	for _, key := range keys {
		t.Header = append(t.Header, columnTitle(key))
	}
	for _, k := range c.data.features {
		best := 0.0
		for _, key := range keys {
			if v, ok := c.share(key, k); ok && key != "tpower_deflation" {
				best = max(best, v)
			}
		}
		row := []Cell{{Text: fmt.Sprint(k), Mark: Heading}}
		for _, key := range keys {
			v, ok := c.share(key, k)
			cell := Cell{}
			if ok {
				cell.Text = fixed(v, 4)
				p := c.points[key][k]
				cell.Tip = fmt.Sprintf("%s after %d steps", p.status, p.steps)
				if key != "tpower_deflation" && v >= best*(1-1e-9) {
					cell.Mark = Best
				}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// rows are the points in full.
func (c *curve) rows() [][]string {
	var rows [][]string
	keys, _ := realColumns()
	for _, key := range keys {
		for _, k := range c.data.features {
			p, ok := c.points[key][k]
			if !ok {
				continue
			}
			orthogonal := ""
			if p.method == "tpower_deflation" {
				orthogonal = exactly(p.adjusted / c.leading)
			}
			rows = append(rows, []string{
				c.data.id, p.method, p.start, fmt.Sprint(k), fmt.Sprint(c.data.components), exactly(p.objective),
				exactly(p.objective / c.leading), exactly(c.leading), fmt.Sprint(p.steps), string(p.status), fmt.Sprint(p.columns), orthogonal,
			})
		}
	}
	return rows
}

// realChecks are the claims about the curves.
func realChecks(curves []*curve) []Check {
	var out []Check
	for _, c := range curves {
		out = append(out, c.paperChecks()...)
	}
	steps := Check{Claim: "IPU converges within 10 steps, from either start", Holds: true}
	longest, runs := 0, 0
	var slow, below, ahead []string
	for _, c := range curves {
		for _, k := range c.data.features {
			for _, key := range []string{"ipu from convex", "ipu from go"} {
				p := c.points[key][k]
				runs++
				longest = max(longest, p.steps)
				if p.steps > 10 || p.status.Early() {
					slow = append(slow, fmt.Sprintf("%s k = %d %s: %d", c.data.id, k, key, p.steps))
				}
			}
			below = append(below, c.beaten("thorough", k)...)
			ahead = append(ahead, c.aheadOfPaper(k)...)
		}
	}
	steps.Holds = len(slow) == 0
	steps.Detail = fmt.Sprintf("at most %d in %d runs", longest, runs)
	if len(slow) > 0 {
		steps.Detail += "; longer: " + strings.Join(slow, ", ")
	}
	out = append(out, steps, exceptions("The paper's claim that Go or IPU explains more than SOAP, SRT and TPower (G), all from the convex relaxation", ahead))
	return append(out,
		exceptions("Thorough search explains at least as much as every other method with k shared columns", below),
		exactCheck(curves),
	)
}

// exactCheck compares thorough with exact search, where that was run.
func exactCheck(curves []*curve) Check {
	var off []string
	n := 0
	for _, c := range curves {
		for k, exact := range c.points[string(solver.EffortExact)] {
			n++
			if exact.status != solver.Proved || c.points[string(solver.EffortThorough)][k].objective < exact.objective*(1-1e-9) {
				off = append(off, fmt.Sprintf("%s k = %d", c.data.id, k))
			}
		}
	}
	slices.Sort(off)
	check := exceptions("Thorough search finds the proved optimum of Wine and Iris", off)
	if check.Holds {
		check.Detail = fmt.Sprintf("in all %d cases", n)
	}
	return check
}

// exceptions is a check that holds where there are none.
func exceptions(claim string, found []string) Check {
	if len(found) == 0 {
		return Check{claim, true, "no exception"}
	}
	return Check{claim, false, "except " + strings.Join(found, ", ")}
}

// beaten lists the methods with k shared columns that explain more than one
// of ours.
func (c *curve) beaten(own string, k int) []string {
	var out []string
	ours, ok := c.points[own][k]
	if !ok {
		return nil
	}
	keys, _ := realColumns()
	for _, key := range keys {
		if p, ok := c.points[key][k]; ok && key != "tpower_deflation" && p.objective > ours.objective*(1+1e-9) {
			out = append(out, fmt.Sprintf("%s k = %d %s", c.data.id, k, key))
		}
	}
	return out
}

// visible is the difference of shares that shows in a table.
const visible = 1e-4

// aheadOfPaper lists what explains visibly more than both Go and IPU from the convex
// relaxation.
func (c *curve) aheadOfPaper(k int) []string {
	ours := math.Max(c.points["go"][k].objective, c.points["ipu from convex"][k].objective)
	var out []string
	for _, key := range []string{"soap from convex", "srt from convex", "tpower"} {
		if p := c.points[key][k]; p.objective > ours+visible*c.leading {
			out = append(out, fmt.Sprintf("%s k = %d %s (%s > %s)", c.data.id, k, columnTitle(key), fixed(p.objective/c.leading, 4), fixed(ours/c.leading, 4)))
		}
	}
	return out
}

// paperChecks compares with the figures of the paper that can be read off.
func (c *curve) paperChecks() []Check {
	switch c.data.id {
	case "numbers":
		v, _ := c.share("ipu from convex", 50)
		return []Check{{"Numerical Numbers, k = 50: IPU explains 0.7212, as in the paper's figure", math.Abs(v-0.7212) <= 0.0005, fixed(v, 4)}}
	case "lymphoma":
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, key := range []string{"go", "ipu from convex", "ipu from go"} {
			v := c.points[key][100].objective
			lo, hi = min(lo, v), max(hi, v)
		}
		inside := lo >= 3.715e4 && hi < 3.735e4
		return []Check{{"Lymphoma, k = 100: Go and IPU reach 3.72 to 3.73·10⁴, as in the paper's figure", inside, fmt.Sprintf("%s to %s", fixed(lo, 0), fixed(hi, 0))}}
	}
	return nil
}
