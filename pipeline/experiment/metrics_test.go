package experiment

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/sjwhitworth/golearn/evaluation"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
)

// factorOf makes a factor with the given levels from texts.
func factorOf(levels []string, texts ...string) *dataset.Factor {
	f := &dataset.Factor{Levels: levels}
	for _, text := range texts {
		code := int32(-1)
		for i, level := range levels {
			if level == text {
				code = int32(i)
			}
		}
		f.Codes = append(f.Codes, code)
	}
	return f
}

// The figures are worked out by hand from the counts
//
//	    a  b  c
//	a   3  1  0     a: P 3/4, R 3/4, F1 6/8
//	b   1  2  0     b: P 2/3, R 2/3, F1 4/6
//	c   0  0  0     d is predicted once and never true: all 0
//	d …             c never occurs and is left out
//
// with one more row of class a predicted as d: a then has R 3/5 and F1 6/9.
func TestMetricsByHand(t *testing.T) {
	truth := factorOf([]string{"a", "b", "c"}, "a", "a", "a", "a", "b", "b", "b", "a")
	predicted := factorOf([]string{"d", "b", "a"}, "a", "a", "a", "b", "b", "b", "a", "d")
	confusion := must.Get(Tally(truth, predicted))(t)
	got := must.Get(confusion.Metrics())(t)
	want := &Metrics{
		Accuracy: 5. / 8, AccuracySE: math.Sqrt(5. / 8 * 3 / 8 / 8),
		BalancedAccuracy: (3./5 + 2./3) / 2,
		MacroF1:          (6./9 + 4./6 + 0) / 3,
		PerClass: []ClassMetrics{
			{Class: "a", Precision: 3. / 4, Recall: 3. / 5, F1: 6. / 9, Support: 5},
			{Class: "b", Precision: 2. / 3, Recall: 2. / 3, F1: 4. / 6, Support: 3},
			{Class: "d"},
		},
		Confusion: Confusion{
			Labels: []string{"a", "b", "d"},
			Counts: [][]int{{3, 1, 1}, {1, 2, 0}, {0, 0, 0}},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-15, 0)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestMetricsJSON(t *testing.T) {
	confusion := must.Get(Tally(factorOf([]string{"no", "yes"}, "no", "yes"), factorOf([]string{"no", "yes"}, "yes", "yes")))(t)
	metrics := must.Get(confusion.Metrics())(t)
	got := must.Get(json.Marshal(metrics))(t)
	want := `{"accuracy":0.5,"accuracy_se":0.3535533905932738,"balanced_accuracy":0.5,"macro_f1":0.3333333333333333,"per_class":[` +
		`{"class":"no","precision":0,"recall":0,"f1":0,"support":1},` +
		`{"class":"yes","precision":0.5,"recall":1,"f1":0.6666666666666666,"support":1}],` +
		`"confusion":{"labels":["no","yes"],"counts":[[0,1],[0,1]]}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func TestTallyErrors(t *testing.T) {
	levels := []string{"a", "b"}
	for _, test := range []struct {
		name             string
		truth, predicted *dataset.Factor
		want             string
	}{
		{"lengths", factorOf(levels, "a"), factorOf(levels, "a", "b"), "2 predicted rows, 1 rows with a known class"},
		{"true class missing", factorOf(levels, "a", "?"), factorOf(levels, "a", "a"), "row 2 has no true class"},
		{"predicted class missing", factorOf(levels, "a", "a"), factorOf(levels, "?", "a"), "row 1 has no predicted class"},
	} {
		if _, err := Tally(test.truth, test.predicted); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
	}
	if _, err := new(Confusion).Metrics(); err == nil {
		t.Error("metrics of nothing: want an error")
	}
}

// TestMetricsAgreeWithGolearn compares with golearn's own functions where they
// are defined, and pools halves by Add.
func TestMetricsAgreeWithGolearn(t *testing.T) {
	levels := []string{"x", "y", "z"}
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.Int32Range(0, 2)
		n := rapid.IntRange(2, 40).Draw(t, "n")
		truth := &dataset.Factor{Levels: levels, Codes: rapid.SliceOfN(code, n, n).Draw(t, "truth")}
		predicted := &dataset.Factor{Levels: []string{"z", "x", "y"}, Codes: rapid.SliceOfN(code, n, n).Draw(t, "predicted")}
		reference := make(map[string]map[string]int)
		for i, c := range truth.Codes {
			row := levels[c]
			if reference[row] == nil {
				reference[row] = make(map[string]int)
			}
			reference[row][predicted.Levels[predicted.Codes[i]]]++
		}
		half := func(from, to int) *Confusion {
			c := must.Get(Tally(&dataset.Factor{Levels: truth.Levels, Codes: truth.Codes[from:to]},
				&dataset.Factor{Levels: predicted.Levels, Codes: predicted.Codes[from:to]}))(t)
			return c
		}
		pooled := new(Confusion)
		pooled.add(half(0, n/2))
		pooled.add(half(n/2, n))
		got := must.Get(pooled.Metrics())(t)
		close := func(what string, got, want float64) {
			if math.IsNaN(want) {
				want = 0 // golearn divides by 0 there
			}
			if math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s: got %v, golearn has %v", what, got, want)
			}
		}
		close("accuracy", got.Accuracy, evaluation.GetAccuracy(reference))
		for _, class := range got.PerClass {
			close("precision "+class.Class, class.Precision, evaluation.GetPrecision(class.Class, reference))
			close("recall "+class.Class, class.Recall, evaluation.GetRecall(class.Class, reference))
			close("F1 "+class.Class, class.F1, evaluation.GetF1Score(class.Class, reference))
		}
	})
}

// TestProbabilitiesThatAreNone: a number that is no probability is an error, with its row.
func TestProbabilitiesThatAreNone(t *testing.T) {
	truth := dividedClass(2, 2)
	for _, v := range []float64{math.NaN(), math.Inf(1), -0.5, 1.5} {
		p := &pipeline.Prediction{Predicted: truth, Probabilities: mat.NewDense(4, 2, []float64{1, 0, 0.5, 0.5, v, v, 0, 1})}
		if _, err := Score(truth, p); err == nil || !strings.Contains(err.Error(), "row 3") {
			t.Errorf("a probability of %v: error %v", v, err)
		}
	}
}

// TestClassWithoutProbability: a class that was not trained on has the probability 0 in every row. All of
// them tie, so its area is a half, as the log loss counts it too.
func TestClassWithoutProbability(t *testing.T) {
	truth := factorOf([]string{"a", "b", "c"}, "a", "a", "b", "b", "c")
	p := mat.NewDense(5, 2, []float64{.9, .1, .8, .2, .3, .7, .4, .6, .85, .15})
	known := &pipeline.Prediction{Predicted: factorOf([]string{"a", "b"}, "a", "a", "b", "b", "a"), Probabilities: p}
	zeros := mat.NewDense(5, 3, nil)
	zeros.Augment(p, mat.NewDense(5, 1, nil))
	all := &pipeline.Prediction{Predicted: factorOf([]string{"a", "b", "c"}, "a", "a", "b", "b", "a"), Probabilities: zeros}
	got, want := must.Get(Score(truth, known))(t), must.Get(Score(truth, all))(t)
	// a: 5 of 6 pairs; b: all; c: a half.
	if by := (5./6 + 1 + .5) / 3; math.Abs(*want.AUC-by) > 1e-15 || *got.AUC != *want.AUC || *got.LogLoss != *want.LogLoss {
		t.Errorf("AUC %v and log loss %v without the class, %v and %v with it; by hand %v", *got.AUC, *got.LogLoss, *want.AUC, *want.LogLoss, by)
	}
}
