package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
)

// maxReported is how many mistakes one error lists before "and N more".
const maxReported = 20

// maxMissing is how many missing columns one error names: more than mistakes,
// since whoever must bring them needs them all.
const maxMissing = 200

// A ParseError is a mistake at one place of a file. Error returns
// "file:line: column "name": what is wrong"; parts that are not known are left
// out.
type ParseError struct {
	File   string
	Line   int    // from 1; 0 when the mistake has no line
	Field  int    // from 1, the field of the record; 0 when it is not about one
	Column string // the name of the column, "" when not known
	Err    error
}

// Error returns the place and the mistake.
func (e *ParseError) Error() string {
	var b strings.Builder
	switch {
	case e.File == "":
		fmt.Fprintf(&b, "line %d", e.Line)
	case e.Line > 0:
		fmt.Fprintf(&b, "%s:%d", e.File, e.Line)
	default:
		b.WriteString(e.File)
	}
	switch {
	case e.Column != "":
		fmt.Fprintf(&b, ": column %q", e.Column)
	case e.Field > 0:
		fmt.Fprintf(&b, ": field %d", e.Field)
	}
	if e.Err == nil {
		return b.String() + ": unknown mistake"
	}
	return b.String() + ": " + e.Err.Error()
}

// Unwrap returns the mistake without its place.
func (e *ParseError) Unwrap() error { return e.Err }

// A MissingColumnsError lists all columns that were asked for and are missing.
type MissingColumnsError struct {
	What    string   // what asked for them, such as "drop"; may be empty
	Missing []string // in the order they were asked for
	Nearest []string // for each the nearest present name, "" when none is near
	Class   string   // the class column, which is not a feature; "" without one
}

// Error names every missing column, with the nearest existing name.
func (e *MissingColumnsError) Error() string {
	var b strings.Builder
	if e.What != "" {
		fmt.Fprintf(&b, "%s: ", e.What)
	}
	if len(e.Missing) == 1 {
		b.WriteString("no column ")
	} else {
		fmt.Fprintf(&b, "%d columns are missing: ", len(e.Missing))
	}
	for i, name := range e.Missing {
		if i == maxMissing {
			fmt.Fprintf(&b, " and %d more", len(e.Missing)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", name)
		switch {
		case name == e.Class && name != "":
			b.WriteString(" among the features (it is the class)")
		case i < len(e.Nearest) && e.Nearest[i] != "":
			fmt.Fprintf(&b, " (the nearest is %q)", e.Nearest[i])
		}
	}
	return b.String()
}

// missingColumns returns an error that names those of wanted that are not in
// present, or nil.
func missingColumns(what string, wanted, present []string, class string) error {
	if len(wanted) == 0 {
		return nil
	}
	have := lists.Set(lists.Map(present, nameKey))
	e := &MissingColumnsError{What: what, Class: class}
	for _, name := range wanted {
		if have[nameKey(name)] || slices.Contains(e.Missing, name) {
			continue
		}
		e.Missing = append(e.Missing, name)
		e.Nearest = append(e.Nearest, spelling.Nearest(name, present))
	}
	if len(e.Missing) == 0 {
		return nil
	}
	return e
}

// joinCapped joins the errors, at most maxReported of them and a count of the
// rest.
func joinCapped(errs []error) error {
	most := min(len(errs), maxReported)
	return joinMore(slices.Clone(errs[:most]), len(errs)-most)
}

// joinMore joins errors, after which there are more; a single one is returned as it is.
func joinMore(errs []error, more int) error {
	if more > 0 {
		errs = append(errs, fmt.Errorf("and %d more", more))
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}
