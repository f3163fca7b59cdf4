package experiment

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// levelsOf makes a factor of small codes.
func levelsOf(codes []int32) *dataset.Factor {
	f := &dataset.Factor{Codes: codes}
	for i := range slices.Max(codes) + 1 {
		f.Levels = append(f.Levels, string(rune('A'+i)))
	}
	return f
}

// checkParts: train and test are apart, each row is tested once in each repeat unless
// some is set.
func checkParts(t *rapid.T, n int, splits []Split, each, repeats int) {
	if len(splits) != each*repeats {
		t.Fatalf("%d splits, want %d·%d", len(splits), each, repeats)
	}
	tested := make([]int, n)
	for _, s := range splits {
		if !slices.IsSorted(s.Train) || !slices.IsSorted(s.Test) || len(s.Train)+len(s.Test) != n {
			t.Fatalf("split %+v of %d rows", s, n)
		}
		for _, row := range s.Test {
			tested[row]++
			if slices.Contains(s.Train, row) {
				t.Fatalf("row %d is on both sides", row)
			}
		}
	}
	for row, times := range tested {
		if times != repeats {
			t.Fatalf("row %d is tested %d times, want %d", row, times, repeats)
		}
	}
}

func TestGroupsStayTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 60).Draw(t, "n")
		codes := rapid.SliceOfN(rapid.Int32Range(0, 9), n, n).Draw(t, "groups")
		group := levelsOf(codes)
		groups := len(occurring(group, nil))
		opt := SplitOptions{Group: group, Seed: rapid.Uint64().Draw(t, "seed"), Repeats: rapid.IntRange(0, 3).Draw(t, "repeats")}
		if rapid.Bool().Draw(t, "hold out") {
			opt.Test = .3
		} else if rapid.Bool().Draw(t, "folds") {
			opt.Folds = rapid.IntRange(2, 6).Draw(t, "how many")
		}
		splits, _, err := Divide(n, nil, opt)
		if groups < max(opt.Folds, 2) {
			if err == nil || !strings.Contains(err.Error(), "split.group") {
				t.Fatalf("%d groups: %v", groups, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range splits {
			for _, level := range occurring(group, s.Test) {
				if slices.Contains(occurring(group, s.Train), level) {
					t.Fatalf("group %s is on both sides", level)
				}
			}
			if len(s.Test) == 0 || len(s.Train) == 0 {
				t.Fatalf("an empty side: %+v", s)
			}
		}
		if opt.Test == 0 {
			each := opt.Folds
			if each == 0 {
				each = min(5, groups)
			}
			checkParts(t, n, splits, each, max(opt.Repeats, 1))
		}
		// What the groups are called does not matter.
		renamed := &dataset.Factor{Codes: codes}
		for _, level := range group.Levels {
			renamed.Levels = append(renamed.Levels, "patient "+level)
		}
		opt.Group = renamed
		again, _, err := Divide(n, nil, opt)
		if diff := cmp.Diff(splits, again); err != nil || diff != "" {
			t.Fatalf("renamed groups: %v\n%s", err, diff)
		}
	})
}

func TestTimeGoesForward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 60).Draw(t, "n")
		times := make([]float64, n)
		for i := range times {
			times[i] = float64(rapid.IntRange(0, 12).Draw(t, "time"))
		}
		different := slices.Clone(times)
		slices.Sort(different)
		different = slices.Compact(different)
		opt := SplitOptions{Time: times}
		if rapid.Bool().Draw(t, "hold out") {
			opt.Test = rapid.Float64Range(.05, .95).Draw(t, "share")
		} else if rapid.Bool().Draw(t, "folds") {
			opt.Folds = rapid.IntRange(2, 6).Draw(t, "how many")
		}
		splits, _, err := Divide(n, nil, opt)
		if len(different) <= max(opt.Folds, 1) {
			if err == nil || !strings.Contains(err.Error(), "split.time") {
				t.Fatalf("%d times: %v", len(different), err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want := opt.Folds
		switch {
		case opt.Test > 0:
			want = 1
		case want == 0:
			want = min(5, len(different)-1)
		}
		if len(splits) != want {
			t.Fatalf("%d splits, want %d", len(splits), want)
		}
		before := math.Inf(-1)
		for _, s := range splits {
			latest, first := math.Inf(-1), math.Inf(1)
			for _, row := range s.Train {
				latest = max(latest, times[row])
			}
			for _, row := range s.Test {
				first = min(first, times[row])
			}
			if latest >= first || first <= before || len(s.Train) == 0 || len(s.Test) == 0 {
				t.Fatalf("trained up to %v, tested from %v, after %v", latest, first, before)
			}
			before = latest
		}
		last := splits[len(splits)-1]
		if len(last.Train)+len(last.Test) != n {
			t.Fatal("the last split leaves rows out")
		}
	})
}

func TestOtherWays(t *testing.T) {
	class := dividedClass(6, 6)
	splits, warnings, err := Divide(12, class, SplitOptions{Folds: 3, Unshuffled: true})
	want := []Split{{seq(4, 12), seq(0, 4)}, {append(seq(0, 4), seq(8, 12)...), seq(4, 8)}, {seq(0, 8), seq(8, 12)}}
	if diff := cmp.Diff(want, splits); err != nil || diff != "" {
		t.Errorf("in order: %v\n%s", err, diff)
	}
	if diff := cmp.Diff([]string{`the class "a" is not tested in the folds 3`, `the class "b" is not tested in the folds 1`}, warnings); diff != "" {
		t.Errorf("in order:\n%s", diff)
	}
	splits, warnings, err = Divide(12, class, SplitOptions{Test: .5, Unshuffled: true})
	if diff := cmp.Diff([]Split{{seq(0, 6), seq(6, 12)}}, splits); err != nil || diff != "" {
		t.Errorf("the last rows: %v\n%s", err, diff)
	}
	if diff := cmp.Diff([]string{`the class "b" is tested and not trained on: it cannot be predicted`, `the test rows have no row of the class "a": nothing is known of it`}, warnings); diff != "" {
		t.Errorf("the last rows:\n%s", diff)
	}
	fold := &dataset.Factor{Levels: []string{"x", "unused", "y", "z"}, Codes: []int32{0, 2, 3, 0, 2, 3, 0, 0, 2, 2, 3, 3}}
	splits, _, err = Divide(12, nil, SplitOptions{Fold: fold})
	if err != nil || len(splits) != 3 || !slices.Equal(splits[0].Test, []int{0, 3, 6, 7}) || !slices.Equal(splits[2].Test, []int{2, 5, 10, 11}) {
		t.Errorf("by column: %v, %v", splits, err)
	}
	part := &dataset.Factor{Levels: []string{"test", "train"}, Codes: []int32{1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1}}
	splits, _, err = Divide(12, nil, SplitOptions{Fold: part})
	if err != nil || len(splits) != 1 || !slices.Equal(splits[0].Test, []int{3, 5}) {
		t.Errorf("train and test: %v, %v", splits, err)
	}
	_, warnings, err = Divide(12, dividedClass(12), SplitOptions{Folds: 3, Unstratified: true})
	if err != nil || len(warnings) != 1 || warnings[0] != `all rows have the class "a": there is nothing to tell apart` {
		t.Errorf("one class: %v, %v", warnings, err)
	}
	for _, bad := range []struct {
		opt  SplitOptions
		want string
	}{
		{SplitOptions{Fold: fold, Folds: 3}, "leave test and folds out"},
		{SplitOptions{Fold: fold, Group: fold}, "exclude each other"},
		{SplitOptions{Fold: &dataset.Factor{Levels: []string{"one"}, Codes: make([]int32, 12)}}, `has one value, "one"`},
		{SplitOptions{Group: &dataset.Factor{Levels: []string{"p"}, Codes: []int32{0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0}}}, "split.group is missing in row 3"},
		{SplitOptions{Time: []float64{1, 2}}, "has 2 rows, and the data have 12"},
		{SplitOptions{Time: append([]float64{math.NaN()}, make([]float64, 11)...)}, "missing in row 1"},
		{SplitOptions{Folds: 3, Unshuffled: true, Repeats: 2}, "split.repeats is 2"},
	} {
		if _, _, err := Divide(12, nil, bad.opt); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("got %v, want %q", err, bad.want)
		}
	}
}

func seq(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// The first of several repeats is what one gives, and the others differ.
func TestRepeats(t *testing.T) {
	class := dividedClass(20, 25, 15)
	one, _ := must.Two(Divide(60, class, SplitOptions{Folds: 4, Seed: 3}))(t)
	five, _, err := Divide(60, class, SplitOptions{Folds: 4, Seed: 3, Repeats: 5})
	if err != nil || len(five) != 20 {
		t.Fatalf("%d splits, %v", len(five), err)
	}
	if diff := cmp.Diff(one, five[:4]); diff != "" {
		t.Errorf("the first repeat:\n%s", diff)
	}
	for i := 4; i < 20; i += 4 {
		if cmp.Equal(five[:4], five[i:i+4]) {
			t.Errorf("repeat %d is the first", i/4+1)
		}
		for _, s := range five[i : i+4] {
			if got := perClass(class, s.Test); !slices.Equal(got, []int{5, 6, 4}) && !slices.Equal(got, []int{5, 7, 3}) && !slices.Equal(got, []int{5, 6, 3}) && !slices.Equal(got, []int{5, 7, 4}) {
				t.Errorf("repeat %d tests %v of the classes", i/4+1, got)
			}
		}
	}
}
