package pipeline

import (
	"context"
	"fmt"
	"strings"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// Prediction is what a pipeline says about n rows.
type Prediction struct {
	Class         string          // name of the class column
	Predicted     *dataset.Factor // one class per row; its levels are those that occurred in training
	Probabilities *mat.Dense      // n×len(Predicted.Levels), rows sum to 1; nil where the classifier gives none
}

// PredictFrame predicts the class of each row of grid, which needs the columns
// Inputs and no class. Missing columns are named all at once.
func (p *Pipeline) PredictFrame(grid base.FixedDataGrid) (*Prediction, error) {
	return p.predict(context.Background(), grid)
}

func (p *Pipeline) predict(ctx context.Context, grid base.FixedDataGrid) (*Prediction, error) {
	c := p.fitted
	switch {
	case c == nil:
		return nil, notFitted("pipeline")
	case c.classifier == nil:
		return nil, fmt.Errorf("the pipeline ends without a classifier (its steps are %s): it can transform, not predict", listing(p.names(), "and"))
	}
	f, err := c.transform(grid, len(c.transformers))
	if err != nil {
		return nil, err
	}
	out := &Prediction{Class: c.class.name}
	err = runStep(len(c.transformers), c.classifier.Name, func() error {
		out.Predicted, err = c.classifier.Classifier.PredictFrame(ctx, f)
		if likely, ok := c.classifier.Classifier.(ProbabilityClassifier); ok && err == nil {
			out.Probabilities, err = likely.ProbabilitiesFrame(ctx, f)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Predict returns a grid with one attribute, the class attribute of the training
// data, and a row for each row of grid; it implements base.Classifier.
func (p *Pipeline) Predict(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	prediction, err := p.PredictFrame(grid)
	if err != nil {
		return nil, err
	}
	var out base.FixedDataGrid
	err = guard("writing the predictions", func() error {
		out, err = p.fitted.class.grid(prediction.Predicted)
		return err
	})
	return out, err
}

// classInfo is the class column of the training rows.
type classInfo struct {
	name      string
	levels    []string
	attribute *base.CategoricalAttribute
}

// trainingClass reads the class of the training rows, nil where there is none. The
// attribute is the grid's own where it is categorical: golearn matches classes
// by name and ordered values.
func trainingClass(grid base.FixedDataGrid, f *dataset.Frame) *classInfo {
	class := f.Class()
	if class == nil {
		return nil
	}
	if given := grid.AllClassAttributes(); len(given) == 1 {
		if a, ok := given[0].(*base.CategoricalAttribute); ok && hasValues(a, class.Levels) {
			return &classInfo{f.ClassName(), class.Levels, a}
		}
	}
	return newClassInfo(f.ClassName(), class.Levels)
}

func newClassInfo(name string, levels []string) *classInfo {
	return &classInfo{name, levels, categoricalAttribute(name, levels)}
}

// grid writes predicted classes as golearn has them.
func (c *classInfo) grid(predicted *dataset.Factor) (base.FixedDataGrid, error) {
	values := make([][]byte, len(predicted.Levels))
	for i, level := range predicted.Levels {
		if values[i] = c.attribute.GetSysVal(level); values[i] == nil {
			return nil, fmt.Errorf("the class %q is not among those of the column %q (%s)", level, c.name, strings.Join(c.levels, ", "))
		}
	}
	out := base.NewDenseInstances()
	spec := out.AddAttribute(c.attribute)
	if err := out.AddClassAttribute(c.attribute); err != nil {
		return nil, err
	}
	if err := out.Extend(len(predicted.Codes)); err != nil {
		return nil, err
	}
	for row, code := range predicted.Codes {
		out.Set(spec, row, values[code])
	}
	return out, nil
}
