package transformer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/internal/spelling"
)

// choose returns the places of the feature columns of f that wanted means, ascending; what is the
// step. OnColumns says what an entry may be. Entries that fit no column are in one error, with the
// nearest name, and so is an empty list.
func choose(what string, f *dataset.Frame, wanted []string) ([]int, error) {
	if len(wanted) == 0 {
		return nil, fmt.Errorf("%s: no column is named: want names, patterns such as time_*, numeric or categorical", what)
	}
	at, unmatched := pattern.Expand(wanted, f.Names())
	missing := &dataset.MissingColumnsError{What: what, Class: f.ClassName()}
	var problems []error
	for _, entry := range unmatched {
		switch {
		case entry == string(numeric) || entry == string(categorical):
			of := ofKind(f, kind(entry))
			if of == nil {
				problems = append(problems, fmt.Errorf("%s: no column is %s", what, entry))
			}
			at = append(at, of...)
		case pattern.Is(entry):
			problems = append(problems, fmt.Errorf("%s: no column fits the pattern %q", what, entry))
		default:
			missing.Missing = append(missing.Missing, entry)
			missing.Nearest = append(missing.Nearest, spelling.Nearest(entry, f.Names()))
		}
	}
	if missing.Missing != nil {
		problems = append(problems, missing)
	}
	slices.Sort(at)
	return slices.Compact(at), errors.Join(problems...)
}

func ofKind(f *dataset.Frame, k kind) []int {
	return lists.Places(len(f.Columns()), func(i int) bool { return kindOf(f.Columns()[i]) == k })
}
