package selector

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// TestAllColumnsAreRounding: columns that differ by rounding alone do not vary, so that there is nothing to
// choose, whether they are standardized or not.
func TestAllColumnsAreRounding(t *testing.T) {
	x := mat.NewDense(30, 4, nil)
	for i := range 30 {
		for j := range 4 {
			x.Set(i, j, 1+float64((i*(j+3))%4)*0x1p-52)
		}
	}
	f := must.Get(dataset.New(nil, x))(t)
	for _, standardize := range []bool{false, true} {
		s := New(Options{Features: 2, Components: 1, Standardize: standardize})
		if err := s.Fit(f); !errors.Is(err, solver.ErrConstant) {
			t.Errorf("standardize %v: %v", standardize, err)
		}
	}
	x.Set(0, 3, math.Pi)
	s := New(Options{Features: 1, Components: 1})
	must.OK(t, s.Fit(must.Get(dataset.New(nil, x))(t)))
	if s.Model().Features()[0] != "x4" {
		t.Errorf("%q is chosen", s.Model().Features())
	}
}
