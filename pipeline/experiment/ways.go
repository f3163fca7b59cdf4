package experiment

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
)

// usualFolds is the number of folds of groups or times where nothing else is said.
const usualFolds = 5

// divideOtherwise divides n rows without regard to the classes.
func divideOtherwise(n int, opt SplitOptions) ([]Split, error) {
	switch {
	case opt.Fold != nil:
		return byColumn(n, opt.Fold)
	case opt.Time != nil:
		return byTime(n, opt)
	case opt.Unshuffled:
		return inOrder(n, opt), nil
	}
	var splits []Split
	for repeat := range max(opt.Repeats, 1) {
		random := rand.New(rand.NewPCG(opt.Seed, uint64(repeat)))
		if opt.Group != nil {
			some, err := byGroup(n, opt, random)
			if err != nil {
				return nil, err
			}
			splits = append(splits, some...)
			continue
		}
		rows := lists.Upto[int](n)
		random.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if opt.Folds > 0 {
			splits = append(splits, deal(n, [][]int{rows}, opt.Folds)...)
		} else {
			splits = append(splits, splitOf(n, rows[:testRows(n, opt.Test)]))
		}
	}
	return splits, nil
}

// inOrder holds out the last rows, or runs of rows, of which the first may have one
// row more.
func inOrder(n int, opt SplitOptions) []Split {
	rows := lists.Upto[int](n)
	if opt.Folds == 0 {
		return []Split{splitOf(n, rows[n-testRows(n, opt.Test):])}
	}
	var splits []Split
	for i := range opt.Folds {
		size := n / opt.Folds
		if i < n%opt.Folds {
			size++
		}
		splits = append(splits, splitOf(n, rows[:size]))
		rows = rows[size:]
	}
	return splits
}

// byColumn tests the rows of each level in turn.
func byColumn(n int, column *dataset.Factor) ([]Split, error) {
	var names []string
	var parts [][]int
	for i, rows := range rowsByLevel(column) {
		if len(rows) > 0 {
			names, parts = append(names, column.Levels[i]), append(parts, rows)
		}
	}
	if len(parts) < 2 {
		return nil, fmt.Errorf("the column of split.column has one value, %q, in all rows: it must name at least two folds, or train and test", strings.Join(names, ""))
	}
	if trainTest(column) {
		return []Split{splitOf(n, parts[slices.Index(names, "test")])}, nil
	}
	return splitsOfTests(n, parts), nil
}

// trainTest says whether a column names a hold-out.
func trainTest(column *dataset.Factor) bool {
	names := occurring(column, nil)
	return len(names) == 2 && slices.Contains(names, "train") && slices.Contains(names, "test")
}

// byGroup deals out whole groups, or holds some out.
func byGroup(n int, opt SplitOptions, random *rand.Rand) ([]Split, error) {
	groups := slices.DeleteFunc(rowsByLevel(opt.Group), func(rows []int) bool { return len(rows) == 0 })
	folds := opt.Folds
	if folds == 0 && opt.Test == 0 {
		folds = max(2, min(usualFolds, len(groups)))
	}
	if len(groups) < max(folds, 2) {
		return nil, fmt.Errorf("the column of split.group has %s, and the division needs at least %d", words.Count(len(groups), "group"), max(folds, 2))
	}
	random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	if folds == 0 {
		return []Split{splitOf(n, heldGroups(groups, testRows(n, opt.Test)))}, nil
	}
	return splitsOfTests(n, dealGroups(groups, folds)), nil
}

// heldGroups returns the rows of the first groups: about as many as wanted, of at least one group and not
// of the last.
func heldGroups(groups [][]int, want int) []int {
	test := slices.Clone(groups[0])
	for _, rows := range groups[1 : len(groups)-1] {
		if over := len(test) + len(rows) - want; over > want-len(test) {
			break
		}
		test = append(test, rows...)
	}
	return test
}

// dealGroups deals out whole groups, the largest first, each to the fold with the fewest rows.
func dealGroups(groups [][]int, folds int) [][]int {
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	tests := make([][]int, folds)
	for _, rows := range groups {
		least := 0
		for i := range tests {
			if len(tests[i]) < len(tests[least]) {
				least = i
			}
		}
		tests[least] = append(tests[least], rows...)
	}
	return tests
}

// byTime tests later rows than it trains on.
func byTime(n int, opt SplitOptions) ([]Split, error) {
	rows := lists.Upto[int](n)
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(opt.Time[a], opt.Time[b]) })
	cuts := lists.Places(n, func(i int) bool { return i > 0 && opt.Time[rows[i]] != opt.Time[rows[i-1]] }) // where the time changes
	folds := opt.Folds
	if folds == 0 && opt.Test == 0 {
		folds = max(1, min(usualFolds, len(cuts)))
	}
	if len(cuts) < max(folds, 1) {
		return nil, fmt.Errorf("the column of split.time has %s, and the division needs at least %d", words.Count(len(cuts)+1, "different time"), max(folds, 1)+1)
	}
	if folds == 0 {
		at := nearest(cuts, n-testRows(n, opt.Test))
		return []Split{later(rows, cuts[at], n)}, nil
	}
	ends := append(foldStarts(cuts, n, folds), n)
	return lists.Make(folds, func(i int) Split { return later(rows, ends[i], ends[i+1]) }), nil
}

// foldStarts returns the places where the test rows of each fold start, one of cuts each: about the same
// number of the n rows apart.
func foldStarts(cuts []int, n, folds int) []int {
	ends := make([]int, 0, folds+1)
	for i, next := range lists.Upto[int](folds) {
		at := nearest(cuts, (next+1)*n/(folds+1))
		at = min(max(at, len(ends)), len(cuts)-(folds-i))
		if i > 0 {
			at = max(at, slices.Index(cuts, ends[i-1])+1)
		}
		ends = append(ends, cuts[at])
	}
	return ends
}

// nearest is the index of the number that is nearest to want, the first at a tie.
func nearest(sorted []int, want int) int {
	i := sort.SearchInts(sorted, want)
	if i == len(sorted) || i > 0 && want-sorted[i-1] <= sorted[i]-want {
		i--
	}
	return i
}

// later trains on the rows before from and tests those up to to.
func later(rows []int, from, to int) Split {
	s := Split{slices.Clone(rows[:from]), slices.Clone(rows[from:to])}
	slices.Sort(s.Train)
	slices.Sort(s.Test)
	return s
}

// subset are the options for the given rows of those that opt divides, to divide
// them again in folds: training rows are divided within by the same rule.
func (opt SplitOptions) subset(rows []int, folds int) SplitOptions {
	out := opt
	out.Test, out.Folds, out.Repeats = 0, folds, 0
	if opt.Fold != nil && trainTest(opt.Fold) {
		out.Fold = nil
	} else if opt.Fold != nil { // what is tested together stays together
		out.Fold, out.Group = nil, opt.Fold
	}
	if out.Group != nil {
		out.Group = &dataset.Factor{Levels: out.Group.Levels, Codes: lists.At(out.Group.Codes, rows)}
		levels := len(occurring(out.Group, nil))
		if out.Folds = min(folds, levels); levels < 2 {
			out.Group, out.Folds = nil, folds
		}
	}
	if opt.Time != nil {
		out.Time = lists.At(opt.Time, rows)
	}
	return out
}
