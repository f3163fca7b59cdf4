package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/internal/spelling"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// The entries of the option columns that mean all columns of a kind.
const (
	numeric     = "numeric"
	categorical = "categorical"
)

// CheckColumns returns an *Error with what the steps name that data do not have: columns, and classes of
// class_weight. Data are the rows to fit to, without the columns of split. A fit would end at each of these
// mistakes. No rows are fitted to here. Behind a step of one's own that is no transformer.Foreteller, nothing is said.
func (c *Config) CheckColumns(data *dataset.Frame) error {
	if data == nil {
		return errors.New("there is no table whose columns the steps could name")
	}
	w := columnWalk{config: c, places: sync.OnceValue(c.places), class: data.ClassName(), columns: lists.Map(data.Columns(), walkedFrom)}
	for i := range c.Steps {
		if !w.step(i) {
			break
		}
	}
	w.classWeights(data.Class())
	if w.problems == nil {
		return nil
	}
	return &unfound{strict.AsError(w.problems), w.causes}
}

// unfound is an *Error that also is what a fit would say of the same mistakes.
type unfound struct {
	err    error
	causes []error
}

// Error is the text of the error.
func (u *unfound) Error() string { return u.err.Error() }

// Unwrap gives what errors.Is and errors.As look into.
func (u *unfound) Unwrap() []error { return append([]error{u.err}, u.causes...) }

// columnWalk goes from step to step.
type columnWalk struct {
	config   *Config
	places   func() func(key string) strict.Place // asked for at the first mistake
	class    string
	columns  []walked
	problems []Problem
	causes   []error // of the problems

	at   int // of the step
	name string
}

// report adds a mistake at a key of the step, in the words of a fit.
func (w *columnWalk) report(key string, err error) {
	path := strict.Join(strict.Join("steps", strconv.Itoa(w.at)), w.name)
	if key != "" {
		path = strict.Join(path, key)
	}
	w.problems = append(w.problems, w.places()(path).Problem(path, fmt.Sprintf("step %d (%s): %v", w.at+1, w.name, err)))
	w.causes = append(w.causes, err)
}

// given says whether the step itself gives the value of a key, and no search.
func (w *columnWalk) given(key string) bool {
	return !slices.ContainsFunc(w.config.Search.Grid, func(axis Axis) bool {
		at, option, err := pipeline.FindOption(stepNames(w.config.Steps), axis.Key)
		return err == nil && at == w.at && option == key
	})
}

// step checks a step and makes its columns those that may come out of it; false if these are not known.
func (w *columnWalk) step(i int) bool {
	s, err := w.config.Steps[i].Filled()
	if err != nil {
		return false
	}
	w.at, w.name = i, s.Name
	if !w.given("columns") {
		return false
	}
	chosen := w.chosen(scopeOf(s.Options))
	switch o := s.Options.(type) {
	case *pipeline.FSPCAStep:
		w.selection(o, chosen)
	case *pipeline.PCAStep:
		w.numeric(chosen)
	}
	return len(w.problems) == 0 && w.pass(s, chosen)
}

// scopeOf returns the entries of the columns that a step works on; nil for all.
func scopeOf(options any) []string {
	if o, ok := options.(*pipeline.ColumnsStep); ok {
		return o.Columns
	}
	scope, _ := option[pipeline.Scope](options, "Scope")
	return scope.Columns
}

// option returns the field of that name and type in the options of a step, if they have one.
func option[T any](options any, name string) (value T, ok bool) {
	if field := reflect.ValueOf(options).Elem().FieldByName(name); field.IsValid() {
		value, ok = field.Interface().(T)
	}
	return value, ok
}

// chosen returns the places of the columns that the entries of the key columns mean, all without one, and
// reports entries that mean none.
func (w *columnWalk) chosen(entries []string) []int {
	var ofKind, names []string
	for _, entry := range entries {
		if entry == numeric || entry == categorical {
			ofKind = append(ofKind, entry)
		} else {
			names = append(names, entry)
		}
	}
	at := w.find("columns", names, func(entry string) string { return itemKey("columns", entries, entry) })
	for j, c := range w.columns {
		if entries == nil || c.is(ofKind) {
			at = append(at, j)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// itemKey is the key of an item of a list, or that of the list if it is not there as a whole.
func itemKey(key string, list []string, item string) string {
	if i := slices.Index(list, item); i >= 0 {
		return strict.Join(key, strconv.Itoa(i))
	}
	return key
}

// find returns the places of the columns that the entries of a key mean. It reports entries that mean none,
// each at the key that at gives.
func (w *columnWalk) find(key string, entries []string, at func(entry string) string) []int {
	names := lists.Map(w.columns, func(c walked) string { return c.name })
	found, unmatched := pattern.Expand(entries, names)
	for _, entry := range unmatched {
		if pattern.Is(entry) {
			w.report(at(entry), fmt.Errorf("%s: no column fits the pattern %q", key, entry))
			continue
		}
		missing := &dataset.MissingColumnsError{What: key, Missing: []string{entry}, Nearest: []string{spelling.Nearest(entry, names)}}
		if dataset.SameName(entry, w.class) {
			missing.Class = entry
		}
		w.report(at(entry), missing)
	}
	return found
}

// selection checks an fspca step that works on the chosen columns.
func (w *columnWalk) selection(o *pipeline.FSPCAStep, chosen []int) {
	for i, key := range []string{"include", "exclude", "unmeasured"} {
		if entries := [][]string{o.Include, o.Exclude, o.Unmeasured}[i]; w.given(key) {
			w.find(key, entries, func(entry string) string { return itemKey(key, entries, entry) })
		}
	}
	if w.given("groups") {
		w.find("groups", slices.Sorted(maps.Keys(o.Groups.Most)), func(entry string) string { return strict.Join("groups", entry) })
	}
	d := len(chosen)
	if o.Weight != "" {
		d-- // it is no feature
		if !slices.ContainsFunc(w.columns, func(c walked) bool { return dataset.SameName(c.name, o.Weight) }) && w.given("weight") {
			w.find("weight", []string{o.Weight}, func(string) string { return "weight" })
		}
	}
	if !w.numeric(chosen) {
		return
	}
	if o.Features.Number > d && w.given("features") && len(w.problems) == 0 {
		w.report("features", param.TooMany(o.Features.Number, d, fmt.Sprintf("at most %d", d)))
	}
}

// numeric reports a chosen column that is surely categorical in a step that wants numbers; false if there is one.
func (w *columnWalk) numeric(chosen []int) bool {
	for _, j := range chosen {
		if col := w.columns[j]; col.sure && col.categorical && !col.mixed {
			w.report("", param.NotNumeric(col.name))
			return false
		}
	}
	return true
}

// classWeights checks the classes that the classifier gives weights.
func (w *columnWalk) classWeights(class *dataset.Factor) {
	i := classifierAt(w.config.Steps)
	if i < 0 || class == nil || class.Numbers != nil {
		return
	}
	s := w.config.Steps[i]
	w.at, w.name = i, s.Name
	weights, ok := option[pipeline.ClassWeight](s.Options, "ClassWeight")
	if !ok || !w.given("class_weight") {
		return
	}
	for name, err := range param.UnknownClasses(weights.Of, class.Levels) {
		w.report(strict.Join("class_weight", name), err)
	}
}
