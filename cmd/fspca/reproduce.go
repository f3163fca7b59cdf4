package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/research/reproduce"
	"github.com/fspca/fspca/internal/spelling"
)

// reproduceCommand makes the experiments of the paper again.
type reproduceCommand struct {
	opt  reproduce.Options
	said talk
}

func newReproduce() *cobra.Command {
	names := reproduce.Experiments()
	return command(&reproduceCommand{opt: reproduce.Options{Runs: reproduce.DefaultRuns}}, &cobra.Command{
		Use:   "reproduce [" + strings.Join(names, "|") + "]",
		Short: "Reproduce the paper's tables and figures",
		Long: `Repeat the experiments of the paper, with its methods and ours, and write one page
(index.html), Markdown, and CSV of every number. Without an argument, all of them.

--data names a folder with the paper's data sets, which cannot be shipped:
lymphoma_cov.npy, nus_wide.npy and numerical_numbers.npy. Missing ones are left
out, with a message that says where to get them.

The same options give the same files. Measured times are in separate files.`,
		Example: `  fspca reproduce table2 --runs 100 --out reproduction
  fspca reproduce all --data data --out reproduction`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("%q is one argument too many: name one experiment, or all", args[1])
			case len(args) == 1 && !slices.Contains(names, args[0]):
				return fmt.Errorf("there is no experiment %q%s: want one of %s", args[0], spelling.Hint(" (the nearest is %q)", args[0], names), strings.Join(names, ", "))
			}
			return nil
		},
	})
}

func (c *reproduceCommand) register(cmd *cobra.Command) {
	c.said.register(cmd)
	cmd.Flags().IntVar(&c.opt.Runs, "runs", c.opt.Runs, "`NUMBER` of realisations of each scheme")
	cmd.Flags().Uint64Var(&c.opt.Seed, "seed", 1, "`SEED` of everything random")
	cmd.Flags().StringVar(&c.opt.DataDir, "data", "", "`FOLDER` with the paper's data sets")
	cmd.Flags().StringVar(&c.opt.OutDir, "out", "reproduction", "`FOLDER` to write")
}

func (c *reproduceCommand) run(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		c.opt.What = args[0]
	}
	if c.opt.Runs < 1 {
		return fmt.Errorf("--runs is %d: want at least 1", c.opt.Runs)
	}
	p := newProgress(cmd.ErrOrStderr(), c.said)
	first := ""
	c.opt.Progress = func(s reproduce.Progress) {
		if first == "" {
			first = s.Experiment
		} else if s.Experiment != first { // which is finished, then
			keep(cmd.Context())
		}
		p.say(func() step { return step{s.Experiment + ": " + s.Step, s.Done, s.Total} })
	}
	result, err := reproduce.Run(cmd.Context(), c.opt)
	p.done()
	if result != nil { // what was finished, where the rest was interrupted
		wrote(cmd.Context(), c.opt.OutDir)
		if err := describeReproduction(cmd.OutOrStdout(), result); err != nil {
			return cli.Failed(err)
		}
	}
	return cli.Failed(err)
}

// describeReproduction says which claims hold, what was left out, and what was
// written.
func describeReproduction(w io.Writer, r *reproduce.Result) error {
	var b strings.Builder
	for _, c := range r.Checks {
		verdict := "holds"
		if !c.Holds {
			verdict = "DOES NOT HOLD"
		}
		fmt.Fprintf(&b, "%s: %s", verdict, c.Claim)
		if c.Detail != "" {
			fmt.Fprintf(&b, " (%s)", c.Detail)
		}
		b.WriteString("\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "left out: %s\n", n)
	}
	fmt.Fprintf(&b, "written: %s\n", strings.Join(r.Files, ", "))
	_, err := io.WriteString(w, b.String())
	return err
}
