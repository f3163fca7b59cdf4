package baseline

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/starts"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"gonum.org/v1/gonum/mat"
)

// The methods that Solve offers in addition to those of package solver.
const (
	MethodSOAP             solver.Method = "soap"
	MethodSRT              solver.Method = "srt"
	MethodCSSP             solver.Method = "cssp"
	MethodTPower           solver.Method = "tpower"
	MethodConvexRelaxation solver.Method = "convex_relaxation"
	MethodBruteForce       solver.Method = "brute_force"
)

// methodDeflation is known so that its absence can be explained.
const methodDeflation solver.Method = "tpower_deflation"

// Methods returns the names that Params.Method may have in Solve. Those of package
// solver come first.
func Methods() []solver.Method {
	return []solver.Method{
		solver.MethodIPU, solver.MethodGo,
		MethodSOAP, MethodSRT, MethodCSSP, MethodTPower, MethodConvexRelaxation, MethodBruteForce,
	}
}

// reads lists, for each method, the fields of solver.Params that it reads
// besides Features, Components, Method, Progress and Tell. Of a field with a point, the
// method reads that part alone.
var reads = map[solver.Method][]string{
	solver.MethodIPU: {
		"Effort", "Bound", "SDPIterations", "Include", "Exclude", "Limits", "MemoryLimit",
		"Start", "W0", "Warm", "Restarts", "Seed", "MaxIterations", "Epsilon",
	},
	solver.MethodGo:        {"Bound", "SDPIterations", "Include", "Exclude", "Limits.Unmeasured", "Epsilon"},
	MethodSOAP:             {"Start", "W0", "Restarts", "Seed", "MaxIterations"},
	MethodSRT:              {"Start", "W0", "Restarts", "Seed", "MaxIterations"},
	MethodCSSP:             {},
	MethodTPower:           {"MaxIterations"},
	MethodConvexRelaxation: {"MaxIterations"},
	MethodBruteForce:       {},
}

// Reads returns the fields of solver.Params that a method reads besides Features,
// Components, Method, Progress and Tell; "" is MethodIPU. An entry such as
// "Limits.Unmeasured" is a part of a field. Known is false if there is no such
// method.
func Reads(method solver.Method) (fields []string, known bool) {
	fields, known = reads[cmp.Or(method, solver.MethodIPU)]
	return slices.Clone(fields), known
}

// own reports whether a method is of this package.
func own(method solver.Method) bool {
	return method != "" && method != solver.MethodIPU && method != solver.MethodGo
}

// Solve is solver.Solve with the methods and the start of this package in addition:
// Params.Method may be any of Methods and Params.Start any of Starts. MaxIterations
// limits the steps from one start (soap, srt), of the power method (tpower) or of
// ADMM for one λ (convex_relaxation). 0 means the method's own default. An option
// that a method does not read must be left unset. The error names all options that
// break this rule.
func Solve(ctx context.Context, a solver.Covariance, p solver.Params) (*solver.Solution, error) {
	if err := Check(p, subspace.Order(a)); err != nil {
		return nil, err
	}
	if own(p.Method) {
		return solveOwn(ctx, a, p)
	}
	if p.Start == StartConvexRelaxation {
		w0, err := relaxationStart(ctx, a, p)
		if err != nil {
			return nil, err
		}
		p.W0, p.Start = w0, ""
	}
	return solver.Solve(ctx, a, p)
}

// relaxationStart is ConvexRelaxationStart for the columns that may be chosen;
// the rows of the others are 0.
func relaxationStart(ctx context.Context, a solver.Covariance, p solver.Params) (*mat.Dense, error) {
	left, err := solver.Without(ctx, a, p.Exclude)
	if err != nil {
		return nil, err
	}
	left, _ = solver.Normalised(left)
	w0, err := ConvexRelaxationStart(ctx, left, p.Features, p.Components, FPSParams{})
	if err != nil || len(p.Exclude) == 0 {
		return w0, err
	}
	all, row := mat.NewDense(a.Order(), p.Components, nil), 0
	for j := range a.Order() {
		if !slices.Contains(p.Exclude, j) {
			all.SetRow(j, w0.RawRowView(row))
			row++
		}
	}
	return all, nil
}

// solveOwn runs a method of this package at a scale of A near 1.
func solveOwn(ctx context.Context, a solver.Covariance, p solver.Params) (*solver.Solution, error) {
	a, unit := solver.Normalised(a)
	p.Progress = inUnits(p.Progress, unit)
	s, err := runOwn(ctx, a, p)
	if err == nil {
		s.Scale(unit)
	}
	return s, err
}

// inUnits reports progress with a covariance that was divided by unit.
func inUnits(report func(solver.Progress), unit float64) func(solver.Progress) {
	if report == nil || unit == 1 {
		return report
	}
	return func(now solver.Progress) {
		now.Objective *= unit
		report(now)
	}
}

func runOwn(ctx context.Context, a solver.Covariance, p solver.Params) (*solver.Solution, error) {
	k, m := p.Features, p.Components
	switch p.Method {
	case MethodSOAP:
		return fromAllStarts(ctx, a, p, SOAP)
	case MethodSRT:
		return fromAllStarts(ctx, a, p, SRT)
	case MethodCSSP:
		return CSSP(ctx, a, k, m)
	case MethodTPower:
		return TPower(ctx, a, k, m, TPowerParams{MaxIterations: p.MaxIterations})
	case MethodConvexRelaxation:
		return ConvexRelaxation(ctx, a, k, m, relaxationParams(p))
	}
	return BruteForce(ctx, a, k, m, p.Progress)
}

// Check returns in one error all that is wrong with p for a covariance of order d,
// as far as this package decides it. For the methods of package solver,
// solver.Solve checks the rest.
func Check(p solver.Params, d int) error {
	if p.Method == methodDeflation {
		return param.New("Method", p.Method, param.Quoted(Methods()), "method %q gives each component columns of its own and so selects no k shared ones", p.Method)
	}
	if p.Method != "" {
		if err := param.OneOf("Method", "method", p.Method, Methods()...); err != nil {
			return err
		}
	}
	var errs []error
	if p.Start != "" {
		errs = append(errs, param.OneOf("Start", "start", p.Start, Starts()...))
	}
	if (p.Start == StartConvexRelaxation || own(p.Method) && p.Start == solver.StartRandom) && p.W0 != nil {
		errs = append(errs, param.TwoStarts(p.Start))
	}
	if own(p.Method) {
		errs = append(errs, checkOptions(p, d, reads[p.Method])...)
	}
	return errors.Join(errs...)
}

// checkOptions returns what is wrong with p for a method of this package.
func checkOptions(p solver.Params, d int, reads []string) []error {
	errs := []error{
		param.Sizes(p.Features, p.Components, d),
		param.AtLeast("MaxIterations", "max iterations", p.MaxIterations, 1, "the default"),
		param.AtLeast("Restarts", "restarts", p.Restarts, 0, ""), param.Draws("Restarts", "restarts", p.Restarts),
	}
	reads = append([]string{"Features", "Components", "Method", "Progress", "Tell"}, reads...)
	v := reflect.ValueOf(p)
	for _, f := range reflect.VisibleFields(v.Type()) {
		if !slices.Contains(reads, f.Name) && !v.FieldByIndex(f.Index).IsZero() {
			errs = append(errs, param.Unread(f.Name, v.FieldByIndex(f.Index).Interface(), f.Name, "method", strconv.Quote(string(p.Method))).Beside("Method"))
		}
	}
	return errs
}

// relaxationParams passes on what ADMM can use.
func relaxationParams(p solver.Params) FPSParams {
	out := FPSParams{MaxIterations: p.MaxIterations}
	if p.Progress != nil {
		out.Step = func(step int, explained float64) {
			p.Progress(solver.Progress{Starts: 1, Iteration: step, Objective: explained})
		}
	}
	return out
}

// iterative is the form of SOAP and SRT.
type iterative func(ctx context.Context, a solver.Covariance, k int, w0 *mat.Dense, p IterationParams) (*solver.Solution, error)

// fromAllStarts runs a method from every start of p and returns the best
// result, the earliest of equals.
func fromAllStarts(ctx context.Context, a solver.Covariance, p solver.Params, method iterative) (*solver.Solution, error) {
	begin := startsOf(p)
	var best *solver.Solution
	cut, err := starts.Each(ctx, 0, len(begin), func() bool { return best != nil }, func(i int) error {
		params := IterationParams{MaxIterations: p.MaxIterations}
		if p.Progress != nil {
			params.Step = func(step int, objective float64) {
				p.Progress(solver.Progress{Start: i, Starts: len(begin), Iteration: step, Objective: objective})
			}
		}
		w0, err := begin[i](ctx, a)
		if err != nil {
			return err
		}
		s, err := method(ctx, a, p.Features, w0, params)
		if err == nil && (best == nil || s.Objective > best.Objective) {
			best = s
		}
		return err
	})
	if cut {
		best.Status = solver.EndOf(ctx)
	}
	return best, err
}

// start makes one start W₀.
type start func(context.Context, solver.Covariance) (*mat.Dense, error)

// startsOf returns what makes each start of p.
func startsOf(p solver.Params) []start {
	var starts []start
	switch {
	case p.W0 != nil:
		starts = append(starts, func(context.Context, solver.Covariance) (*mat.Dense, error) { return p.W0, nil })
	case p.Start == StartConvexRelaxation:
		starts = append(starts, func(ctx context.Context, a solver.Covariance) (*mat.Dense, error) {
			return ConvexRelaxationStart(ctx, a, p.Features, p.Components, FPSParams{})
		})
	case p.Start != solver.StartRandom:
		starts = append(starts, func(ctx context.Context, a solver.Covariance) (*mat.Dense, error) {
			return LowRankStart(ctx, a, p.Features, p.Components)
		})
	}
	for i := range p.RandomStarts() {
		starts = append(starts, func(_ context.Context, a solver.Covariance) (*mat.Dense, error) {
			return RandomStart(a.Order(), p.Components, p.Seed, uint64(i)), nil
		})
	}
	return starts
}
