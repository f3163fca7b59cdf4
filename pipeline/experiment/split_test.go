package experiment

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

// dividedClass makes a class column with counts[i] rows of level i, in turn.
func dividedClass(counts ...int) *dataset.Factor {
	f := &dataset.Factor{}
	for i, count := range counts {
		f.Levels = append(f.Levels, string(rune('a'+i)))
		for range count {
			f.Codes = append(f.Codes, int32(i))
		}
	}
	return f
}

// perClass counts rows of each level.
func perClass(class *dataset.Factor, rows []int) []int {
	counts := make([]int, len(class.Levels))
	for _, row := range rows {
		counts[class.Codes[row]]++
	}
	return counts
}

func TestHoldOutCounts(t *testing.T) {
	for _, test := range []struct {
		counts []int
		share  float64
		want   []int // test rows of each class
		warns  string
	}{
		{[]int{50, 50, 50}, 0.2, []int{10, 10, 10}, ""},
		{[]int{50, 50, 50}, 0.25, []int{13, 13, 12}, ""},      // 37.5 → 38, a tie of remainders
		{[]int{59, 71, 48}, 0.3, []int{18, 21, 14}, ""},       // 53.4 → 53: quotas 17.57, 21.14, 14.29
		{[]int{90, 9, 1}, 0.1, []int{9, 1, 0}, `"c" (1)`},     // quotas 9, .9, .1
		{[]int{3, 1, 1}, 0.5, []int{2, 0, 0}, `"b" (1)`},      // 2.5 → 3, and only a can spare rows
		{[]int{2, 2}, 0.99, []int{1, 1}, ""},                  // every class keeps a row to train on
		{[]int{1000, 2}, 0.001, []int{1, 0}, ""},              // at least one row
		{[]int{0, 4, 0, 4}, 0.5, []int{0, 2, 0, 2}, ""},       // levels without rows
		{[]int{5, 5}, 0.05, []int{1, 0}, ""},                  // .5 → 1
		{[]int{200, 100, 10}, 0.15, []int{30, 15, 2}, ""},     // 46.5 → 47: quotas 30.3, 15.2, 1.5
		{[]int{1, 1, 1, 3}, 0.9, []int{0, 0, 0, 2}, `"a"`},    // 5 wanted, 2 can be spared
		{[]int{7, 7, 7}, 0.34, []int{3, 2, 2}, ""},            // 7.14 → 7: quotas 2.33 each
		{[]int{10, 20, 30}, 1. / 3, []int{3, 7, 10}, ""},      // 20: quotas 3.33, 6.67, 10
		{[]int{4, 4, 4, 4, 4}, 0.1, []int{1, 1, 0, 0, 0}, ""}, // fewer test rows than classes
	} {
		class := dividedClass(test.counts...)
		n := len(class.Codes)
		splits, warnings, err := Divide(n, class, SplitOptions{Test: test.share, Seed: 3})
		if err != nil {
			t.Errorf("%v, test %v: %v", test.counts, test.share, err)
			continue
		}
		if got := perClass(class, splits[0].Test); !slices.Equal(got, test.want) {
			t.Errorf("%v, test %v: test rows %v, want %v", test.counts, test.share, got, test.want)
		}
		if text := strings.Join(warnings, "\n"); (text == "") != (test.warns == "") || !strings.Contains(text, test.warns) {
			t.Errorf("%v, test %v: warnings %q, want %q", test.counts, test.share, text, test.warns)
		}
	}
}

// TestDivideProperties holds every division to what its comment promises.
func TestDivideProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 12), 1, 5).Draw(t, "counts")
		class := dividedClass(counts...)
		n := len(class.Codes)
		if n < 2 {
			t.Skip("too few rows")
		}
		order := rapid.Permutation(class.Codes).Draw(t, "order")
		class.Codes = order
		opt := SplitOptions{Seed: rapid.Uint64().Draw(t, "seed"), Unstratified: rapid.Bool().Draw(t, "unstratified")}
		if rapid.Bool().Draw(t, "folds") {
			opt.Folds = rapid.IntRange(2, n).Draw(t, "number of folds")
		} else {
			opt.Test = rapid.Float64Range(0.01, 0.99).Draw(t, "share")
		}
		splits, _, err := Divide(n, class, opt)
		if err != nil {
			if opt.Folds == 0 && !opt.Unstratified && slices.Max(counts) == 1 {
				return // nothing can be held out
			}
			t.Fatal(err)
		}
		again, _, _ := Divide(n, class, opt)
		if diff := cmp.Diff(splits, again); diff != "" {
			t.Fatalf("the same seed gave another division:\n%s", diff)
		}
		tested := make([]int, n)
		for _, s := range splits {
			checkPartition(t, n, s)
			for _, row := range s.Test {
				tested[row]++
			}
			for level, count := range perClass(class, s.Train) {
				if !opt.Unstratified && counts[level] > 1 && count == 0 {
					t.Fatalf("no training row of class %d", level)
				}
				if opt.Folds == 0 && !opt.Unstratified && counts[level] == 1 && count == 0 {
					t.Fatalf("the only row of class %d is not trained on", level)
				}
			}
		}
		if opt.Folds > 0 {
			if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
				t.Fatalf("rows are tested %v times", tested)
			}
			checkBalance(t, class, splits, opt)
		}
	})
}

func checkPartition(t *rapid.T, n int, s Split) {
	all := append(slices.Clone(s.Train), s.Test...)
	slices.Sort(all)
	if !slices.Equal(all, lists.Upto[int](n)) || !slices.IsSorted(s.Train) || !slices.IsSorted(s.Test) || len(s.Test) == 0 {
		t.Fatalf("not a division of %d rows: %v", n, s)
	}
}

func checkBalance(t *rapid.T, class *dataset.Factor, splits []Split, opt SplitOptions) {
	var sizes []int
	byClass := make([][]int, len(class.Levels))
	for _, s := range splits {
		sizes = append(sizes, len(s.Test))
		for level, count := range perClass(class, s.Test) {
			byClass[level] = append(byClass[level], count)
		}
	}
	if slices.Max(sizes)-slices.Min(sizes) > 1 {
		t.Fatalf("folds of %v rows", sizes)
	}
	for level, counts := range byClass {
		if !opt.Unstratified && slices.Max(counts)-slices.Min(counts) > 1 {
			t.Fatalf("class %d has %v rows in the folds", level, counts)
		}
	}
}

// TestDivideGolden keeps divisions as they are: a change of seed handling would
// change every report.
func TestDivideGolden(t *testing.T) {
	class := dividedClass(4, 4, 2)
	splits, _ := must.Two(Divide(10, class, SplitOptions{Test: 0.3, Seed: 1}))(t)
	if want := []int{1, 5, 9}; !slices.Equal(splits[0].Test, want) {
		t.Errorf("hold-out: test rows %v, want %v", splits[0].Test, want)
	}
	splits, _ = must.Two(Divide(10, class, SplitOptions{Folds: 3, Seed: 1}))(t)
	var got [][]int
	for _, s := range splits {
		got = append(got, s.Test)
	}
	if want := [][]int{{1, 3, 6, 8}, {2, 4, 5}, {0, 7, 9}}; !cmp.Equal(got, want) {
		t.Errorf("folds: test rows %v, want %v", got, want)
	}
	other, _, _ := Divide(10, class, SplitOptions{Folds: 3, Seed: 2})
	if cmp.Equal(splits, other) {
		t.Error("another seed gave the same division")
	}
}

func TestDivideErrors(t *testing.T) {
	missing := dividedClass(3, 3)
	missing.Codes[4] = -1
	for _, test := range []struct {
		name  string
		n     int
		class *dataset.Factor
		opt   SplitOptions
		want  []string
	}{
		{"neither", 10, dividedClass(5, 5), SplitOptions{}, []string{"split.test or split.folds is needed"}},
		{"both", 10, dividedClass(5, 5), SplitOptions{Test: .5, Folds: 3}, []string{"exclude each other"}},
		{"one fold", 10, dividedClass(5, 5), SplitOptions{Folds: 1}, []string{"split.folds is 1"}},
		{"too many folds", 10, dividedClass(5, 5), SplitOptions{Folds: 11}, []string{"split.folds is 11", "the number of rows, 10"}},
		{"whole", 10, dividedClass(5, 5), SplitOptions{Test: 1}, []string{"split.test is 1"}},
		{"negative", 10, dividedClass(5, 5), SplitOptions{Test: -.1}, []string{"split.test is -0.1"}},
		{"no class", 10, nil, SplitOptions{Test: 2}, []string{"split.test is 2", "needs a class column"}},
		{"class of another length", 9, dividedClass(5, 5), SplitOptions{Test: .5}, []string{"10 rows, and the data have 9"}},
		{"missing class", 6, missing, SplitOptions{Test: .5}, []string{"missing in 1 of 6 rows, first in row 5"}},
		{"one row", 1, dividedClass(1), SplitOptions{Test: .5}, []string{"the data have 1 row,"}},
		{"single rows", 3, dividedClass(1, 1, 1), SplitOptions{Test: .4}, []string{"no row can be held out"}},
	} {
		_, _, err := Divide(test.n, test.class, test.opt)
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want an error with %q", test.name, err, want)
			}
		}
	}
	if _, _, err := Divide(10, nil, SplitOptions{Test: .5, Unstratified: true}); err != nil {
		t.Errorf("unstratified without a class: %v", err)
	}
}

// TestTooManyParts: what would not fit into memory is refused before it is made.
func TestTooManyParts(t *testing.T) {
	class := dividedClass(30, 30)
	for _, opt := range []SplitOptions{
		{Folds: 2, Repeats: math.MaxInt32}, {Test: 0.5, Repeats: math.MaxInt}, {Folds: 60, Repeats: 1e6},
		{Folds: 3, Repeats: math.MaxInt / 2, Unstratified: true}, {Test: 0.2, Repeats: math.MaxInt / 4, Group: class},
	} {
		if _, _, err := Divide(60, class, opt); err == nil || !strings.Contains(err.Error(), "ask for fewer") {
			t.Errorf("%+v: error %v", opt, err)
		}
	}
	if splits, _, err := Divide(60, class, SplitOptions{Folds: 60, Repeats: 20}); err != nil || len(splits) != 1200 {
		t.Errorf("%d splits, error %v", len(splits), err)
	}
}
