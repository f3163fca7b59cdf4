package transformer

import (
	"errors"
	"fmt"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// checkMissing refuses missing categorical cells unless they are to be ignored.
func (s *oneHotState) checkMissing(f *dataset.Frame) error {
	if s.ignoreMissing {
		return nil
	}
	err := f.CheckLevels(oneHotStep)
	var missing *dataset.MissingCellsError
	if errors.As(err, &missing) {
		missing.Ignore = "missing: ignore"
	}
	return err
}

// checkUnseen refuses cells whose level did not occur in Fit.
func (s *oneHotState) checkUnseen(f *dataset.Frame) error {
	if s.ignoreUnseen {
		return nil
	}
	var problems []error
	for at, c := range f.Columns() {
		if c.Factor == nil {
			continue
		}
		if places := unseen(f, c.Factor, s.columns[at].Levels); len(places) > 0 {
			problems = append(problems, fmt.Errorf("%s: column %q: %s did not occur when the step was fitted: %s",
				oneHotStep, c.Name, levelList(places), cureOfUnseen(c.Factor)))
		}
	}
	return errors.Join(problems...)
}

// cureOfUnseen says what to do about levels of a column that did not occur in Fit.
func cureOfUnseen(c *dataset.Factor) string {
	if dated, _, bad := dates(c, ""); dated && bad == nil {
		return "the column holds dates: put a step dates before this one, which makes numbers of them, or drop the column"
	}
	return "correct the cells, fit on rows that have it, drop a column that only names the rows, or let unseen levels be ignored (option unseen: ignore)"
}

// unseen returns the levels of a column that are not among the fitted ones, each
// with its first row.
func unseen(f *dataset.Frame, c *dataset.Factor, fitted []string) []string {
	find := dataset.FindLevel(fitted)
	known := lists.Map(c.Levels, func(level string) bool { return find(level) >= 0 })
	var places []string
	for i, code := range c.Codes {
		if code >= 0 && !known[code] {
			known[code] = true // told once
			places = append(places, fmt.Sprintf("%q (%s)", c.Levels[code], f.RowPlace(i)))
		}
	}
	return places
}

// levelList lists the first few levels and counts the others.
func levelList(places []string) string {
	return words.Of(len(places), "the level ", "the levels ") + words.Some(places, 5)
}
