package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/selector"
)

// pipeline measures what a pipeline predicts, and what the columns that it chose tell of the others.
func (c *evaluateCommand) pipeline(cmd *cobra.Command, m *model, args []string) error {
	found := &pipelineEvaluation{pipeline: m.pipeline, label: c.flags.Label}
	wanted, err := c.predicts(m, found, args[0])
	if err != nil {
		return err
	}
	rows, err := found.read(cmd, m, c, args[1])
	if err != nil {
		return err
	}
	defer rows.close()
	if err := found.rebuild(cmd.Context(), m, rows, c.weight); err != nil {
		return at(args[1], err)
	}
	found.Rows = rows.count
	if wanted {
		if err := found.predict(cmd.Context(), m, rows, args[1]); err != nil {
			return err
		}
	} else if found.selection == nil {
		return at(args[1], errors.New(found.why))
	}
	if err := c.page.writePage(cmd, args, func() report.Input { return measuredReport(m, found, args) }); err != nil {
		return err
	}
	if c.out.path != "" {
		if err := c.writeResiduals(cmd, found, rows, args[1]); err != nil || c.out.path == "-" {
			return err
		}
	}
	if c.asJSON {
		return printJSON(cmd.OutOrStdout(), found)
	}
	return cli.Failed(found.write(cmd.OutOrStdout(), rows.count))
}

// writeResiduals writes each row's residual.
func (c *evaluateCommand) writeResiduals(cmd *cobra.Command, found *pipelineEvaluation, rows *newTable, path string) error {
	if found.selection == nil {
		return at(path, errors.New(found.why))
	}
	return c.out.writeRows(cmd, path, rows, func(from int, part *newRows) (*dataset.Frame, error) {
		return residualTable(part, found.Residuals[from:from+part.Rows()], from)
	})
}

// predicts reports whether predictions are to be measured. It is an error if nothing can be.
func (c *evaluateCommand) predicts(m *model, found *pipelineEvaluation, path string) (bool, error) {
	wanted := m.pipeline.HasClassifier() && c.flags.Label != ""
	if why := found.cannotMeasure(); why != "" && !wanted {
		if m.pipeline.HasClassifier() {
			return false, fmt.Errorf("evaluate of a pipeline needs --label: the column with the true class or number of each row (%s)", why)
		}
		return false, fmt.Errorf("%s holds a pipeline without a classifier: there is nothing to measure (%s); transform writes what it makes of the rows", path, why)
	} else if why != "" && (c.out.path != "" || c.weight != "") {
		return false, fmt.Errorf("-o and --weight apply only to how well the chosen columns rebuild the others: %s", why)
	}
	return wanted, nil
}

// pipelineEvaluation is what evaluate --json prints of a pipeline: the figures of its predictions, and the same as
// metrics; and what its fspca step tells of the columns that come to it, whose keys stand before those of
// the same name.
type pipelineEvaluation struct {
	*experiment.Evaluation
	Rows      int                         `json:"rows"` // with a label, where predictions are measured
	R2        *float64                    `json:"r2,omitempty"`
	Columns   []selector.ColumnEvaluation `json:"columns,omitempty"`
	Residuals []float64                   `json:"residuals,omitempty"`
	Random    *float64                    `json:"random,omitempty"`
	InFit     *float64                    `json:"random_in_fit,omitempty"`
	Noise     *float64                    `json:"noise,omitempty"`
	Figures   *experiment.Evaluation      `json:"metrics,omitempty"`

	pipeline  *pipeline.Pipeline
	label     string
	selection *selector.Evaluation
	why       string // there is no selection
	strange   string // of labels that are no class of the model
	numbers   *report.Numbers
}

// cannotMeasure says why nothing can be told of the chosen columns, whatever the rows; "" if it can.
func (e *pipelineEvaluation) cannotMeasure() string {
	s := e.pipeline.Selector()
	switch {
	case s == nil:
		e.why = "there is no fspca step, so nothing is told of columns that were not chosen"
	case s.Model().Rebuilt() == nil:
		e.why = "R² of all columns was not computed: the fspca step was fitted without decoder: true"
	case e.pipeline.SelectionInputs() == nil:
		e.why = "R² of all columns was not computed: an older version wrote the model, without the steps that make them; fit it again"
	}
	return e.why
}

// read reads the columns that the figures need; those of predictions alone where the others are not all there.
func (e *pipelineEvaluation) read(cmd *cobra.Command, m *model, c *evaluateCommand, path string) (*newTable, error) {
	outputs := len(m.pipeline.Inputs())
	if e.why != "" {
		return m.read(cmd, &c.flags, path, &c.mem, outputs, "")
	}
	names, categorical := m.inputs()
	needed := e.pipeline.SelectionInputs()
	n := need{inputs: union(names, needed), categorical: union(categorical, e.pipeline.CategoricalSelectionInputs()), reading: m.reading(), outputs: outputs + len(needed)}
	if c.weight != "" {
		n.inputs = union(n.inputs, []string{c.weight})
	}
	if path == "-" { // which is read once: all of it
		n.inputs, n.whole = nil, "standard input, of which only some columns may be there"
	}
	rows, err := c.flags.readFor(cmd, path, n, &c.mem)
	var missing *dataset.MissingColumnsError
	var lacks []string
	switch {
	case errors.As(err, &missing):
		lacks = missing.Missing
	case err == nil && n.inputs == nil:
		lacks = lists.Without(needed, rows.whole.Names())
	}
	if len(lacks) == 0 {
		return rows, err
	}
	e.why = fmt.Sprintf("R² of all columns was not computed: of the %s that reach the fspca step, the rows lack %d: %s",
		words.Count(len(e.pipeline.SelectionInputs()), "column"), len(lacks), abbreviated(lacks, 5))
	if err == nil {
		return rows, nil
	} else if c.weight != "" || c.flags.Label == "" || !e.pipeline.HasClassifier() {
		return nil, err
	}
	return m.read(cmd, &c.flags, path, &c.mem, outputs, "")
}

// union returns the elements of a and those of b that are not among them.
func union(a, b []string) []string {
	return slices.Concat(a, lists.Without(b, a))
}

// rebuild measures what the chosen columns tell of all. What the rows do not permit is not told, unless it was
// asked for by weights.
func (e *pipelineEvaluation) rebuild(ctx context.Context, m *model, rows *newTable, weight string) error {
	if e.why != "" {
		return nil
	}
	s, err := m.evaluate(ctx, rows, weight)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && weight != "":
		return err
	case err != nil:
		e.why = fmt.Sprintf("R² of all columns was not computed: %v", err)
		return nil
	}
	e.selection, e.R2, e.Columns, e.Residuals = s, s.R2, s.Columns, s.Residuals
	e.Random, e.InFit, e.Noise = s.Random, s.RandomInFit, s.Noise
	return nil
}

// predict measures the predictions of the rows with a label.
func (e *pipelineEvaluation) predict(ctx context.Context, m *model, rows *newTable, path string) error {
	known := labelled(rows.truth)
	if len(known) == 0 {
		return fmt.Errorf("%s: no row has a label in %q: there is nothing to measure", shown(path), e.label)
	}
	p, err := m.predictLabelled(ctx, rows)
	if err != nil {
		return at(path, err)
	}
	if err := checkTruth(e.label, rows.truth, p); err != nil {
		return at(path, err)
	}
	truth := rows.truth
	if p.Values != nil {
		if truth, err = truth.AsTarget(); err != nil {
			return at(path, err)
		}
	}
	truth = rowsOf(truth, known)
	if p.Predicted != nil {
		e.strange = strangeText(truth, p.Predicted.Levels)
	}
	if e.Evaluation, err = experiment.Score(truth, p); err != nil {
		return at(path, err)
	}
	e.Evaluation.Columns = len(e.pipeline.Inputs())
	e.Figures, e.Rows = e.Evaluation, len(known)
	if p.Values != nil {
		e.numbers = &report.Numbers{Predicted: p.Values, True: lists.Make(len(p.Values), truth.Value)}
	}
	return nil
}

// write says in words what was found on all rows that were read.
func (e *pipelineEvaluation) write(w io.Writer, read int) error {
	if e.Evaluation != nil {
		if _, err := fmt.Fprintf(w, "measured on %s%s; ± is the standard error of independent rows:\n", words.Count(e.Rows, "row"), ofAll(e.Rows, read)+e.strange); err != nil {
			return err
		}
		if err := e.WriteSummary(w); err != nil {
			return err
		}
	}
	if e.selection == nil {
		_, err := fmt.Fprintf(w, "%s\n", e.why)
		return err
	}
	if e.Evaluation != nil {
		if _, err := fmt.Fprintln(w, "\nwhat the chosen columns tell of all that come to the fspca step:"); err != nil {
			return err
		}
	}
	return describeEvaluation(w, e.selection)
}
