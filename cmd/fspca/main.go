// Command fspca selects columns and fits components from the command line:
// see its help, or the README of the module.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/memory"
)

// exitDrift: new rows are farther from those of the fit than --max-drift.
const exitDrift = 3

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run executes one command and returns its exit code.
func run(args []string, stdout, stderr io.Writer) int {
	w, stop := newWatch()
	defer stop()
	done := make(chan int, 1)
	go func() { done <- execute(w, args, stdout, stderr) }()
	select {
	case code := <-done:
		return code
	case <-w.over:
		files.Abandon()
		fmt.Fprintf(stderr, "fspca: %s\n", w.left())
		return cli.ExitFailure
	}
}

// execute is run without regard to signals that the command does not heed.
func execute(w *watch, args []string, stdout, stderr io.Writer) int {
	if err := kernel.PathError(); err != nil {
		fmt.Fprintf(stderr, "fspca: %v\n", err)
		return cli.ExitUsage
	}
	root := newRoot()
	root.SetArgs(args)
	out := &cli.Output{To: stdout}
	root.SetOut(w.writer(out))
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(w.ctx)
	if err = out.Ended(err); err == nil {
		return 0
	}
	if w.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		where := strings.TrimSuffix(err.Error(), context.Canceled.Error())
		if where = strings.TrimSuffix(where, ": "); where != "" {
			where = ": " + where
		}
		fmt.Fprintf(stderr, "fspca: %s%s\n", w.left(), where)
		return cli.ExitFailure
	}
	fmt.Fprintf(stderr, "fspca: %s\n", hinted(cmd, err))
	var drifted *drift
	if errors.As(err, &drifted) {
		return exitDrift
	}
	var f *cli.Failure
	var short *memory.Error
	if errors.As(err, &f) || errors.As(err, &short) || errors.Is(err, context.DeadlineExceeded) || w.ctx.Err() != nil {
		return cli.ExitFailure
	}
	return cli.ExitUsage
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "fspca",
		Short: "Choose k columns and m components of a table at once",
		Long: `fspca picks exactly k columns of a table, shared by all m components (Feature Sparse
PCA). The m-dimensional projection on those columns alone keeps as much variance as
possible. It works without labels.

Data are tables (.csv, .tsv, .npy, .npz, .parquet, .xlsx) or sparse rows (.svm,
.mtx), also compressed (.gz, .bz2, .zst, .zip). Exit codes: 0 done, 1 failure or
interrupt, 2 wrong usage, config or data, 3 drift above --max-drift.`,
		Example: `  fspca run configs/digits.yaml
  fspca fit genes.csv --label tissue -k 30 -m 5 -o model.json
  fspca transform model.json new.csv -o scores.csv`,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newRun(), newValidate(), newFit(), newPath(), newTransform(), newEvaluate(), newVerify(), newPredict(), newInspect(), newReproduce(), newVersion())
	complete(root)
	return root
}
