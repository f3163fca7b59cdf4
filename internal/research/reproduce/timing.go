package reproduce

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// The sizes of the timing experiment.
const (
	timeOrder      = 5000
	timeComponents = 10
	timeRepeats    = 3   // of which the fastest counts
	timeEnough     = 0.5 // seconds after which there is no repeat
)

var timeFeatures = []int{20, 50, 100, 200, 300, 400, 500}

// timed is the time of one method for one k.
type timed struct {
	method  string
	start   string // "go", "random" or ""
	k       int
	seconds float64
	steps   int
	status  solver.Status
	value   float64
}

// runTime measures each method over k. The leading eigenpairs, which Go and
// the normalised variance need, are computed once and their time stands apart.
func runTime(ctx context.Context, s *session) (*Section, error) {
	s.Progress(Progress{"time", "making the matrix", 0, len(timeFeatures)})
	a, err := synthetic.Instance{Scheme: synthetic.D, Order: timeOrder, Seed: s.Seed}.Matrix()
	if err != nil {
		return nil, err
	}
	c, err := solver.NewMatrix(shifted(a, paperEpsilon))
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	known, err := remember(ctx, c, timeComponents+1)
	if err != nil {
		return nil, err
	}
	leading := time.Since(begin).Seconds()
	var times []timed
	for i, k := range timeFeatures {
		s.Progress(Progress{"time", fmt.Sprintf("k = %d", k), i, len(timeFeatures)})
		found, err := timeMethods(ctx, known, k, s.Seed)
		if err != nil {
			return nil, err
		}
		times = append(times, found...)
	}
	return timeSection(leading, times), nil
}

// timeMethods measures every method for one k.
func timeMethods(ctx context.Context, a *remembered, k int, seed uint64) ([]timed, error) {
	const m = timeComponents
	goes, low, err := stopwatch(ctx, "go", "", func() (*solver.Solution, error) { return solver.GoLowRank(ctx, a, k, m, 0) })
	if err != nil {
		return nil, err
	}
	power, _, err := stopwatch(ctx, "tpower", "", func() (*solver.Solution, error) {
		return baseline.TPower(ctx, a, k, m, baseline.TPowerParams{})
	})
	if err != nil {
		return nil, err
	}
	out := []timed{goes, power}
	for _, start := range timeStarts {
		w0 := low.W(a.Order())
		if start == "random" {
			w0 = baseline.RandomStart(a.Order(), m, seed, 0)
		}
		for _, method := range iterativeMethods() {
			t, _, err := stopwatch(ctx, method.name, start, func() (*solver.Solution, error) { return method.run(ctx, a, k, w0) })
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
	}
	return out, nil
}

// timeStarts are where the iterative methods begin.
var timeStarts = []string{"go", "random"}

// stopwatch runs a method, several times where that is short.
func stopwatch(ctx context.Context, method, start string, run func() (*solver.Solution, error)) (timed, *solver.Solution, error) {
	t := timed{method: method, start: start, seconds: math.Inf(1)}
	var s *solver.Solution
	for range timeRepeats {
		if err := ctx.Err(); err != nil {
			return t, nil, err
		}
		begin := time.Now()
		var err error
		if s, err = run(); err != nil {
			return t, nil, err
		}
		t.seconds = min(t.seconds, time.Since(begin).Seconds())
		if t.seconds > timeEnough {
			break
		}
	}
	t.k, t.steps, t.status, t.value = len(s.Support), s.Iterations, s.Status, s.Objective
	return t, s, nil
}

// timeSection describes the times.
func timeSection(leading float64, times []timed) *Section {
	s := &Section{Text: []string{
		fmt.Sprintf("Scheme D with d = %d and a Haar eigenspace, m = %d, given as a matrix; %d processors, fastest of up to %d. The m + 1 leading eigenpairs of A, which Go selects by, are computed once (%s s) and not counted below. SOAP and SRT stop when their subspace repeats, at the latest after %d steps. The figure is in the published version of the paper only, without numbers.",
			timeOrder, timeComponents, runtime.GOMAXPROCS(0), timeRepeats, fixed(leading, 2), baseline.DefaultMaxIterations),
		"The convex relaxation is left out: each of its up to 100 steps decomposes a matrix of this order.",
	}}
	for _, start := range timeStarts {
		s.Charts = append(s.Charts, timeChart(start, times))
	}
	s.Tables = []Table{timeTable(times)}
	data := Data{Name: "time", Columns: []string{"method", "start", "k", "seconds", "steps", "status", "objective"}}
	for _, t := range times {
		data.Rows = append(data.Rows, []string{t.method, t.start, fmt.Sprint(t.k), exactly(t.seconds), fmt.Sprint(t.steps), string(t.status), exactly(t.value)})
	}
	s.Data = []Data{data}
	return s
}

// timeColumns are the columns of the table.
var timeColumns = []timed{
	{method: "go"}, {method: "tpower"},
	{method: "ipu", start: "go"}, {method: "soap", start: "go"}, {method: "srt", start: "go"},
	{method: "ipu", start: "random"}, {method: "soap", start: "random"}, {method: "srt", start: "random"},
}

// timeChart draws the times from one start, and of what has no start.
func timeChart(start string, times []timed) chart.Lines {
	title := map[string]string{"go": "Time of one fit, from Go", "random": "Time of one fit, from a random subspace"}[start]
	ch := chart.Lines{Caption: title, XLabel: "columns k", YLabel: "seconds", LogY: true}
	for _, c := range timeColumns {
		if c.start != start && c.start != "" {
			continue
		}
		s := chart.Series{Name: methodTitles[c.method], Style: c.method}
		for _, t := range times {
			if t.method == c.method && t.start == c.start {
				s.X, s.Y = append(s.X, float64(t.k)), append(s.Y, t.seconds)
			}
		}
		ch.Series = append(ch.Series, s)
	}
	return ch
}

// timeTable lists the times in milliseconds.
func timeTable(times []timed) Table {
	table := Table{
		Caption: "Milliseconds, and steps in parentheses", Header: []string{"k"},
		Groups: []Group{{"", 3}, {"from Go", 3}, {"from a random subspace", 3}},
	}
	for _, c := range timeColumns {
		table.Header = append(table.Header, methodTitles[c.method])
	}
	for _, k := range timeFeatures {
		row := []Cell{{Text: fmt.Sprint(k), Mark: Heading}}
		for _, c := range timeColumns {
			for _, t := range times {
				if t.method == c.method && t.start == c.start && t.k == k {
					row = append(row, Cell{Text: fmt.Sprintf("%s (%d)", fixed(1000*t.seconds, 1), t.steps), Tip: string(t.status)})
				}
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
