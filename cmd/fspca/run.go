package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/pipeline/experiment"
	"github.com/fspca/fspca/solver"
)

// runCommand runs a config.
type runCommand struct {
	set    []string
	out    string
	page   pageFlags
	strict strictness
	tell   talk
}

func newRun() *cobra.Command {
	return command(&runCommand{}, &cobra.Command{
		Use:   "run CONFIG",
		Short: "Run a YAML pipeline: preprocess, select, classify, evaluate, save",
		Long: `Run a YAML pipeline: preprocess, select, classify. It is measured on rows that it was
not fitted on. It is compared with the same pipeline on all columns, on random columns
and on principal components. The model, the predictions and a report are saved.

The key split says how rows are held out: test, folds, file, column, group, time;
repeats. The key search tries options by cross-validation within the training rows.

The output folder (output.dir in the config, or --out) gets model/, predictions.csv,
report.json and report.html, a page that needs no network.`,
		Example: `  fspca run configs/digits.yaml
  fspca run configs/wine.yaml --set steps.fspca.features=4 --set split.seed=7
  fspca run configs/wine.yaml --set 'search.grid={fspca.features: [4, 6, 8]}'
  fspca run my.yaml --out results`,
		Args: exactly("CONFIG"),
	})
}

func (c *runCommand) register(cmd *cobra.Command) {
	c.strict.register(cmd)
	c.tell.register(cmd)
	cmd.Flags().StringArrayVar(&c.set, "set", nil, "`KEY=VALUE` that overrides a key of the config, such as steps.fspca.features=30 (repeatable)")
	cmd.Flags().Var((*cli.File)(&c.out), "out", "output folder `DIR`, instead of the config's output.dir")
	c.page.register(cmd)
	registerForce(cmd, &c.page.output)
}

func (c *runCommand) run(cmd *cobra.Command, args []string) error {
	if c.out == "-" {
		return errors.New("--out is standard output: want the name of a folder")
	}
	if err := c.page.readShape(); err != nil { // a run writes a report in any case
		return err
	}
	cfg, err := config.Load(args[0], c.set...)
	if err != nil {
		return notPipeline(args[0], err)
	}
	if err := checkOutputs(cmd, append(cfg.Inputs(), args...), &c.page.output); err != nil {
		return err
	}
	if c.page.image != nil {
		cfg.Output.Shape = c.page.image
	}
	said := newProgress(cmd.ErrOrStderr(), c.tell)
	report, err := experiment.Run(cmd.Context(), cfg, experiment.Options{Out: c.out, Command: commandLine(cmd, args), Strict: c.strict.strict, Progress: func(p experiment.Progress) {
		reported(solver.Progress{})
		said.say(func() step { return step{p.Stage, p.Done, p.Total} })
	}})
	said.done()
	return c.finish(cmd, report, err)
}

// finish says what a run found, as far as it came.
func (c *runCommand) finish(cmd *cobra.Command, report *experiment.Report, err error) error {
	if report != nil {
		wrote(cmd.Context(), report.Dir)
		if err := (&strictness{}).say(cmd, report.Data.Source, report.Mistakes); err != nil {
			return err
		}
		err = errors.Join(err, c.page.write(cmd, report.WriteHTML))
	}
	var unwritten *experiment.OutputError
	if errors.As(err, &unwritten) && report != nil { // what was found is not lost
		return cli.Failed(errors.Join(err, report.WriteSummary(cmd.OutOrStdout())))
	}
	if unwritten != nil {
		return cli.Failed(err)
	}
	if err != nil {
		return err
	}
	return cli.Failed(report.WriteSummary(cmd.OutOrStdout()))
}
