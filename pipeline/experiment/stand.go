package experiment

import (
	"context"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"math/rand/v2"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// stand takes the place of an fspca step: what fit makes of the columns that are not
// barred.
type stand struct {
	transformer.Transformer // what was fitted; nil before Fit
	barred                  []string
	fit                     func(context.Context, *dataset.Frame) (transformer.Transformer, error)
}

// Fit is FitContext without a limit.
func (s *stand) Fit(grid base.FixedDataGrid) error {
	return s.FitContext(context.Background(), grid)
}

// FitContext fits to the columns that are left.
func (s *stand) FitContext(ctx context.Context, grid base.FixedDataGrid) error {
	f, err := dataset.FromGrid(grid)
	if err == nil && len(s.barred) > 0 {
		var left base.FixedDataGrid
		if left, err = transformer.FitTransform(&transformer.Drop{Columns: s.barred}, f); err == nil {
			f, err = dataset.FromGrid(left)
		}
	}
	if err != nil {
		return err
	}
	fitted, err := s.fit(ctx, f)
	if err == nil {
		s.Transformer = fitted
	}
	return err
}

// fitRandom keeps k of the columns that vary, drawn at random, in the form that an
// fspca step gives its choice.
func fitRandom(ctx context.Context, f *dataset.Frame, seed uint64, opt selector.Options) (transformer.Transformer, error) {
	varying := new(transformer.Constant)
	if err := varying.Fit(f); err != nil {
		return nil, err
	}
	names := varying.Outputs()
	if len(names) < opt.Features {
		return nil, fmt.Errorf("%s %s, and %d are to be drawn", words.Count(len(names), "column"), words.Of(len(names), "varies", "vary"), opt.Features)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	picked, err := f.Pick(names[:opt.Features])
	if err != nil {
		return nil, err
	}
	step := selector.New(opt)
	return step, step.FitContext(ctx, picked)
}
