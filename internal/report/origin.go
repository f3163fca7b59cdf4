package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/chart"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// convergence shows the objective after each step.
func (p *page) convergence() []section {
	s := p.selection
	if s == nil || len(s.Trace) == 0 {
		return nil
	}
	out := section{ID: "convergence", Title: "How the choice was found"}
	status := fmt.Sprintf("The search ended as %q after %s.", s.Status, words.Count(s.Iterations, "iteration"))
	if s.BoundSource != "" {
		status += fmt.Sprintf(" The bound comes from %q.", s.BoundSource)
	}
	out.Text = []string{status}
	if len(s.Trace) < 2 {
		return []section{out}
	}
	if slices.Min(s.Trace) == slices.Max(s.Trace) {
		out.Text = append(out.Text, "No step improved the choice that the search started from.")
		return []section{out}
	}
	line := chart.Series{Name: "objective", Style: "first", Y: s.Trace}
	numbers := table{Caption: "The objective after each step", Head: []string{"step", "objective"}}
	for i, v := range s.Trace {
		line.X = append(line.X, float64(i))
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(i), strconv.FormatFloat(v, 'g', 8, 64)})
	}
	lines := chart.Lines{Caption: "Objective after each step", WholeX: true, XLabel: "step", YLabel: "objective", Series: []chart.Series{line}}
	out.Figures = []figure{newFigure("trace", "The objective at the start and after each step", "A line over the steps of the solver.",
		lines.At, numbers)}
	return []section{out}
}

// origin says what made the page, so that it can be made again.
func (p *page) origin() []section {
	out := section{ID: "origin", Title: "Where this comes from", Command: p.Command}
	facts := table{Caption: "Data and versions", Facts: true, Head: []string{"what", "value"}}
	add := func(what, value string) {
		if value != "" {
			facts.Rows = append(facts.Rows, []string{what, value})
		}
	}
	for _, fact := range p.Facts {
		add(fact[0], fact[1])
	}
	out.Code = indented(p.facts(add))
	if len(facts.Rows) > 0 {
		out.Tables = []table{facts}
	}
	return one(out)
}

// facts adds what is known of the data and the program, and returns the options.
func (p *page) facts(add func(what, value string)) (code json.RawMessage) {
	if s := p.selection; s != nil && p.run == nil {
		of := ""
		if p.evaluation != nil {
			of = " of the fit"
		}
		if s.Rows > 0 {
			add("rows"+of, strconv.Itoa(s.Rows))
		}
		add("columns"+of, strconv.Itoa(s.Columns))
		code = s.Options
	}
	if r := p.run; r != nil && r.Data.Source != "" {
		add("data", r.Data.Source)
		add("hash of the data", r.Data.Hash)
		add("rows", strconv.Itoa(r.Data.Rows))
		add("columns", strconv.Itoa(r.Data.Columns))
		add("class", r.Data.Class)
		r.addClasses(add)
		add("seed", strconv.FormatUint(r.Seed, 10))
		add("fspca", r.Versions.FSPCA)
		add("Go", r.Versions.Go)
		code = r.Config
	}
	return code
}

// mostFacts is the number of classes up to which each has a line of the facts.
const mostFacts = 10

// addClasses says how many rows each class has, or of many classes the smallest and the largest.
func (r *run) addClasses(add func(what, value string)) {
	classes := r.Data.Classes
	if len(classes) <= mostFacts {
		for _, c := range classes {
			add("class "+c.Class, words.Count(c.Rows, "row"))
		}
		return
	}
	rows := lists.Map(classes, func(c classRows) int { return c.Rows })
	add("classes", fmt.Sprintf("%d, of %d to %s", len(classes), slices.Min(rows), words.Count(slices.Max(rows), "row")))
}

func indented(value json.RawMessage) string {
	var b bytes.Buffer
	if len(value) == 0 || json.Indent(&b, value, "", "  ") != nil {
		return ""
	}
	return b.String()
}
