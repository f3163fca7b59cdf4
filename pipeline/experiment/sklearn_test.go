package experiment

import (
	"encoding/json"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
)

// goldenNumbers are numbers of scikit-learn and scipy, by testdata/sklearn/figures.py.
type goldenNumbers struct {
	Classes []struct {
		Classes               []string
		Truth                 []int32
		P                     [][]float64
		Accuracy, AUC         float64
		BalancedAccuracy      float64 `json:"balanced_accuracy"`
		MacroF1               float64 `json:"macro_f1"`
		LogLoss               float64 `json:"log_loss"`
		Precision, Recall, F1 []float64
		Support               []int
	}
	Regression []struct {
		Truth, Predicted []float64
		R2, MAE, RMSE    float64
	}
	McNemar []struct {
		B, C int
		P    float64
	}
	CorrectedT []struct {
		D     []float64
		Ratio float64
		SE, P float64
	} `json:"corrected_t"`
}

func goldenFigures(t *testing.T) *goldenNumbers {
	t.Helper()
	g := new(goldenNumbers)
	must.OK(t, json.Unmarshal(read(t, "testdata/sklearn/figures.json"), g))
	return g
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, scikit-learn has %v", what, got, want)
	}
}

func TestMetricsAgreeWithScikitLearn(t *testing.T) {
	for i, c := range goldenFigures(t).Classes {
		truth := &dataset.Factor{Levels: c.Classes, Codes: c.Truth}
		p := &pipeline.Prediction{Predicted: &dataset.Factor{Levels: c.Classes}, Probabilities: mat.NewDense(len(c.P), len(c.Classes), nil)}
		for row, of := range c.P {
			best := 0
			for j, v := range of {
				p.Probabilities.Set(row, j, v)
				if v > of[best] {
					best = j
				}
			}
			p.Predicted.Codes = append(p.Predicted.Codes, int32(best))
		}
		m := must.Get(Score(truth, p))(t)
		near(t, "accuracy", m.Accuracy, c.Accuracy)
		near(t, "balanced accuracy", m.BalancedAccuracy, c.BalancedAccuracy)
		near(t, "macro F1", m.MacroF1, c.MacroF1)
		near(t, "log loss", *m.LogLoss, c.LogLoss)
		near(t, "AUC", *m.AUC, c.AUC)
		near(t, "the standard error", m.AccuracySE, math.Sqrt(c.Accuracy*(1-c.Accuracy)/float64(len(c.Truth))))
		for _, class := range m.PerClass {
			for j, name := range c.Classes {
				if name != class.Class {
					continue
				}
				near(t, "precision", class.Precision, c.Precision[j])
				near(t, "recall", class.Recall, c.Recall[j])
				near(t, "F1", class.F1, c.F1[j])
				if class.Support != c.Support[j] {
					t.Errorf("case %d, class %s: support %d", i, name, class.Support)
				}
			}
		}
		// The classes in another order, in either place, change nothing.
		turned := &pipeline.Prediction{Predicted: &dataset.Factor{}, Probabilities: mat.NewDense(len(c.P), len(c.Classes), nil)}
		last := len(c.Classes) - 1
		for j := range c.Classes {
			turned.Predicted.Levels = append(turned.Predicted.Levels, c.Classes[last-j])
		}
		for row, code := range p.Predicted.Codes {
			turned.Predicted.Codes = append(turned.Predicted.Codes, int32(last)-code)
			for j, v := range c.P[row] {
				turned.Probabilities.Set(row, last-j, v)
			}
		}
		again := must.Get(Score(truth, turned))(t)
		near(t, "AUC of turned classes", *again.AUC, *m.AUC)
		near(t, "log loss of turned classes", *again.LogLoss, *m.LogLoss)
		near(t, "calibration of turned classes", again.Calibration.Error, m.Calibration.Error)
	}
	for _, c := range goldenFigures(t).Regression {
		m := must.Get(Regression(c.Truth, c.Predicted))(t)
		near(t, "R²", m.R2, c.R2)
		near(t, "MAE", m.MAE, c.MAE)
		near(t, "RMSE", m.RMSE, c.RMSE)
	}
}

func TestComparisonsAgreeWithScipy(t *testing.T) {
	g := goldenFigures(t)
	for _, c := range g.McNemar {
		rows := make([]float64, 10, 10+c.B+c.C)
		for range c.B {
			rows = append(rows, 1)
		}
		for range c.C {
			rows = append(rows, -1)
		}
		n := float64(len(rows))
		d := difference(scores{rows}, scores{make([]float64, len(rows))}, []Split{{}}, true)
		near(t, "McNemar's p", *d.P, c.P)
		b, e := float64(c.B), float64(c.C)
		near(t, "the difference", *d.Accuracy, (b-e)/n)
		near(t, "its standard error", d.SE, math.Sqrt(b+e-(b-e)*(b-e)/n)/n)
		if d.Test != McNemar {
			t.Errorf("the test is %s", d.Test)
		}
	}
	for _, c := range g.CorrectedT {
		var z scores
		var splits []Split
		train := 1 << 20
		for _, v := range c.D { // n_test/n_train is the ratio
			z, splits = append(z, []float64{v}), append(splits, Split{Train: make([]int, train), Test: make([]int, int(math.Round(c.Ratio*float64(train))))})
		}
		zero := z.minus(z)
		d := difference(z, zero, splits, true)
		if math.Abs(d.SE-c.SE) > 1e-5*c.SE || math.Abs(*d.P-c.P) > 1e-5 || d.Test != CorrectedT { // the ratio is rounded
			t.Errorf("corrected t: se %v, p %v, by the formula %v, %v", d.SE, *d.P, c.SE, c.P)
		}
	}
	same := scores{{.5}, {.5}, {.5}}
	three := []Split{{Train: make([]int, 2), Test: make([]int, 1)}, {Train: make([]int, 2), Test: make([]int, 1)}, {Train: make([]int, 2), Test: make([]int, 1)}}
	if d := difference(same, same.minus(same), three, true); d.P != nil || d.SE != 0 {
		t.Errorf("folds that differ alike: %+v", d)
	}
	if d := difference(same, same, three, true); *d.P != 1 {
		t.Errorf("equal pipelines: p %v", *d.P)
	}
}

// R2SE and RMSESE are what a bootstrap of the rows gives, to its own noise.
func TestRegressionErrorsAgreeWithTheBootstrap(t *testing.T) {
	c := goldenFigures(t).Regression[0]
	m := must.Get(Regression(c.Truth, c.Predicted))(t)
	random := newRandom(3)
	var r2, rmse, mae []float64
	for range 4000 {
		y, z := make([]float64, len(c.Truth)), make([]float64, len(c.Truth))
		for i := range y {
			at := random.IntN(len(y))
			y[i], z[i] = c.Truth[at], c.Predicted[at]
		}
		b := must.Get(Regression(y, z))(t)
		r2, rmse, mae = append(r2, b.R2), append(rmse, b.RMSE), append(mae, b.MAE)
	}
	for _, of := range []struct {
		what      string
		got, want float64
	}{{"R²", m.R2SE, deviation(r2)}, {"RMSE", m.RMSESE, deviation(rmse)}, {"MAE", m.MAESE, deviation(mae)}} {
		if of.got < .85*of.want || of.got > 1.15*of.want {
			t.Errorf("the standard error of %s is %v, of the bootstrap %v", of.what, of.got, of.want)
		}
	}
}
