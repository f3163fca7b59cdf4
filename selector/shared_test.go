package selector

import (
	"context"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestSharedRows: fits to the same rows share their covariance, with weights too, and those with other
// weights, scales or means do not.
func TestSharedRows(t *testing.T) {
	wine := must.Get(dataset.Builtin("wine"))(t)
	var shared Shared
	fit := func(o Options) any {
		t.Helper()
		o.Components = 1
		must.OK(t, New(o).FitShared(context.Background(), wine, &shared))
		return shared.data
	}
	for _, o := range []Options{{}, {Weight: "ash"}, {Weight: "ash", Standardize: true}, {Weight: "hue"}, {Weight: "hue", Uncentered: true}, {Uncentered: true}} {
		before := shared.data
		o.Features = 2
		first := fit(o)
		o.Features = 4
		if first == any(before) || fit(o) != first {
			t.Errorf("%+v: fits that differ share, or fits that differ in k do not", o)
		}
	}
}
