package reproduce

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/research/synthetic"
)

// DefaultRuns is the paper's number of realisations of each scheme.
const DefaultRuns = 100

// Options say what to reproduce. The zero value of every field but OutDir is
// usable.
type Options struct {
	What    string // an experiment (see Experiments) or "all"; "" is "all"
	Runs    int    // realisations of each scheme; 0 means DefaultRuns
	Seed    uint64 // of everything random
	DataDir string // where the data sets are that cannot be shipped; "" means nowhere
	OutDir  string // where the files go; it is made if absent

	Progress func(Progress) // called as work proceeds, by one goroutine at a time, when not nil
}

// Progress tells of work under way.
type Progress struct {
	Experiment  string
	Step        string // what is being done
	Done, Total int    // of the step
}

// Result says what a run gave.
type Result struct {
	Files  []string // written, in OutDir
	Checks []Check  // claims that the run tested
	Notes  []string // what was left out, and why
}

// Check is a claim and what the run says of it.
type Check struct {
	Claim  string
	Holds  bool
	Detail string // the figures behind it, or the exceptions
}

// experiment is one of those in doc.go.
type experiment struct {
	name  string
	title string
	timed bool     // its figures are times, which differ from run to run
	data  []string // the names of its CSV files
	run   func(ctx context.Context, s *session) (*Section, error)
}

func experiments() []experiment {
	return []experiment{
		{"table2", "Synthetic data (Table 2)", false, []string{"table2", "table2_trials"}, runTable2},
		{"real", "Real data", false, []string{"real"}, runReal},
		{"convergence", "Convergence", false, []string{"convergence"}, runConvergence},
		{"bound", "Upper bounds", false, []string{"bound", "bound_real"}, runBound},
		{"time", "Computation time", true, []string{"time"}, runTime},
	}
}

// session is what experiments share in a run.
type session struct {
	Options
	optima map[synthetic.Instance][]optimum // of all realisations, by the first
}

// Experiments returns the names that Options.What may have, "all" last.
func Experiments() []string {
	return append(lists.Map(experiments(), func(e experiment) string { return e.name }), "all")
}

// wanted are the experiments that are asked for.
func (o *Options) wanted() []experiment {
	return lists.Where(experiments(), func(e experiment) bool { return o.What == "all" || o.What == e.name })
}

// Run does the experiments and writes the files, all in one step; OutDir is held against other
// runs meanwhile. If ctx ends, what was finished is written and the context's error returned with it.
func Run(ctx context.Context, o Options) (*Result, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	to, err := o.open()
	if err != nil {
		return nil, err
	}
	defer to.Close()
	report := &report{options: o, to: to}
	s := &session{Options: o, optima: map[synthetic.Instance][]optimum{}}
	var failure error
	for _, e := range o.wanted() {
		begin := time.Now()
		section, err := e.run(ctx, s)
		if err == nil {
			err = ctx.Err() // what came of methods that were cancelled is no figure
		}
		if err != nil {
			failure = fmt.Errorf("%s: %w", e.name, err)
			break
		}
		section.ID, section.Title = e.name, e.title
		report.add(section, e.timed, time.Since(begin))
	}
	if failure != nil && (ctx.Err() == nil || len(report.stages) == 0) {
		return nil, failure
	}
	result, err := report.write()
	return result, errors.Join(failure, err)
}

// complete fills in defaults and checks.
func (o *Options) complete() error {
	if o.What == "" {
		o.What = "all"
	}
	if o.Runs == 0 {
		o.Runs = DefaultRuns
	}
	var errs []error
	if !slices.Contains(Experiments(), o.What) {
		errs = append(errs, fmt.Errorf("unknown experiment %q: want one of %s", o.What, strings.Join(Experiments(), ", ")))
	}
	if o.Runs < 1 {
		errs = append(errs, fmt.Errorf("runs is %d: want at least 1", o.Runs))
	}
	if o.OutDir == "" {
		errs = append(errs, errors.New("no directory to write to was given"))
	}
	if o.DataDir != "" {
		if info, err := os.Stat(o.DataDir); err != nil {
			errs = append(errs, fmt.Errorf("the data directory: %w", err))
		} else if !info.IsDir() {
			errs = append(errs, fmt.Errorf("the data directory %s is a file", o.DataDir))
		}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return errors.Join(errs...)
}
