package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
)

// reconstructed is the --output for all columns.
const reconstructed = "reconstruction"

func newTransform() *cobra.Command {
	var flags dataFlags
	var out tableOutput
	var output string
	var check checkFlags
	cmd := &cobra.Command{
		Use:   "transform MODEL DATA",
		Short: "Project new rows with a fitted model",
		Long: `Project new rows with a fitted model and write them as CSV: components pc1 to
pcm, the chosen columns, or both. Of a pipeline without an fspca step, what its
steps make of the rows is written.

MODEL is the file that fit -o wrote or the model folder of a pipeline. DATA
needs only the chosen columns, in any order; others are ignored. With --label and
--id these columns are passed through; rows may lack a label. DATA is as in fit; -
is standard input.

With --check it is said how the rows stand to those of the fit: the drift of the mean
and the deviation of each chosen column, cells outside of its range, the share of each
component, and for each row what the components miss of the chosen columns. The result
itself is then written only where -o says. --max-drift ends with exit code 3 where a
column has drifted by more standard deviations.`,
		Example: `  fspca transform model.json new.csv -o scores.csv
  fspca transform model.json new.csv --check --max-drift 0.5
  fspca transform out/digits/model new.csv --output both`,
		Args: exactly("MODEL", "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rebuild := output == reconstructed
			what := selector.Projection
			if !rebuild {
				var err error
				if what, err = selector.ParseOutput(output); err != nil {
					return fmt.Errorf("--output: %w, or %q; the file to write is -o (--out)", err, reconstructed)
				}
			}
			if err := errors.Join(check.check(cmd, &out), out.check(args...)); err != nil {
				return err
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			rows, err := m.read(cmd, &flags, args[1])
			if err != nil {
				return err
			}
			if m.pipeline == nil && what != selector.Selected {
				if err := flags.say(cmd, args[1], m.selection.MistakesOn(rows.Frame)); err != nil {
					return err
				}
			}
			if check.wanted && !out.file() {
				return check.run(cmd, m, rows, args[1])
			}
			transform := func(f *dataset.Frame) (*dataset.Frame, error) { return m.transform(cmd.Context(), f, what) }
			if rebuild {
				transform = m.rebuild
			}
			result, err := transform(rows.Frame)
			if err == nil {
				result, err = rows.beside(result, flags.label)
			}
			if err != nil {
				return at(args[1], err)
			}
			if err := out.writeTable(cmd, result); err != nil || !check.wanted {
				return err
			}
			return check.run(cmd, m, rows, args[1])
		},
	}
	flags.register(cmd, "`COLUMN` to pass through beside the result")
	out.register(cmd)
	check.register(cmd)
	cmd.Flags().StringVar(&output, "output", "projection", "`WHAT` to write: projection, selected, both, or reconstruction: all columns of the fit, of a model with --decoder")
	return cmd
}
