package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/report"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// fitFlags are the flags of commands that fit a selection.
type fitFlags struct {
	cli.Selection
	data        dataFlags
	covariance  bool
	impute      string
	omitMissing bool
	memory      memoryFlag
	talk        talk
	sizes       []int // the k of a path, where they are known
	page        pageFlags
}

// register registers the flags of fit, or those that path has too.
func (f *fitFlags) register(cmd *cobra.Command, ofPath bool) {
	f.Selection.Register(cmd, ofPath)
	f.data.register(cmd, "`COLUMN` with the class of each row; it is left out of the fit")
	flags := cmd.Flags()
	flags.BoolVar(&f.covariance, "covariance", false, "DATA is a square symmetric covariance matrix instead of rows")
	flags.StringVar(&f.impute, "impute", "", "fill missing cells with the column's `VALUE`: mean, median or most_frequent")
	flags.BoolVar(&f.omitMissing, "omit-missing", false, "leave out rows with a missing cell, and print how many")
	f.memory.register(cmd, "the fit and the table")
	f.talk.register(cmd)
	f.page.register(cmd)
}

// check returns what is wrong with the flags themselves.
func (f *fitFlags) check(cmd *cobra.Command) error {
	errs := f.Check(cmd, olderModel)
	if f.impute != "" && f.omitMissing {
		errs = append(errs, errors.New("--impute and --omit-missing: give one of them"))
	}
	if cmd.Flags().Changed("impute") && !slices.Contains(imputations, f.impute) {
		errs = append(errs, fmt.Errorf("--impute is %q: want %s", f.impute, strings.Join(imputations, ", ")))
	}
	errs = append(errs, f.checkCovariance(cmd)...)
	return errors.Join(errs...)
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

// olderModel returns the selection of a model.
func olderModel(path string) (*selector.Model, error) {
	m, err := loadModel(path)
	if err != nil {
		return nil, err
	}
	if m.selection == nil {
		return nil, fmt.Errorf("%s is a pipeline without an fspca step", path)
	}
	return m.selection, nil
}

// imputations are what --impute fills missing cells with.
var imputations = []string{transformer.Mean, transformer.Median, transformer.MostFrequent}

// ledgerColumns is the number of columns up to which a model that is saved
// holds the ledger where nobody asks.
const ledgerColumns = 10000

// fit reads the data and fits the selection, which is saved or not.
func (f *fitFlags) fit(cmd *cobra.Command, path string, saved bool) (*selector.Model, *source, error) {
	s := selector.New(f.Options)
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

// open reads the data and prints what memory the fit needs, with so many k up to
// largest if that is not 0. s reports its progress until done is called.
func (f *fitFlags) open(cmd *cobra.Command, path string, s *selector.FSPCA, largest, sizes int) (d *source, done func(), err error) {
	restore := f.memory.keepIfGiven()
	defer func() {
		if err != nil {
			restore()
		}
	}()
	before := debug.SetGCPercent(readingGarbage)
	d, err = f.read(cmd, path, largest)
	debug.SetGCPercent(before)
	if err != nil {
		return nil, nil, err
	}
	if err := f.page.checkShape(d.shape().Columns); err != nil {
		return nil, nil, errors.Join(err, d.release())
	}
	if d.blocks != nil {
		end, err := f.openBlocks(cmd, path, s, d, largest)
		if err != nil {
			return nil, nil, errors.Join(err, d.release())
		}
		return d, func() { end(); restore() }, nil
	}
	shape := d.shape()
	shape.Sizes = sizes
	options := s.Options
	options.Features = max(options.Features, largest)
	need := newDemand(shape, options)
	if err := need.state(cmd.ErrOrStderr(), path, f.talk); err != nil {
		return nil, nil, f.sooner(path, d.columns(), shape.Rows, largest, err)
	}
	p := newProgress(cmd.ErrOrStderr(), f.talk)
	p.sizes = f.sizes
	s.Progress = p.of(cmd.Context())
	collector := need.limitGarbage()
	return d, func() { collector(); restore(); p.done() }, nil
}

// sooner returns the mistake in the options where there is one, in the place of an error about memory: more memory
// would not help.
func (f *fitFlags) sooner(path string, names []string, rows, largest int, err error) error {
	o := f.Options
	if o.Features = max(o.Features, largest); o.Features == 0 { // of a path, or to be found
		o.FeaturesTarget = 1
	}
	if wrong := selector.CheckNames(names, rows, o); wrong != nil {
		return at(path, wrong)
	}
	return err
}

// fitCommand fits a selection.
type fitCommand struct {
	flags  fitFlags
	out    output
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
--covariance a square symmetric matrix. The first bytes of a file show its format,
then its name, else --format. Sparse rows stay sparse if they are in an svmlight
file (.svm, .libsvm, .svmlight; the class is called label) or a Matrix Market file
(.mtx; features.tsv and barcodes.tsv in the same folder name columns and rows).

The choice is printed. -o writes the model, which transform and inspect read; new
data then need only the k chosen columns. Without -o no file is written.

Instead of -k, --target 0.9 takes the smallest k found that keeps 90 % of the
variance of PCA on all columns. Instead of -m, --components-target and
--parallel-analysis find m from the data.

--criterion reconstruction chooses the columns that best predict all others.
For every choice R² of all columns by least squares is printed, and what noise,
random choices and PCA reach.

Every choice comes with an upper bound on the best one: upper_bound, gap and
proved in the JSON. --effort ipu is the paper's algorithm alone; by default a few
exchanges follow it. --effort thorough searches longer. --effort exact searches
until the best choice is proved or --deadline passes; then the best choice so far
and its gap are printed, with exit code 0. After Ctrl-C they are printed with exit
code 1.`,
		Example: `  fspca fit genes.csv.gz --label tissue -k 30 -m 5 -o model.json
  fspca fit readings.csv --drop id,time -k 12 -m 4 --standardize
  fspca fit words.svm.gz -k 100 -m 10 -o model.json
  fspca fit --covariance cov.npy -k 50 -m 10 --json
  fspca fit readings.csv --drop id,time -k 12 -m 4 --effort exact --deadline 1m --include price --exclude stock`,
		Args: exactly("DATA"),
	})
}

func (c *fitCommand) register(cmd *cobra.Command) {
	c.flags.register(cmd, false)
	cmd.Flags().VarP((*cli.File)(&c.proof.path), "certificate", "", "`FILE` for the proof of the bound of --effort exact or --bound tight; fspca verify checks it")
	cmd.Flags().VarP((*cli.File)(&c.out.path), "out", "o", "`FILE` to write the model to; - for standard output")
	registerForce(cmd, &c.out, &c.flags.page.output, &c.proof)
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print the result as JSON")
}

func (c *fitCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.flags.check(cmd); err != nil {
		return err
	}
	if err := errors.Join(c.flags.page.checkPage(), checkOutputs(cmd, args, &c.out, &c.flags.page.output, &c.proof)); err != nil {
		return err
	}
	if err := c.flags.checkCertificate(&c.proof, args[0]); err != nil {
		return err
	}
	model, rows, err := c.flags.fit(cmd, args[0], c.out.path != "" || c.flags.page.path != "")
	if err != nil {
		return err
	}
	err = c.out.write(cmd, func(w io.Writer) error {
		_, err := model.WriteTo(w)
		return err
	})
	summary := model.Summary()
	err = errors.Join(err, c.flags.page.writePage(cmd, args, func() report.Input {
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
		err = errors.Join(err, cli.Failed(describeModel(said, model, summary)))
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
		return cli.Failed(err)
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return cli.Failed(err)
}
