package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline/classifier"
)

// Prediction is what a pipeline predicts for n rows.
type Prediction struct {
	Class         string          // name of the class column
	Predicted     *dataset.Factor // one class per row; its levels are those that occurred in training
	Probabilities *mat.Dense      // n×len(Predicted.Levels), rows sum to 1; nil where the classifier gives none
	Values        []float64       // one number per row where the target is numeric; Predicted is nil then
}

// PredictFrame predicts the class of each row of grid. Grid needs the columns
// Inputs, and no class. One error names all missing columns.
func (p *Pipeline) PredictFrame(grid base.FixedDataGrid) (*Prediction, error) {
	return p.PredictContext(context.Background(), grid)
}

// PredictContext is PredictFrame with a context; if ctx ends, the error is the
// context's.
func (p *Pipeline) PredictContext(ctx context.Context, grid base.FixedDataGrid) (*Prediction, error) {
	return p.fitted.Load().predict(ctx, grid)
}

// Predict returns a grid with one attribute, the class attribute of the training
// data, and a row for each row of grid; it implements base.Classifier.
func (p *Pipeline) Predict(grid base.FixedDataGrid) (base.FixedDataGrid, error) {
	c := p.fitted.Load()
	prediction, err := c.predict(context.Background(), grid)
	if err != nil {
		return nil, err
	}
	var out base.FixedDataGrid
	err = golearn.Guard("writing the predictions", func() error {
		if prediction.Values != nil {
			out, err = golearn.ValueGrid(prediction.Class, prediction.Values)
			return err
		}
		out, err = golearn.PredictionGrid(c.class.attributeFor(grid), prediction.Predicted)
		return err
	})
	return out, err
}

// predict predicts by a fitted chain, nil before Fit.
func (c *chain) predict(ctx context.Context, grid base.FixedDataGrid) (*Prediction, error) {
	if err := c.predicts(); err != nil {
		return nil, err
	}
	f, err := c.transform(ctx, grid, len(c.transformers))
	if err != nil {
		return nil, err
	}
	out := &Prediction{Class: c.class.name}
	err = runStep(len(c.transformers), c.classifier.Name, func() error {
		p, err := c.classifier.Classifier.PredictFrame(ctx, f)
		if err == nil {
			err = c.checkPrediction(p, f.Rows())
		}
		if err == nil {
			out.Predicted, out.Probabilities, out.Values = p.Classes, p.Probabilities, p.Values
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// checkPrediction says what a prediction lacks that somebody's own classifier made of n rows.
func (c *chain) checkPrediction(p *classifier.Prediction, n int) error {
	switch {
	case p == nil || p.Classes == nil && p.Values == nil:
		return errors.New("the classifier gives no predictions, and no error")
	case p.Classes == nil && len(c.classes) > 0:
		return errors.New("the classifier gives numbers, and was fitted to classes")
	case p.Classes == nil && len(p.Values) != n:
		return fmt.Errorf("the classifier gives %d numbers for %d rows", len(p.Values), n)
	case p.Classes == nil:
		return checkFinite(p.Values)
	case len(p.Classes.Codes) != n:
		return fmt.Errorf("the classifier gives %d predictions for %d rows", len(p.Classes.Codes), n)
	case !slices.Equal(p.Classes.Levels, c.classes):
		return fmt.Errorf("the classifier predicts the classes %q, and its method Classes lists %q: want the same in the same order", p.Classes.Levels, c.classes)
	}
	for i, code := range p.Classes.Codes {
		if code < 0 || int(code) >= len(p.Classes.Levels) {
			return fmt.Errorf("the classifier predicts class number %d for row %d: want 0 to %d", code, i+1, len(p.Classes.Levels)-1)
		}
	}
	return checkProbabilities(p.Probabilities, n, len(p.Classes.Levels))
}

// checkFinite returns an error for a predicted number that is none.
func checkFinite(values []float64) error {
	if i := slices.IndexFunc(values, func(v float64) bool { return v-v != 0 }); i >= 0 {
		return fmt.Errorf("the classifier predicts %v for row %d: want a finite number", values[i], i+1)
	}
	return nil
}

// checkProbabilities returns an error unless p, if there is one, has a number from 0 to 1 for each class of
// each of n rows.
func checkProbabilities(p *mat.Dense, n, classes int) error {
	if p == nil || n == 0 {
		return nil
	}
	if rows, columns := p.Dims(); rows != n || columns != classes {
		return fmt.Errorf("the classifier gives probabilities of %d rows and %d classes: want %d and %d", rows, columns, n, classes)
	}
	for i := range n {
		if j := slices.IndexFunc(p.RawRowView(i), func(v float64) bool { return !(v >= 0 && v <= 1+1e-9) }); j >= 0 {
			return fmt.Errorf("the classifier gives row %d the probability %v: want a number from 0 to 1", i+1, p.At(i, j))
		}
	}
	return nil
}

// predicts says why a chain cannot predict.
func (c *chain) predicts() error {
	switch {
	case c == nil:
		return errNotFitted
	case c.classifier == nil:
		return fmt.Errorf("the pipeline ends without a classifier (its steps are %s): it can transform, not predict", strict.Listing(c.names(), "and"))
	}
	return nil
}

// classInfo is the class column of the training rows.
type classInfo struct {
	name      string
	levels    []string
	attribute base.Attribute
}

// trainingClass reads the class of the training rows, nil where there is none. The
// attribute is the grid's own where that can be: golearn matches classes by name
// and ordered values.
func trainingClass(grid base.FixedDataGrid, f *dataset.Frame) *classInfo {
	class := f.Class()
	if class == nil {
		return nil
	}
	if class.Numbers != nil { // every number would be a level
		return newClassInfo(f.ClassName(), []string{})
	}
	return &classInfo{f.ClassName(), slices.Clone(class.Levels), golearn.ClassAttribute(grid, f.ClassName(), class.Levels)}
}

func newClassInfo(name string, levels []string) *classInfo {
	return &classInfo{name, levels, golearn.Categorical(name, levels)}
}

// attributeFor returns the class attribute of predictions for grid: that of the
// training rows, but the grid's own if its class is of numbers. golearn
// compares the texts of both, and such an attribute has a text of its own for a
// number.
func (c *classInfo) attributeFor(grid base.FixedDataGrid) base.Attribute {
	if a, ok := golearn.OnlyClass(grid).(*base.FloatAttribute); ok && a.GetName() == c.name {
		return golearn.ClassAttribute(grid, c.name, c.levels)
	}
	return c.attribute
}
