package selector

import (
	"errors"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/internal/spelling"
)

// lists returns the places of the columns of Include and Exclude, which may hold patterns, among the
// names, ascending. The error holds all that is wrong with the two.
func (o Options) lists(names []string) (include, exclude []int, err error) {
	if len(o.Include) == 0 && len(o.Exclude) == 0 && len(o.Unmeasured) == 0 {
		return nil, nil, nil
	}
	var problems []error
	include = find("include", o.Include, names, &problems)
	exclude = find("exclude", o.Exclude, names, &problems)
	_, err = param.Lists(len(names), include, exclude)
	unmeasured, _ := pattern.Expand(o.Unmeasured, names) // limits reports what fits none
	for _, i := range unmeasured {
		if slices.Contains(include, i) {
			err = errors.Join(err, param.Both("Unmeasured", i, "include", "unmeasured"))
		}
	}
	if !o.findsFeatures() {
		err = errors.Join(err, o.room(len(names), include, exclude, unmeasured))
	}
	for _, problem := range param.Each(err) {
		problems = append(problems, inColumns(problem, names))
	}
	return include, exclude, errors.Join(problems...)
}

// room returns an error unless k of d columns can be chosen that have those of include among them and
// none of the other lists.
func (o Options) room(d int, include, exclude, unmeasured []int) error {
	barred, by := lists.Set(slices.Concat(exclude, unmeasured)), "exclude"
	switch {
	case len(exclude) == 0 && len(unmeasured) > 0:
		by = "unmeasured"
	case len(unmeasured) > 0:
		by = "exclude with unmeasured"
	}
	return param.Room(o.Features, d, len(include), d-len(barred), by)
}

// find returns the places of the columns of a list, which may hold patterns, among the names,
// ascending. A problem for a name that fits none is a *dataset.MissingColumnsError, wrapped.
func find(list string, wanted, names []string, problems *[]error) []int {
	at, unmatched := pattern.Expand(wanted, names)
	for _, name := range unmatched {
		*problems = append(*problems, worded{
			fmt.Sprintf("fspca: %s names %q, which is none of the %s to choose from%s", list, name, words.Count(len(names), "column"), spelling.Hint(" (the nearest is %q)", name, names)),
			&dataset.MissingColumnsError{What: list, Missing: []string{name}, Nearest: []string{spelling.Nearest(name, names)}},
		})
	}
	return at
}

// worded is an error with a text of its own.
type worded struct {
	text string
	kind error
}

// Error is the text of the error.
func (w worded) Error() string { return w.text }

// Unwrap gives what errors.Is and errors.As look into.
func (w worded) Unwrap() error { return w.kind }
