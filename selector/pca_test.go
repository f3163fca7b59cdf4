package selector_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
	"github.com/fspca/fspca/transformer/transformertest"
)

func TestPCAConformance(t *testing.T) {
	for name, newStep := range map[string]func() transformer.Transformer{
		"pca":    func() transformer.Transformer { return &selector.PCA{Components: 3} },
		"whiten": func() transformer.Transformer { return &selector.PCA{Components: 2, Whiten: true} },
		"target": func() transformer.Transformer { return &selector.PCA{Target: 0.999} },
		"columns": func() transformer.Transformer {
			return &transformer.OnColumns{Columns: []string{"numeric"}, New: func() transformer.Transformer { return &selector.PCA{Components: 2} }}
		},
	} {
		t.Run(name, func(t *testing.T) { transformertest.Run(t, newStep) })
	}
}

// TestPCAScikitLearn: testdata/pca_golden.py made the numbers.
func TestPCAScikitLearn(t *testing.T) {
	b := must.Get(os.ReadFile("testdata/pca_golden.json"))(t)
	var golden struct {
		X, Scores, Whitened [][]float64
		Variances           []float64
	}
	must.OK(t, json.Unmarshal(b, &golden))
	x := mat.NewDense(len(golden.X), len(golden.X[0]), slices.Concat(golden.X...))
	f := must.Get(dataset.New(nil, x))(t)
	for _, c := range []struct {
		whiten bool
		want   [][]float64
	}{{false, golden.Scores}, {true, golden.Whitened}} {
		p := &selector.PCA{Components: 4, Whiten: c.whiten}
		out := must.Get(transformer.FitTransform(p, f))(t)
		for i, row := range c.want {
			for j, want := range row {
				if got := out.(*dataset.Frame).Numeric().At(i, j); math.Abs(got-want) > 1e-10*max(1, math.Abs(want)) {
					t.Fatalf("whiten %v: row %d, pc%d: got %v, scikit-learn gives %v", c.whiten, i+1, j+1, got, want)
				}
			}
		}
		for j, want := range golden.Variances {
			if got := p.Model().ExplainedVariance()[j]; math.Abs(got-want) > 1e-12*golden.Variances[0] {
				t.Errorf("variance %d is %v, scikit-learn has %v", j+1, got, want)
			}
		}
	}
}

func TestPCAErrors(t *testing.T) {
	f := must.Get(dataset.New(nil, sample(1, 20, 4)))(t)
	p := &selector.PCA{Components: 5}
	if err := p.Fit(f); err == nil || !strings.Contains(err.Error(), "5 components of 4 columns") {
		t.Errorf("5 components of 4 columns: %v", err)
	}
	holes := sample(1, 20, 4)
	holes.Set(2, 1, math.NaN())
	g := must.Get(dataset.New(nil, holes))(t)
	p.Components = 2
	if err := p.Fit(g); err == nil || !strings.HasPrefix(err.Error(), "pca needs complete data") || !strings.Contains(err.Error(), `"x2"`) {
		t.Errorf("a missing cell: %v", err)
	}
	must.OK(t, p.Fit(f))
	var b bytes.Buffer
	must.OK(t, p.Save(&b))
	for old, now := range map[string]string{`"whiten": false`: `"whiten": 3`, `"type": "pca"`: `"type": "fspca"`, `"output": "projection"`: `"output": "both"`, `"version": 1`: `"version": 2`} {
		if err := (&selector.PCA{}).Load(strings.NewReader(strings.Replace(b.String(), old, now, 1))); err == nil || !strings.HasPrefix(err.Error(), "pca: cannot load") {
			t.Errorf("%s: got the error %v", now, err)
		}
	}
}
