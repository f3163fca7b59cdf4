package selector

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/internal/spelling"
)

// lists returns the places of the columns of Include and Exclude, which may hold patterns, among the
// names, ascending. The error holds all that is wrong with the two.
func (o Options) lists(names []string) (include, exclude []int, err error) {
	if len(o.Include) == 0 && len(o.Exclude) == 0 {
		return nil, nil, nil
	}
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf("fspca: "+format, args...)) }
	find := func(list string, wanted []string) []int {
		at, unmatched := pattern.Expand(wanted, names)
		for _, name := range unmatched {
			hint := ""
			if near := spelling.Nearest(name, names); near != "" {
				hint = fmt.Sprintf(" (the nearest is %q)", near)
			}
			bad("%s names %q, which is none of the %d columns to choose from%s", list, name, len(names), hint)
		}
		return at
	}
	include, exclude = find("include", o.Include), find("exclude", o.Exclude)
	for _, j := range include {
		if slices.Contains(exclude, j) {
			bad("column %q is in include and in exclude: take it out of one", names[j])
		}
	}
	if n := len(include); n > o.Features && o.FeaturesTarget == 0 && (o.Cost == nil || o.Features > 0) {
		bad("include names %d columns, but only k = %d are chosen: raise k or shorten the list", n, o.Features)
	}
	if left := len(names) - len(exclude); left < o.Features && o.FeaturesTarget == 0 {
		bad("exclude leaves %d of the d = %d columns, but k = %d are chosen: lower k or shorten the list", left, len(names), o.Features)
	}
	return include, exclude, errors.Join(problems...)
}
