package selector_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestHeldOut: on the rows of the fit it is the figures of the fit, and on others what Evaluate says of a
// model with a decoder.
func TestHeldOut(t *testing.T) {
	for _, o := range []selector.Options{
		{Features: 4, Components: 2, Reconstruction: true, Decoder: true},
		{Features: 4, Components: 3, Standardize: true, Reconstruction: true, Decoder: true, Exclude: []string{"x2"}},
		{Features: 3, Components: 3, Criterion: "reconstruction", Reconstruction: true, Decoder: true},
	} {
		f := must.Get(dataset.New(nil, sample(4, 50, 8)))(t)
		g := must.Get(dataset.New(nil, sample(5, 30, 8)))(t)
		m := fittedOn(t, o, f, false)
		same := must.Get(m.HeldOut(context.Background(), f, f))(t)
		if fig := m.Reconstruction(); math.Abs(*same.R2-*fig.R2) > 1e-9 || math.Abs(*same.R2Components-*fig.R2Components) > 1e-9 {
			t.Errorf("%+v: %v and %v on the rows of the fit, which say %v and %v", o, *same.R2, *same.R2Components, *fig.R2, *fig.R2Components)
		}
		other := must.Get(m.HeldOut(context.Background(), f, g))(t)
		e := must.Get(m.Evaluate(g))(t)
		if math.Abs(*other.R2Components-*e.R2) > 1e-9 || other.Random == nil {
			t.Errorf("%+v: %v held out, and Evaluate says %v", o, *other.R2Components, *e.R2)
		}
	}
}

// TestWeightsHeldOut: a weight that is none is an error with its row; no weight at all tells nothing.
func TestWeightsHeldOut(t *testing.T) {
	o := selector.Options{Features: 4, Components: 2, Weight: "w"}
	train := weightedFrame(t, sample(4, 50, 8), lists.Make(50, func(int) float64 { return 2 }))
	m := fittedOn(t, o, train, false)
	h := must.Get(m.HeldOut(context.Background(), train, weightedFrame(t, sample(5, 3, 8), []float64{0, 0, 0})))(t)
	if h.R2 != nil {
		t.Errorf("R² is %v of no rows", *h.R2)
	}
	for _, w := range [][]float64{{1, -1, 1}, {1, math.NaN(), 1}} {
		_, err := m.HeldOut(context.Background(), train, weightedFrame(t, sample(5, 3, 8), w))
		if err == nil || !strings.Contains(err.Error(), `row 2, column "w"`) {
			t.Errorf("weights %v: error %v", w, err)
		}
	}
}
