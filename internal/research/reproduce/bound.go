package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/solver"
)

// boundNames are the bounds in the order of the tables, the paper's first.
var boundNames = []string{"theorem", "its proof", "Ky Fan", "diagonal", "threshold"}

// bounds returns them for one matrix, given what Go reaches.
func (s *spectrum) bounds(goValue float64, k, m int) []float64 {
	return []float64{s.theorem(goValue, k, m), s.proof(k, m), s.kyFan(m), s.diagonal(k), s.threshold(k, m)}
}

// runBound compares bounds with the optimum on the schemes, and with what is
// reached on real data.
func runBound(ctx context.Context, s *session) (*Section, error) {
	out := &Section{Text: []string{
		"Upper bounds on the optimum. The paper's theorem says that Go reaches (1 − ε) of the optimum with ε = min(d·G₁/k, d·G₂/m), so that the optimum is at most Go's value/(1 − ε); for ε ≥ 1 it says nothing. Its proof contains a sharper bound. Ky Fan's is dense PCA, the diagonal's the sum of the k largest variances. The threshold bound is ours: the least over σ of m·σ + the k largest diagonal entries of (A − σI)₊.",
	}}
	violated := 0
	if err := s.boundSchemes(ctx, out, &violated); err != nil {
		return nil, err
	}
	if err := s.boundReal(ctx, out, &violated); err != nil {
		return nil, err
	}
	out.Checks = []Check{{"No bound lies below the optimum or below a value that was reached", violated == 0, fmt.Sprintf("%d violations", violated)}}
	return out, nil
}

// boundSchemes adds the mean gaps on the schemes.
func (s *session) boundSchemes(ctx context.Context, out *Section, violated *int) error {
	table := Table{
		Caption: "Mean of (bound − optimum)/optimum over the realisations of each scheme",
		Header:  append([]string{"scheme"}, boundNames...),
		Note:    "In parentheses: the realisations in which the theorem says something, over which its mean is taken, where they are not all.",
	}
	data := Data{Name: "bound", Columns: append([]string{"scheme", "realisation", "optimum", "go"}, slug(boundNames)...)}
	main := readings()[0]
	for n, scheme := range synthetic.Schemes() {
		rows := make([][]float64, s.Runs)
		tell := func(done int) {
			s.Progress(Progress{"bound", "scheme " + string(scheme), n*s.Runs + done, len(synthetic.Schemes()) * s.Runs})
		}
		_, err := s.eachTrial(ctx, main, scheme, tell, func(i int, t *trial) (err error) {
			rows[i], err = t.bounds(ctx, main.instance(scheme, s.Seed, i))
			return err
		})
		if err != nil {
			return err
		}
		for i, r := range rows {
			data.Rows = append(data.Rows, slices.Concat([]string{string(scheme), fmt.Sprint(i)}, lists.Map(r, exactly)))
		}
		table.Rows = append(table.Rows, gapRow(scheme, rows, violated))
	}
	out.Tables = append(out.Tables, table)
	out.Data = append(out.Data, data)
	return nil
}

// bounds returns the optimum, the value of Go and the bounds.
func (t *trial) bounds(ctx context.Context, in synthetic.Instance) ([]float64, error) {
	const k, m = synthetic.Features, synthetic.Components
	a, err := in.Matrix()
	if err != nil {
		return nil, err
	}
	eigen, err := newSpectrum(a)
	if err != nil {
		return nil, err
	}
	goes, err := solver.GoLowRank(ctx, t.a, k, m, 0)
	if err != nil {
		return nil, err
	}
	return append([]float64{t.best.value, t.value(goes)}, eigen.bounds(t.value(goes), k, m)...), nil
}

// gapRow is the line of one scheme.
func gapRow(scheme synthetic.Scheme, rows [][]float64, violated *int) []Cell {
	line := []Cell{{Text: string(scheme), Mark: Begin, Tip: scheme.Description()}}
	for j := range boundNames {
		var gaps []float64
		for _, r := range rows {
			gap := (r[2+j] - r[0]) / r[0]
			if gap < -1e-10 {
				*violated++
			}
			if !math.IsInf(gap, 0) {
				gaps = append(gaps, gap)
			}
		}
		c := text("vacuous")
		if len(gaps) > 0 {
			c.Text = fixed(momentsOf(gaps).mean, 3)
			if len(gaps) < len(rows) {
				c.Text += fmt.Sprintf(" (%d)", len(gaps))
			}
		}
		line = append(line, c)
	}
	return line
}

// boundReal adds the bounds on real data over k.
func (s *session) boundReal(ctx context.Context, out *Section, violated *int) error {
	sets, notes, err := s.load(ctx, realDataSets())
	if err != nil {
		return err
	}
	out.Notes = notes
	data := Data{Name: "bound_real", Columns: append([]string{"data", "k", "leading_variance", "go", "ipu"}, slug(boundNames)...)}
	for n, d := range sets {
		s.Progress(Progress{"bound", d.data.id, n, len(sets)})
		rows, err := d.bounds(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", d.data.title, err)
		}
		for i, r := range rows {
			data.Rows = append(data.Rows, slices.Concat([]string{d.data.id, fmt.Sprint(d.data.features[i])}, lists.Map(r, exactly)))
			*violated += lists.Count(r[3:], func(v float64) bool { return v < max(r[1], r[2])*(1-1e-10) })
		}
		if len(rows) > 5 {
			out.Charts = append(out.Charts, d.boundChart(rows))
		}
		out.Tables = append(out.Tables, d.boundTable(rows))
	}
	out.Data = append(out.Data, data)
	return nil
}

// bounds returns Tr(A_m), the values of Go and IPU and the bounds for each k.
func (d loaded) bounds(ctx context.Context) ([][]float64, error) {
	eigen, err := newSpectrum(d.plain)
	if err != nil {
		return nil, err
	}
	m := d.data.components
	rows := make([][]float64, len(d.data.features))
	err = each(ctx, len(rows), func(int) {}, func(i int) error {
		k := d.data.features[i]
		goes, err := solver.GoLowRank(ctx, d.a, k, m, 0)
		if err != nil {
			return err
		}
		ipu, err := solver.IPU(ctx, d.a, k, goes.W(d.a.Order()), solver.IPUParams{})
		if err != nil {
			return err
		}
		shift := float64(m) * paperEpsilon
		reached := goes.Objective - shift
		rows[i] = append([]float64{eigen.kyFan(m), reached, ipu.Objective - shift}, eigen.bounds(reached, k, m)...)
		return nil
	})
	return rows, err
}

// boundChart draws what is reached and the bounds that are below dense PCA.
func (d loaded) boundChart(rows [][]float64) chart.Lines {
	ch := chart.Lines{Caption: fmt.Sprintf("%s, m = %d", d.data.title, d.data.components), XLabel: "columns k", YLabel: "share of Tr(A_m)"}
	line := func(name, style string, dashed bool, of func(r []float64) float64) {
		s := chart.Series{Name: name, Style: style, Dashed: dashed}
		for i, r := range rows {
			v := of(r) / r[0]
			if v > 1.0001 {
				v = math.NaN()
			}
			s.X, s.Y = append(s.X, float64(d.data.features[i])), append(s.Y, v)
		}
		ch.Series = append(ch.Series, s)
	}
	line("theorem", "bound", true, func(r []float64) float64 { return r[3] })
	line("its proof", "tpower_deflation", true, func(r []float64) float64 { return r[4] })
	line("threshold", "thorough", true, func(r []float64) float64 { return r[7] })
	line("IPU", "ipu", false, func(r []float64) float64 { return r[2] })
	return ch
}

// boundTable lists the same.
func (d loaded) boundTable(rows [][]float64) Table {
	t := Table{Caption: d.data.title + ": shares of Tr(A_m)", Header: append([]string{"k", "Go", "IPU"}, boundNames...)}
	for i, r := range rows {
		line := []Cell{{Text: fmt.Sprint(d.data.features[i]), Mark: Heading}}
		for _, v := range r[1:] {
			c := text("vacuous")
			if !math.IsInf(v, 0) {
				c.Text = fixed(v/r[0], 4)
			}
			line = append(line, c)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// slug makes column names of titles.
func slug(names []string) []string {
	return lists.Map(names, func(n string) string { return strings.ReplaceAll(strings.ToLower(n), " ", "_") })
}
