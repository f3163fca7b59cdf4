package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"github.com/fspca/fspca/transformer"
)

// fitFlags are the flags of commands that fit a selection.
type fitFlags struct {
	data        dataFlags
	covariance  bool
	noCenter    bool
	impute      string
	omitMissing bool
	memoryMiB   int64
	memory      memoryFlag
	talk        talk
	sizes       []int // the k of a path, where they are known
	bare        bool  // --no-reconstruction
	groups      []string
	align       string
	warmStart   string
	cost        selector.Cost
	options     selector.Options
}

func (f *fitFlags) register(cmd *cobra.Command) {
	f.registerShared(cmd)
	flags := cmd.Flags()
	flags.IntVarP(&f.options.Features, "features", "k", 0, "number `K` of columns to choose")
	flags.Float64Var(&f.options.FeaturesTarget, "target", 0, "instead of -k, the `SHARE` of the variance of PCA on all columns that is to be kept: the smallest k found is taken")
	flags.Var(pathFlag(&f.cost.File), "cost", "`FILE` with a line for each column, its name and its cost, for --budget")
	flags.StringVar(&f.cost.Column, "cost-column", "", "`COLUMN` of the file of --cost with the costs, where several hold numbers")
	flags.Float64Var(&f.cost.Budget, "budget", 0, "instead of -k, what the chosen columns may `COST` together")
	flags.IntVar(&f.options.Bootstrap, "bootstrap", 0, "draw the rows `B` times anew and tell how often each column is chosen")
	flags.BoolVar(&f.options.Decoder, "decoder", false, "keep in the model what rebuilds all columns: for transform --output reconstruction and evaluate")
	flags.Float64Var(&f.options.Ridge, "ridge", 0, "`LAMBDA` that shrinks the coefficients of --decoder, as few rows need: 0.1 to 1")
	flags.BoolVar(&f.bare, "no-reconstruction", false, "do not compute what the chosen columns tell of each other column, and what PCA and random choices reach")
	flags.BoolVar(&f.options.Ledger, "ledger", false, "keep in the model why each column was chosen or not (default with -o and up to 10000 columns)")
}

// registerShared registers the flags that fit and path share.
func (f *fitFlags) registerShared(cmd *cobra.Command) {
	f.data.register(cmd, "`COLUMN` with the class of each row; it is left out of the fit")
	flags := cmd.Flags()
	flags.IntVarP(&f.options.Components, "components", "m", 0, "number `M` of components, at most k")
	flags.Float64Var(&f.options.ComponentsTarget, "components-target", 0, "instead of -m, the `SHARE` of the total variance that PCA with as many components explains")
	flags.BoolVar(&f.options.ParallelAnalysis, "parallel-analysis", false, "instead of -m, choose m by parallel analysis: components count that explain more than the 95th percentile of shuffled data")
	flags.BoolVar(&f.covariance, "covariance", false, "DATA is a square symmetric covariance matrix instead of rows")
	flags.StringVar(&f.impute, "impute", "", "fill missing cells with the column's `VALUE`: mean, median or most_frequent")
	flags.BoolVar(&f.omitMissing, "omit-missing", false, "leave rows with a missing cell out, and say how many")
	f.memory.register(cmd, "the fit and the table")
	flags.BoolVar(&f.noCenter, "no-center", false, "do not subtract the column means (still divides by n−1)")
	flags.BoolVar(&f.options.Standardize, "standardize", false, "divide each column by its standard deviation: works on correlations")
	flags.StringVar(&f.options.Weight, "weight", "", "`COLUMN` with the weight of each row, which counts as if it were there so many times; it is no feature")
	flags.Var(pathFlag(&f.align), "align", "`MODEL` of an earlier fit, whose components the new ones follow in order and sign; how far they turned is told")
	flags.Var(pathFlag(&f.warmStart), "warm-start", "`MODEL` of an earlier fit, whose columns are a start as well")
	flags.StringVar(&f.options.Criterion, "criterion", selector.CriterionVariance, "what a choice makes large: `variance` of the components, or reconstruction: what the columns tell of all the others")
	flags.Float64Var(&f.options.MaxCorrelation, "max-correlation", 0, "largest `|R|` of two chosen columns, such as 0.9")
	flags.StringArrayVar(&f.groups, "group", nil, "`PATTERN=N`: of the columns that it fits (* and ?) at most N are chosen (repeatable)")
	flags.StringArrayVar(&f.options.Unmeasured, "unmeasured", nil, "`COLUMNS` that may not be chosen but are to be told of, unlike those of --exclude; as in --drop (repeatable)")
	f.registerSearch(cmd)
	f.talk.register(cmd)
	flags.Float64Var(&f.options.Epsilon, "epsilon", 0, "absolute `NUMBER` added to the covariance's diagonal; only to reproduce the paper")
}

// registerSearch registers the flags that say how the choice is searched.
func (f *fitFlags) registerSearch(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.options.Method, "method", "ipu", "`ALGORITHM`: ipu or go, or for comparison "+strings.Join(compared(), ", "))
	flags.StringVar(&f.options.Effort, "effort", "", "`EFFORT` of ipu: ipu, which is the paper's alone, quick (default), thorough, or exact, which proves the best choice")
	flags.StringVar(&f.options.Bound, "bound", "", "`HOW` far the upper bound is proved: quick (default), tight, or none, which claims nothing")
	flags.IntVar(&f.options.SDPIterations, "sdp-iterations", 0, "tighten the bound by `N` iterations of a semidefinite relaxation; 400 come close to what it can prove")
	flags.DurationVar(&f.options.Deadline, "deadline", 0, "`TIME` that the fit may take, such as 30s or 1h30m; then the best so far is taken (default none)")
	flags.Int64Var(&f.memoryMiB, "memory-limit", 0, "`MIB` that --effort exact may take for what it has yet to rule out (default 1024)")
	flags.StringArrayVar(&f.options.Include, "include", nil, "`COLUMNS` that must be chosen, among the k; as in --drop (repeatable)")
	flags.StringArrayVar(&f.options.Exclude, "exclude", nil, "`COLUMNS` that may not be chosen; as in --drop (repeatable)")
	flags.StringVar(&f.options.Init, "init", "", "`START` of ipu: go (default), random or convex_relaxation")
	flags.IntVar(&f.options.Restarts, "restarts", 0, "`NUMBER` of random starts (20 with --init random, otherwise none)")
	flags.Uint64Var(&f.options.Seed, "seed", 0, "`SEED` of the random starts and of the draws of --bootstrap")
	flags.IntVar(&f.options.MaxIterations, "max-iterations", 0, "limit `N` on the steps from one start (default 100)")
}

// compared are the methods beside the two of Feature Sparse PCA.
func compared() []string {
	var names []string
	for _, m := range baseline.Methods() {
		if m != solver.MethodIPU && m != solver.MethodGo {
			names = append(names, string(m))
		}
	}
	return names
}

// check returns what is wrong with the flags themselves.
func (f *fitFlags) check(cmd *cobra.Command) error {
	var errs []error
	errs = append(errs, f.checkSizes(cmd)...)
	errs = append(errs, f.checkAbove(cmd)...)
	if flags := cmd.Flags(); flags.Changed("cost") || flags.Changed("cost-column") || flags.Changed("budget") {
		if !flags.Changed("cost") || !flags.Changed("budget") {
			errs = append(errs, errors.New("--cost and --budget go together: a file with the cost of each column, and what they may cost"))
		}
		f.options.Cost = &f.cost
	}
	if err := f.readGroups(); err != nil {
		errs = append(errs, err)
	}
	errs = append(errs, f.readOlder()...)
	errs = append(errs, f.checkOptions(cmd)...)
	if f.impute != "" && f.omitMissing {
		errs = append(errs, errors.New("--impute and --omit-missing: give one of them"))
	}
	if cmd.Flags().Changed("impute") && !slices.Contains(imputations, f.impute) {
		errs = append(errs, fmt.Errorf("--impute is %q: want %s", f.impute, strings.Join(imputations, ", ")))
	}
	errs = append(errs, f.checkCovariance(cmd)...)
	return errors.Join(errs...)
}

// checkAbove returns which flags are given with a number that must be larger.
func (f *fitFlags) checkAbove(cmd *cobra.Command) []error {
	var errs []error
	if cmd.Flags().Changed("deadline") && f.options.Deadline <= 0 {
		errs = append(errs, fmt.Errorf("--deadline is %v: want a time above 0, such as 30s", f.options.Deadline))
	}
	if cmd.Flags().Changed("bootstrap") && f.options.Bootstrap < 1 {
		errs = append(errs, fmt.Errorf("--bootstrap is %d: want at least 1 draw of the rows", f.options.Bootstrap))
	}
	if cmd.Flags().Changed("memory-limit") && f.memoryMiB < 1 {
		errs = append(errs, fmt.Errorf("--memory-limit is %d: want at least 1 MiB", f.memoryMiB))
	}
	return errs
}

// readOlder opens the earlier models that the flags name.
func (f *fitFlags) readOlder() []error {
	var errs []error
	for _, old := range []struct {
		flag, path string
		into       **selector.Model
	}{{"align", f.align, &f.options.Align}, {"warm-start", f.warmStart, &f.options.WarmStart}} {
		var err error
		if *old.into, err = olderModel(old.path); err != nil {
			errs = append(errs, fmt.Errorf("--%s: %w", old.flag, err))
		}
	}
	return errs
}

// checkCovariance returns what of the flags a covariance has no use for.
func (f *fitFlags) checkCovariance(cmd *cobra.Command) []error {
	var errs []error
	if f.covariance {
		for _, name := range []string{"label", "no-center", "standardize", "bootstrap", "parallel-analysis", "impute", "omit-missing", "id", "transpose", "weight"} {
			if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
				errs = append(errs, fmt.Errorf("--%s needs rows, and --covariance says that DATA has none", name))
			}
		}
	}
	return errs
}

// olderModel returns the selection of a model, nil for "".
func olderModel(path string) (*selector.Model, error) {
	if path == "" {
		return nil, nil
	}
	m, err := loadModel(path)
	if err != nil {
		return nil, err
	}
	if m.selection == nil {
		return nil, fmt.Errorf("%s is a pipeline without an fspca step", path)
	}
	return m.selection, nil
}

// readGroups reads the --group flags into the options.
func (f *fitFlags) readGroups() error {
	var errs []error
	for _, g := range f.groups {
		at := strings.LastIndexByte(g, '=')
		n, err := 0, errors.New("no =")
		if at > 0 {
			n, err = strconv.Atoi(strings.TrimSpace(g[at+1:]))
		}
		if err != nil || n < 0 {
			errs = append(errs, fmt.Errorf("--group is %q: want a pattern of columns and a whole number, such as 'temp_*=2'", g))
			continue
		}
		if f.options.Groups == nil {
			f.options.Groups = map[string]int{}
		}
		f.options.Groups[g[:at]] = n
	}
	return errors.Join(errs...)
}

// imputations are what --impute fills missing cells with.
var imputations = []string{transformer.Mean, transformer.Median, transformer.MostFrequent}

// checkSizes returns what is wrong with what the flags say of k and m.
func (f *fitFlags) checkSizes(cmd *cobra.Command) []error {
	var errs []error
	given := func(names ...string) []string {
		return slices.DeleteFunc(names, func(name string) bool {
			flag := cmd.Flags().Lookup(name)
			return flag == nil || !flag.Changed
		})
	}
	for _, c := range []struct {
		name   string
		ways   []string
		others string
		such   string
	}{
		{"-k (--features)", []string{"features", "target", "budget"}, "--target or --budget", "-k 20"},
		{"-m (--components)", []string{"components", "components-target", "parallel-analysis"}, "--components-target or --parallel-analysis", "-m 5"},
	} {
		if cmd.Name() == "path" && c.ways[0] == "features" {
			continue // which has rules of its own
		}
		switch ways := given(c.ways...); {
		case len(ways) == 0:
			errs = append(errs, fmt.Errorf("%s is missing: give a number, such as %s; %s finds it", c.name, c.such, c.others))
		case len(ways) > 1:
			errs = append(errs, fmt.Errorf("--%s: give one of them", strings.Join(ways, " and --")))
		}
	}
	if len(given("target")) > 0 {
		errs = append(errs, param.Share("FeaturesTarget", "--target", f.options.FeaturesTarget, "dense PCA's variance"))
	}
	if len(given("components-target")) > 0 {
		errs = append(errs, param.Share("ComponentsTarget", "--components-target", f.options.ComponentsTarget, "the total variance"))
	}
	return errs
}

// settled returns the options that the flags ask for.
func (f *fitFlags) settled() selector.Options {
	o := f.options
	o.Uncentered, o.MemoryLimit = f.noCenter, f.memoryMiB<<20
	return o
}

// ledgerColumns is the number of columns up to which a model that is saved
// holds the ledger where nobody asks.
const ledgerColumns = 10000

// fit reads the data and fits the selection, which is saved or not.
func (f *fitFlags) fit(cmd *cobra.Command, path string, saved bool) (*selector.Model, *source, error) {
	s := selector.New(f.settled())
	s.Reconstruction = !f.bare
	d, done, err := f.open(cmd, path, s, 0, 1)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	if !cmd.Flags().Changed("ledger") {
		s.Ledger = saved && d.shape().Columns <= ledgerColumns
	}
	if err := d.fit(cmd.Context(), s); err != nil {
		return nil, nil, at(path, err)
	}
	f.tellRoute(cmd.ErrOrStderr(), s.Model())
	return s.Model(), d, f.data.say(cmd, path, s.Model().Mistakes())
}

// tellRoute says with --verbose in which form the solver worked with A, and why.
func (f *fitFlags) tellRoute(w io.Writer, m *selector.Model) {
	if f.talk.verbose && m.RouteReason() != "" {
		fmt.Fprintf(w, "fspca: route %s: %s\n", m.Route(), m.RouteReason())
	}
}

// open reads the data, says what memory the fit needs, with so many k up to
// largest if that is not 0, and lets s tell of its progress until done is called.
func (f *fitFlags) open(cmd *cobra.Command, path string, s *selector.FSPCA, largest, sizes int) (d *source, done func(), err error) {
	restore := f.memory.keepIfGiven()
	before := debug.SetGCPercent(readingGarbage)
	d, err = f.read(cmd, path)
	debug.SetGCPercent(before)
	if err != nil {
		restore()
		return nil, nil, err
	}
	if d.blocks != nil {
		end, err := f.openBlocks(cmd, path, s, d, largest)
		if err != nil {
			restore()
		}
		return d, func() { end(); restore() }, err
	}
	shape := d.shape()
	shape.Sizes = sizes
	options := s.Options
	options.Features = max(options.Features, largest)
	need := newDemand(shape, options)
	if err := need.state(cmd.ErrOrStderr(), path, f.talk); err != nil {
		return nil, nil, err
	}
	p := newProgress(cmd.ErrOrStderr(), f.talk)
	p.sizes = f.sizes
	s.Progress = p.of(cmd.Context())
	collector := need.limitGarbage()
	return d, func() { collector(); restore(); p.done() }, nil
}

// fitCommand fits a selection.
type fitCommand struct {
	flags  fitFlags
	out    output
	page   pageFlags
	proof  output
	asJSON bool
}

func newFit() *cobra.Command {
	return command(&fitCommand{out: output{flag: "-o", holds: modelContent}, proof: output{flag: "--certificate", holds: certificateContent}}, &cobra.Command{
		Use:   "fit DATA",
		Short: "Choose k columns and fit m components",
		Long: `Choose k columns of a table, shared by all m components, and fit the
m-dimensional projection on them.

DATA is a table: .csv, .tsv, .txt, .npy, .npz, .parquet or .xlsx, also compressed
(.gz, .bz2, .zst, .zip), or - for standard input. It holds rows of numbers, or with
--covariance a square symmetric matrix. The first bytes of a file tell its format,
then its name, else --format does. Rows with few numbers other than 0 stay sparse
if they come as svmlight (.svm, .libsvm, .svmlight; the class is called label) or
Matrix Market (.mtx; features.tsv and barcodes.tsv beside it name columns and rows).

The choice is printed. -o writes the model, which transform and inspect read; new
data then need only the k chosen columns. Without -o no file is written.

Instead of -k, --target 0.9 takes the smallest k found that keeps 90 % of the
variance of PCA on all columns; instead of -m, --components-target and
--parallel-analysis let the data say.

--criterion reconstruction chooses the columns from which all others are rebuilt
best. Of every choice it is said what it tells of all columns: R² by least
squares, beside what noise, random choices and PCA reach.

Every choice comes with an upper bound on the best one: upper_bound, gap and
proved in the JSON. --effort ipu is the paper's algorithm alone; by default a few
exchanges follow it. --effort thorough looks further, and --effort exact until
the best choice is proved, or until --deadline: then
the best so far and its gap are printed, with exit code 0. After Ctrl-C they are
too, with exit code 1.`,
		Example: `  fspca fit genes.csv.gz --label tissue -k 30 -m 5 -o model.json
  fspca fit readings.csv --drop id --drop time -k 12 -m 4 --standardize
  fspca fit words.svm.gz -k 100 -m 10 -o model.json
  fspca fit --covariance cov.npy -k 50 -m 10 --json
  fspca fit readings.csv -k 12 -m 4 --effort exact --deadline 1m --include price --exclude id`,
		Args: exactly("DATA"),
	})
}

func (c *fitCommand) register(cmd *cobra.Command) {
	c.flags.register(cmd)
	cmd.Flags().VarP(pathFlag(&c.proof.path), "certificate", "", "`FILE` for what proves the bound of --effort exact; fspca verify checks it")
	cmd.Flags().VarP(pathFlag(&c.out.path), "out", "o", "`FILE` to write the model to; - for standard output")
	c.page.register(cmd)
	registerForce(cmd, &c.out, &c.page.output, &c.proof)
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print the result as JSON")
}

func (c *fitCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.flags.check(cmd); err != nil {
		return err
	}
	if err := errors.Join(c.page.checkPage(), checkOutputs(cmd, args, &c.out, &c.page.output, &c.proof)); err != nil {
		return err
	}
	if err := c.flags.checkCertificate(&c.proof, args[0]); err != nil {
		return err
	}
	model, rows, err := c.flags.fit(cmd, args[0], c.out.path != "" || c.page.path != "")
	if err != nil {
		return err
	}
	err = c.out.write(cmd, func(w io.Writer) error {
		_, err := model.WriteTo(w)
		return err
	})
	summary := model.Summary()
	err = errors.Join(err, c.page.writePage(cmd, args, func() report.Input {
		in := reportOf(cmd.Context(), model, rows, args[0])
		summary = in.Selection.(selector.Summary)
		return in
	}))
	said := cmd.OutOrStdout()
	if c.out.path == "-" { // which the model has taken
		said = cmd.ErrOrStderr()
	}
	if c.asJSON {
		err = errors.Join(err, printJSON(said, summary))
	} else {
		err = errors.Join(err, failed(describeModel(said, model, summary)))
	}
	if c.proof.path != "" && cmd.Context().Err() == nil {
		err = errors.Join(err, c.flags.writeCertificate(cmd, &c.proof, args[0], model))
	}
	return errors.Join(err, interruption(cmd, model))
}

// printJSON writes v as indented JSON with a final newline.
func printJSON(w io.Writer, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return failed(err)
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return failed(err)
}
