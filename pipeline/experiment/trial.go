package experiment

import (
	"context"
	"fmt"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/pipeline"
)

// trial is a pipeline fitted on the training rows of a split.
type trial struct {
	pipeline   *pipeline.Pipeline
	offered    int                  // columns that came to the last step
	prediction *pipeline.Prediction // of the test rows; nil without a classifier
	confusion  *Confusion
	class      *dataset.Factor // of the test rows
	truth      []float64       // of the test rows, where numbers are predicted
}

func tryPipeline(ctx context.Context, fitter *pipeline.Fitter, p *pipeline.Pipeline, test *dataset.Frame) (t trial, err error) {
	t.pipeline = p
	if err := fitter.Fit(ctx, p); err != nil {
		return t, err
	}
	t.offered = p.Offered()
	if !p.HasClassifier() {
		return t, nil
	}
	if t.prediction, err = p.PredictContext(ctx, test.WithoutClass()); err != nil {
		return t, fmt.Errorf("predicting the %s held out: %w", words.Count(test.Rows(), "row"), err)
	}
	if t.prediction.Values != nil {
		t.truth = test.Target()
		return t, nil
	}
	t.class = test.Class()
	if t.confusion, err = Tally(t.class, t.prediction.Predicted); err == nil {
		err = t.check()
	}
	return t, err
}

// features are the columns that a fitted pipeline chose; nil without an fspca step.
func (t *trial) features() []string {
	if s := t.pipeline.Selector(); s != nil {
		return s.Model().Features()
	}
	return nil
}
