package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/selector"
)

func newEvaluate() *cobra.Command {
	var flags dataFlags
	var asJSON bool
	var weight string
	cmd := &cobra.Command{
		Use:   "evaluate MODEL DATA",
		Short: "Compare new rows with what the chosen columns tell of them",
		Long: `Rebuild all columns of new rows from the chosen ones, and say how much of their
variance about the means of the fit comes back: R² in total and of each column, and
the residual of each row. R² is negative where the means alone are nearer, which
few rows in the fit can cause: see --ridge of fit.

MODEL is a file that fit --decoder -o wrote. DATA needs all columns of the fit (but
the excluded), in any order.`,
		Example: `  fspca fit old.csv -k 12 -m 12 --criterion reconstruction --decoder -o model.json
  fspca evaluate model.json new.csv
  fspca evaluate model.json new.csv --json`,
		Args: exactly("MODEL", "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := loadModel(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if m.pipeline != nil {
				return errors.New("evaluate takes a file that fit --decoder -o wrote: the steps of a pipeline change the columns")
			}
			if m.selection.Rebuilt() == nil {
				return at(args[0], selector.ErrNoDecoder)
			}
			needs := m.selection.Rebuilt()
			if weight != "" && !slices.Contains(needs, weight) {
				needs = append(needs, weight)
			}
			rows, err := await(cmd.Context(), func() (*newRows, error) {
				return flags.readFor(cmd, args[1], needs, nil, m.reading())
			})
			if err != nil {
				return err
			}
			var weights []float64
			if weight != "" {
				if weights, err = selector.Weights(rows.Frame, weight); err != nil {
					return at(args[1], err)
				}
			}
			e, err := await(cmd.Context(), func() (*selector.Evaluation, error) { return m.selection.EvaluateWeighted(rows.Frame, weights) })
			if err != nil {
				return at(args[1], err)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), e)
			}
			return failed(describeEvaluation(cmd.OutOrStdout(), e))
		},
	}
	flags.register(cmd, "`COLUMN` with the class of each row; it is not looked at")
	cmd.Flags().StringVar(&weight, "weight", "", "`COLUMN` with the weight of each row, as in fit")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
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
