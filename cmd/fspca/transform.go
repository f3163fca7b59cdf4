package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
)

// reconstructed is the --output for all columns.
const reconstructed = "reconstruction"

// transformCommand makes of new rows what a model makes of them.
type transformCommand struct {
	flags  dataFlags
	out    tableOutput
	output string
	check  checkFlags
	mem    memoryFlag
}

func newTransform() *cobra.Command {
	return command(&transformCommand{}, &cobra.Command{
		Use:   "transform MODEL DATA",
		Short: "Project new rows with a fitted model",
		Long: `Project new rows with a fitted model and write them as CSV: components pc1 to pcm, the
chosen columns, or both. With a pipeline without an fspca step, the output of its last
step is written.

MODEL is the file that fit -o wrote or the model folder of a pipeline. DATA needs only
the chosen columns, in any order; others are ignored. The columns of --label and --id
are passed through; rows may lack a label. DATA is as in fit; - is standard input.

--check compares the rows with those of the fit. It prints the drift of the mean and
the deviation of each chosen column, and cells outside of its range. It also prints the
share of each component, and for each row the residual. The result itself is then
written only with -o. With --max-drift the exit code is 3 if a column has drifted by
more standard deviations.`,
		Example: `  fspca transform model.json new.csv -o scores.csv
  fspca transform model.json new.csv --check --max-drift 0.5
  fspca transform out/digits/model new.csv --output both`,
		Args: exactly("MODEL", "DATA"),
	})
}

func (c *transformCommand) register(cmd *cobra.Command) {
	c.flags.register(cmd, "`COLUMN` to pass through to the output")
	c.out.register(cmd)
	c.check.register(cmd)
	c.mem.register(cmd, "the rows and the result")
	cmd.Flags().StringVar(&c.output, "output", "projection", "`WHAT` to write: projection, selected, both, or reconstruction: all columns of the fit, of a model with --decoder")
}

func (c *transformCommand) run(cmd *cobra.Command, args []string) error {
	what, rebuild, err := c.what()
	if err := errors.Join(err, c.check.check(cmd, &c.out), c.out.checkFormat(), checkOutputs(cmd, args, &c.out.output)); err != nil {
		return err
	}
	m, err := loadModel(args[0])
	if err != nil {
		return err
	}
	if err := at(args[0], m.makes(what, rebuild, c.check.wanted)); err != nil {
		return err
	}
	table, err := c.rows(cmd, m, args[1], rebuild)
	if err != nil {
		return err
	}
	defer table.close()
	if err := m.checkRows(cmd, &c.flags, args[1], table, rebuild || what != selector.Selected); err != nil {
		return err
	}
	var far *drift // which leaves the result to be written
	if c.check.wanted {
		if err := c.check.run(cmd, m, table.whole, args[1]); err != nil && !errors.As(err, &far) || !c.out.file() {
			return err
		}
	}
	err = c.out.writeRows(cmd, args[1], table, func(_ int, rows *newRows) (*dataset.Frame, error) {
		made, err := m.make(cmd.Context(), rows.Frame, what, rebuild)
		if err != nil {
			return nil, err
		}
		return rows.beside(made, c.flags.Label)
	})
	if err == nil && far != nil {
		return far
	}
	return err
}

// rows reads the rows that the model is to make something of.
func (c *transformCommand) rows(cmd *cobra.Command, m *model, path string, rebuild bool) (*newTable, error) {
	whole := ""
	if c.check.wanted {
		whole = "--check"
	}
	return m.read(cmd, &c.flags, path, &c.mem, m.width(rebuild), whole)
}

// what returns what --output asks for.
func (c *transformCommand) what() (what selector.Output, rebuild bool, err error) {
	if c.output == reconstructed {
		return selector.Projection, true, nil
	}
	if what, err = selector.ParseOutput(c.output); err != nil {
		err = fmt.Errorf("--output: %w, or %q; the file to write is -o (--out)", err, reconstructed)
	}
	return what, false, err
}

// width returns about how many columns are made of a row.
func (m *model) width(rebuild bool) int {
	switch {
	case m.selection == nil:
		return 4 * len(m.pipeline.Inputs())
	case rebuild:
		return len(m.selection.Rebuilt())
	}
	return len(m.selection.Features()) + m.selection.Options().Components
}

// make returns what is to be written of rows.
func (m *model) make(ctx context.Context, f *dataset.Frame, what selector.Output, rebuild bool) (*dataset.Frame, error) {
	if rebuild {
		return m.selection.Rebuild(f)
	}
	return m.transform(ctx, f, what)
}

// checkRows says what surely is a mistake in rows for a selection, and in blocks finds missing cells before anything
// is written.
func (m *model) checkRows(cmd *cobra.Command, flags *dataFlags, path string, t *newTable, projected bool) error {
	if m.pipeline != nil || !projected {
		return nil
	}
	found, err := m.selection.MistakesIn(t.frames(cmd.Context()))
	if err != nil {
		return at(path, err)
	}
	if err := flags.say(cmd, path, found); err != nil || t.blocks == nil {
		return err
	}
	return at(path, t.blocks.CheckComplete(cmd.Context(), "fspca"))
}
