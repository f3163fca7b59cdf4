package experiment

import (
	"errors"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"math"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

func checkSplit(n int, class *dataset.Factor, opt SplitOptions) error {
	errs := []error{checkWays(n, opt)}
	given := opt.Folds != 0 || opt.Test != 0
	switch {
	case !given && opt.Group == nil && opt.Time == nil && opt.Fold == nil:
		errs = append(errs, errors.New("split.test or split.folds is needed: how many rows to test on"))
	case given && opt.Fold != nil:
		errs = append(errs, errors.New("split.column says which rows are tested together: leave test and folds out"))
	case opt.Folds != 0 && opt.Test != 0:
		errs = append(errs, errors.New("split.test and split.folds exclude each other: keep one of them"))
	case opt.Folds != 0 && (opt.Folds < 2 || opt.Folds > n):
		errs = append(errs, fmt.Errorf("split.folds is %d, and must be from 2 to the number of rows, %d", opt.Folds, n))
	case opt.Folds == 0 && opt.Test != 0 && !(opt.Test > 0 && opt.Test < 1):
		errs = append(errs, fmt.Errorf("split.test is %v, and must be above 0 and below 1: the share of rows to test on", opt.Test))
	}
	if n > math.MaxInt32 {
		errs = append(errs, fmt.Errorf("there are %d rows, and a split takes at most %d", n, math.MaxInt32))
	}
	if n < 2 {
		errs = append(errs, fmt.Errorf("the data have %s, and a split needs at least 2", words.Count(n, "row")))
	}
	if parts := float64(max(opt.Folds, 1)) * float64(max(opt.Repeats, 1)); parts*float64(n) > maxPlaces {
		errs = append(errs, fmt.Errorf("split.folds and split.repeats divide %s in %.0f ways, and at most %d are possible: ask for fewer", words.Count(n, "row"), parts, maxPlaces/n))
	}
	if opt.stratified() {
		errs = append(errs, checkStrata(n, class))
	}
	return errors.Join(errs...)
}

// maxPlaces is the largest sum of the sizes of all splits: 2 GiB of rows' numbers.
const maxPlaces = 1 << 28

// checkWays looks at what stands beside the shares.
func checkWays(n int, opt SplitOptions) error {
	var errs []error
	ways := 0
	for i, column := range []*dataset.Factor{opt.Group, opt.Fold} {
		if column == nil {
			continue
		}
		key := []string{"group", "column"}[i]
		ways++
		if len(column.Codes) != n {
			errs = append(errs, fmt.Errorf("the column of split.%s has %s, and the data have %d", key, words.Count(len(column.Codes), "row"), n))
		} else if i := slices.IndexFunc(column.Codes, func(code int32) bool { return code < 0 || int(code) >= len(column.Levels) }); i >= 0 {
			errs = append(errs, fmt.Errorf("the column of split.%s is missing in row %d: each row needs a value", key, i+1))
		}
	}
	if opt.Time != nil {
		ways++
		if len(opt.Time) != n {
			errs = append(errs, fmt.Errorf("the column of split.time has %s, and the data have %d", words.Count(len(opt.Time), "row"), n))
		} else if i := slices.IndexFunc(opt.Time, func(v float64) bool { return v-v != 0 }); i >= 0 {
			errs = append(errs, fmt.Errorf("the column of split.time is missing in row %d: each row needs a time", i+1))
		}
	}
	if ways > 1 {
		errs = append(errs, errors.New("split.group, split.time and split.column exclude each other: keep one of them"))
	}
	if opt.Repeats < 0 || opt.Repeats > 1 && (opt.Unshuffled || opt.Time != nil || opt.Fold != nil) {
		errs = append(errs, fmt.Errorf("split.repeats is %d: only divisions at random can be repeated: leave repeats out", opt.Repeats))
	} else if opt.Repeats > mostRepeats {
		errs = append(errs, fmt.Errorf("split.repeats is %d: want at most %d", opt.Repeats, mostRepeats))
	}
	return errors.Join(errs...)
}

// mostRepeats is the largest number of repeats; the rule in pipeline/config is the same.
const mostRepeats = 10000

// checkStrata reports what keeps the rows from being divided class by class.
func checkStrata(n int, class *dataset.Factor) error {
	if class == nil {
		return errors.New("a stratified split needs a class column: name it with data.label, or set split.stratify to false")
	}
	if len(class.Codes) != n {
		return fmt.Errorf("the class column has %s, and the data have %d", words.Count(len(class.Codes), "row"), n)
	}
	if missing := lists.Places(n, func(i int) bool { return class.Codes[i] < 0 }); missing != nil {
		return fmt.Errorf("the class is missing in %d of %d rows, first in row %d: drop these rows before the split", len(missing), n, missing[0]+1)
	}
	return nil
}
