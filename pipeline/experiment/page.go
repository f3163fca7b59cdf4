package experiment

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/selector"
)

// WriteHTML writes report.html: one self-contained page with the results in words and
// pictures. Like report.json it holds no times: the same config and data give the same
// bytes.
func (r *Report) WriteHTML(w io.Writer) error {
	if files.Absent(w) {
		return files.ErrNoWriter
	}
	in := r.page
	in.Title, in.Run = r.Name, r
	return report.Write(w, in)
}

// pageOf is what a page shows beside the report: the selection in full, the table that it was made
// from, and rows on its components.
func pageOf(ctx context.Context, r *run, found *Report, command string) report.Input {
	f := r.data
	in := report.Input{Command: command, Shape: found.Config.Output.Shape, Columns: f.Names()}
	if found.Metrics != nil && found.Metrics.RegressionMetrics != nil {
		truth, predicted := r.chosen.numbers()
		in.Numbers = &report.Numbers{True: slices.Concat(truth...), Predicted: slices.Concat(predicted...)}
	}
	s := found.Pipeline.Selector()
	if s == nil {
		return in
	}
	rows := f.Subset(report.Sample(f.Rows()))
	if z, err := found.Pipeline.Project(rows, selector.Projection); err == nil { // else rows lack what it needs
		in.Scores = report.NewScores(z.Numeric(), rows.Class(), f.Rows())
	}
	in.Table = r.beforeChoice(ctx)
	summary := s.Model().Summary()
	summary.Scree = report.ScreeOf(ctx, s.Model(), in.Table)
	in.Selection = summary
	found.Selection.Scree = summary.Scree
	return in
}

// beforeChoice is the table that came to the fspca step of the saved model, made again: the fitted
// pipeline keeps only what the chosen columns need. It is nil where that fails.
func (r *run) beforeChoice(ctx context.Context) *dataset.Frame {
	rows := r.data
	if r.keepsFirst() {
		rows = r.data.Subset(r.splits[0].Train)
	}
	at := slices.IndexFunc(r.config.Steps, func(s pipeline.Step) bool { return s.Name == "fspca" })
	if at < 1 {
		return rows
	}
	for _, axis := range r.config.Search.Grid { // the search may have given these steps other options
		for _, step := range r.config.Steps[:at] {
			if strings.Contains("."+axis.Key, "."+step.Name+".") {
				return nil
			}
		}
	}
	return r.fittedBefore(ctx, at, rows)
}

// fittedBefore is the table that the first steps make of the rows that they are fitted on.
func (r *run) fittedBefore(ctx context.Context, at int, rows *dataset.Frame) *dataset.Frame {
	before := *r.config
	before.Steps, before.Search = r.config.Steps[:at], config.Search{}
	p, err := before.Pipeline()
	if err == nil {
		err = p.FitContext(ctx, rows)
	}
	if err != nil {
		return nil
	}
	table, err := transformed(ctx, p, rows)
	if err != nil {
		return nil
	}
	return table
}
