package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// ledgerColumns is as in fspca fit.
const ledgerColumns = 10000

// fitFlags are those of fspca fit, as far as they are for shards.
type fitFlags struct {
	jobFlags
	data        dataFlags
	selection   selector.Options
	cost        selector.Cost
	groups      []string
	align       string
	warmStart   string
	memoryMiB   int64
	bare        bool
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
	f.data.register(cmd, "`COLUMN` with the class of each row; it is left out of the fit")
	o, flags := &f.selection, cmd.Flags()
	flags.IntVarP(&o.Features, "features", "k", 0, "number `K` of columns to choose")
	flags.Float64Var(&o.FeaturesTarget, "target", 0, "instead of -k, the `SHARE` of the variance of PCA on all columns that is to be kept")
	flags.IntVarP(&o.Components, "components", "m", 0, "number `M` of components, at most k")
	flags.Float64Var(&o.ComponentsTarget, "components-target", 0, "instead of -m, the `SHARE` of the total variance that PCA with as many components explains")
	flags.StringVar(&f.cost.File, "cost", "", "`FILE` with a line for each column, its name and its cost, for --budget")
	flags.StringVar(&f.cost.Column, "cost-column", "", "`COLUMN` of the file of --cost with the costs, where several hold numbers")
	flags.Float64Var(&f.cost.Budget, "budget", 0, "instead of -k, what the chosen columns may `COST` together")
	flags.BoolVar(&f.omitMissing, "omit-missing", false, "leave rows with a missing cell out, and say how many")
	flags.BoolVar(&o.Uncentered, "no-center", false, "do not subtract the column means (still divides by n−1)")
	flags.BoolVar(&o.Standardize, "standardize", false, "divide each column by its standard deviation: works on correlations")
	flags.StringVar(&f.align, "align", "", "`MODEL` of an earlier fit, whose components the new ones follow in order and sign")
	flags.StringVar(&f.warmStart, "warm-start", "", "`MODEL` of an earlier fit, whose columns are a start as well")
	flags.StringVar(&o.Criterion, "criterion", selector.CriterionVariance, "what a choice makes large: `variance` of the components, or reconstruction")
	flags.Float64Var(&o.MaxCorrelation, "max-correlation", 0, "largest `|R|` of two chosen columns, such as 0.9")
	flags.StringArrayVar(&f.groups, "group", nil, "`PATTERN=N`: of the columns that it fits (* and ?) at most N are chosen (repeatable)")
	flags.StringArrayVar(&o.Unmeasured, "unmeasured", nil, "`COLUMNS` that may not be chosen but are to be told of (repeatable)")
	var compared []string
	for _, m := range baseline.Methods() {
		if m != solver.MethodIPU && m != solver.MethodGo {
			compared = append(compared, string(m))
		}
	}
	flags.StringVar(&o.Method, "method", "ipu", "`ALGORITHM`: ipu or go, or for comparison "+strings.Join(compared, ", "))
	flags.StringVar(&o.Effort, "effort", "", "`EFFORT` of ipu: ipu (default), thorough, or exact, which proves the best choice")
	flags.IntVar(&o.SDPIterations, "sdp-iterations", 0, "tighten the bound by `N` iterations of a semidefinite relaxation")
	flags.DurationVar(&o.Deadline, "deadline", 0, "`TIME` that the choice may take after the moments are known; then the best so far is taken (default none)")
	flags.Int64Var(&f.memoryMiB, "memory-limit", 0, "`MIB` that --effort exact may take for what it has yet to rule out (default 1024)")
	flags.StringArrayVar(&o.Include, "include", nil, "`COLUMNS` that must be chosen, among the k; as in --drop (repeatable)")
	flags.StringArrayVar(&o.Exclude, "exclude", nil, "`COLUMNS` that may not be chosen; as in --drop (repeatable)")
	flags.StringVar(&o.Init, "init", "", "`START` of ipu: go (default), random or convex_relaxation")
	flags.IntVar(&o.Restarts, "restarts", 0, "`NUMBER` of random starts (20 with --init random, otherwise none)")
	flags.Uint64Var(&o.Seed, "seed", 0, "`SEED` of the random starts")
	flags.IntVar(&o.MaxIterations, "max-iterations", 0, "limit `N` on the steps from one start (default 100)")
	flags.Float64Var(&o.Epsilon, "epsilon", 0, "absolute `NUMBER` added to the covariance's diagonal; only to reproduce the paper")
	flags.BoolVar(&o.Decoder, "decoder", false, "keep in the model what rebuilds all columns")
	flags.Float64Var(&o.Ridge, "ridge", 0, "`LAMBDA` that shrinks the coefficients of --decoder: 0.1 to 1")
	flags.BoolVar(&f.bare, "no-reconstruction", false, "do not compute what the chosen columns tell of each other column")
	flags.BoolVar(&o.Ledger, "ledger", false, "keep in the model why each column was chosen or not (default with -o and up to 10000 columns)")
	flags.StringVarP(&f.out, "out", "o", "", "`FILE` to write the model to; - for standard output")
	flags.BoolVar(&f.force, "force", false, "replace the file of -o even if it holds something else than a model")
	flags.BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	flags.BoolVar(&f.strict, "strict", false, "take warnings (what surely is a mistake, though possible) for errors")
	flags.BoolP("quiet", "q", false, "tell nothing of the progress (as without -v)")
	flags.IntVar(&f.options.Groups, "groups", 0, "`NUMBER` of groups of shards, for so many workers (default one for each shard, or fewer where what they hand on would take more than 4 GiB); the last digits depend on it")
	notForShards.register(cmd)
	f.jobFlags.register(cmd)
}

// settle completes the options by what needs more than a value.
func (f *fitFlags) settle(cmd *cobra.Command) error {
	errs := []error{notForShards.check(cmd)}
	o, flags := &f.selection, cmd.Flags()
	given := func(names ...string) (n int) {
		for _, name := range names {
			if flags.Changed(name) {
				n++
			}
		}
		return n
	}
	if given("features", "target", "budget") != 1 {
		errs = append(errs, errors.New("want one of -k (--features), --target and --budget"))
	}
	if given("components", "components-target") != 1 && !flags.Changed("parallel-analysis") {
		errs = append(errs, errors.New("want one of -m (--components) and --components-target"))
	}
	if flags.Changed("deadline") && o.Deadline <= 0 {
		errs = append(errs, fmt.Errorf("--deadline is %v: want a time above 0, such as 30s", o.Deadline))
	}
	if flags.Changed("memory-limit") && f.memoryMiB < 1 {
		errs = append(errs, fmt.Errorf("--memory-limit is %d: want at least 1 MiB", f.memoryMiB))
	}
	if given("cost", "cost-column", "budget") > 0 {
		if given("cost", "budget") < 2 {
			errs = append(errs, errors.New("--cost and --budget go together: a file with the cost of each column, and what they may cost"))
		}
		o.Cost = &f.cost
	}
	for _, g := range f.groups {
		at := strings.LastIndexByte(g, '=')
		n, err := strconv.Atoi(strings.TrimSpace(g[at+1:]))
		if at < 1 || err != nil || n < 0 {
			errs = append(errs, fmt.Errorf("--group is %q: want a pattern of columns and a whole number, such as 'temp_*=2'", g))
			continue
		}
		if o.Groups == nil {
			o.Groups = map[string]int{}
		}
		o.Groups[g[:at]] = n
	}
	for _, old := range []struct {
		flag, path string
		into       **selector.Model
	}{{"align", f.align, &o.Align}, {"warm-start", f.warmStart, &o.WarmStart}} {
		if old.path == "" {
			continue
		}
		m, err := selector.LoadModel(old.path)
		if err != nil {
			errs = append(errs, fmt.Errorf("--%s: %w", old.flag, err))
		}
		*old.into = m
	}
	o.MemoryLimit, o.Reconstruction = f.memoryMiB<<20, !f.bare
	f.options.Uncentered = o.Uncentered
	errs = append(errs, f.checkOut())
	return errors.Join(errs...)
}

// checkOut returns an error, before any work, if the model cannot be written.
func (f *fitFlags) checkOut() error {
	if f.out == "" || f.out == "-" {
		return nil
	}
	f.out = files.Home(f.out)
	if err := files.CheckWritable(f.out); err != nil {
		return failed(err)
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
	return selector.CheckColumns(names, f.selection)
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
		fmt.Fprintf(cmd.ErrOrStderr(), "fspca-beam: %d row(s) of %d with missing cells left out\n", a.Omitted, a.Omitted+a.Rows())
	}
	s := selector.New(f.selection)
	if !cmd.Flags().Changed("ledger") {
		s.Ledger = f.out != "" && a.Order() <= ledgerColumns
	}
	if err := s.FitStream(ctx, a.Stream, a.Names, a.Reading); err != nil {
		return err
	}
	m := s.Model()
	if f.strict {
		if err := dataset.StrictError(m.Mistakes()); err != nil {
			return err
		}
	}
	for _, w := range m.Mistakes() {
		fmt.Fprintf(cmd.ErrOrStderr(), "fspca-beam: warning: %v\n", w)
	}
	write := func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	}
	said := cmd.OutOrStdout()
	switch f.out {
	case "":
	case "-":
		said = cmd.ErrOrStderr()
		err = write(cmd.OutOrStdout())
	default:
		err = files.Write(f.out, write)
	}
	if err = failed(err); err == nil {
		err = failed(f.describe(said, m, a))
	}
	if err == nil && (m.Status() == solver.Cancelled || ctx.Err() != nil) {
		err = failed(errors.New("interrupted: this is the best choice so far"))
	}
	return err
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
	_, err := fmt.Fprintf(w, "%d of %d columns, %d component(s) (%s), of %d rows in %d shard(s), read %d time(s)\n%s\nexplained variance %.4f of the total, %.4f of that of PCA on all columns; no choice reaches more than %.4f of it\n",
		len(m.Features()), a.Order(), len(m.ExplainedVariance()), m.Status(), a.Rows(), a.Shards, 1+a.Passes(), strings.Join(m.Features(), ", "),
		m.Objective()/m.TotalVariance(), m.Objective()/m.LeadingVariance(), m.Bound().Upper/m.LeadingVariance())
	return err
}
