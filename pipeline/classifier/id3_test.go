package classifier

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// saturdays are the 14 mornings of Quinlan, "Induction of Decision Trees",
// Machine Learning 1 (1986), table 1: outlook, temperature, humidity, windy,
// class.
const saturdays = `sunny hot high no N
sunny hot high yes N
overcast hot high no P
rain mild high no P
rain cool normal no P
rain cool normal yes N
overcast cool normal yes P
sunny mild high no N
sunny cool normal no P
rain mild normal no P
sunny mild normal yes P
overcast mild high yes P
overcast hot normal no P
rain mild high yes N`

// wordFrame makes a frame of categorical columns from lines of words, the last
// of them the class.
func wordFrame(t testing.TB, names []string, text string) *dataset.Frame {
	t.Helper()
	cells := make([][]string, len(names))
	for line := range strings.Lines(text) {
		for j, word := range strings.Fields(line) {
			cells[j] = append(cells[j], word)
		}
	}
	var columns []dataset.Column
	for j, name := range names {
		var levels []string
		for _, word := range cells[j] {
			if !slices.Contains(levels, word) {
				levels = append(levels, word)
			}
		}
		columns = append(columns, dataset.Column{Name: name, Factor: factorOf(levels, cells[j]...)})
	}
	last := len(columns) - 1
	return must.Get(dataset.Assemble(nil, columns[:last], names[last], columns[last].Factor))(t)
}

func growOn(t testing.TB, tree *ID3, f *dataset.Frame) *treeNode {
	t.Helper()
	must.OK(t, tree.FitFrame(context.Background(), f))
	return tree.learned.(*id3Fit).root
}

// TestTreeQuinlan grows the tree of the paper's figure 2.
func TestID3Quinlan(t *testing.T) {
	f := wordFrame(t, []string{"outlook", "temperature", "humidity", "windy", "class"}, saturdays)
	got := growOn(t, new(ID3), f)
	leaf := func(n, p int) *treeNode { return &treeNode{Counts: []int{n, p}} }
	want := &treeNode{Counts: []int{5, 9}, Column: "outlook", Levels: map[string]*treeNode{
		"overcast": leaf(0, 4),
		"sunny": {Counts: []int{3, 2}, Column: "humidity", Levels: map[string]*treeNode{
			"high": leaf(3, 0), "normal": leaf(0, 2),
		}},
		"rain": {Counts: []int{2, 3}, Column: "windy", Levels: map[string]*treeNode{
			"yes": leaf(2, 0), "no": leaf(0, 3),
		}},
	}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(treeNode{})); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
}

// TestTreeNumeric has the splits that golearn's own rule and leaf test miss or
// leave to chance.
func TestID3Numeric(t *testing.T) {
	one := math.Nextafter(1, 2)
	for _, test := range []struct {
		name      string
		p         int
		x         []float64
		codes     []int32
		column    string
		threshold float64
	}{
		{"a single feature", 1, []float64{4, 1, 3, 2}, []int32{1, 0, 1, 0}, "x1", 2.5},
		{"the same column twice", 2, []float64{1, 1, 2, 2, 3, 3}, []int32{0, 0, 1}, "x1", 2.5},
		{"a mirrored column", 2, []float64{-1, 1, -2, 2, -3, 3}, []int32{0, 0, 1}, "x1", -2.5},
		{"equal gains at two thresholds", 1, []float64{1, 2, 3}, []int32{0, 1, 0}, "x1", 1.5},
		{"values one bit apart", 1, []float64{one, 1}, []int32{0, 1}, "x1", 1},
		{"a midpoint that rounds up", 1, []float64{math.Nextafter(one, 2), one}, []int32{0, 1}, "x1", one},
		{"the largest values", 1, []float64{math.MaxFloat64, math.MaxFloat64 / 2}, []int32{0, 1}, "x1", math.MaxFloat64 * .75},
		{"a constant column first", 2, []float64{7, 1, 7, 2}, []int32{0, 1}, "x2", 1.5},
		{"the second is better", 2, []float64{1, 5, 2, 6, 3, 1, 4, 2}, []int32{0, 0, 1, 1}, "x1", 2.5},
	} {
		levels := []string{"a", "b"}
		f := numericFrame(t, mat.NewDense(len(test.codes), test.p, test.x), levels, test.codes)
		var tree ID3
		root := growOn(t, &tree, f)
		if root.Column != test.column || root.Threshold == nil || *root.Threshold != test.threshold {
			t.Errorf("%s: split on %q, want %q at %v (root %+v)", test.name, root.Column, test.column, test.threshold, root)
		}
	}
}

// TestTreeXOR needs a first split that gains nothing.
func TestID3XOR(t *testing.T) {
	f := numericFrame(t, mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []string{"even", "odd"}, []int32{0, 1, 1, 0})
	var tree ID3
	growOn(t, &tree, f)
	got := must.Get(tree.PredictFrame(context.Background(), f))(t)
	if !cmp.Equal(got.Classes.Codes, f.Class().Codes) {
		t.Errorf("predicted %v, want %v", got.Classes.Codes, f.Class().Codes)
	}
	if got := tree.String(); got != "golearn(id3, leaves=4, depth=2)" {
		t.Errorf("String: %s", got)
	}
}

// TestTreeAgreesWithGolearn: on rows without ties our rule and golearn's choose
// the same split, and our way down the tree ends where golearn's does.
func TestID3AgreesWithGolearn(t *testing.T) {
	for seed := range uint64(5) {
		f := cloud(t, seed, 60, 4, 3)
		rows := must.Get(classTraining(treeKind, f))(t)
		grid, rule := must.Two(treeGrid(f, rows))(t)
		rule.ctx = context.Background()
		ours := rule.GenerateSplitRule(grid)
		theirs := new(trees.InformationGainRuleGenerator).GenerateSplitRule(f)
		name := f.Names()[rule.columns[ours.SplitAttr]]
		if name != theirs.SplitAttr.GetName() || math.Abs(ours.SplitVal-theirs.SplitVal) > 1e-12 {
			t.Errorf("seed %d: split on %s at %v, golearn on %v at %v", seed, name, ours.SplitVal, theirs.SplitAttr, theirs.SplitVal)
		}

		id3 := trees.NewID3DecisionTreeFromRule(0, rule)
		must.OK(t, id3.Fit(grid))
		predicted := must.Get(id3.Predict(grid))(t)
		var tree ID3
		growOn(t, &tree, f)
		got := must.Get(tree.PredictFrame(context.Background(), f))(t)
		for i := range got.Classes.Codes {
			if slices.Max(got.Probabilities.RawRowView(i)) == .5 {
				continue // a tie, which golearn leaves to chance
			}
			if want := base.GetClass(predicted, i); got.Classes.Text(i) != want {
				t.Errorf("seed %d, row %d: %s, golearn has %s", seed, i, got.Classes.Text(i), want)
			}
		}
	}
}

// TestTreeSameBytes: golearn iterates over maps; the tree must not show it.
func TestID3SameBytes(t *testing.T) {
	f := wordFrame(t, []string{"outlook", "temperature", "humidity", "windy", "class"}, saturdays)
	iris := must.Get(dataset.Builtin("iris"))(t)
	for _, f := range []*dataset.Frame{f, iris} {
		var want string
		for i := range 20 {
			var tree ID3
			growOn(t, &tree, f)
			var state strings.Builder
			must.OK(t, tree.SaveTo(&state))
			if i == 0 {
				want = state.String()
			} else if state.String() != want {
				t.Fatalf("fit %d gave another tree:\n%s\n%s", i, want, state.String())
			}
		}
	}
}

func TestID3UnseenLevels(t *testing.T) {
	f := wordFrame(t, []string{"colour", "size", "class"}, `red big a
red small b
blue small b
blue small b`)
	var tree ID3
	root := growOn(t, &tree, f) // big → a, small → b
	if root.Column != "size" {
		t.Fatalf("root %+v", root)
	}
	root.Levels["big"] = nil // as if no training row of the node had it
	predict := func(text string) (*dataset.Factor, error) {
		p, err := tree.PredictFrame(context.Background(), wordFrame(t, []string{"size", "colour", "class"}, text))
		if err != nil {
			return nil, err
		}
		return p.Classes, nil
	}
	got, err := predict("small red a\nbig red a")
	if err != nil {
		t.Fatal(err)
	}
	if got.Text(0) != "b" || got.Text(1) != "b" { // 3 of the 4 rows at the root are b
		t.Errorf("predicted %v", got)
	}
	_, err = predict("small red a\nsmal red a")
	want := `golearn: row 2 of column "size" has the level "smal", which the training rows did not have (the nearest is "small")`
	if err == nil || err.Error() != want {
		t.Errorf("unseen level: got %v, want %s", err, want)
	}
	number := must.Get(dataset.Assemble(mat.NewDense(1, 1, []float64{3}),
		[]dataset.Column{{Name: "size"}, {Name: "colour", Factor: factorOf([]string{"red"}, "red")}}, "", nil))(t)
	_, err = tree.PredictFrame(context.Background(), number)
	if want := `column "size" was categorical in training, and is numeric here`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("another kind: got %v, want %q", err, want)
	}
}

func TestID3Limits(t *testing.T) {
	f := cloud(t, 2, 80, 5, 3)
	for depth := 1; depth <= 3; depth++ {
		tree := &ID3{MaxDepth: depth}
		if _, got := growOn(t, tree, f).size(); got != depth {
			t.Errorf("depth %d, want %d", got, depth)
		}
	}
	tree := ID3{MaxDepth: -1}
	if err := tree.FitFrame(context.Background(), f); err == nil || !strings.Contains(err.Error(), "max_depth is -1") {
		t.Errorf("negative depth: got %v", err)
	}
	gap := must.Get(dataset.Assemble(nil, []dataset.Column{{Name: "c", Factor: factorOf([]string{"u"}, "u", "?")}},
		"class", factorOf([]string{"a", "b"}, "a", "b")))(t)
	if err := new(ID3).FitFrame(context.Background(), gap); err == nil || !strings.Contains(err.Error(), `1 categorical cell of 2 rows is missing, the first in row 2, column "c"`) {
		t.Errorf("missing level: got %v", err)
	}
}

// factorOf makes a factor of the levels from texts; a text that is no level is a
// missing cell.
func factorOf(levels []string, texts ...string) *dataset.Factor {
	f := &dataset.Factor{Levels: levels}
	for _, text := range texts {
		f.Codes = append(f.Codes, int32(slices.Index(levels, text)))
	}
	return f
}

// The levels of a column are the tree's own.
func TestID3KeepsItsLevels(t *testing.T) {
	levels := []string{"red", "blue"}
	f := must.Get(dataset.Assemble(nil, []dataset.Column{{Name: "c", Factor: factorOf(levels, "red", "blue", "red", "blue")}},
		"class", factorOf([]string{"a", "b"}, "a", "b", "a", "b")))(t)
	tree := new(ID3)
	growOn(t, tree, f)
	levels[0], levels[1] = "blue", "red"
	again := wordFrame(t, []string{"c", "class"}, "red a\nblue b\n")
	predicted, err := tree.PredictFrame(t.Context(), again)
	if err != nil || predicted.Classes.Text(0) != "a" || predicted.Classes.Text(1) != "b" {
		t.Errorf("with the caller's levels overwritten, %v, %v", predicted, err)
	}
	if tree.learned.(*id3Fit).features[0].Levels[0] != "red" {
		t.Error("the tree holds the caller's levels")
	}
}
