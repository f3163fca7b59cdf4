package param

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
)

// Sizes returns what is wrong, as one *Error or several joined, unless 1 ≤ m ≤ k ≤ d, d being the number
// of columns.
func Sizes(k, m, d int) error {
	err := Counts(k, m)
	want := fmt.Sprintf("m = %d ≤ k ≤ %d", m, d)
	if m < 1 || m > d {
		want = fmt.Sprintf("at most %d", d)
	}
	var more error
	switch {
	case d < 1:
		more = New("Covariance", d, fmt.Sprintf("at least k = %d columns", max(k, 1)), "there is no covariance, or it has no column")
	case k > d:
		more = TooMany(k, d, want)
	}
	if err == nil {
		return more
	}
	return errors.Join(err, more)
}

// TooMany is the error of k features where there are d columns; want says what would be right.
func TooMany(k, d int, want string) *Error {
	return New("Features", k, want, "features k = %d is more than the d = %d columns there are", k, d)
}

// Counts returns an *Error unless 1 ≤ m ≤ k: what is known without the columns.
func Counts(k, m int) error {
	var errs []error
	if k < 1 {
		errs = append(errs, New("Features", k, "at least 1", "features k = %d", k))
	}
	if m < 1 {
		errs = append(errs, New("Components", m, "at least 1", "components m = %d", m))
	}
	if errs == nil && m > k {
		return New("Components", m, "m ≤ k", "components m = %d is more than features k = %d", m, k).Beside("Features")
	}
	return errors.Join(errs...)
}

// AtLeast returns an *Error unless got is at least least; what is its name.
func AtLeast[N int | int64](field, what string, got, least N, orZero string) error {
	if got >= least || got == 0 && orZero != "" {
		return nil
	}
	want := fmt.Sprintf("%d or more", least)
	if orZero != "" {
		want += ", or 0 for " + orZero
	}
	return New(field, got, want, "%s is %d", what, got)
}

// MostDraws is the most starts or draws that may be asked for, each of which takes memory and time.
const MostDraws = 1_000_000

// Draws returns an *Error if got is more than [MostDraws]; what is its name.
func Draws(field, what string, got int) error {
	if got <= MostDraws {
		return nil
	}
	return New(field, got, fmt.Sprintf("at most %d", MostDraws), "%s is %d", what, got)
}

// Share returns an *Error unless 0 < share ≤ 1; what is its name, and of says what
// it is a share of.
func Share(field, what string, share float64, of string) error {
	if share > 0 && share <= 1 {
		return nil
	}
	return New(field, share, "a share above 0 and at most 1 of "+of, "%s is %v", what, share)
}

// Target is Share where 0 stands for no target.
func Target(field, what string, share float64, of string) error {
	if share == 0 {
		return nil
	}
	return Share(field, what, share, of)
}

// Correlation returns an *Error unless 0 < r < 1, or r is 0 for no limit.
func Correlation(field, what string, r float64) error {
	if r == 0 || r > 0 && r < 1 {
		return nil
	}
	return New(field, r, "a number above 0 and below 1, or 0 for no limit", "%s is %v", what, r)
}

// Budget returns an *Error unless 0 < budget < ∞.
func Budget(field string, budget float64) error {
	if budget > 0 && !math.IsInf(budget, 1) {
		return nil
	}
	return New(field, budget, "a finite number above 0", "the budget is %v", budget)
}

// Afford returns an *Error unless a budget that pays for at most so many columns pays for m.
func Afford(budget float64, most, m int) error {
	if most >= m {
		return nil
	}
	want := "a larger budget"
	if most > 0 {
		want += ", or fewer components"
	}
	return New("Limits.Budget", budget, want, "the budget of %v pays for at most %d columns, fewer than the m = %d components", budget, most, m).Beside("Components")
}

// TooFew is the error of limits that were found to permit together only the given columns, fewer than m.
func TooFew(columns []int, m int) error {
	if len(columns) == 0 {
		return fmt.Errorf("the limits were found to permit no column, and the m = %d components need as many", m)
	}
	return NewColumns("the limits were found to permit together only the", columns, ", fewer than the m = %d components", m)
}

// OneOf returns an *Error unless got is one of want; what is its name.
func OneOf[S ~string](field, what string, got S, want ...S) error {
	if slices.Contains(want, got) {
		return nil
	}
	return New(field, got, Quoted(want), "unknown %s %q", what, got)
}

// Quoted lists names for a message: "a", "b" or "c".
func Quoted[S ~string](names []S) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i > 0 && i == len(names)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", string(name))
	}
	return b.String()
}

// Unset is what Unread wants.
const Unset = "it unset"

// Unread is the error of a parameter, of that name, that is set although it is not
// read with what another, by, says.
func Unread(field string, got any, name, by, says string) *Error {
	return &Error{Field: field, Got: got, Want: Unset, text: fmt.Sprintf("%s is not read with %s %s: leave it out", name, by, says)}
}

// Finite returns an *Error unless 0 ≤ v < ∞.
func Finite(field, what string, v float64) error {
	if v >= 0 && !math.IsInf(v, 1) {
		return nil
	}
	return New(field, v, "a finite number, 0 or more", "%s is %v", what, v)
}

// Index returns an *Error unless 0 ≤ j < d; what names the column.
func Index(field, what string, j, d int) error {
	if j >= 0 && j < d {
		return nil
	}
	return New(field, j, fmt.Sprintf("0 to %d (counted from 0)", d-1), "%s names column %d", what, j)
}

// TwoStarts is the error of a start by name beside a given one, W0.
func TwoStarts[S ~string](start S) *Error {
	return New("Start", start, "one of them", "start %q and a given W0 exclude each other", start)
}

// NotNumeric is the error of a column of text, of that name, where numbers are needed.
func NotNumeric(name string) error {
	return fmt.Errorf("column %q is categorical: want numbers; drop it, or put a onehot step before this one", name)
}

// Lists marks each of d columns: +1 if it must be chosen, −1 if it must not be
// chosen, and 0 if it is free. An index may repeat within a list. The error holds
// one *Error for each that is out of range or in both.
func Lists(d int, include, exclude []int) ([]int8, error) {
	var errs []error
	marks := make([]int8, d)
	for _, list := range []struct {
		field, name string
		indices     []int
		mark        int8
	}{{"Include", "include", include, 1}, {"Exclude", "exclude", exclude, -1}} {
		for _, i := range list.indices {
			switch {
			case i < 0 || i >= d:
				errs = append(errs, Index(list.field, list.name, i, d))
			case marks[i] == -list.mark:
				errs = append(errs, Both(list.field, i, "include", "exclude"))
			default:
				marks[i] = list.mark
			}
		}
	}
	return marks, errors.Join(errs...)
}

// Both is the error of column i, which two lists have that contradict each other.
func Both(field string, i int, one, other string) *Error {
	return &Error{Field: field, Got: i, Want: "a column of one list", Column: i, Named: true, text: fmt.Sprintf("is in %s and in %s: take it out of one", one, other)}
}

// Room returns an error unless k of the columns that are left of d can be chosen,
// including all that must be; by is the list that leaves them.
func Room(k, d, must, left int, by string) error {
	var errs []error
	if must > k {
		errs = append(errs, &Error{Field: "Include", Got: must, Want: fmt.Sprintf("at most %d", k),
			text: fmt.Sprintf("include names %d columns, but only k = %d are chosen: raise k or shorten the list", must, k)})
	}
	if left < k {
		field := "Exclude"
		if by == "unmeasured" {
			field = "Unmeasured"
		}
		errs = append(errs, &Error{Field: field, Got: d - left, Want: fmt.Sprintf("at most %d", d-k),
			text: fmt.Sprintf("%s leaves %d of the d = %d columns, but k = %d are chosen: lower k or shorten the list", by, left, d, k)})
	}
	return errors.Join(errs...)
}

// What the option class_weight is where it is no mapping: every row counts the same, or every class in sum.
const (
	Unweighted = "none"
	Balanced   = "balanced"
)

// ClassWeightings are these words.
var ClassWeightings = []string{Unweighted, Balanced}

// ClassWeights yields each class whose rows may not count what they are given, in order, and why.
func ClassWeights(given map[string]float64) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, class := range slices.Sorted(maps.Keys(given)) {
			if w := given[class]; !(w > 0 && w <= math.MaxFloat64) && !yield(class, fmt.Errorf("rows of %q count %v: want a number above 0", class, w)) {
				return
			}
		}
	}
}

// UnknownClasses yields each class with a weight that the class column, of these levels, does not have, in
// order, and what is wrong.
func UnknownClasses(given map[string]float64, levels []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, class := range lists.Without(slices.Sorted(maps.Keys(given)), levels) {
			err := fmt.Errorf("class_weight names the class %q, which is not in the class column%s", class, spelling.Hint(" (the nearest is %q)", class, levels))
			if !yield(class, err) {
				return
			}
		}
	}
}
