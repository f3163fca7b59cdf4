package classifier_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/meta"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/pipeline/classifier/classifiertest"
)

// settled is golearn's ID3 by a rule without chance: of equal gains the first.
type settled struct {
	trees.InformationGainRuleGenerator
}

func (s settled) GenerateSplitRule(g base.FixedDataGrid) *trees.DecisionTreeRule {
	return s.GetSplitRuleFromSelection(base.AttributeDifferenceReferences(g.AllAttributes(), g.AllClassAttributes()), g)
}

// Any base.Classifier keeps the contract of our own classifiers, here KNN by its
// golearn methods alone. golearn's trees leave ties to chance.
func TestGolearnConformance(t *testing.T) {
	classifiertest.Run(t, func() classifier.Classifier {
		return classifier.Golearn("nearest", func() base.Classifier { return new(classifier.KNN) })
	})
}

func TestGolearnTree(t *testing.T) {
	iris := must.Get(dataset.Builtin("iris"))(t)
	c := classifier.Golearn("tree", func() base.Classifier { return trees.NewID3DecisionTreeFromRule(0, settled{}) })
	must.OK(t, c.FitFrame(t.Context(), iris))
	right := 0
	predicted := must.Get(c.PredictFrame(t.Context(), iris))(t)
	for i, code := range predicted.Classes.Codes {
		if code == iris.Class().Codes[i] {
			right++
		}
	}
	if right < 130 {
		t.Errorf("%d of 150 flowers right", right)
	}
	var state bytes.Buffer
	must.OK(t, c.SaveTo(&state))
	loaded := classifier.Golearn("tree", func() base.Classifier { return trees.NewID3DecisionTree(0) })
	must.OK(t, loaded.LoadFrom(&state))
	again := must.Get(loaded.PredictFrame(t.Context(), iris.WithoutClass()))(t)
	for i, code := range again.Classes.Codes {
		if code != predicted.Classes.Codes[i] {
			t.Errorf("row %d: saved %d, fresh %d", i, code, predicted.Classes.Codes[i])
		}
	}
}

// forest is like golearn's RandomForest, which needs cgo.
type forest struct {
	base.Classifier
	Model *meta.BaggedModel
}

// stack is a classifier of others.
type stack struct {
	base.Classifier
	below []base.Classifier
	named map[string]*meta.BaggedModel
}

// wild panics, or gives nonsense.
type wild struct {
	base.Classifier
	inFit, inPredict func()
	out              base.FixedDataGrid
}

func (w *wild) Fit(base.FixedDataGrid) error { w.inFit(); return nil }

func (w *wild) Predict(base.FixedDataGrid) (base.FixedDataGrid, error) {
	w.inPredict()
	return w.out, nil
}

func TestGolearnRefusals(t *testing.T) {
	iris := must.Get(dataset.Builtin("iris"))(t)
	fine, boom := func() {}, func() { panic("boom") }
	same := trees.NewID3DecisionTree(0)
	tests := []struct {
		name  string
		fresh func() base.Classifier
		want  string
	}{
		{"no function", nil, "no function that makes"},
		{"nil", func() base.Classifier { return nil }, "returned nil"},
		{"typed nil", func() base.Classifier { return (*trees.RandomTree)(nil) }, "returned nil"},
		{"panic in the function", func() base.Classifier { panic("boom") }, "panicked: boom"},
		{"panic in Fit", func() base.Classifier { return &wild{inFit: boom} }, "panicked: boom"},
		{"panic in Predict", func() base.Classifier { return &wild{inFit: fine, inPredict: boom} }, "panicked: boom"},
		{"no predictions", func() base.Classifier { return &wild{inFit: fine, inPredict: fine} }, "no predictions"},
		{"bagging", func() base.Classifier { return &forest{} }, "goroutines"},
		{"bagging in a list", func() base.Classifier { return &stack{below: []base.Classifier{nil, &forest{}}} }, "goroutines"},
		{"bagging in a map", func() base.Classifier { return &stack{named: map[string]*meta.BaggedModel{}} }, "goroutines"},
		{"too many columns at a time", func() base.Classifier { return trees.NewRandomTree(9) }, "9 columns"},
		{"the same again", func() base.Classifier { return same }, "new one at each call"},
	}
	for _, test := range tests {
		c := classifier.Golearn("mine", test.fresh)
		err := c.FitFrame(context.Background(), iris)
		if err == nil {
			if _, err = c.PredictFrame(context.Background(), iris); err == nil {
				err = c.FitFrame(context.Background(), iris)
			}
		}
		if err == nil || !strings.HasPrefix(err.Error(), "mine") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want mine… %s", test.name, err, test.want)
		}
		var panicked *golearn.PanicError
		if strings.Contains(test.want, "boom") && !errors.As(err, &panicked) {
			t.Errorf("%s: %T is no panic", test.name, err)
		}
	}
}
