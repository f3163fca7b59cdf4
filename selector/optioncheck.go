package selector

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
)

// Check returns all that is wrong with the options before the data are known: a joined error of
// *solver.ParamError, whose fields are those of Options. Every fit calls it first.
func (o Options) Check() error { return errors.Join(o.checkAlone(), o.checkNames()) }

// checkAlone is Check without the lists of names, which a fit checks with the columns at hand.
func (o Options) checkAlone() error {
	errs := []error{o.checkValues(), o.checkSearch(), o.checkSizes(), o.Cost.check()}
	unread := o.Unread()
	for _, name := range slices.Sorted(maps.Keys(unread)) {
		if o.says(name) {
			errs = append(errs, o.unreadError(name, unread[name]))
		}
	}
	return errors.Join(errs...)
}

// check is checkAlone with the name of the step before each mistake.
func (o Options) check() error {
	return param.In("fspca", o.checkAlone())
}

// checkValues checks the options one by one.
func (o Options) checkValues() error {
	_, output := ParseOutput(string(o.Output))
	errs := []error{
		output,
		param.OneOf("Criterion", "criterion", o.criterion(), CriterionVariance, CriterionReconstruction),
		param.Target("FeaturesTarget", "the target for features", o.FeaturesTarget, "dense PCA's variance"),
		param.Target("ComponentsTarget", "the target for components", o.ComponentsTarget, "the total variance"),
		param.Correlation("MaxCorrelation", "max_correlation", o.MaxCorrelation),
		param.Finite("Ridge", "ridge", o.Ridge),
		param.AtLeast("Bootstrap", "bootstrap", o.Bootstrap, 1, "no draws"), param.Draws("Bootstrap", "bootstrap", o.Bootstrap),
	}
	for _, p := range slices.Sorted(maps.Keys(o.Groups)) {
		errs = append(errs, param.AtLeast("Groups", fmt.Sprintf("groups: the number of columns of %q", p), o.Groups[p], 0, ""))
	}
	if o.Deadline < 0 {
		errs = append(errs, param.New("Deadline", o.Deadline, "a time above 0, or 0 for none", "the deadline is %v", o.Deadline))
	}
	return errors.Join(errs...)
}

// checkSearch checks the options that the solver is handed, one by one as it does: a table is not read for
// a fit that cannot be.
func (o Options) checkSearch() error {
	errs := []error{
		baseline.Check(solver.Params{Method: solver.Method(o.Method), Features: 1, Components: 1}, 1),
		solver.Effort(o.Effort).Check(), solver.BoundEffort(o.Bound).Check(),
		param.AtLeast("SDPIterations", "SDP iterations", o.SDPIterations, 0, ""),
		param.AtLeast("Restarts", "restarts", o.Restarts, 0, ""), param.Draws("Restarts", "restarts", o.Restarts),
		param.AtLeast("MaxIterations", "max iterations", o.MaxIterations, 1, "the default"),
		param.Finite("Epsilon", "epsilon", o.Epsilon),
	}
	if o.Init != "" {
		errs = append(errs, param.OneOf("Init", "start", solver.Start(o.Init), baseline.Starts()...))
	}
	return errors.Join(errs...)
}

// checkSizes checks k and m, each a number or found, against each other.
func (o Options) checkSizes() error {
	var errs []error
	if o.ComponentsTarget != 0 && o.ParallelAnalysis {
		errs = append(errs, param.New("ParallelAnalysis", true, "one of them", "components have a target and parallel analysis").Beside("ComponentsTarget"))
	}
	if o.FeaturesTarget != 0 && o.Cost != nil {
		errs = append(errs, param.New("Cost", o.Cost.Budget, "one of them", "features have a target and a budget").Beside("FeaturesTarget"))
	}
	return errors.Join(append(errs, param.Counts(o.sizes()))...)
}

// sizes returns k and m, where one is to be found the least that it can be.
func (o Options) sizes() (k, m int) {
	k, m = o.Features, o.Components
	if o.ComponentsTarget != 0 || o.ParallelAnalysis {
		m = 1
	}
	if o.findsFeatures() {
		k = max(1, m)
	}
	return k, m
}

// findsFeatures reports whether k is what a target or a budget permits.
func (o Options) findsFeatures() bool {
	return o.FeaturesTarget != 0 || o.Cost != nil && o.Features == 0
}

// checkNames checks what can be said of Include, Exclude and Unmeasured without the columns: of their names,
// as a pattern may fit any number of columns.
func (o Options) checkNames() error {
	var names []string
	include, exclude := places(o.Include, &names), places(o.Exclude, &names)
	var errs []error
	unmeasured := places(o.Unmeasured, &names)
	_, err := param.Lists(len(names), include, exclude)
	for _, i := range unmeasured {
		if slices.Contains(include, i) {
			err = errors.Join(err, param.Both("Unmeasured", i, "include", "unmeasured"))
		}
	}
	for _, err := range param.Each(err) {
		var wrong *solver.ParamError
		if errors.As(err, &wrong) {
			wrong = wrong.WithNames(names)
			wrong.Got = names[wrong.Column]
			errs = append(errs, wrong)
		}
	}
	if !o.findsFeatures() && o.Features > 0 {
		errs = append(errs, param.Room(o.Features, o.Features, len(include), o.Features, "exclude"))
	}
	return errors.Join(errs...)
}

// places returns where the names of a list stand among names, to which it adds those that are new; patterns
// are passed over.
func places(list []string, names *[]string) []int {
	var at []int
	for _, name := range list {
		if pattern.Is(name) {
			continue
		}
		i := slices.Index(*names, name)
		if i < 0 {
			i, *names = len(*names), append(*names, name)
		}
		if !slices.Contains(at, i) {
			at = append(at, i)
		}
	}
	return at
}

// unreadError says that an option is set which another makes meaningless.
func (o Options) unreadError(name, decides string) error {
	v := reflect.ValueOf(o)
	by, got := v.FieldByName(decides), v.FieldByName(name).Interface()
	says := fmt.Sprint(by.Interface())
	if by.Kind() == reflect.String {
		says = fmt.Sprintf("%q", o.saying(decides))
	}
	what := jsonName(name)
	if text, ok := got.(string); ok {
		what += fmt.Sprintf(" %q", text)
	}
	return param.Unread(name, got, what, jsonName(decides), says).Beside(decides)
}

// jsonName is what a field of Options is called in JSON and YAML.
func jsonName(field string) string {
	switch field {
	case "MemoryLimit":
		return "memory_limit"
	case "WarmStart":
		return "warm_start"
	}
	f, _ := reflect.TypeFor[Options]().FieldByName(field)
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
