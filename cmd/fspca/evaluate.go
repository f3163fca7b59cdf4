package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

// evaluateCommand measures a model on new rows.
type evaluateCommand struct {
	flags  dataFlags
	page   pageFlags
	out    tableOutput
	asJSON bool
	weight string
	mem    memoryFlag
}

func newEvaluate() *cobra.Command {
	return command(&evaluateCommand{out: tableOutput{output{flag: "-o", holds: tableContent}}}, &cobra.Command{
		Use:   "evaluate MODEL DATA",
		Short: "Measure a model on new rows: its predictions, or its reconstruction of all columns",
		Long: `With a model folder of run: predict the rows of DATA and compare the predictions with
--label. It prints accuracy with its standard error, balanced accuracy, macro F1, log
loss, AUC, the figures of each class and the calibration; for numbers R², RMSE and MAE.
Rows without a label are left out. DATA needs the columns that predict needs. If the
fspca step has decoder: true, and DATA all columns of the fit, R² of all columns that
come to that step is printed as well.

With a file of fit --decoder -o: rebuild all columns of new rows from the chosen ones,
and print how much of their variance about the means of the fit is recovered: R² in
total and of each column, and the residual of each row. R² is negative if the means
alone are nearer. A fit to few rows can cause that: see --ridge of fit.

DATA then needs all columns of the fit (except the excluded), in any order. -o writes
the residual of each row as a table.`,
		Example: `  fspca evaluate out/digits/model new.csv --label digit
  fspca fit old.csv -k 12 -m 12 --criterion reconstruction --decoder -o model.json
  fspca evaluate model.json new.csv
  fspca evaluate model.json new.csv --json`,
		Args: exactly("MODEL", "DATA"),
	})
}

func (c *evaluateCommand) register(cmd *cobra.Command) {
	c.flags.register(cmd, "`COLUMN` with the true class or number of each row; the file of a selection ignores it")
	cmd.Flags().StringVar(&c.weight, "weight", "", "`COLUMN` with the weight of each row in R² of all columns, as in fit")
	c.mem.register(cmd, "the rows and the result")
	c.page.register(cmd)
	cmd.Flags().VarP((*cli.File)(&c.out.path), "out", "o", "`FILE` for the residual of each row, as its ending says; - for standard output alone")
	registerForce(cmd, &c.page.output, &c.out.output)
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print as JSON")
}

func (c *evaluateCommand) run(cmd *cobra.Command, args []string) error {
	if err := errors.Join(c.page.checkPage(), c.out.checkFormat(), checkOutputs(cmd, args, &c.page.output, &c.out.output)); err != nil {
		return err
	}
	m, err := loadModel(args[0])
	if err != nil {
		return err
	}
	if m.selection != nil {
		if err := c.page.checkShape(m.selection.Summary().Columns); err != nil {
			return err
		}
	}
	if m.pipeline != nil {
		return c.pipeline(cmd, m, args)
	}
	return c.selection(cmd, m, args)
}

// selection measures what the chosen columns tell of all.
func (c *evaluateCommand) selection(cmd *cobra.Command, m *model, args []string) error {
	if m.selection.Rebuilt() == nil {
		return at(args[0], selector.ErrNoDecoder)
	}
	table, err := m.readRebuilt(cmd, &c.flags, args[1], &c.mem, c.weight)
	if err != nil {
		return err
	}
	defer table.close()
	e, err := m.evaluate(cmd.Context(), table, c.weight)
	if err != nil {
		return at(args[1], err)
	}
	if err := c.page.writePage(cmd, args, func() report.Input {
		return report.Input{Title: "What the chosen columns tell of other rows", Selection: m.selection.Summary(), Evaluation: e, Facts: givenFacts(args, table.count)}
	}); err != nil {
		return err
	}
	if c.out.path != "" {
		err := c.out.writeRows(cmd, args[1], table, func(from int, rows *newRows) (*dataset.Frame, error) {
			return residualTable(rows, e.Residuals[from:from+rows.Rows()], from)
		})
		if err != nil || c.out.path == "-" {
			return err
		}
	}
	if c.asJSON {
		return printJSON(cmd.OutOrStdout(), e)
	}
	return cli.Failed(describeEvaluation(cmd.OutOrStdout(), e))
}

// predictLabelled predicts the rows that have a label.
func (m *model) predictLabelled(ctx context.Context, t *newTable) (*pipeline.Prediction, error) {
	told := &predictions{}
	err := t.each(ctx, func(from int, rows *newRows) error {
		known := labelled(rows.truth)
		if len(known) == 0 {
			return nil
		}
		p, err := m.pipeline.PredictContext(ctx, rows.Subset(known))
		if err == nil {
			told.add(from, p)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return told.prediction(), nil
}

// readRebuilt reads all columns that a selection rebuilds, and the weights.
func (m *model) readRebuilt(cmd *cobra.Command, flags *dataFlags, path string, mem *memoryFlag, weight string) (*newTable, error) {
	n := need{inputs: m.selection.Rebuilt(), reading: m.reading()}
	n.outputs = len(n.inputs)
	if weight != "" && !hasName(n.inputs, weight) {
		n.inputs = append(n.inputs, weight)
	}
	return flags.readFor(cmd, path, n, mem)
}

// evaluate measures how well the rows are rebuilt.
func (m *model) evaluate(ctx context.Context, t *newTable, weight string) (*selector.Evaluation, error) {
	var weights []float64
	if weight != "" {
		var err error
		if weights, err = weightsOf(ctx, t, weight); err != nil {
			return nil, err
		}
	}
	e, err := m.selection.NewEvaluator()
	if err != nil {
		return nil, err
	}
	err = t.each(ctx, func(from int, rows *newRows) error {
		f := rows.Frame
		if m.pipeline != nil {
			if f, err = m.pipeline.SelectionColumns(ctx, f); err != nil {
				return err
			}
		}
		if weights == nil {
			return e.Add(f, nil)
		}
		return e.Add(f, weights[from:from+rows.Rows()])
	})
	if err != nil {
		return nil, err
	}
	return e.Evaluation(), nil
}

// weightsOf returns the weights of all rows.
func weightsOf(ctx context.Context, t *newTable, column string) ([]float64, error) {
	var all []float64
	err := t.frames(ctx)(func(f *dataset.Frame) error {
		one, err := f.Pick([]string{column})
		if err == nil && one.Numeric() == nil {
			_, err = selector.Weights(one, column)
		}
		if err != nil {
			return err
		}
		all = append(all, mat.Col(nil, 0, one.Numeric())...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	f, err := dataset.New([]string{column}, mat.NewDense(len(all), 1, all))
	if err != nil {
		return nil, err
	}
	return selector.Weights(f, column)
}

// residualTable lists the name of the row if it has one, its number, of which the first is from, and its residual.
func residualTable(rows *newRows, residuals []float64, from int) (*dataset.Frame, error) {
	x := mat.NewDense(len(residuals), 2, nil)
	for i, r := range residuals {
		x.SetRow(i, []float64{float64(from + i + 1), r})
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
	fmt.Fprintf(&b, "%s, %s\n", words.Count(e.Rows, "row"), words.Count(len(e.Columns), "column"))
	if e.R2 != nil {
		fmt.Fprintf(&b, "R² of all columns   %.4f\n", *e.R2)
	}
	if e.Random != nil {
		fmt.Fprintf(&b, "random choices      %.4f, of as many columns\n", *e.Random)
	}
	if e.RandomInFit != nil {
		fmt.Fprintf(&b, "in the fit          %.3f by random choices\n", *e.RandomInFit)
	}
	describeToldLeast(&b, e.Columns, 10)
	order := lists.Upto[int](len(e.Residuals))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(e.Residuals[j], e.Residuals[i]) })
	far := lists.Map(order[:min(5, len(order))], func(i int) string { return fmt.Sprintf("row %d %.3g", i+1, e.Residuals[i]) })
	fmt.Fprintf(&b, "largest residuals   %s\n", strings.Join(far, ", "))
	_, err := io.WriteString(w, b.String())
	return err
}
