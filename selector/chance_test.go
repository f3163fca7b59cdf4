package selector

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/reconstruction"
)

// TestRandomOnNewRows: what random choices reach on new rows is the mean R² of models whose columns are
// those choices, with the decoders that their fits give; the same from a file, and with a row of weight 2 for one
// that stands twice.
func TestRandomOnNewRows(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(4, 4))
	rows := func(n int) *dataset.Frame {
		x := mat.NewDense(n, 9, nil)
		for i := range n {
			common := rng.NormFloat64()
			for j := range 9 {
				x.Set(i, j, 10*float64(j)+common*float64(j%3)+rng.NormFloat64())
			}
		}
		return must.Get(dataset.New(nil, x))(t)
	}
	train, test := rows(60), rows(25)
	for _, o := range []Options{
		{Features: 4, Components: 2},
		{Features: 4, Components: 4, Standardize: true, Ridge: 0.1, Exclude: []string{"x3"}, Unmeasured: []string{"x5"}, Seed: 7},
		{Features: 4, Components: 2, Criterion: CriterionReconstruction},
		{Features: 3, Components: 3, Criterion: CriterionReconstruction, Standardize: true},
	} {
		o.Decoder = true
		s := New(o)
		must.OK(t, s.FitContext(ctx, train))
		e := must.Get(s.Model().Evaluate(test))(t)
		var barred []int
		if o.Exclude != nil {
			barred = []int{2, 4}
		}
		var want float64
		a := must.Get(solver.NewData(train.Numeric(), solver.DataOptions{}))(t)
		for i := range uint64(10) {
			choice := must.Get(reconstruction.RandomChoice(a, reconstruction.ChanceParams{Features: o.Features, Components: 1, Exclude: barred, Seed: o.Seed}, i))(t)
			only := o
			only.Include, only.Unmeasured = lists.At(train.NumericNames(), choice), nil
			one := New(only)
			must.OK(t, one.FitContext(ctx, train))
			if got := one.Model().Support(); !slices.Equal(got, choice) {
				t.Fatalf("the model of choice %v has the columns %v", choice, got)
			}
			r := must.Get(one.Model().Evaluate(test))(t)
			want += *r.R2 / 10
		}
		if e.Random == nil || math.Abs(*e.Random-want) > 1e-10 {
			t.Errorf("%+v: by random choices %v, by models of these %v", o, e.Random, want)
			continue
		}
		var file bytes.Buffer
		must.Get(s.Model().WriteTo(&file))(t)
		read := must.Get(ReadModel(bytes.NewReader(file.Bytes())))(t)
		again, err := read.Evaluate(test)
		if err != nil || *again.Random != *e.Random {
			t.Errorf("from a file: %v, %v, want %v", again.Random, err, *e.Random)
		}
		twice := append(slices.Collect(upTo(25)), 3, 3, 8)
		weights := make([]float64, 25)
		for _, i := range twice {
			weights[i]++
		}
		weighted := must.Get(read.EvaluateWeighted(test, weights))(t)
		repeated, err := read.Evaluate(test.Subset(twice))
		if err != nil || math.Abs(*weighted.Random-*repeated.Random) > 1e-12 {
			t.Errorf("weighted %v, with rows that repeat %v (%v)", *weighted.Random, *repeated.Random, err)
		}
	}
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// TestChancesOfFewColumns: where fewer than k columns vary, random choices are smaller, and the model opens.
func TestChancesOfFewColumns(t *testing.T) {
	x := mat.NewDense(20, 5, nil)
	for i := range 20 {
		x.SetRow(i, []float64{float64(i * i % 7), 3, float64(i % 5), float64(i * 3 % 11), 0})
	}
	s := New(Options{Features: 4, Components: 2, Decoder: true, Reconstruction: true})
	must.OK(t, s.FitMatrix(context.Background(), x, nil))
	var b bytes.Buffer
	must.Get(s.Model().WriteTo(&b))(t)
	if _, err := ReadModel(&b); err != nil {
		t.Error(err)
	}
}
