package pipeline

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"unsafe"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// Fitter fits several pipelines to the same rows, one after another. It does not fit the first steps again if
// the previous pipeline began with the same ones: the same Transformer pointer under the same name. Fspca
// steps on the same rows share what does not depend on their options (selector.Shared). The results are those
// of FitContext, bit for bit. One goroutine may use it at a time.
type Fitter struct {
	frame *dataset.Frame
	class *classInfo
	some  bool         // keep what was made before these steps alone
	keep  []int        // steps
	path  []sharedStep // of the last pipeline, without its classifier

	shared selector.Shared // by the fspca steps on the same rows
	whole  *dataset.Frame  // the last rows that an fspca step saw some columns of,
	part   *dataset.Frame  // and these columns
}

// sharedStep is a fitted step with what it made of the rows; nil where that is not kept.
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

// KeepBefore says from which steps on, counted from 0, the pipelines will differ. The
// tables before these steps are kept, and others are computed again when needed.
// Without it the table of every step is kept.
func (f *Fitter) KeepBefore(steps ...int) {
	f.some, f.keep = true, steps
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
	now, err := f.resume(p.Steps)
	if err != nil {
		return err
	}
	c := &chain{selectorAt: -1, class: f.class, reading: f.frame.Reading()}
	for i, recipe := range p.Steps {
		switch {
		case recipe.Classifier != nil:
			c.classifier, err = f.classifier(ctx, i, recipe, now)
		case i == len(f.path):
			now, err = f.step(ctx, i, recipe, now)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if recipe.Classifier == nil {
			c.transformers = append(c.transformers, f.path[i].fitted)
		}
	}
	c.reaching = len(now.Columns())
	if err := c.narrow(f.frame); err != nil {
		return err
	}
	p.fitted.Store(c)
	return nil
}

// resume forgets the steps that these do not begin with, and gives what the others made.
func (f *Fitter) resume(steps []NamedStep) (*dataset.Frame, error) {
	shared := 0
	for shared < min(len(f.path), len(steps)) && sameRecipe(f.path[shared].recipe, steps[shared]) {
		shared++
	}
	clear(f.path[shared:])
	f.path = f.path[:shared]
	now, from := f.frame, 0
	for i, s := range f.path {
		if s.made != nil {
			now, from = s.made, i+1
		}
	}
	for i, s := range f.path[from:] {
		err := runStep(from+i, s.fitted.Name, func() (err error) {
			now, err = transformFrame(s.fitted.Transformer, now)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return now, nil
}

// step fits step i to what the ones before it made, and gives what it makes of that.
func (f *Fitter) step(ctx context.Context, i int, recipe NamedStep, now *dataset.Frame) (*dataset.Frame, error) {
	s := recipe.copy()
	err := runStep(i, s.Name, func() error {
		err := f.fit(ctx, s.Transformer, now)
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
	kept := sharedStep{recipe: recipe, fitted: s}
	if !f.some || slices.Contains(f.keep, i+1) {
		kept.made = now
	}
	f.path = append(f.path, kept)
	return now, nil
}

// fit fits a step. An fspca step, on all columns or some, takes what it has in common with those before
// it, unless the fitter keeps nothing.
func (f *Fitter) fit(ctx context.Context, t transformer.Transformer, now *dataset.Frame) error {
	if f.some && len(f.keep) == 0 {
		return fitTransformer(ctx, t, now)
	}
	switch s := t.(type) {
	case *selector.FSPCA:
		return s.FitShared(ctx, now, &f.shared)
	case *transformer.OnColumns:
		if s.New != nil {
			if _, ok := s.New().(*selector.FSPCA); ok {
				return s.FitBy(ctx, now, f.pick, f.fit)
			}
		}
	}
	return fitTransformer(ctx, t, now)
}

// pick is Frame.Pick, of columns that were picked before where they are the same.
func (f *Fitter) pick(from *dataset.Frame, names []string) (*dataset.Frame, error) {
	if f.whole == from && f.part != nil && slices.Equal(f.part.Names(), names) {
		return f.part, nil
	}
	part, err := from.Pick(names)
	if err == nil {
		f.whole, f.part = from, part
	}
	return part, err
}

func (f *Fitter) classifier(ctx context.Context, i int, recipe NamedStep, now *dataset.Frame) (*NamedStep, error) {
	s := recipe.copy()
	fit := s.Classifier.FitFrame
	if owner, ok := s.Classifier.(classifier.Owner); ok && ours(owner) && f.made(now) {
		fit = owner.FitOwned
	}
	return &s, runStep(i, s.Name, func() error {
		if err := fit(ctx, now); err != nil || f.class != nil {
			return err
		}
		return errors.New("the training rows have no class column: name it (data.label, --label)")
	})
}

// made says whether the numbers of a frame are those that steps of ours have made, which nobody will change, and
// not the caller's.
func (f *Fitter) made(now *dataset.Frame) bool {
	if len(f.path) == 0 || now.Numeric() == nil {
		return false
	}
	if slices.ContainsFunc(f.path, func(s sharedStep) bool { return !ours(s.fitted.Transformer) }) {
		return false
	}
	return f.frame.Numeric() == nil || !overlap(now.Numeric().RawMatrix().Data, f.frame.Numeric().RawMatrix().Data)
}

// overlap says whether two slices share memory.
func overlap(a, b []float64) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	from, to := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return from < to+8*uintptr(len(b)) && to < from+8*uintptr(len(a))
}

// sameRecipe says whether two steps are one, so that both fit alike.
func sameRecipe(a, b NamedStep) bool {
	return a.Name == b.Name && isPointer(a.Transformer) && isPointer(b.Transformer) && a.Transformer == b.Transformer
}

func isPointer(t transformer.Transformer) bool {
	return t != nil && reflect.TypeOf(t).Kind() == reflect.Pointer
}
