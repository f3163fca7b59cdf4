package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// ledgerColumns is as in fspca fit.
const ledgerColumns = 10000

// fitFlags are those of fspca fit, as far as they are for shards.
type fitFlags struct {
	jobFlags
	cli.Selection
	data        dataFlags
	omitMissing bool
	out         string
	force       bool
	asJSON      bool
	strict      bool
}

// notForShards are the flags of fspca fit that need the rows again, or a table as a whole.
var notForShards = refused{
	"bootstrap":         "it would draw the rows anew, a job for each draw",
	"parallel-analysis": "it permutes the columns of a table in memory: give -m or --components-target",
	"weight":            "the rows have no weights here",
	"impute":            "it would take a job more: fill the cells before, or use --omit-missing",
	"covariance":        "a covariance matrix is not in shards: use fspca fit",
	"transpose":         "shards are parts of the rows",
	"names":             "the names of the columns are in the shards",
	"index-base":        "sparse rows are not read in shards",
	"sheet":             "workbooks are not read in shards",
	"report":            "fspca report and fspca inspect make one of the model",
	"shape":             "it is for --report",
	"certificate":       "it needs the covariance as a file: use fspca fit",
	"memory":            "a shard is read by one worker: make shards smaller",
}

func (f *fitFlags) register(cmd *cobra.Command) {
	f.Selection.Register(cmd, false)
	f.data.register(cmd, "`COLUMN` with the class of each row; it is left out of the fit")
	flags := cmd.Flags()
	flags.Lookup("deadline").Usage = "`TIME` that the choice may take after the moments are known; then the best so far is taken (default none)"
	flags.BoolVar(&f.omitMissing, "omit-missing", false, "leave out rows with a missing cell, and print how many")
	flags.VarP((*cli.File)(&f.out), "out", "o", "`FILE` to write the model to; - for standard output")
	flags.BoolVar(&f.force, "force", false, "replace the file of -o even if it holds something else than a model")
	flags.BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	flags.BoolVar(&f.strict, "strict", false, "treat warnings about probable mistakes as errors")
	flags.BoolP("quiet", "q", false, "tell nothing of the progress (as without -v)")
	flags.IntVar(&f.options.Groups, "groups", 0, "`NUMBER` of groups of shards, for so many workers (default one for each shard; fewer where what they hand on would take more than 4 GiB); the last digits depend on it")
	notForShards.register(cmd)
	f.jobFlags.register(cmd)
}

// settle completes the options by what needs more than a value.
func (f *fitFlags) settle(cmd *cobra.Command) error {
	errs := append([]error{notForShards.check(cmd)}, f.Check(cmd, selector.LoadModel)...)
	f.options.Uncentered = f.Options.Uncentered
	return errors.Join(append(errs, f.checkOut())...)
}

// checkOut returns an error, before any work, if the model cannot be written.
func (f *fitFlags) checkOut() error {
	if f.out == "" || f.out == "-" {
		return nil
	}
	if err := files.CheckWritable(f.out); err != nil {
		return cli.Failed(err)
	}
	if info, err := statFile(f.out); err == nil && info > 0 && !f.force && !selector.IsModelFile(f.out) {
		return fmt.Errorf("-o %s exists and holds something else than a model: choose another name, or add --force", f.out)
	}
	return nil
}

func newFit() *cobra.Command {
	var f fitFlags
	cmd := &cobra.Command{
		Use:   "fit SHARDS...",
		Short: "Choose k columns and fit m components of a table in shards",
		Long: `Choose k columns of a table in shards, shared by all m components, as fspca fit does
of a table in one file. Its flags are those of fspca fit.

All shards have the same columns, in any order: they are matched by name. Shards
without rows count for nothing. Up to 5000 columns one job sums the moments of all
shards; above that each product with the covariance is a job, some twenty of them.
The same shards give the same bytes on any runner.`,
		Example: `  fspca-beam fit 'data/*.parquet' --label class -k 30 -m 5 -o model.json
  fspca-beam fit 'data/*.csv' -k 12 -m 4 --endpoint localhost:8073 --environment_type PROCESS`,
		RunE: func(cmd *cobra.Command, args []string) error {
			table, err := f.data.table(cmd, args)
			if err := errors.Join(err, f.settle(cmd)); err != nil {
				return err
			}
			table.OmitMissing = f.omitMissing
			if slices.Contains(args, "-") {
				return errors.New("standard input is no shard: use fspca fit")
			}
			if err := f.start(cmd); err != nil {
				return err
			}
			return f.fit(cmd, table)
		},
	}
	f.register(cmd)
	return cmd
}

// checkSizes returns an error, before a job starts, if the options do not fit the columns.
func (f *fitFlags) checkSizes(ctx context.Context, table beam.Table) error {
	names, err := table.Columns(ctx)
	if err != nil {
		return err
	}
	return selector.CheckColumns(names, f.Options)
}

// fit runs the jobs and writes the model.
func (f *fitFlags) fit(cmd *cobra.Command, table beam.Table) error {
	ctx := cmd.Context()
	if err := f.checkSizes(ctx, table); err != nil {
		return err
	}
	a, err := beam.NewCovariance(ctx, table, f.options)
	if err != nil {
		return err
	}
	if a.Omitted > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "fspca-beam: left out %s of %d, with missing cells\n", words.Count(a.Omitted, "row"), a.Omitted+a.Rows())
	}
	s := selector.New(f.Options)
	if !cmd.Flags().Changed("ledger") {
		s.Ledger = f.out != "" && a.Order() <= ledgerColumns
	}
	if err := s.FitStream(ctx, a.Stream, a.Names, a.Reading); err != nil {
		return err
	}
	m := s.Model()
	if err := f.warn(cmd, m.Mistakes()); err != nil {
		return err
	}
	err = cli.Failed(f.tell(cmd, m, a))
	if err == nil && (m.Status() == solver.Cancelled || ctx.Err() != nil) {
		err = cli.Failed(errors.New("interrupted: this is the best choice so far"))
	}
	return err
}

// warn tells of mistakes, which are errors with --strict.
func (f *fitFlags) warn(cmd *cobra.Command, mistakes []dataset.Warning) error {
	if f.strict {
		if err := dataset.StrictError(mistakes); err != nil {
			return err
		}
	}
	for _, m := range mistakes {
		fmt.Fprintf(cmd.ErrOrStderr(), "fspca-beam: warning: %s\n", cli.AsFlags(cmd.Flags(), m.String()))
	}
	return nil
}

// tell writes the model and prints what was chosen.
func (f *fitFlags) tell(cmd *cobra.Command, m *selector.Model, a *beam.Covariance) error {
	write := func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	}
	said := cmd.OutOrStdout()
	var err error
	switch f.out {
	case "":
	case "-":
		said = cmd.ErrOrStderr()
		err = write(cmd.OutOrStdout())
	default:
		err = files.Write(f.out, write)
	}
	if err != nil {
		return err
	}
	return f.describe(said, m, a)
}

// describe prints what was chosen.
func (f *fitFlags) describe(w io.Writer, m *selector.Model, a *beam.Covariance) error {
	if f.asJSON {
		b, err := json.MarshalIndent(m.Summary(), "", "  ")
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\n", b)
		}
		return err
	}
	bound := ""
	if b := m.Bound(); b.Upper != 0 {
		bound = "; " + b.String()
	}
	_, err := fmt.Fprintf(w, "%d of %s, %s (%s), of %s in %s, read %s\n%s\nexplained variance %.4f of the total, %.4f of that of PCA on all columns%s\n",
		len(m.Features()), words.Count(a.Order(), "column"), words.Count(len(m.ExplainedVariance()), "component"), m.Status(),
		words.Count(a.Rows(), "row"), words.Count(a.Shards, "shard"), words.Count(1+a.Passes(), "time"), strings.Join(m.Features(), ", "),
		m.Objective()/m.TotalVariance(), m.Objective()/m.LeadingVariance(), bound)
	return err
}
