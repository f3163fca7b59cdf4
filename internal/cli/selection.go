package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// Selection are the flags of what is fitted and how. Options are whole after Check.
type Selection struct {
	Options selector.Options

	ofPath      bool // without a k of their own
	memoryMiB   int64
	bare        bool
	groups      []string
	cost        selector.Cost
	costFile    File
	align, warm File
}

// fitFlags set fields of selector.Options, or parts of one. A path has k and what is kept with one model
// only in flags of its own.
var fitFlags = []flag{
	{"Features", "features", "k", "number `K` of columns to choose"},
	{"FeaturesTarget", "target", "", "instead of -k, the `SHARE` of the variance of PCA on all columns to keep; the smallest k found is taken"},
	{"Cost.File", "cost", "", "`FILE` with a line for each column: its name and its cost, for --budget"},
	{"Cost.Column", "cost-column", "", "`COLUMN` of the file of --cost with the costs, if several hold numbers"},
	{"Cost", "budget", "", "instead of -k, the largest total `COST` of the chosen columns"},
	{"Bootstrap", "bootstrap", "", "draw the rows again `B` times and count how often each column is chosen"},
	{"Decoder", "decoder", "", "store in the model what rebuilds all columns, for transform --output reconstruction and evaluate"},
	{"Ridge", "ridge", "", "ridge penalty `LAMBDA` on the coefficients of --decoder; with few rows 0.1 to 1 helps"},
	{"Reconstruction", "no-reconstruction", "", "do not compute how well the chosen columns predict the others, and what PCA and random choices reach"},
	{"Ledger", "ledger", "", "store in the model why each column was chosen or not (default with -o and up to 10000 columns)"},
}

// pathFlags are those that fit and path share.
var pathFlags = []flag{
	{"Components", "components", "m", "number `M` of components, at most k"},
	{"ComponentsTarget", "components-target", "", "instead of -m, the `SHARE` of the total variance that PCA with as many components explains"},
	{"ParallelAnalysis", "parallel-analysis", "", "instead of -m, choose m by parallel analysis: the components that explain more than the 95th percentile of shuffled data"},
	{"Uncentered", "no-center", "", "do not subtract the column means (still divides by n−1)"},
	{"Standardize", "standardize", "", "divide each column by its standard deviation: works on correlations"},
	{"Weight", "weight", "", "`COLUMN` with the weight of each row: a row of weight 2 counts as two rows; it is not a feature"},
	{"Align", "align", "", "`MODEL` of an earlier fit; the new components follow its components in order and sign, and the angle between them is printed"},
	{"WarmStart", "warm-start", "", "`MODEL` of an earlier fit; its columns are another start"},
	{"Criterion", "criterion", "", "`CRITERION` that the choice maximizes: variance of the components, or reconstruction, which is how well the chosen columns predict all others"},
	{"MaxCorrelation", "max-correlation", "", "largest `|R|` of two chosen columns, such as 0.9"},
	{"Groups", "group", "", "`PATTERN=N`: choose at most N of the columns that match the pattern (* and ?) (repeatable)"},
	{"Unmeasured", "unmeasured", "", "`COLUMNS` that may not be chosen but count as columns to predict, unlike those of --exclude; as in --drop (repeatable)"},
	{"Method", "method", "", "`ALGORITHM`: ipu, go, or for comparison " + strings.Join(Compared(), ", ")},
	{"Effort", "effort", "", "`EFFORT` of the search: ipu (the paper's algorithm alone), quick (default), thorough, or exact, which proves the best choice"},
	{"Bound", "bound", "", "effort for the upper bound, `HOW`: quick (default), tight, or none (no bound)"},
	{"SDPIterations", "sdp-iterations", "", "tighten the bound by `N` iterations of a semidefinite relaxation; 400 come close to what it can prove"},
	{"Deadline", "deadline", "", "`TIME` that the fit may take, such as 30s or 1h30m; the best choice so far is then taken (default none)"},
	{"MemoryLimit", "memory-limit", "", "memory in `MIB` for the open subproblems of --effort exact (default 1024)"},
	{"Include", "include", "", "`COLUMNS` that must be chosen; they count towards k; as in --drop (repeatable)"},
	{"Exclude", "exclude", "", "`COLUMNS` that may not be chosen; as in --drop (repeatable)"},
	{"Init", "init", "", "`START` of ipu: go (default), random or convex_relaxation"},
	{"Restarts", "restarts", "", "`NUMBER` of random starts (20 with --init random, otherwise none)"},
	{"Seed", "seed", "", "`SEED` of the random starts and of the draws of --bootstrap"},
	{"MaxIterations", "max-iterations", "", "largest number `N` of steps from one start (default 100)"},
	{"Epsilon", "epsilon", "", "absolute `NUMBER` added to the covariance's diagonal; only to reproduce the paper"},
}

// selectionFlags are all.
var selectionFlags = slices.Concat(fitFlags, pathFlags)

// Compared are the methods beside the two of Feature Sparse PCA.
func Compared() []string {
	var names []string
	for _, m := range baseline.Methods() {
		if m != solver.MethodIPU && m != solver.MethodGo {
			names = append(names, string(m))
		}
	}
	return names
}

// Register registers the flags of a fit, or without those of one model for a path.
func (s *Selection) Register(cmd *cobra.Command, ofPath bool) {
	s.ofPath = ofPath
	s.Options.Criterion, s.Options.Method = selector.CriterionVariance, string(solver.MethodIPU)
	rows := selectionFlags
	if ofPath {
		rows = pathFlags
	}
	for _, row := range rows {
		row.register(cmd.Flags(), s.value(row.field))
	}
}

// value returns a pointer to what the flag of a field sets.
func (s *Selection) value(name string) any {
	switch name {
	case "Cost.File":
		return &s.costFile
	case "Cost.Column":
		return &s.cost.Column
	case "Cost":
		return &s.cost.Budget
	case "MemoryLimit":
		return &s.memoryMiB
	case "Reconstruction":
		return &s.bare
	case "Groups":
		return &s.groups
	case "Align":
		return &s.align
	case "WarmStart":
		return &s.warm
	}
	return field(&s.Options, name)
}

// Limited reports whether something may not stand together.
func (s *Selection) Limited() bool { return s.Options.MaxCorrelation != 0 || len(s.groups) > 0 }

// Check completes the options, and returns what is wrong with the flags, before the data are read. Older
// opens an earlier model.
func (s *Selection) Check(cmd *cobra.Command, older func(path string) (*selector.Model, error)) []error {
	errs := s.checkSizes(cmd)
	errs = append(errs, s.checkAbove(cmd)...)
	if flags := cmd.Flags(); flags.Changed("cost") || flags.Changed("cost-column") || flags.Changed("budget") {
		if !flags.Changed("cost") || !flags.Changed("budget") {
			errs = append(errs, errors.New("--cost and --budget go together: a file with the cost of each column, and what they may cost"))
		}
		s.cost.File = string(s.costFile)
		s.Options.Cost = &s.cost
	}
	errs = append(errs, s.readGroups()...)
	for _, old := range []struct {
		flag string
		path File
		into **selector.Model
	}{{"align", s.align, &s.Options.Align}, {"warm-start", s.warm, &s.Options.WarmStart}} {
		if old.path == "" {
			continue
		}
		var err error
		if *old.into, err = older(string(old.path)); err != nil {
			errs = append(errs, fmt.Errorf("--%s: %w", old.flag, err))
		}
	}
	s.Options.MemoryLimit, s.Options.Reconstruction = s.memoryMiB<<20, !s.ofPath && !s.bare
	return append(errs, s.checkOptions(cmd)...)
}

// checkSizes returns what is wrong with what the flags say of k and m.
func (s *Selection) checkSizes(cmd *cobra.Command) []error {
	var errs []error
	for _, c := range []struct {
		name string
		ways []string
		such string
	}{
		{"-k (--features)", []string{"features", "target", "budget"}, "-k 20"},
		{"-m (--components)", []string{"components", "components-target", "parallel-analysis"}, "-m 5"},
	} {
		if s.ofPath && c.ways[0] == "features" {
			continue // which has rules of its own
		}
		others := slices.DeleteFunc(slices.Clone(c.ways[1:]), func(name string) bool { return cmd.Flags().Lookup(name).Hidden }) // which are refused
		switch ways := slices.DeleteFunc(c.ways, func(name string) bool { return !cmd.Flags().Changed(name) }); {
		case len(ways) == 0:
			errs = append(errs, fmt.Errorf("%s is missing: give a number, such as %s; --%s finds it", c.name, c.such, strings.Join(others, " or --")))
		case len(ways) > 1:
			errs = append(errs, fmt.Errorf("--%s: give one of them", strings.Join(ways, " and --")))
		}
	}
	if cmd.Flags().Changed("target") {
		errs = append(errs, param.Share("FeaturesTarget", "--target", s.Options.FeaturesTarget, "dense PCA's variance"))
	}
	if cmd.Flags().Changed("components-target") {
		errs = append(errs, param.Share("ComponentsTarget", "--components-target", s.Options.ComponentsTarget, "the total variance"))
	}
	return errs
}

// mostMiB is the largest memory that may be asked for; more bytes than that are no number of 64 bits.
const mostMiB = 1_000_000_000

// checkAbove returns which flags are given with a number that must be larger, or smaller.
func (s *Selection) checkAbove(cmd *cobra.Command) []error {
	var errs []error
	if cmd.Flags().Changed("deadline") && s.Options.Deadline <= 0 {
		errs = append(errs, fmt.Errorf("--deadline is %v: want a time above 0, such as 30s", s.Options.Deadline))
	}
	if cmd.Flags().Changed("bootstrap") && s.Options.Bootstrap < 1 {
		errs = append(errs, fmt.Errorf("--bootstrap is %d: want at least 1 draw of the rows", s.Options.Bootstrap))
	}
	if cmd.Flags().Changed("memory-limit") && (s.memoryMiB < 1 || s.memoryMiB > mostMiB) {
		errs = append(errs, fmt.Errorf("--memory-limit is %d: want 1 to %d MiB", s.memoryMiB, mostMiB))
	}
	return errs
}

// readGroups reads the --group flags into the options.
func (s *Selection) readGroups() []error {
	var errs []error
	for _, g := range s.groups {
		at := strings.LastIndexByte(g, '=')
		n, err := strconv.Atoi(strings.TrimSpace(g[at+1:]))
		if at < 1 || err != nil || n < 0 {
			errs = append(errs, fmt.Errorf("--group is %q: want a pattern of columns and a whole number, such as 'temp_*=2'", g))
			continue
		}
		if s.Options.Groups == nil {
			s.Options.Groups = map[string]int{}
		}
		s.Options.Groups[g[:at]] = n
	}
	return errs
}

// checkOptions returns what the selector refuses, by the flags that say it.
func (s *Selection) checkOptions(cmd *cobra.Command) []error {
	o := s.Options
	if s.ofPath {
		o.Features, o.FeaturesTarget, o.Reconstruction = 0, 1, true // the k are those of the path
	}
	var errs []error
	for _, err := range param.Each(o.Check()) {
		var wrong *solver.ParamError
		if !errors.As(err, &wrong) {
			errs = append(errs, err)
			continue
		}
		switch wrong.Field {
		case "FeaturesTarget", "ComponentsTarget", "ParallelAnalysis", "Deadline", "Bootstrap": // which are looked at above, with what is 0
			continue
		}
		at := slices.IndexFunc(selectionFlags, func(f flag) bool { return f.field == wrong.Field })
		if at >= 0 && cmd.Flags().Changed(selectionFlags[at].name) {
			errs = append(errs, fmt.Errorf("--%s: %w", selectionFlags[at].name, wrong))
		}
	}
	return errs
}
