package pipeline_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/transformer"
)

// Each method of each step that asks for a fit names the step, and says so in the same words.
func TestUnfittedStepsSayTheSame(t *testing.T) {
	iris := must.Get(dataset.Builtin("iris"))(t)
	builtIn := 0
	for _, k := range pipeline.Kinds() {
		s, err := k.New(nil)
		if err != nil || k.Doc() == "" || k.Name() == "foretelling" || k.Name() == "silent" {
			continue // of other tests
		}
		builtIn++
		want := k.Name() + ": " + transformer.ErrNotFitted.Error()
		for method, err := range unfittedErrors(t, s, iris) {
			if !errors.Is(err, transformer.ErrNotFitted) || err.Error() != want {
				t.Errorf("%s of %s: got %v, want %s", method, k.Name(), err, want)
			}
		}
	}
	if builtIn < 25 {
		t.Errorf("only %d kinds were asked", builtIn)
	}
}

// unfittedErrors are the errors of the methods of a step before Fit.
func unfittedErrors(t *testing.T, s pipeline.NamedStep, iris *dataset.Frame) map[string]error {
	errs := map[string]error{}
	if step := s.Transformer; step != nil {
		_, errs["Transform"] = step.Transform(iris)
		_, errs["Narrow"] = step.Narrow([]string{"petal_length"})
		errs["Save"] = step.Save(io.Discard)
		if f, ok := step.(interface{ Filter() base.Filter }); ok {
			errs["Filter.AddAttribute"] = f.Filter().AddAttribute(base.NewFloatAttribute("petal_length"))
			errs["Filter.Train"] = f.Filter().Train()
		}
		return errs
	}
	c := s.Classifier
	_, errs["PredictFrame"] = c.PredictFrame(context.Background(), iris)
	_, errs["Predict"] = c.Predict(iris)
	errs["SaveTo"] = c.SaveTo(io.Discard)
	errs["Save"] = c.Save(filepath.Join(t.TempDir(), "model"))
	errs["SaveWithPrefix"] = golearn.Archive(filepath.Join(t.TempDir(), "model"), c)
	return errs
}
