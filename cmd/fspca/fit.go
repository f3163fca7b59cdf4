package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// fitFlags are the flags of commands that fit a selection.
type fitFlags struct {
	data       dataFlags
	covariance bool
	noCenter   bool
	memoryMiB  int64
	verbose    bool
	options    selector.Options
}

func (f *fitFlags) register(cmd *cobra.Command) {
	f.data.register(cmd, "`COLUMN` with the class of each row; it is left out of the fit")
	flags := cmd.Flags()
	flags.IntVarP(&f.options.Features, "features", "k", 0, "number `K` of columns to choose")
	flags.IntVarP(&f.options.Components, "components", "m", 0, "number `M` of components, at most k")
	flags.BoolVar(&f.covariance, "covariance", false, "DATA is a square symmetric covariance matrix instead of rows")
	flags.BoolVar(&f.noCenter, "no-center", false, "do not subtract the column means (still divides by n−1)")
	flags.BoolVar(&f.options.Standardize, "standardize", false, "divide each column by its standard deviation: works on correlations")
	flags.StringVar(&f.options.Method, "method", "ipu", "`ALGORITHM`: ipu or go, or for comparison "+strings.Join(compared(), ", "))
	flags.StringVar(&f.options.Effort, "effort", "", "`EFFORT` of ipu: ipu (default), thorough, or exact, which proves the best choice")
	flags.DurationVar(&f.options.Deadline, "deadline", 0, "`TIME` that the fit may take, such as 30s or 1h30m; then the best so far is taken (default none)")
	flags.Int64Var(&f.memoryMiB, "memory-limit", 0, "`MIB` that --effort exact may take for what it has yet to rule out (default 1024)")
	flags.StringArrayVar(&f.options.Include, "include", nil, "`COLUMN` that must be chosen, one of the k (repeatable)")
	flags.StringArrayVar(&f.options.Exclude, "exclude", nil, "`COLUMN` that may not be chosen (repeatable)")
	flags.IntVar(&f.options.Bootstrap, "bootstrap", 0, "draw the rows `B` times anew and tell how often each column is chosen")
	flags.StringVar(&f.options.Init, "init", "", "`START` of ipu: go (default), random or convex_relaxation")
	flags.IntVar(&f.options.Restarts, "restarts", 0, "`NUMBER` of random starts (20 with --init random, otherwise none)")
	flags.Uint64Var(&f.options.Seed, "seed", 0, "`SEED` of the random starts and of the draws of --bootstrap")
	flags.IntVar(&f.options.MaxIterations, "max-iterations", 0, "limit `N` on the steps from one start (default 100)")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "state the memory that the fit needs, and tell of its progress where stderr is no terminal too")
	flags.Float64Var(&f.options.Epsilon, "epsilon", 0, "absolute `NUMBER` added to the covariance's diagonal; only to reproduce the paper")
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
	for _, name := range []string{"features", "components"} {
		if !cmd.Flags().Changed(name) {
			short := map[string]string{"features": "-k", "components": "-m"}[name]
			errs = append(errs, fmt.Errorf("%s (--%s) is missing", short, name))
		}
	}
	if cmd.Flags().Changed("deadline") && f.options.Deadline <= 0 {
		errs = append(errs, fmt.Errorf("--deadline is %v: want a time above 0, such as 30s", f.options.Deadline))
	}
	if cmd.Flags().Changed("bootstrap") && f.options.Bootstrap < 1 {
		errs = append(errs, fmt.Errorf("--bootstrap is %d: want at least 1 draw of the rows", f.options.Bootstrap))
	}
	if cmd.Flags().Changed("memory-limit") && f.memoryMiB < 1 {
		errs = append(errs, fmt.Errorf("--memory-limit is %d: want at least 1 MiB", f.memoryMiB))
	}
	if cmd.Flags().Changed("memory-limit") && f.options.Effort != string(solver.EffortExact) {
		errs = append(errs, fmt.Errorf("--memory-limit is for --effort exact alone"))
	}
	if f.covariance {
		for _, name := range []string{"label", "no-center", "standardize", "bootstrap"} {
			if cmd.Flags().Changed(name) {
				errs = append(errs, fmt.Errorf("--%s needs rows, and --covariance says that DATA has none", name))
			}
		}
	}
	return errors.Join(errs...)
}

// fit reads the data and fits the selection.
func (f *fitFlags) fit(cmd *cobra.Command, path string) (*selector.Model, error) {
	options := f.options
	options.Uncentered, options.MemoryLimit = f.noCenter, f.memoryMiB<<20
	p := newProgress(cmd.ErrOrStderr())
	p.log(f.verbose)
	defer p.done()
	options.Progress = p.report
	s := selector.New(options)
	shape, fit, err := f.open(cmd, path, s)
	if err != nil {
		return nil, err
	}
	need := newDemand(shape, options)
	if err := need.state(cmd.ErrOrStderr(), path, f.verbose); err != nil {
		return nil, err
	}
	defer need.limitGarbage()()
	if err := fit(); err != nil {
		return nil, at(path, err)
	}
	return s.Model(), nil
}

// open reads the data and returns their shape and what fits s to them.
func (f *fitFlags) open(cmd *cobra.Command, path string, s *selector.FSPCA) (solver.Shape, func() error, error) {
	var shape solver.Shape
	if err := checkFile(path); err != nil {
		return shape, nil, err
	}
	if f.covariance {
		a, names, err := f.data.readCovariance(path)
		if err != nil {
			return shape, nil, err
		}
		shape.Columns = len(names)
		return shape, func() error { return s.FitCovariance(cmd.Context(), a, names) }, nil
	}
	if dataset.IsSparseFile(path) {
		table, err := f.data.readSparse(path)
		if err != nil {
			return shape, nil, err
		}
		shape = solver.Shape{Rows: table.Rows(), Columns: table.Columns(), Sparse: true, Entries: table.Entries()}
		return shape, func() error { return s.FitSparse(cmd.Context(), table) }, nil
	}
	frame, err := f.data.read(path)
	if err != nil {
		return shape, nil, err
	}
	if text := textColumns(frame); len(text) > 0 {
		return shape, nil, fmt.Errorf("%s: fit takes numbers only, but %s text (%q in %q); leave that out with --drop, or one-hot encode it in a pipeline",
			path, holds(text), frame.Factor(text[0]).Levels[0], text[0])
	}
	shape = solver.Shape{Rows: frame.Rows(), Columns: len(frame.NumericNames())}
	return shape, func() error { return s.FitContext(cmd.Context(), frame) }, nil
}

func newFit() *cobra.Command {
	var flags fitFlags
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "fit DATA",
		Short: "Choose k columns and fit m components",
		Long: `Choose k columns of a table, shared by all m components, and fit the
m-dimensional projection on them.

DATA is .csv, .csv.gz or .npy: rows of numbers, or with --covariance a square
symmetric matrix. Rows with few numbers other than 0 stay sparse if they come as
svmlight (.svm, .libsvm, .svmlight; the class is called label) or Matrix Market
(.mtx), also .gz. What was chosen is printed; -o writes the model, which
transform and inspect read and which needs only the k chosen columns of new
data. Without -o no file is written.

Every choice comes with an upper bound on the best one: upper_bound, gap and
proved in the JSON. --effort thorough looks further than the paper's methods,
and --effort exact until the best choice is proved, or until --deadline: then
the best so far and its gap are printed, with exit code 0. After Ctrl-C they are
too, with exit code 1.`,
		Example: `  fspca fit genes.csv.gz --label tissue -k 30 -m 5 -o model.json
  fspca fit readings.csv --drop id --drop time -k 12 -m 4 --standardize
  fspca fit words.svm.gz -k 100 -m 10 -o model.json
  fspca fit --covariance cov.npy -k 50 -m 10 --json
  fspca fit readings.csv -k 12 -m 4 --effort exact --deadline 1m --include price --exclude id`,
		Args: exactly("DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(cmd); err != nil {
				return err
			}
			if err := checkFolder(out); err != nil {
				return err
			}
			model, err := flags.fit(cmd, args[0])
			if err != nil {
				return err
			}
			if out != "" {
				if err := model.Save(out); err != nil {
					return failed(err)
				}
			}
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), model.Summary())
			} else {
				err = failed(describeModel(cmd.OutOrStdout(), model))
			}
			if err == nil && (model.Status() == solver.Cancelled || cmd.Context().Err() != nil) {
				err = failed(errors.New("interrupted: this is the best choice so far"))
			}
			return err
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write the model to")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
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
