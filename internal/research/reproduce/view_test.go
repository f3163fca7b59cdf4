package reproduce

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/research/synthetic"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/baseline"
	"gonum.org/v1/gonum/mat"
)

// Bounds of diag(8, 4, 2, 1), worked out by hand for k = 2 and m = 1.
func TestBoundsOfADiagonalMatrix(t *testing.T) {
	a := mat.NewSymDense(4, nil)
	for i, v := range []float64{8, 4, 2, 1} {
		a.SetSym(i, i, v)
	}
	s := must.Get(newSpectrum(a))(t)
	// ε = min(4·(4/8)/2, 4·(4/15)/1) = 1; the proof gives 8 + 4; Ky Fan 8.
	want := map[string]float64{"theorem": math.Inf(1), "its proof": 12, "Ky Fan": 8, "diagonal": 12, "threshold": 8}
	for i, v := range s.bounds(8, 2, 1) {
		if w := want[boundNames[i]]; v != w && math.Abs(v-w) > 1e-9 {
			t.Errorf("%s: %v, want %v", boundNames[i], v, w)
		}
	}
	// For k = 3 and m = 2: ε = min(4·(3/12)/3, 4·(3/15)/2) = 1/3.
	if v := s.theorem(12, 3, 2); math.Abs(v-18) > 1e-9 {
		t.Errorf("theorem: %v, want 18", v)
	}
	if v := s.proof(3, 2); math.Abs(v-15) > 1e-9 {
		t.Errorf("proof: %v, want 8 + 4 + 0 and 2 + 1", v)
	}
}

// SOAP falls from 28 to 21 and back on this matrix (found by search).
func TestFallsAreFound(t *testing.T) {
	x := mat.NewDense(5, 5, []float64{
		-1, -1, 0, -2, -2,
		-1, -1, 1, -2, -2,
		-3, 2, 0, 3, 0,
		3, -1, 2, -2, 0,
		-3, 1, -1, 1, 0,
	})
	var product mat.Dense
	product.Mul(x, x.T())
	a := mat.NewSymDense(5, nil)
	a.SymOuterK(1, x)
	c := must.Get(solver.NewMatrix(a))(t)
	known := must.Get(remember(context.Background(), c, 3))(t)
	d := loaded{data: realData{components: 2}, plain: a, a: known}
	tr := must.Get(d.trace(context.Background(), 2, baseline.RandomStart(5, 2, 1, 861), iterativeMethods()[0]))(t)
	if len(tr.falls) == 0 || math.Abs(tr.largest-7) > 1e-9 || tr.status != solver.Cycle {
		t.Errorf("falls %v of at most %v, status %s, values %v", tr.falls, tr.largest, tr.status, tr.values)
	}
	if s := tr.series(); !slices.Equal(s.Falls, tr.falls) {
		t.Errorf("the chart marks %v", s.Falls)
	}
	rows := tr.rows("x")
	if rows[0][4] != "false" || rows[tr.falls[0]][4] != "true" {
		t.Errorf("rows %v", rows)
	}
}

// paperTable is a table2 that found exactly what the paper states.
func paperTable() *table2 {
	x := &table2{o: &session{Options: Options{Runs: 100}}, found: map[string]tableOf{}}
	for _, r := range readings() {
		x.found[r.name] = tableOf{}
		for at, f := range paperFigures() {
			if slices.Contains(r.schemes, at.scheme) && slices.Contains(r.columns, at.column) {
				x.found[r.name][at] = measured{ir: moments{100, f.ir, f.irSpread}, re: moments{100, f.re, f.reSpread}, hf: f.hf}
			}
		}
	}
	for _, s := range synthetic.Schemes() {
		for _, e := range owns() {
			x.found[mainReading][cell{s, string(e), fromLowRank}] = measured{ir: moments{n: 100, mean: 1}, hf: 1}
		}
	}
	return x
}

func TestDeviatingFiguresAreMarkedCountedAndNamed(t *testing.T) {
	x := paperTable()
	for _, c := range x.checks() {
		if !c.Holds {
			t.Errorf("the paper disagrees with itself: %s: %s", c.Claim, c.Detail)
		}
	}
	at := cell{synthetic.D, "ipu", fromConvex}
	m := x.found[mainReading][at]
	m.ir.mean -= 0.10
	m.hf -= 0.35
	x.found[mainReading][at] = m
	if off, of := x.countOff(readings()[0], "ipu"); off != 2 || of != 54 {
		t.Errorf("%d of %d figures differ, want 2 of 54", off, of)
	}
	if off, _ := x.countOff(readings()[0], "go"); off != 0 {
		t.Errorf("%d figures of Go differ", off)
	}
	marked := 0
	for _, row := range x.mainTable().Rows {
		for _, c := range row {
			if c.Mark == Off {
				marked++
			}
		}
	}
	if marked != 2 {
		t.Errorf("%d entries are marked, want 2", marked)
	}
	c := x.checks()[0]
	if c.Holds || !strings.Contains(c.Detail, "D IPU convex HF") || !strings.Contains(c.Detail, "D IPU convex IR") {
		t.Errorf("%+v", c)
	}
}

// RE is positive where a method misses the optimum, and a miss is no hit.
func TestErrorsArePositive(t *testing.T) {
	x := &table2{o: &session{Options: Options{Runs: 6, Seed: 2}, optima: map[synthetic.Instance][]optimum{}}, found: map[string]tableOf{mainReading: {}}}
	r := readings()[0]
	must.OK(t, x.runScheme(context.Background(), r, synthetic.F, func(int) {}))
	sum := 0.0
	for _, row := range x.trials {
		re := must.Get(strconv.ParseFloat(row[5], 64))(t)
		if re < -1e-12 || re > 1 {
			t.Errorf("relative error %v in %v", re, row)
		}
		sum += re
	}
	if sum < 0.5 {
		t.Errorf("relative errors sum to %v on scheme F, where every method but ours misses", sum)
	}
	if m := x.found[mainReading][cell{synthetic.F, "cssp", fromLowRank}]; m.hf > 0.7 || m.ir.mean > 0.95 {
		t.Errorf("CSSP hits the optimum of scheme F: %+v", m)
	}
}
