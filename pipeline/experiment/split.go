package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// SplitOptions say how rows are divided into training and test rows: by Test or
// by Folds, not by both. Group and Time go with either; alone they mean 5 folds,
// or as many as they allow. Fold excludes all others.
type SplitOptions struct {
	// Test is the share of the rows that are held out, above 0 and below 1. The
	// number of test rows is Test·n rounded to the nearest integer (halves up),
	// but at least 1 and at most n−1.
	Test float64
	// Folds is the number of folds, from 2 to n: each row is a test row in
	// exactly one of them.
	Folds int
	// Repeats is how many times the rows are divided, each time differently; 0 is 1.
	Repeats int
	// Seed chooses the division. The same rows, options and seed give the same
	// division.
	Seed uint64
	// Unstratified ignores the classes. By default every class keeps its share, as
	// far as whole rows allow.
	Unstratified bool
	// Unshuffled follows the order of the rows: the last ones are held out, and
	// folds are consecutive rows. Classes are ignored.
	Unshuffled bool
	// Group, if not nil, keeps rows with the same value on the same side. Folds
	// get whole groups, the largest first, each to the fold with the fewest rows.
	// A hold-out takes groups in random order until it is nearest to Test. Classes
	// are ignored.
	Group *dataset.Factor
	// Time, if not nil, has a number for each row: test rows come later than all
	// their training rows. Test holds out the latest rows. Folds divides the rows
	// into Folds + 1 parts of about the same size. Each but the first is tested on
	// a fit to all parts before it. Rows of the same time stay together.
	Time []float64
	// Fold, if not nil, names the fold of each row; the levels train and test alone
	// are a hold-out.
	Fold *dataset.Factor
}

// Split is one division of rows, as ascending indices. Each row is in one of the
// two lists; in a division by time, rows later than the test rows are in neither.
type Split struct {
	Train, Test []int
}

// Divide divides n rows: one split for Test, or Folds splits for Folds, for each of
// the Repeats. Class may be nil; only a stratified division needs it.
//
// Stratified hold-out: class c with n_c of the n rows gets ⌊T·n_c/n⌋ of the T
// test rows; the rest go to the largest remainders (ties to the earlier level).
// A class always keeps one row for training, so that a class with a single row
// is not tested; T shrinks if that leaves no room for it.
//
// Stratified folds: each class is dealt out in turn; the next class goes on at
// the fold where the previous one stopped. Folds, and each class within them,
// differ by at most one row. A class with fewer rows than folds is absent from
// the test rows of some folds.
//
// Warnings name classes with too few rows, and classes that an unstratified
// division does not train on or does not test. Mistakes in the options and
// missing classes are errors.
func Divide(n int, class *dataset.Factor, opt SplitOptions) (splits []Split, warnings []string, err error) {
	if err := checkSplit(n, class, opt); err != nil {
		return nil, nil, err
	}
	if !opt.stratified() {
		splits, err = divideOtherwise(n, opt)
		if err == nil && class != nil {
			warnings = classWarnings(class, class, splits, true)
		}
		return splits, warnings, err
	}
	for repeat := range max(opt.Repeats, 1) {
		more, small, err := stratified(n, class, opt, repeat)
		if repeat == 0 {
			warnings = small
		}
		if err != nil {
			return nil, warnings, err
		}
		splits = append(splits, more...)
	}
	return splits, append(warnings, classWarnings(class, class, splits, false)...), nil
}

// stratified divides the rows of each class in one repeat.
func stratified(n int, class *dataset.Factor, opt SplitOptions, repeat int) (splits []Split, warnings []string, err error) {
	groups := rowsByLevel(class)
	warnings = smallClasses(class, groups, opt)
	random := rand.New(rand.NewPCG(opt.Seed, uint64(repeat)))
	for _, rows := range groups {
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
	if opt.Folds > 0 {
		return deal(n, groups, opt.Folds), warnings, nil
	}
	var test []int
	for i, count := range quotas(groups, testRows(n, opt.Test)) {
		test = append(test, groups[i][:count]...)
	}
	if len(test) == 0 {
		return nil, warnings, fmt.Errorf(
			"no row can be held out: each of the %d classes has a single row; set split.stratify to false or bring more rows", n)
	}
	return []Split{splitOf(n, test)}, warnings, nil
}

// stratified says whether the classes are regarded.
func (opt SplitOptions) stratified() bool {
	return !opt.Unstratified && !opt.Unshuffled && opt.Group == nil && opt.Time == nil && opt.Fold == nil
}

// rowsByLevel gives the rows of each level, in level order, each ascending.
func rowsByLevel(class *dataset.Factor) [][]int {
	groups := make([][]int, len(class.Levels))
	for i, code := range class.Codes {
		groups[code] = append(groups[code], i)
	}
	return groups
}

// smallClasses warns of classes that cannot be in every test part.
func smallClasses(class *dataset.Factor, groups [][]int, opt SplitOptions) []string {
	least := max(2, opt.Folds)
	var names []string
	for i, rows := range groups {
		if len(rows) > 0 && len(rows) < least {
			names = append(names, fmt.Sprintf("%q (%d)", class.Levels[i], len(rows)))
		}
	}
	if len(names) == 0 {
		return nil
	}
	list := strings.Join(names, ", ")
	if opt.Folds == 0 {
		return []string{"classes with a single row are trained on, never tested: " + list}
	}
	return []string{fmt.Sprintf("classes with fewer rows than the %d folds are not tested in every fold: %s", opt.Folds, list)}
}

// testRows is share·n to the nearest integer, within 1…n−1.
func testRows(n int, share float64) int {
	return min(max(int(math.Floor(share*float64(n)+0.5)), 1), n-1)
}

// quotas says how many test rows each group gives, of test in all.
func quotas(groups [][]int, test int) []int {
	n, room := 0, 0
	for _, rows := range groups {
		n += len(rows)
		room += max(len(rows)-1, 0)
	}
	test = min(test, room)
	counts := make([]int, len(groups))
	left := test
	for i, rows := range groups {
		counts[i] = test * len(rows) / n
		left -= counts[i]
	}
	order := lists.Upto[int](len(groups))
	slices.SortStableFunc(order, func(a, b int) int {
		return test*len(groups[b])%n - test*len(groups[a])%n
	})
	for left > 0 {
		for _, i := range order {
			if left > 0 && counts[i] < len(groups[i])-1 {
				counts[i]++
				left--
			}
		}
	}
	return counts
}

// deal hands the groups' rows to the folds in turn.
func deal(n int, groups [][]int, folds int) []Split {
	tests := make([][]int, folds)
	next := 0
	for _, rows := range groups {
		for _, row := range rows {
			tests[next] = append(tests[next], row)
			next = (next + 1) % folds
		}
	}
	return splitsOfTests(n, tests)
}

// splitOf completes test rows, in any order, to a split of n rows.
func splitOf(n int, test []int) Split {
	held := lists.Marks(n, test)
	return Split{Train: lists.Places(n, func(row int) bool { return !held[row] }), Test: lists.Marked(held)}
}

// splitsOfTests completes each list of test rows to a split.
func splitsOfTests(n int, tests [][]int) []Split {
	return lists.Map(tests, func(test []int) Split { return splitOf(n, test) })
}
