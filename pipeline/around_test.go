package pipeline

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// evaluated is what the choice of p tells of f.
func evaluated(t *testing.T, p *Pipeline, f *dataset.Frame) *selector.Evaluation {
	t.Helper()
	columns := must.Get(p.SelectionColumns(t.Context(), f))(t)
	return must.Get(p.Selector().Model().Evaluate(columns))(t)
}

// On the rows of the fit, R² of what comes to the fspca step is that of the fit, whatever stands before the step
// and after a save, and that of the same steps without a chain.
func TestSelectionColumns(t *testing.T) {
	f := builtinFrame(t, "wine")
	opt := selector.Options{Features: 4, Components: 2, Decoder: true, Exclude: []string{"ash"}}
	plain := func() transformer.Transformer { return selector.New(opt) }
	some := &transformer.OnColumns{Columns: []string{"a*", "m*", "p*"}, New: plain}
	for name, steps := range map[string][]NamedStep{
		"first":    {{Name: "fspca", Transformer: plain()}},
		"scaled":   {{Name: "standardize", Transformer: &transformer.Standardize{}}, {Name: "fspca", Transformer: plain()}},
		"columns":  {{Name: "standardize", Transformer: &transformer.Standardize{}}, {Name: "fspca", Transformer: some}},
		"followed": {{Name: "standardize", Transformer: &transformer.Standardize{}}, {Name: "fspca", Transformer: plain()}, {Name: "minmax", Transformer: &transformer.MinMax{}}, {Name: "knn", Classifier: &classifier.KNN{}}},
	} {
		p := fitted(t, chainOf(t, steps...), f)
		e := evaluated(t, p, f)
		if want := *p.Selector().Model().Reconstruction().R2Components; math.Abs(*e.R2-want) > 1e-12 {
			t.Errorf("%s: R² is %v on the rows of the fit, which says %v", name, *e.R2, want)
		}
		if name == "followed" {
			scaled := must.Get(transformer.FitTransform(&transformer.Standardize{}, f))(t)
			want, err := p.Selector().Model().Evaluate(scaled)
			if err != nil || !slices.Equal(e.Residuals, want.Residuals) {
				t.Errorf("%s: %v: other residuals than those of the steps alone", name, err)
			}
			if slices.Contains(p.SelectionInputs(), "ash") || len(p.SelectionInputs()) != 12 {
				t.Errorf("%s: needs %v", name, p.SelectionInputs())
			}
		}
		var b bytes.Buffer
		must.Get(p.WriteTo(&b))(t)
		saved, err := ReadPipeline(&b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := evaluated(t, saved, f); !slices.Equal(got.Residuals, e.Residuals) || *got.R2 != *e.R2 {
			t.Errorf("%s: what was saved says otherwise", name)
		}
	}
}

func TestSelectionColumnsWithoutDecoder(t *testing.T) {
	f := builtinFrame(t, "wine")
	p := fitted(t, wineChain(t), f)
	if _, err := p.SelectionColumns(t.Context(), f); !errors.Is(err, selector.ErrNoDecoder) || p.SelectionInputs() != nil {
		t.Errorf("inputs %v, error %v", p.SelectionInputs(), err)
	}
	p = fitted(t, chainOf(t, NamedStep{Name: "standardize", Transformer: &transformer.Standardize{}}), f)
	if _, err := p.SelectionColumns(t.Context(), f); err == nil {
		t.Error("there is no fspca step, and no error")
	}
}
