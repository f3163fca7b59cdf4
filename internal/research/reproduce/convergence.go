package reproduce

import (
	"context"
	"fmt"
	"slices"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"gonum.org/v1/gonum/mat"
)

// convergenceFeatures is the k for each data set: the paper's for Lymphoma.
var convergenceFeatures = map[string]int{"lymphoma": 100, "digits": 20}

// shownSteps is how many steps a chart shows.
const shownSteps = 30

// runConvergence follows the objective of each method from the same start.
func runConvergence(ctx context.Context, s *session) (*Section, error) {
	wanted := lists.Where(realDataSets(), func(d realData) bool { return convergenceFeatures[d.id] > 0 })
	sets, notes, err := s.load(ctx, wanted)
	if err != nil {
		return nil, err
	}
	out := &Section{
		Notes: notes,
		Text: []string{
			"The objective Tr(WᵀAW) after each step, from the convex relaxation (λ = 1) cut to k rows. IPU never falls. SOAP and SRT may: a red triangle hangs below each point at which they do. Go takes no steps; its value is the broken line.",
		},
		Data: []Data{{Name: "convergence", Columns: []string{"data", "method", "step", "objective", "fell"}}},
	}
	for i, d := range sets {
		s.Progress(Progress{"convergence", d.data.id, i, len(sets)})
		if err := d.follow(ctx, convergenceFeatures[d.data.id], out); err != nil {
			return nil, fmt.Errorf("%s: %w", d.data.title, err)
		}
	}
	return out, nil
}

// follow adds what one data set shows.
func (d loaded) follow(ctx context.Context, k int, out *Section) error {
	m := d.data.components
	convex, err := convexStart(ctx, d.a, m, m, unitPenalty)
	if err != nil {
		return err
	}
	goes, err := solver.GoLowRank(ctx, d.a, k, m, 0)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%s, k = %d, m = %d", d.data.short, k, m)
	level := goes.Objective - float64(m)*paperEpsilon
	lines := chart.Lines{Caption: title, XLabel: "step", YLabel: "objective Tr(WᵀAW)", Series: []chart.Series{
		{Name: "Go", Style: "go", Dashed: true, X: []float64{0, shownSteps}, Y: []float64{level, level}},
	}}
	table := Table{Caption: title, Header: []string{"method", "start", "end", "steps", "status", "falls", "largest fall"}}
	table.Rows = append(table.Rows, []Cell{{Text: "Go", Mark: Heading}, {}, text(fixed(level, 1)), {}, text(string(goes.Status)), {}, {}})
	start := baseline.Truncate(convex, k)
	for _, method := range iterativeMethods() {
		t, err := d.trace(ctx, k, start, method)
		if err != nil {
			return err
		}
		lines.Series = append(lines.Series, t.series())
		table.Rows = append(table.Rows, t.row())
		out.Data[0].Rows = append(out.Data[0].Rows, t.rows(d.data.id)...)
		if method.name == "ipu" {
			out.Checks = append(out.Checks, Check{
				fmt.Sprintf("IPU never falls and takes fewer than 20 steps (%s, k = %d)", d.data.id, k),
				len(t.falls) == 0 && len(t.values) <= 20,
				fmt.Sprintf("%d steps, %d falls", len(t.values)-1, len(t.falls)),
			})
		}
	}
	out.Charts = append(out.Charts, lines)
	out.Tables = append(out.Tables, table)
	return nil
}

// trace is the objective of one method after each step.
type trace struct {
	method  string
	values  []float64
	falls   []int // steps that fell
	largest float64
	end     float64 // of the refit
	status  solver.Status
}

// trace runs a method and looks for falls.
func (d loaded) trace(ctx context.Context, k int, start *mat.Dense, method iterativeMethod) (*trace, error) {
	s, err := method.run(ctx, d.a, k, start)
	if err != nil {
		return nil, err
	}
	shift := float64(d.data.components) * paperEpsilon
	t := &trace{method: method.name, end: s.Objective - shift, status: s.Status}
	for i, v := range s.Trace {
		t.values = append(t.values, v-shift)
		if i > 0 && v < s.Trace[i-1]*(1-1e-12) {
			t.falls = append(t.falls, i)
			t.largest = max(t.largest, s.Trace[i-1]-v)
		}
	}
	return t, nil
}

func (t *trace) fell(step int) bool { return slices.Contains(t.falls, step) }

// series is the beginning of the trace, for a chart.
func (t *trace) series() chart.Series {
	s := chart.Series{Name: methodTitles[t.method], Style: t.method}
	for i, v := range t.values[:min(len(t.values), shownSteps+1)] {
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, v)
		if t.fell(i) {
			s.Falls = append(s.Falls, i)
		}
	}
	return s
}

// row is the trace in a line.
func (t *trace) row() []Cell {
	return []Cell{
		{Text: methodTitles[t.method], Mark: Heading}, text(fixed(t.values[0], 1)), text(fixed(t.end, 1)),
		text(fmt.Sprint(len(t.values) - 1)), text(string(t.status)), text(fmt.Sprint(len(t.falls))), text(fixed(t.largest, 1)),
	}
}

// rows are the trace in full.
func (t *trace) rows(data string) [][]string {
	var rows [][]string
	for i, v := range t.values {
		rows = append(rows, []string{data, t.method, fmt.Sprint(i), exactly(v), fmt.Sprint(t.fell(i))})
	}
	return rows
}
