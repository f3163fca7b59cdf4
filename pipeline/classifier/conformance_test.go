package classifier_test

import (
	"bytes"
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/pipeline/classifier/classifiertest"
)

// maker makes classifiers of a kind, with default options.
func maker(t testing.TB, k pipeline.Kind) func() classifier.Classifier {
	return func() classifier.Classifier {
		s := must.Get(k.New(nil))(t)
		return s.Classifier
	}
}

// TestConformance runs the suites on every classifier that a config can name.
func TestConformance(t *testing.T) {
	for _, k := range pipeline.Kinds() {
		if !k.Ends() {
			continue
		}
		t.Run(k.Name(), func(t *testing.T) {
			fresh := maker(t, k)
			if k.Name() == "dummy" { // it predicts no better than chance
				classifiertest.RunWeak(t, fresh)
				return
			}
			if k.Regresses() {
				classifiertest.RunRegression(t, fresh)
			}
			if k.Classifies() {
				classifiertest.Run(t, fresh)
			}
		})
	}
}

func FuzzLoadFrom(f *testing.F) {
	iris := must.Get(dataset.Builtin("iris"))(f)
	all := map[string]func() classifier.Classifier{}
	for _, k := range pipeline.Kinds() {
		if k.Ends() {
			all[k.Name()] = maker(f, k)
		}
	}
	for name, fresh := range all {
		c := fresh()
		few := iris.Subset([]int{0, 20, 40, 60, 80, 100, 120, 140})
		if err := c.FitFrame(context.Background(), few); err != nil {
			must.OK(f, c.FitFrame(context.Background(), classifiertest.Regression(f, few)))
		}
		var state bytes.Buffer
		must.OK(f, c.SaveTo(&state))
		f.Add(name, state.Bytes())
	}
	f.Fuzz(func(t *testing.T, name string, state []byte) {
		fresh, ok := all[name]
		if !ok {
			return
		}
		c := fresh()
		if c.LoadFrom(bytes.NewReader(state)) != nil {
			return
		}
		// What loads must predict, or say why not, for rows of its own columns.
		numeric, err := dataset.New(c.Inputs(), mat.NewDense(2, len(c.Inputs()), nil))
		if err != nil {
			return
		}
		predicted, err := c.PredictFrame(context.Background(), numeric)
		if err == nil && max(len(predicted.Values), codes(predicted)) != 2 {
			t.Errorf("%d predictions for 2 rows", max(len(predicted.Values), codes(predicted)))
		}
	})
}

func codes(p *classifier.Prediction) int {
	if p.Classes == nil {
		return 0
	}
	return len(p.Classes.Codes)
}
