package pipeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
)

// around gives all columns that come to the fspca step, of which the chain itself needs the chosen ones
// alone: the steps before it, narrowed to what the model can rebuild.
type around struct {
	steps  []NamedStep
	inputs []input
}

// surround keeps the steps before an fspca step whose model has a decoder; f are the rows of the fit.
func (c *chain) surround(f *dataset.Frame) error {
	c.findSelector()
	s := c.selector()
	if s == nil || s.Model().Rebuilt() == nil {
		return nil
	}
	whole := &chain{transformers: append([]NamedStep(nil), c.transformers[:c.selectorAt]...)}
	need, err := whole.narrowTo(s.Model().Rebuilt())
	if err != nil {
		return err
	}
	c.around = &around{steps: whole.transformers, inputs: inputsOf(f, need)}
	return nil
}

// SelectionInputs returns the columns of new data that SelectionColumns needs; nil if SelectionColumns would return an error.
func (p *Pipeline) SelectionInputs() []string {
	c := p.fitted.Load()
	if c == nil || c.around == nil {
		return nil
	}
	return namesOfInputs(c.around.inputs)
}

// CategoricalSelectionInputs returns the categorical columns of SelectionInputs.
func (p *Pipeline) CategoricalSelectionInputs() []string {
	if c := p.fitted.Load(); c != nil && c.around != nil {
		return categoricalOf(c.around.inputs)
	}
	return nil
}

// SelectionColumns applies the steps before the fspca step to grid and returns all columns that this step was
// fitted to. They are for a selector.Evaluator of its model. Grid needs the columns SelectionInputs. Without
// Options.Decoder the error is selector.ErrNoDecoder.
func (p *Pipeline) SelectionColumns(ctx context.Context, grid base.FixedDataGrid) (*dataset.Frame, error) {
	c := p.fitted.Load()
	if c == nil {
		return nil, errNotFitted
	}
	s := c.selector()
	switch {
	case s == nil:
		return nil, errors.New("the pipeline has no fspca step, and so no choice of columns to measure")
	case s.Model().Rebuilt() == nil:
		return nil, fmt.Errorf("%s: %w", stepLabel(c.selectorAt, c.transformers[c.selectorAt].Name), selector.ErrNoDecoder)
	case c.around == nil:
		return nil, errors.New("the model does not keep the steps before its fspca step whole: an older version wrote it; fit it again")
	}
	before := &chain{transformers: c.around.steps, inputs: c.around.inputs}
	return before.transform(ctx, grid, len(before.transformers))
}
