package main

import (
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
	cmd := &cobra.Command{
		Use:   "transform MODEL DATA",
		Short: "Project new rows with a fitted model",
		Long: `Project new rows with a fitted model and write them as CSV: components pc1 to
pcm, the chosen columns, or both. Of a pipeline without an fspca step, what its
steps make of the rows is written.

MODEL is the file that fit -o wrote or the model folder of a pipeline. DATA
needs only the chosen columns, in any order; others are ignored. With --label and
--id these columns are passed through; rows may lack a label. DATA is as in fit; -
is standard input.`,
		Example: `  fspca transform model.json new.csv -o scores.csv
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
			if err := out.check(args...); err != nil {
				return err
			}
			m, err := loadModel(cmd.Context(), args[0])
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
			transform := func(f *dataset.Frame) (*dataset.Frame, error) { return m.transform(cmd.Context(), f, what) }
			if rebuild {
				transform = m.rebuild
			}
			result, err := await(cmd.Context(), func() (*dataset.Frame, error) { return transform(rows.Frame) })
			if err == nil {
				result, err = rows.beside(result, flags.label)
			}
			if err != nil {
				return at(args[1], err)
			}
			return out.writeTable(cmd, result)
		},
	}
	flags.register(cmd, "`COLUMN` to pass through beside the result")
	out.register(cmd)
	cmd.Flags().StringVar(&output, "output", "projection", "`WHAT` to write: projection, selected, both, or reconstruction: all columns of the fit, of a model with --decoder")
	return cmd
}
