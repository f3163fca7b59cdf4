package experiment

import (
	"context"
	"fmt"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// heldOut is what the choice of a split tells of all columns of its test rows.
type heldOut struct {
	rows    int
	figures *selector.HeldOut
}

// holdOut measures what the choice tells of all columns on the test rows, as they come to the fspca step:
// where that is applied to some columns, of those. What fails is not measured; the end of the context is an
// error.
func (m *measurement) holdOut(fitter *pipeline.Fitter, recipe *pipeline.Pipeline, t trial, train, test *dataset.Frame) error {
	at := selectorAt(recipe.Steps)
	if at < 0 || test.Rows() == 0 {
		return nil
	}
	var before *pipeline.Pipeline
	var err error
	if at > 0 {
		if before, err = pipeline.New(recipe.Steps[:at]...); err == nil {
			err = fitter.Fit(m.ctx, before)
		}
	}
	on, _ := t.pipeline.Fitted()[at].Transformer.(*transformer.OnColumns)
	for _, f := range []**dataset.Frame{&train, &test} {
		if err == nil && before != nil {
			*f, err = transformed(m.ctx, before, *f)
		}
		if err == nil && on != nil {
			*f, err = (*f).Pick(on.Chosen())
		}
	}
	if err != nil {
		return m.ctx.Err()
	}
	figures, err := t.pipeline.Selector().Model().HeldOut(m.ctx, train.WithoutClass(), test.WithoutClass())
	if err != nil {
		return m.ctx.Err()
	}
	m.held = append(m.held, heldOut{test.Rows(), figures})
	return nil
}

// transformed is what a fitted pipeline makes of f.
func transformed(ctx context.Context, p *pipeline.Pipeline, f *dataset.Frame) (*dataset.Frame, error) {
	grid, err := p.TransformContext(ctx, f)
	if err != nil {
		return nil, err
	}
	return dataset.FromGrid(grid)
}

// heldOut is the mean over the test rows of all splits; nil where not all were measured.
func (m *measurement) heldOut() *selector.HeldOut {
	if len(m.held) == 0 || len(m.held) < len(m.splits) {
		return nil
	}
	mean := func(figure func(*selector.HeldOut) *float64) *float64 {
		sum, rows := 0.0, 0
		for _, h := range m.held {
			v := figure(h.figures)
			if v == nil {
				return nil
			}
			sum, rows = sum+float64(h.rows)**v, rows+h.rows
		}
		sum /= float64(rows)
		return &sum
	}
	return &selector.HeldOut{
		R2:           mean(func(h *selector.HeldOut) *float64 { return h.R2 }),
		R2Components: mean(func(h *selector.HeldOut) *float64 { return h.R2Components }),
		Random:       mean(func(h *selector.HeldOut) *float64 { return h.Random }),
	}
}

// writeReconstruction writes what the choice tells of all columns, on the rows of the fit and held out.
func writeReconstruction(b *strings.Builder, f *selector.Reconstruction) {
	line := func(where string, r2, components, random, noise, pca *float64) {
		var parts []string
		for _, p := range []struct {
			v    *float64
			what string
		}{{r2, "by the chosen columns"}, {components, "by the components"}, {random, "by random choices"}, {noise, "by noise"}, {pca, "by PCA"}} {
			if p.v != nil {
				parts = append(parts, fmt.Sprintf("%.3f %s", *p.v, p.what))
			}
		}
		if parts != nil {
			fmt.Fprintf(b, "  R² of all columns%s: %s\n", where, strings.Join(parts, ", "))
		}
	}
	line("", f.R2, f.R2Components, f.Random, f.Noise, f.PCA)
	if h := f.HeldOut; h != nil {
		line(" on rows held out", h.R2, h.R2Components, h.Random, nil, nil)
	}
}
