package selector_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

// TestCheck: the rows of the fit have not drifted, and every share is what it was; a column that is moved
// by three standard deviations has drifted by three, from a saved model as from a fresh one.
func TestCheck(t *testing.T) {
	for _, o := range []selector.Options{
		{Features: 4, Components: 2},
		{Features: 4, Components: 2, Standardize: true},
		{Features: 4, Components: 2, Uncentered: true},
		{Features: 4, Components: 2, Criterion: "reconstruction", Standardize: true},
	} {
		for _, sparse := range []bool{false, true} {
			x := thinned(sample(6, 80, 7))
			f := must.Get(dataset.New(nil, x))(t)
			m := fittedOn(t, o, f, sparse)
			c := must.Get(m.Check(f))(t)
			if *c.Drift > 1e-9 || *c.Outside != 0 || c.Rows != 80 {
				t.Errorf("%+v: the rows of the fit: drift %v, %d outside", o, *c.Drift, *c.Outside)
			}
			sum := 0.0
			for _, r := range c.Cells {
				sum += r.Residual * r.Residual
			}
			if rms := math.Sqrt(sum / 80); math.Abs(rms-*c.Residual) > 1e-9*rms {
				t.Errorf("%+v: the residual of the fit is %v, of its rows %v", o, *c.Residual, rms)
			}
			for _, e := range c.Components {
				if math.Abs(*e.Then-*e.Now) > 1e-9 {
					t.Errorf("%+v: %s has the share %v then and %v now", o, e.Name, *e.Then, *e.Now)
				}
			}
			var b bytes.Buffer
			must.Get(m.WriteTo(&b))(t)
			read := must.Get(selector.ReadModel(&b))(t)
			moved := mat.DenseCopyOf(x)
			at := m.Support()[2]
			shift := 3 * math.Sqrt(*c.Columns[2].VarianceThen)
			for i := range 80 {
				moved.Set(i, at, x.At(i, at)+shift)
			}
			g, _ := dataset.New(nil, moved)
			c = must.Get(read.Check(g))(t)
			if math.Abs(*c.Drift-3) > 1e-9 || *c.Columns[2].Drift != *c.Drift || *c.Outside == 0 || !slices.ContainsFunc(c.Cells, func(r selector.RowCheck) bool { return slices.Equal(r.Outside, []string{m.Features()[2]}) }) {
				t.Errorf("%+v: moved by three deviations: drift %v, %d outside", o, *c.Drift, *c.Outside)
			}
			one := must.Get(read.Check(g.Subset([]int{5})))(t)
			if one.Cells[0].Residual != c.Cells[5].Residual || one.Columns[0].VarianceNow != nil {
				t.Errorf("%+v: one row: %+v", o, one.Cells[0])
			}
		}
	}
}

// TestCheckConstant: a column that did not vary and does now has drifted without end.
func TestCheckConstant(t *testing.T) {
	x := sample(6, 20, 2)
	for i := range 20 {
		x.Set(i, 1, 5)
	}
	f, _ := dataset.New(nil, x)
	m := fittedOn(t, selector.Options{Features: 2, Components: 1}, f, false)
	x = mat.DenseCopyOf(x)
	x.Set(3, 1, 6)
	g, _ := dataset.New(nil, x)
	c := must.Get(m.Check(g))(t)
	if *c.Drift != math.MaxFloat64 || *c.Outside != 1 {
		t.Errorf("drift %v, %d outside", *c.Drift, *c.Outside)
	}
}

// TestCheckRounding: a column that did not vary but for rounding, nor does now, has neither drifted nor left
// its range, and has no R² of its own.
func TestCheckRounding(t *testing.T) {
	x, y := sample(6, 20, 3), sample(7, 20, 3)
	for i := range 20 {
		x.Set(i, 1, math.Nextafter(0.1, float64(i%3)))
		y.Set(i, 1, 0.1+float64(i%2)*0x1p-54)
	}
	for _, o := range []selector.Options{{Features: 3, Components: 2, Decoder: true}, {Features: 3, Components: 2, Decoder: true, Standardize: true}} {
		f, g := must.Get(dataset.New(nil, x))(t), must.Get(dataset.New(nil, y))(t)
		m := fittedOn(t, o, f, false)
		if len(m.Constant()) != 1 {
			t.Fatalf("%q do not vary", m.Constant())
		}
		c := must.Get(m.Check(g))(t)
		if e := c.Columns[1]; *e.Drift != 0 || *e.Outside != 0 {
			t.Errorf("drift %v, %d outside", *e.Drift, *e.Outside)
		}
		if e := must.Get(m.Evaluate(g))(t).Columns; e[1].R2 != nil || e[0].R2 == nil {
			t.Errorf("R² of the columns: %+v", e)
		}
		y.Set(3, 1, 0.2)
		c = must.Get(m.Check(must.Get(dataset.New(nil, y))(t)))(t)
		if e := c.Columns[1]; *e.Drift != math.MaxFloat64 || *e.Outside != 1 {
			t.Errorf("with another value: drift %v, %d outside", *e.Drift, *e.Outside)
		}
		y.Set(3, 1, 0.1)
	}
}

// TestCheckLosesNothing: as many components as chosen columns leave no residual, whatever rounding.
func TestCheckLosesNothing(t *testing.T) {
	for seed := range uint64(20) {
		f := must.Get(dataset.New(nil, sample(seed, 60, 9)))(t)
		for _, o := range []selector.Options{
			{Features: 3, Components: 3},
			{Features: 5, Components: 5, Standardize: true},
			{Features: 4, Components: 4, Criterion: "reconstruction"},
		} {
			if c := must.Get(fittedOn(t, o, f, false).Check(f))(t); *c.Residual != 0 {
				t.Errorf("seed %d, %+v: residual %v", seed, o, *c.Residual)
			}
		}
	}
}
