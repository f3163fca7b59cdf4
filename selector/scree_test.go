package selector_test

import (
	"context"
	"math"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
)

// TestScree: the count is that of ParallelAnalysis with the same options, the variances are those of
// PCA with as many components, and what is excluded does not count.
func TestScree(t *testing.T) {
	f, err := dataset.Builtin("wine")
	if err != nil {
		t.Fatal(err)
	}
	o := selector.Options{Features: 8, ParallelAnalysis: true, Standardize: true, Seed: 3, Exclude: []string{"proline"}}
	s := selector.New(o)
	if err := s.Fit(f); err != nil {
		t.Fatal(err)
	}
	m := s.Model()
	scree, err := m.Scree(context.Background(), f, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(m.ExplainedVariance()); scree.Components != got {
		t.Errorf("the scree has %d components, the fit %d", scree.Components, got)
	}
	if len(scree.Variances) != len(scree.Shuffled) || len(scree.Variances) != 12 {
		t.Errorf("%d variances and %d of shuffled tables", len(scree.Variances), len(scree.Shuffled))
	}
	sum := 0.0
	for _, v := range scree.Variances[:scree.Components] {
		sum += v
	}
	if math.Abs(sum-m.LeadingVariance()) > 1e-9*sum {
		t.Errorf("PCA explains %v, the scree %v", m.LeadingVariance(), sum)
	}
	if _, err := (*selector.Model)(nil).Scree(context.Background(), nil, 0); err == nil {
		t.Error("no model has a scree")
	}
}
