package selector_test

import (
	"context"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestScree: the count is that of ParallelAnalysis with the same options, the variances are those of
// PCA with as many components, and what is excluded does not count.
func TestScree(t *testing.T) {
	f := must.Get(dataset.Builtin("wine"))(t)
	o := selector.Options{Features: 8, ParallelAnalysis: true, Standardize: true, Seed: 3, Exclude: []string{"proline"}}
	s := selector.New(o)
	must.OK(t, s.Fit(f))
	m := s.Model()
	scree := must.Get(m.ParallelAnalysis(context.Background(), f, 0))(t)
	if got := len(m.ExplainedVariance()); scree.Components != got {
		t.Errorf("the scree has %d components, the fit %d", scree.Components, got)
	}
	if len(scree.Variances) != len(scree.Shuffled) || len(scree.Variances) != 12 {
		t.Errorf("%d variances and %d of shuffled tables", len(scree.Variances), len(scree.Shuffled))
	}
	if kept := m.Scree(); !reflect.DeepEqual(kept, scree) {
		t.Errorf("the model keeps %+v, parallel analysis gives %+v", kept, scree)
	}
	sum := lists.Sum(scree.Variances[:scree.Components])
	if math.Abs(sum-m.LeadingVariance()) > 1e-9*sum {
		t.Errorf("PCA explains %v, the scree %v", m.LeadingVariance(), sum)
	}
	if _, err := (*selector.Model)(nil).ParallelAnalysis(context.Background(), nil, 0); err == nil {
		t.Error("parallel analysis without a model")
	}
}

// TestScreeOfFigures: without parallel analysis the figures bring the variances of PCA. They do not
// depend on k, and go into the file.
func TestScreeOfFigures(t *testing.T) {
	f := must.Get(dataset.Builtin("wine"))(t)
	var first *selector.Scree
	for _, o := range []selector.Options{
		{Features: 3, Components: 2, Standardize: true, Reconstruction: true},
		{Features: 13, Components: 13, Standardize: true, Reconstruction: true},
	} {
		s := selector.New(o)
		must.OK(t, s.Fit(f))
		m := s.Model()
		scree := m.Scree()
		if scree == nil || scree.Shuffled != nil || scree.Components != 0 || len(scree.Variances) != 13 {
			t.Fatalf("the scree is %+v, want 13 variances alone", scree)
		}
		sum := lists.Sum(scree.Variances[:o.Components])
		if math.Abs(sum-m.LeadingVariance()) > 1e-9*sum {
			t.Errorf("PCA explains %v, the scree %v", m.LeadingVariance(), sum)
		}
		if first == nil {
			first = scree
		}
		for j, v := range scree.Variances {
			if math.Abs(v-first.Variances[j]) > 1e-9*first.Variances[0] {
				t.Errorf("k = %d: variance %d is %v, with k = 3 it is %v", o.Features, j+1, v, first.Variances[j])
			}
		}
		b := must.Get(json.Marshal(m))(t)
		read := new(selector.Model)
		must.OK(t, json.Unmarshal(b, read))
		if !reflect.DeepEqual(read.Scree(), scree) || !reflect.DeepEqual(read.Summary().Scree, scree) {
			t.Errorf("the file holds %+v, want %+v", read.Scree(), scree)
		}
		if !slices.IsSortedFunc(scree.Variances, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
			t.Errorf("variances do not descend: %v", scree.Variances)
		}
	}
}
