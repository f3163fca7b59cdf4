package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/selector"
)

func newEvaluate() *cobra.Command {
	var flags dataFlags
	var page pageFlags
	out := tableOutput{output{flag: "-o", holds: tableContent}}
	var asJSON bool
	var weight string
	cmd := &cobra.Command{
		Use:   "evaluate MODEL DATA",
		Short: "Measure a model on new rows: its predictions, or what the chosen columns tell",
		Long: `Of a model folder that run wrote: predict the rows of DATA and measure the
predictions against --label: accuracy with its standard error, balanced accuracy,
macro F1, log loss, AUC, the figures of each class and the calibration; of numbers R²,
RMSE and MAE. Rows without a label are left out. DATA needs the columns of predict.

Of a file that fit --decoder -o wrote: rebuild all columns of new rows from the chosen
ones, and say how much of their variance about the means of the fit comes back: R² in
total and of each column, and the residual of each row. R² is negative where the means
alone are nearer, which few rows in the fit can cause: see --ridge of fit.

DATA then needs all columns of the fit (but the excluded), in any order; -o writes the
residual of each row as a table.`,
		Example: `  fspca evaluate out/digits/model new.csv --label digit
  fspca fit old.csv -k 12 -m 12 --criterion reconstruction --decoder -o model.json
  fspca evaluate model.json new.csv
  fspca evaluate model.json new.csv --json`,
		Args: exactly("MODEL", "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(page.checkPage(args...), out.check(args...)); err != nil {
				return err
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			if m.pipeline != nil {
				if out.path != "" {
					return errors.New("-o is for the residuals of a selection's model: predict writes what a pipeline says of each row")
				}
				if weight != "" {
					return errors.New("--weight is for the model of a selection: the figures of a pipeline count every row once")
				}
				return evaluatePipeline(cmd, m, &flags, &page, args, asJSON)
			}
			if m.selection.Rebuilt() == nil {
				return at(args[0], selector.ErrNoDecoder)
			}
			needs := m.selection.Rebuilt()
			if weight != "" && !slices.Contains(needs, weight) {
				needs = append(needs, weight)
			}
			rows, err := flags.readFor(cmd, args[1], needs, nil, m.reading())
			if err != nil {
				return err
			}
			var weights []float64
			if weight != "" {
				if weights, err = selector.Weights(rows.Frame, weight); err != nil {
					return at(args[1], err)
				}
			}
			e, err := m.selection.EvaluateWeighted(rows.Frame, weights)
			if err != nil {
				return at(args[1], err)
			}
			if err := page.writePage(cmd, args, func() report.Input {
				return report.Input{Title: "What the chosen columns tell of other rows", Selection: m.selection.Summary(), Evaluation: e}
			}); err != nil {
				return err
			}
			if out.path != "" {
				table, err := residualTable(rows, e)
				if err == nil {
					err = out.writeTable(cmd, table)
				}
				if err != nil || out.path == "-" {
					return err
				}
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), e)
			}
			return failed(describeEvaluation(cmd.OutOrStdout(), e))
		},
	}
	flags.register(cmd, "`COLUMN` with the true class or number of each row; of a selection it is not looked at")
	cmd.Flags().StringVar(&weight, "weight", "", "`COLUMN` with the weight of each row, as in fit")
	page.register(cmd)
	cmd.Flags().VarP(pathFlag(&out.path), "out", "o", "`FILE` for the residual of each row, as its ending says; - for standard output alone")
	registerForce(cmd, &page.output, &out.output)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// evaluatePipeline measures what a pipeline predicts.
func evaluatePipeline(cmd *cobra.Command, m *model, flags *dataFlags, page *pageFlags, args []string, asJSON bool) error {
	if !m.pipeline.HasClassifier() {
		return fmt.Errorf("%s holds a pipeline without a classifier: there is nothing to measure; transform writes what it makes of the rows", args[0])
	}
	if flags.label == "" {
		return errors.New("evaluate of a pipeline needs --label: the column with the true class or number of each row")
	}
	rows, err := m.read(cmd, flags, args[1])
	if err != nil {
		return err
	}
	known := labelled(rows.truth)
	if len(known) == 0 {
		return fmt.Errorf("%s: no row has a label in %q: there is nothing to measure", shown(args[1]), flags.label)
	}
	p, err := m.pipeline.PredictContext(cmd.Context(), rows.Subset(known))
	if err != nil {
		return at(args[1], err)
	}
	truth := rowsOf(rows.truth, known)
	if p.Values != nil {
		if truth, err = truth.AsTarget(); err != nil {
			return fmt.Errorf("--label %s: %w", flags.label, err)
		}
	} else if err := checkTruth(flags.label, truth, p.Predicted.Levels); err != nil {
		return at(args[1], err)
	}
	e, err := experiment.Score(truth, p)
	if err != nil {
		return at(args[1], err)
	}
	e.Columns = len(m.pipeline.Inputs())
	if err := page.writePage(cmd, args, func() report.Input { return measuredReport(m, e, len(known)) }); err != nil {
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), pipelineEvaluation{e, len(known), e})
	}
	left := ""
	if n := rows.Rows() - len(known); n > 0 {
		left = fmt.Sprintf(" of %d; the others have no label", rows.Rows())
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "measured on %s%s; ± is the standard error of independent rows:\n", count(len(known), "row"), left); err != nil {
		return failed(err)
	}
	return failed(e.WriteSummary(cmd.OutOrStdout()))
}

// pipelineEvaluation is what evaluate --json prints of a pipeline: the figures, and the same as metrics.
type pipelineEvaluation struct {
	*experiment.Evaluation
	Rows    int                    `json:"rows"`
	Figures *experiment.Evaluation `json:"metrics"`
}

// residualTable lists the name of the row if it has one, its number and its residual.
func residualTable(rows *newRows, e *selector.Evaluation) (*dataset.Frame, error) {
	x := mat.NewDense(len(e.Residuals), 2, nil)
	for i, r := range e.Residuals {
		x.SetRow(i, []float64{float64(i + 1), r})
	}
	table, err := dataset.New([]string{"row", "residual"}, x)
	if err != nil {
		return nil, err
	}
	return table.WithID(rows.ID())
}

// describeEvaluation writes what a person wants to know of an evaluation.
func describeEvaluation(w io.Writer, e *selector.Evaluation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", count(e.Rows, "row"), count(len(e.Columns), "column"))
	if e.R2 != nil {
		fmt.Fprintf(&b, "R² of all columns   %.4f\n", *e.R2)
	}
	if e.Random != nil {
		fmt.Fprintf(&b, "in the fit          %.3f by random choices\n", *e.Random)
	}
	told := slices.DeleteFunc(slices.Clone(e.Columns), func(c selector.ColumnEvaluation) bool { return c.R2 == nil })
	slices.SortStableFunc(told, func(x, y selector.ColumnEvaluation) int { return cmp.Compare(*x.R2, *y.R2) })
	var worst []string
	for _, c := range told[:min(10, len(told))] {
		worst = append(worst, fmt.Sprintf("%s %.2f", c.Name, *c.R2))
	}
	fmt.Fprintf(&b, "told least of       %s\n", strings.Join(worst, ", "))
	order := make([]int, len(e.Residuals))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(e.Residuals[j], e.Residuals[i]) })
	var far []string
	for _, i := range order[:min(5, len(order))] {
		far = append(far, fmt.Sprintf("row %d %.3g", i+1, e.Residuals[i]))
	}
	fmt.Fprintf(&b, "largest residuals   %s\n", strings.Join(far, ", "))
	_, err := io.WriteString(w, b.String())
	return err
}
