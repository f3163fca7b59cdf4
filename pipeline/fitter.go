package pipeline

import (
	"context"
	"errors"
	"reflect"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// Fitter fits pipelines to the same rows, one after another. The steps that a
// pipeline begins with are not fitted again where the one before began with the
// same: the same Transformer, a pointer, under the same name. The answers are those
// of FitContext, bit for bit. It keeps what each step made of the rows until the
// next Fit. One goroutine may use it at a time.
type Fitter struct {
	frame *dataset.Frame
	class *classInfo
	once  bool         // for one Fit: nothing is kept
	path  []sharedStep // of the last pipeline, without its classifier
}

// sharedStep is a fitted step with what it made of the rows.
type sharedStep struct {
	recipe, fitted NamedStep
	made           *dataset.Frame
}

// NewFitter reads the rows to fit to. A grid that cannot be read is an error.
func NewFitter(grid base.FixedDataGrid) (*Fitter, error) {
	f, err := readGrid(grid)
	if err != nil {
		return nil, err
	}
	return &Fitter{frame: f, class: trainingClass(grid, f)}, nil
}

// Fit fits a pipeline; see Pipeline.FitContext.
func (f *Fitter) Fit(ctx context.Context, p *Pipeline) error {
	if p == nil {
		return errors.New("there is no pipeline to fit: it is nil")
	}
	if err := checkSteps(p.Steps); err != nil {
		return err
	}
	if f.frame == nil {
		return errors.New("the fitter has no rows: make it by NewFitter")
	}
	c := &chain{selectorAt: -1, class: f.class, reading: f.frame.Reading()}
	now := f.frame
	for i, recipe := range p.Steps {
		var err error
		if recipe.Classifier != nil {
			f.path = f.path[:min(i, len(f.path))]
			c.classifier, err = f.classifier(ctx, i, recipe, now)
		} else if now, err = f.step(ctx, i, recipe, now); err == nil {
			c.transformers = append(c.transformers, f.path[i].fitted)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	f.path = f.path[:len(c.transformers)]
	c.reaching = len(now.Columns())
	if err := c.narrow(f.frame); err != nil {
		return err
	}
	p.fitted.Store(c)
	return nil
}

// step fits step i to what the ones before it made, or finds it fitted, and gives
// what it makes of that.
func (f *Fitter) step(ctx context.Context, i int, recipe NamedStep, now *dataset.Frame) (*dataset.Frame, error) {
	if i < len(f.path) && sameRecipe(f.path[i].recipe, recipe) {
		return f.path[i].made, nil
	}
	f.path = f.path[:i]
	s := recipe.copy()
	err := runStep(i, s.Name, func() error {
		err := fitTransformer(ctx, s.Transformer, now)
		if err == nil {
			err = errors.Join(ctx.Err(), checkMemory(s.Transformer, now.Rows()))
		}
		if err == nil {
			now, err = transformFrame(s.Transformer, now)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	kept := now
	if f.once {
		kept = nil
	}
	f.path = append(f.path, sharedStep{recipe, s, kept})
	return now, nil
}

func (f *Fitter) classifier(ctx context.Context, i int, recipe NamedStep, now *dataset.Frame) (*NamedStep, error) {
	s := recipe.copy()
	return &s, runStep(i, s.Name, func() error {
		if err := s.Classifier.FitFrame(ctx, now); err != nil || f.class != nil {
			return err
		}
		return errors.New("the training rows have no class column: name it (data.label, --label)")
	})
}

// sameRecipe says whether two steps are one, so that both fit alike.
func sameRecipe(a, b NamedStep) bool {
	return a.Name == b.Name && isPointer(a.Transformer) && isPointer(b.Transformer) && a.Transformer == b.Transformer
}

func isPointer(t transformer.Transformer) bool {
	return t != nil && reflect.TypeOf(t).Kind() == reflect.Pointer
}
