package classifier

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// mixedFrame has two numeric columns and a categorical one; the class depends on
// the band of the first and on the level.
func mixedFrame(t testing.TB, n int, seed uint64) *dataset.Frame {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 9))
	x := mat.NewDense(n, 2, nil)
	levels := &dataset.Factor{Levels: []string{"u", "v", "w", "never"}, Codes: make([]int32, n)}
	class := &dataset.Factor{Levels: []string{"no", "yes"}, Codes: make([]int32, n)}
	for i := range n {
		x.Set(i, 0, random.Float64())
		x.Set(i, 1, random.Float64())
		levels.Codes[i] = int32(random.IntN(3))
		if v := x.At(i, 0); v > .35 && v < .65 && levels.Codes[i] != 1 {
			class.Codes[i] = 1
		}
	}
	return must.Get(dataset.Assemble(x, []dataset.Column{{Name: "a"}, {Name: "l", Factor: levels}, {Name: "b"}}, "class", class))(t)
}

// TestTreeUsesAColumnTwice: a band of one column takes two splits by it.
func TestTreeUsesAColumnTwice(t *testing.T) {
	train, test := mixedFrame(t, 600, 1), mixedFrame(t, 600, 2)
	for _, c := range []Classifier{new(DecisionTree), &DecisionTree{Criterion: "entropy"}, &RandomForest{Trees: 30, Columns: 3}} {
		if got := accuracy(predicted(t, c, train, test), test); got < .98 {
			t.Errorf("%v: accuracy %v", c, got)
		}
		var state bytes.Buffer
		must.OK(t, c.SaveTo(&state))
		before := predicted(t, c, train, test)
		must.OK(t, c.LoadFrom(&state))
		after, err := c.PredictFrame(context.Background(), test)
		if err != nil || !mat.Equal(before.Probabilities, after.Probabilities) {
			t.Errorf("%v: loaded, it predicts otherwise: %v", c, err)
		}
	}
}

// TestTreeLevels: levels are matched by text, a level that no training row of a
// node has goes with the majority, and an unknown one is an error.
func TestTreeLevels(t *testing.T) {
	f := mixedFrame(t, 300, 3)
	tree := new(DecisionTree)
	must.OK(t, tree.FitFrame(context.Background(), f))
	row := func(level string) *dataset.Frame {
		g := must.Get(dataset.Assemble(mat.NewDense(1, 2, []float64{.5, .5}),
			[]dataset.Column{{Name: "b"}, {Name: "l", Factor: &dataset.Factor{Levels: []string{level}, Codes: []int32{0}}}, {Name: "a"}}, "", nil))(t)
		return g
	}
	for level, want := range map[string]string{"u": "yes", "v": "no", "w": "yes", "never": "yes"} {
		p := must.Get(tree.PredictFrame(context.Background(), row(level)))(t)
		if got := p.Classes.Text(0); got != want {
			t.Errorf("level %s: %s, want %s", level, got, want)
		}
	}
	want := `decision_tree: row 1 of column "l" has the level "nevr", which the training rows did not have (the nearest is "never")`
	if _, err := tree.PredictFrame(context.Background(), row("nevr")); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestTreeEdges: a first split that gains nothing, values a bit apart, ties to the
// earlier column and the lower threshold, and a leaf where nothing can be split.
func TestTreeEdges(t *testing.T) {
	xor := numericFrame(t, mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1}), []string{"even", "odd"}, []int32{0, 1, 1, 0})
	tree := new(DecisionTree)
	if got := accuracy(predicted(t, tree, xor, xor), xor); got != 1 {
		t.Errorf("xor: accuracy %v", got)
	}
	if got := tree.String(); got != "decision_tree(leaves=4, depth=2)" {
		t.Errorf("String: %s", got)
	}
	one := math.Nextafter(1, 2)
	for _, test := range []struct {
		x         []float64
		p         int
		codes     []int32
		column    int32
		threshold float64
	}{
		{[]float64{1, one}, 1, []int32{0, 1}, 0, 1},
		{[]float64{1, 1, 2, 2, 3, 3}, 2, []int32{0, 0, 1}, 0, 2.5},
		{[]float64{1, 2, 3}, 1, []int32{0, 1, 0}, 0, 1.5},
		{[]float64{math.Copysign(0, -1), 0, 0, 1}, 2, []int32{0, 1}, 1, .5},
		{[]float64{math.MaxFloat64, -math.MaxFloat64}, 1, []int32{0, 1}, 0, 0},
		{[]float64{7, 7}, 1, []int32{0, 1}, -1, 0},
	} {
		tree := new(DecisionTree)
		f := numericFrame(t, mat.NewDense(len(test.codes), test.p, test.x), []string{"a", "b"}, test.codes)
		must.OK(t, tree.FitFrame(context.Background(), f))
		if root := tree.learned.(*cartFit).tree.nodes[0]; root.Column != test.column || root.Threshold != test.threshold {
			t.Errorf("%v: the root is %+v", test.x, root)
		}
	}
}

// TestTreePruning: a larger price of leaves never gives a larger tree, and each is
// a part of the whole one.
func TestTreePruning(t *testing.T) {
	f := cloud(t, 6, 300, 4, 3)
	last := math.MaxInt
	for _, prune := range []float64{0, 1e-6, .002, .005, .01, .05, 1} {
		tree := &DecisionTree{Prune: prune}
		must.OK(t, tree.FitFrame(context.Background(), f))
		fit := tree.learned.(*cartFit).tree
		leaves, _ := fit.size()
		if leaves > last {
			t.Errorf("prune %v: %d leaves, and %d before", prune, leaves, last)
		}
		last = leaves
		for at, node := range fit.nodes {
			for class, count := range fit.rowCounts(int32(at)) {
				if node.Column >= 0 && count != fit.rowCounts(int32(at) + 1)[class]+fit.rowCounts(node.Right)[class] {
					t.Fatalf("prune %v: the counts of node %d are not those of its branches", prune, at)
				}
			}
		}
	}
	if last != 1 {
		t.Errorf("%d leaves at the highest price", last)
	}
}

// TestForestMeasuresItself: the out-of-bag accuracy is near that on new rows, and
// importance finds the columns that matter.
func TestForestMeasuresItself(t *testing.T) {
	train, test := mixedFrame(t, 800, 4), mixedFrame(t, 800, 5)
	forest := &RandomForest{Trees: 40, Seed: 7}
	got := accuracy(predicted(t, forest, train, test), test)
	if math.Abs(got-forest.OutOfBag()) > .04 {
		t.Errorf("accuracy %v, out of bag %v", got, forest.OutOfBag())
	}
	worth := forest.Importance() // a, l, b
	if len(worth) != 3 || worth[0] < .1 || worth[1] < .02 || math.Abs(worth[2]) > .02 {
		t.Errorf("importance %v", worth)
	}
	other := &RandomForest{Trees: 40, Seed: 8}
	predicted(t, other, train, test)
	if slices.Equal(other.Importance(), worth) {
		t.Error("the seed does not matter")
	}
	// Labels at random are not learned.
	noise := slices.Clone(train.Class().Codes)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(noise), func(i, j int) { noise[i], noise[j] = noise[j], noise[i] })
	f := must.Get(train.WithClass("class", &dataset.Factor{Levels: train.Class().Levels, Codes: noise}))(t)
	chance := predicted(t, new(Dummy), f, f)
	predicted(t, forest, f, f)
	if forest.OutOfBag() > accuracy(chance, f)+.03 {
		t.Errorf("on noise, the out-of-bag accuracy is %v", forest.OutOfBag())
	}
}

func TestOptionsAreChecked(t *testing.T) {
	f := cloud(t, 4, 20, 2, 2)
	for want, c := range map[string]Classifier{
		"criterion is \"log\"":               &DecisionTree{Criterion: "log"},
		"max_depth is -1":                    &DecisionTree{MaxDepth: -1},
		"min_leaf is -2":                     &RandomForest{MinLeaf: -2},
		"columns is 3, and there are only 2": &RandomForest{Columns: 3},
		"trees is -1":                        &RandomForest{Trees: -1},
		"must be at most 1000000":            &RandomForest{Trees: math.MaxInt},
		"prune is NaN":                       &DecisionTree{Prune: math.NaN()},
		"penalty is \"l3\"":                  &Logistic{Penalty: "l3"},
		"l1 is for penalty: l1 or elastic":   &Logistic{L1: 2},
		"l2 is -1":                           &LinearSVM{L2: -1},
		"class_weight is \"x\"":              &LinearSVM{ClassWeight: "x"},
		"smoothing is -1":                    &NaiveBayes{Smoothing: -1},
		"weights is \"far\"":                 &KNN{Weights: "far"},
		"predicts numbers, and the column \"class\" holds classes": new(Ridge),
	} {
		if err := c.FitFrame(context.Background(), f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	target := must.Get(dataset.NewTarget(mat.Col(nil, 0, f.Numeric())))(t)
	f = must.Get(f.WithClass("class", target))(t)
	for _, c := range []Classifier{new(Logistic), new(LinearSVM), new(NaiveBayes), new(DecisionTree), new(RandomForest), new(ID3)} {
		if err := c.FitFrame(context.Background(), f); err == nil || !strings.Contains(err.Error(), "numeric target") {
			t.Errorf("%v of a numeric target: %v", c, err)
		}
	}
}
