package spelling

import (
	"fmt"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// Hint writes the nearest name in a format with one verb; "" when none is near.
func Hint(format, name string, among []string) string {
	near := Nearest(name, among)
	if near == "" {
		return ""
	}
	return fmt.Sprintf(format, near)
}

// Outputs returns where each wanted output of a step stands among those that it has. All names that
// are unknown or given twice are in one error.
func Outputs(step string, want, have []string) ([]int, error) {
	at, index, seen := make([]int, len(want)), lists.Index(have), make(map[string]bool, len(want))
	var problems []string
	for i, name := range want {
		place, ok := index[name]
		switch {
		case !ok:
			problems = append(problems, fmt.Sprintf("%q is not an output%s", name, Hint(" (the nearest is %q)", name, have)))
		case seen[name]:
			problems = append(problems, fmt.Sprintf("%q is given twice", name))
		}
		at[i], seen[name] = place, true
	}
	if len(want) == 0 {
		problems = append(problems, "no output is given")
	}
	if problems != nil {
		return nil, fmt.Errorf("%s: cannot narrow: %s", step, strings.Join(problems, "; "))
	}
	return at, nil
}
