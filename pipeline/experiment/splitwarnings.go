package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// classWarnings names the classes that some split tests without training on them and,
// if all is set, those that it does not test; tested is the class of the rows that Test
// counts.
func classWarnings(class, tested *dataset.Factor, splits []Split, all bool) []string {
	if class.Numbers != nil {
		return nil
	}
	var warnings []string
	if levels := occurring(class, nil); len(levels) == 1 {
		warnings = append(warnings, fmt.Sprintf("all rows have the class %q: there is nothing to tell apart", levels[0]))
	}
	untrained, untested := unmatched(class, tested, splits, all)
	add := func(in map[string][]int, one, of string) {
		for _, level := range slices.Sorted(maps.Keys(in)) {
			if len(splits) == 1 {
				warnings = append(warnings, fmt.Sprintf(one, level))
			} else {
				warnings = append(warnings, fmt.Sprintf(of, level, numbers(in[level])))
			}
		}
	}
	add(untrained, "the class %q is tested and not trained on: it cannot be predicted", "the class %q is tested and not trained on, so that it cannot be predicted, in the folds %s")
	add(untested, "the test rows have no row of the class %q: nothing is known of it", "the class %q is not tested in the folds %s")
	return warnings
}

// unmatched returns the splits, from 1, that test a class without training on it and, if all is set,
// those that do not test it.
func unmatched(class, tested *dataset.Factor, splits []Split, all bool) (untrained, untested map[string][]int) {
	everywhere := occurring(class, nil)
	untrained, untested = map[string][]int{}, map[string][]int{}
	for i, s := range splits {
		train, test := occurring(class, s.Train), occurring(tested, s.Test)
		for _, level := range lists.Without(test, train) {
			untrained[level] = append(untrained[level], i+1)
		}
		for _, level := range lists.Without(everywhere, test) {
			if all {
				untested[level] = append(untested[level], i+1)
			}
		}
	}
	return untrained, untested
}

// occurring lists the levels of the rows; of all rows where they are nil.
func occurring(class *dataset.Factor, rows []int) []string {
	return lists.At(class.Levels, lists.Occurring(len(class.Levels), lists.Pick(class.Codes, rows)))
}

func numbers(x []int) string {
	return strings.Join(lists.Map(x, strconv.Itoa), ", ")
}
