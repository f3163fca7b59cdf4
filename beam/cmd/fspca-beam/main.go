// Command fspca-beam fits and applies fspca's models on tables in shards, on Apache Beam: see its
// help, and docs/scale.md of the module.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	// The runners of --runner; prism brings universal.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	//lint:ignore SA1019 --runner=direct needs no server
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	// Where shards may lie, and what they may be.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/fspca/fspca/dataset/parquet"
	_ "github.com/fspca/fspca/dataset/zstd"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/internal/cli"
)

func main() {
	if isWorker(os.Args[1:]) {
		flag.Parse()
		beam.Init() // does not return
		os.Exit(cli.ExitFailure)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// isWorker reports whether a runner has started this process.
func isWorker(args []string) bool {
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && (name == "worker" || name == "provision_endpoint") {
			return true
		}
	}
	return false
}

// run executes one command and returns its exit code.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	root := newRoot()
	root.SetArgs(args)
	out := &cli.Output{To: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	err = out.Ended(err)
	if err == nil {
		return 0
	}
	var job *beam.JobError
	var f *cli.Failure
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintf(stderr, "fspca-beam: interrupted: %v\n", err)
		return cli.ExitFailure
	case errors.As(err, &job), errors.As(err, &f), errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintf(stderr, "fspca-beam: %v\n", err)
		return cli.ExitFailure
	}
	fmt.Fprintf(stderr, "fspca-beam: %s\n", cli.AsFlags(cmd.Flags(), err.Error()))
	return cli.ExitUsage
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "fspca-beam",
		Short: "fspca on tables in shards, on Apache Beam",
		Long: `fspca-beam does what fspca fit, transform and predict do where a table lies in
many files and outgrows one machine. Models are those of fspca: what one of the two
writes the other reads.

SHARDS are files or patterns ('data/*.parquet', quoted) that this program and every
worker see. --runner says where the work is done: prism (default) in this process,
or on the server of --endpoint; direct; universal, for any server of Beam's jobs
(Flink, Spark); dataflow. Beam's own flags are taken too, such as --endpoint,
--environment_type, --environment_config, --experiments.

Exit codes: 0 done, 1 a job failed or was interrupted, 2 wrong usage, shards or model.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newFit(), newTransform(), newPredict())
	return root
}

// jobFlags are those of every command.
type jobFlags struct {
	options beam.Options
	verbose bool
}

// register adds the flags of a job to a command.
func (f *jobFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.options.Runner, "runner", "prism", "`RUNNER` of the jobs: direct, prism, universal or dataflow")
	flags.DurationVar(&f.options.Deadline, "job-deadline", 0, "`TIME` that each job may take, such as 10m (default 2h); then it fails, as where a worker was lost")
	flags.StringVar(&f.options.Temp, "temp", "", "`FOLDER` that this program and all workers see, for what jobs hand on (default the system's for temporary files)")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "tell of the progress, and what Beam logs")
	known := map[string]string{
		"endpoint":           "`HOST:PORT` of the server of jobs, for prism and universal",
		"environment_type":   "`KIND` of workers: LOOPBACK (this process), PROCESS (this program, started by the server), DOCKER, EXTERNAL",
		"environment_config": "`CONFIG` of the workers, as Beam describes it (default this program for PROCESS)",
	}
	flag.CommandLine.VisitAll(func(g *flag.Flag) {
		if flags.Lookup(g.Name) != nil || len(g.Name) == 1 {
			return
		}
		p := pflag.PFlagFromGoFlag(g)
		if usage, ok := known[g.Name]; ok {
			p.Usage = usage
		} else {
			p.Hidden = true
		}
		flags.AddFlag(p)
	})
}

// start prepares Beam.
func (f *jobFlags) start(cmd *cobra.Command) error {
	if cmd.Flags().Changed("job-deadline") && f.options.Deadline <= 0 {
		return fmt.Errorf("--job-deadline is %v: want a time above 0, such as 10m", f.options.Deadline)
	}
	names := []string{"direct", "prism", "universal", "dataflow"}
	known := false
	for _, name := range names {
		known = known || name == f.options.Runner
	}
	if !known {
		return fmt.Errorf("--runner is %q: want %s", f.options.Runner, strings.Join(names, ", "))
	}
	if f.options.Runner == "universal" && *jobopts.Endpoint == "" {
		return errors.New("--runner universal needs the server of the jobs: --endpoint HOST:PORT")
	}
	*runners.Runner = f.options.Runner
	severity := log.SevError
	if f.verbose {
		severity = log.SevInfo
		f.options.Progress = func(p beam.Progress) {
			fmt.Fprintf(cmd.ErrOrStderr(), "fspca-beam: %s: %d of %d groups of shards\n", p.Stage, p.Done, p.Groups)
		}
	}
	log.SetLogger(&log.Standard{Level: severity})
	if !flag.Parsed() {
		if err := flag.CommandLine.Parse(nil); err != nil {
			return err
		}
	}
	beam.Init()
	if !f.verbose { // what Prism in this process says of a failure comes back as the job's error
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
	return nil
}
