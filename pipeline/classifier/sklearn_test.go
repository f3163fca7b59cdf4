package classifier

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/saved"
)

// sklearnTable is what testdata/sklearn_golden.py found on one table.
type sklearnTable struct {
	Train, Test   int
	Accuracy      map[string]float64
	Logistic      map[string]float64 // minimum of the objective by l2
	LogLikelihood float64            `json:"log_likelihood"`
	L1, Elastic   float64
	Balanced      []float64
	SVM           float64
	BayesLogOdds  float64 `json:"bayes_log_odds"`
	OutOfBag      float64 `json:"out_of_bag"`
	Ridge, Linear []float64
	KNNRegression []float64 `json:"knn_regression"`
}

func readGolden(t *testing.T, to any) {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/sklearn_golden.json"))(t)
	must.OK(t, json.Unmarshal(text, to))
}

// sklearnRows are the rows of a table as the script divides and scales them.
func sklearnRows(t *testing.T, name string) (train, test *dataset.Frame) {
	t.Helper()
	f, err := dataset.Builtin(name)
	if err != nil {
		path := map[string]string{"sonar": "sonar.csv.gz", "golub": "golub.csv.gz", "tissue": "tissue_gene_expression.csv.gz"}[name]
		label := map[string]string{"sonar": "Class", "golub": "class", "tissue": "tissue"}[name]
		path = filepath.Join("..", "..", "..", "shared", "data", path)
		if _, err := os.Stat(path); err != nil {
			if path = filepath.Join("..", path); !exists(path) {
				t.Skipf("no shared data: %v", err)
			}
		}
		f = must.Get(dataset.Read(path, dataset.ReadOptions{Label: label}))(t)
	}
	var in, out []int
	for i := range f.Rows() {
		if (7*i+3)%10 < 3 {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	x := mat.DenseCopyOf(f.Numeric())
	n, p := x.Dims()
	for j := range p {
		mean, squares, largest := 0.0, 0.0, 0.0
		for _, i := range in {
			mean += x.At(i, j) / float64(len(in))
		}
		for _, i := range in {
			squares += math.Pow(x.At(i, j)-mean, 2) / float64(len(in)-1)
		}
		for i := range n {
			largest = max(largest, math.Abs(x.At(i, j)))
		}
		sd := math.Sqrt(squares)
		if sd <= 1e-12*largest {
			sd = 1
		}
		for i := range n {
			x.Set(i, j, (x.At(i, j)-mean)/sd)
		}
	}
	scaled := must.Get(dataset.Assemble(x, f.Columns(), f.ClassName(), f.Class()))(t)
	return scaled.Subset(in), scaled.Subset(out)
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func predicted(t *testing.T, c Classifier, train, test *dataset.Frame) *Prediction {
	t.Helper()
	must.OK(t, c.FitFrame(context.Background(), train))
	return must.Get(c.PredictFrame(context.Background(), test))(t)
}

func accuracy(p *Prediction, test *dataset.Frame) float64 {
	right := 0
	for i := range test.Rows() {
		if p.Classes.Text(i) == test.Class().Text(i) {
			right++
		}
	}
	return float64(right) / float64(test.Rows())
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, scikit-learn has %v", what, got, want)
	}
}

// TestAgreesWithSklearn: objectives within the promised share of the minimum,
// probabilities and coefficients where these are unique, and accuracies within
// what chance moves them.
func TestAgreesWithSklearn(t *testing.T) {
	var golden struct{ Tables map[string]sklearnTable }
	readGolden(t, &golden)
	if len(golden.Tables) != 6 {
		t.Fatalf("%d tables", len(golden.Tables))
	}
	for name, want := range golden.Tables {
		t.Run(name, func(t *testing.T) {
			train, test := sklearnRows(t, name)
			if train.Rows() != want.Train || test.Rows() != want.Test {
				t.Fatalf("%d and %d rows, scikit-learn had %d and %d", train.Rows(), test.Rows(), want.Train, want.Test)
			}
			sklearnLinear(t, want, train, test)
			sklearnBayes(t, want, train, test)
			sklearnTrees(t, want, train, test)
			sklearnRegression(t, want, train, test)
			for _, weights := range []string{"uniform", "distance"} {
				got := accuracy(predicted(t, &KNN{Weights: weights}, train, test), test)
				// Ties between classes are settled otherwise.
				near(t, "knn "+weights, got, want.Accuracy["knn_"+weights], 4.5/float64(want.Test))
			}
			near(t, "dummy", accuracy(predicted(t, new(Dummy), train, test), test), want.Accuracy["dummy"], 1e-12)
		})
	}
}

func sklearnLinear(t *testing.T, want sklearnTable, train, test *dataset.Frame) {
	for l2, minimum := range want.Logistic {
		penalty := must.Get(strconv.ParseFloat(l2, 64))(t)
		l := &Logistic{L2: penalty}
		p := predicted(t, l, train, test)
		if l.Status() != "converged" {
			t.Errorf("l2 %s: %v", l2, l.Warnings())
		}
		// scikit-learn's own minimum may be the higher one.
		if value := l.learned.(*logisticFit).value; !(value <= minimum*(1+1e-4)) || value < minimum*(1-1e-2) {
			t.Errorf("l2 %s: the objective is %v, scikit-learn has %v", l2, value, minimum)
		}
		if penalty != 1 {
			continue
		}
		near(t, "logistic", accuracy(p, test), want.Accuracy["logistic"], 1.5/float64(want.Test))
		sum := 0.0
		for i := range test.Rows() {
			sum += math.Log(p.Probabilities.At(i, slices.Index(p.Classes.Levels, test.Class().Text(i))))
		}
		near(t, "log likelihood", sum, want.LogLikelihood, 2e-3*math.Abs(want.LogLikelihood))
	}
	for _, c := range []struct {
		l    *Logistic
		want float64
	}{{&Logistic{Penalty: "l1"}, want.L1}, {&Logistic{Penalty: "elastic", L1: .5, L2: .5}, want.Elastic}} {
		if c.want == 0 {
			continue // scikit-learn is too slow here
		}
		predicted(t, c.l, train, test)
		if value := c.l.learned.(*logisticFit).value; c.l.Status() != "converged" || math.Abs(value-c.want) > 1e-4*c.want {
			t.Errorf("%v: %s, the objective is %v, scikit-learn has %v", c.l, c.l.Status(), value, c.want)
		}
	}
	if want.Balanced != nil {
		p := predicted(t, &Logistic{ClassWeight: "balanced", Tolerance: 1e-10}, train, test)
		for i, v := range want.Balanced {
			k := len(p.Classes.Levels)
			near(t, "balanced", math.Log(p.Probabilities.At(i/k, i%k)), v, 1e-4*(1+math.Abs(v)))
		}
	}
	s := new(LinearSVM)
	p := predicted(t, s, train, test)
	if value := s.learned.(*svmFit).value; s.Warnings() != nil || !(value <= want.SVM*(1+1e-4)) || value < want.SVM*(1-1e-3) {
		t.Errorf("linear_svm: the objective is %v, scikit-learn has %v; %v", value, want.SVM, s.Warnings())
	}
	near(t, "linear_svm", accuracy(p, test), want.Accuracy["linear_svm"], 1.5/float64(want.Test))
}

func sklearnBayes(t *testing.T, want sklearnTable, train, test *dataset.Frame) {
	var keep []string
	for j, name := range train.Names() {
		if variesInEachClass(train, j) {
			keep = append(keep, name)
		}
	}
	a := must.Get(train.Pick(keep))(t)
	b := must.Get(test.Pick(keep))(t)
	bayes := new(NaiveBayes)
	near(t, "naive_bayes", accuracy(predicted(t, bayes, a, b), b), want.Accuracy["naive_bayes"], 1e-12)
	fit := bayes.learned.(*bayesFit)
	sum, to := 0.0, make([]float64, len(fit.Classes))
	for i := range b.Rows() {
		fit.logs(b.Numeric().RawRowView(i), to)
		sum += to[0] - to[1]
	}
	near(t, "naive_bayes, log odds", sum, want.BayesLogOdds, 1e-8*math.Abs(want.BayesLogOdds))
}

func variesInEachClass(f *dataset.Frame, j int) bool {
	first := map[int32]float64{}
	varies := map[int32]bool{}
	for i, code := range f.Class().Codes {
		v := f.Numeric().At(i, j)
		if was, ok := first[code]; !ok {
			first[code] = v
		} else if v != was {
			varies[code] = true
		}
	}
	return len(varies) == len(first)
}

// sklearnTrees: ties are settled by chance there, and forests draw.
func sklearnTrees(t *testing.T, want sklearnTable, train, test *dataset.Frame) {
	noise := func(p float64) float64 { return 3.5*math.Sqrt(max(p*(1-p), .02)/float64(want.Test)) + .02 }
	got := accuracy(predicted(t, new(DecisionTree), train, test), test)
	near(t, "decision_tree", got, want.Accuracy["decision_tree"], noise(want.Accuracy["decision_tree"]))
	forest := new(RandomForest)
	got = accuracy(predicted(t, forest, train, test), test)
	near(t, "random_forest", got, want.Accuracy["random_forest"], noise(want.Accuracy["random_forest"]))
	near(t, "out of bag", forest.OutOfBag(), want.OutOfBag, noise(want.OutOfBag))
}

// sklearnRegression predicts the last column by the others.
func sklearnRegression(t *testing.T, want sklearnTable, train, test *dataset.Frame) {
	names := train.Names()
	last := names[len(names)-1]
	a := must.Get(train.WithTarget(last))(t)
	b := must.Get(test.WithTarget(last))(t)
	r := new(Ridge)
	predicted(t, r, a, b)
	w, _ := r.Weights()
	for j, v := range want.Ridge {
		near(t, "ridge", w.AtVec(j), v, 1e-9)
	}
	p := predicted(t, new(Linear), a, b)
	for i, v := range want.Linear {
		near(t, "linear", p.Values[i], v, 1e-7*(1+math.Abs(v)))
	}
	p = predicted(t, &KNN{K: 3, Weights: "distance"}, a, b)
	for i, v := range want.KNNRegression { // none for iris, which has equal rows
		near(t, "knn regression", p.Values[i], v, 1e-6*(1+math.Abs(v)))
	}
}

// TestTreesAreSklearns: without ties the trees are the same, split by split.
func TestTreesAreSklearns(t *testing.T) {
	var golden struct {
		Trees struct {
			X     [][]float64
			Y     []int32
			Cases []struct {
				Options struct {
					Criterion string
					MaxDepth  int     `json:"max_depth"`
					MinLeaf   int     `json:"min_samples_leaf"`
					Prune     float64 `json:"ccp_alpha"`
				}
				Column    []int32
				Threshold []float64
			}
		}
	}
	readGolden(t, &golden)
	f := numericFrame(t, saved.Dense(golden.Trees.X), []string{"a", "b", "c"}, golden.Trees.Y)
	if len(golden.Trees.Cases) < 6 {
		t.Fatalf("%d cases", len(golden.Trees.Cases))
	}
	for _, c := range golden.Trees.Cases {
		o := c.Options
		tree := &DecisionTree{Criterion: o.Criterion, MaxDepth: o.MaxDepth, MinLeaf: o.MinLeaf, Prune: o.Prune}
		must.OK(t, tree.FitFrame(context.Background(), f))
		got := tree.learned.(*cartFit).tree.saved()
		if !slices.Equal(got.Column, c.Column) || !slices.Equal(got.Threshold, c.Threshold) {
			t.Errorf("%v: columns %v, thresholds %v\nscikit-learn: %v, %v", tree, got.Column, got.Threshold, c.Column, c.Threshold)
		}
	}
}
