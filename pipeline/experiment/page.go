package experiment

import (
	"io"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/selector"
)

// WriteHTML writes report.html: one page that needs nothing else, with the answer in
// words and a picture of everything that was found. Like report.json it holds no times:
// the same config and data give the same bytes.
func (r *Report) WriteHTML(w io.Writer) error {
	if files.Absent(w) {
		return files.ErrNoWriter
	}
	in := r.page
	in.Title, in.Run = r.Name, r
	return report.Write(w, in)
}

// pageOf is what a page shows beside the report: the selection in full, and rows on
// its components.
func pageOf(r *Report, f *dataset.Frame, command string) report.Input {
	in := report.Input{Command: command, Shape: r.Config.Output.Shape, Columns: f.Names(), Table: f}
	s := r.Pipeline.Selector()
	if s == nil {
		return in
	}
	in.Selection = s.Model().Summary()
	rows := f.Subset(report.Sample(f.Rows()))
	if z, err := r.Pipeline.Project(rows, selector.Projection); err == nil { // else rows lack what it needs
		in.Scores = report.NewScores(z.Numeric(), rows.Class(), f.Rows())
	}
	return in
}
