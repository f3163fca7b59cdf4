package classifiertest

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

func learns(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris.Subset(rowsEvery(150, 2, 0)))
	test := iris.Subset(rowsEvery(150, 2, 1))
	got := texts(t, c, test)
	if share := agreement(got, factorTexts(test.Class())); share < fresh.least {
		t.Errorf("accuracy %v on the other half of iris", share)
	}
	if !slices.Equal(c.Classes(), iris.Class().Levels) || !slices.Equal(c.Inputs(), iris.Names()) {
		t.Errorf("classes %q, inputs %q", c.Classes(), c.Inputs())
	}
	if !slices.Equal(texts(t, c, test.WithoutClass()), got) {
		t.Error("a class column changes the predictions")
	}
}

// probabilities: rows sum to 1, the predicted class is among the likeliest.
func probabilities(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	p := must.Get(c.PredictFrame(context.Background(), iris))(t)
	if !slices.Equal(p.Classes.Levels, c.Classes()) {
		t.Errorf("predicted levels %q, classes %q", p.Classes.Levels, c.Classes())
	}
	if p.Probabilities == nil {
		return
	}
	for i := range iris.Rows() {
		row := p.Probabilities.RawRowView(i)
		sum := lists.Sum(row)
		if math.Abs(sum-1) > 1e-14 || row[p.Classes.Codes[i]] != slices.Max(row) {
			t.Errorf("row %d: probabilities %v, predicted class %d", i, row, p.Classes.Codes[i])
		}
	}
}

// alone: a row by itself gives the bits that it gives among others.
func alone(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	for i := 0; i < iris.Rows(); i += 7 {
		rows := []int{i, (i + 50) % iris.Rows(), (i + 100) % iris.Rows()}
		together := iris.Subset(rows)
		first := answers(t, c, iris.Subset(rows[:1]))
		batch := must.Get(c.PredictFrame(context.Background(), together))(t)
		cut := *batch
		if batch.Classes != nil {
			cut.Classes = &dataset.Factor{Levels: batch.Classes.Levels, Codes: batch.Classes.Codes[:1]}
		}
		if batch.Probabilities != nil {
			_, k := batch.Probabilities.Dims()
			cut.Probabilities = batch.Probabilities.Slice(0, 1, 0, k).(*mat.Dense)
		}
		if batch.Values != nil {
			cut.Values = batch.Values[:1]
		}
		if got := said(c, &cut); got != first {
			t.Errorf("row %d: alone %s, in the batch %s", i, first, got)
		}
	}
}

// anyProcessors: the saved bytes and the answers do not depend on the number of
// processors.
func anyProcessors(t *testing.T, fresh maker, iris *dataset.Frame) {
	run := func(processors int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		c := fresh.fitted(t, iris)
		return stateOf(t, c) + answers(t, c, iris)
	}
	want := run(1)
	for _, processors := range []int{2, 3, 8} {
		if run(processors) != want {
			t.Errorf("with %d processors it learns or answers otherwise", processors)
		}
	}
}

// cancelledPrediction: a context that ends gives its error, at whatever moment,
// or the whole answer.
func cancelledPrediction(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	want := answers(t, c, iris)
	for n := 0; ; n++ {
		ctx := countdown.New(n)
		p, err := c.PredictFrame(ctx, iris)
		if err == nil && said(c, p) != want || err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at the %d-th look: %v", n, err)
		}
		if n == 0 && err == nil && ctx.Ended() {
			t.Error("a cancelled prediction gives no error")
		}
		if !ctx.Ended() {
			return
		}
	}
}

// columnsByName: order and extra columns do not matter, absent
// ones are all named, and so are columns of the wrong kind.
func columnsByName(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	want := texts(t, c, iris)
	names := iris.Names()
	slices.Reverse(names)
	turned := must.Get(iris.Pick(names))(t)
	if !slices.Equal(texts(t, c, turned), want) {
		t.Error("reordered columns change the predictions")
	}
	few := must.Get(iris.Pick(names[:2]))(t)
	var missing *dataset.MissingColumnsError
	if _, err := c.PredictFrame(context.Background(), few); !errors.As(err, &missing) || len(missing.Missing) != 2 {
		t.Errorf("two missing columns: got %v", err)
	}
}

// ownClasses: classes without training rows are not predicted,
// and do not disturb the codes of the others.
func ownClasses(t *testing.T, fresh maker, iris *dataset.Frame) {
	rows := lists.Places(iris.Rows(), func(i int) bool { return iris.Class().Codes[i] != 1 })
	c := fresh.fitted(t, iris.Subset(rows))
	levels := iris.Class().Levels
	if want := []string{levels[0], levels[2]}; !slices.Equal(c.Classes(), want) {
		t.Errorf("classes %q, want %q", c.Classes(), want)
	}
	test := iris.Subset(rows)
	if share := agreement(texts(t, c, test), factorTexts(test.Class())); share < min(.95, fresh.least+.05) {
		t.Errorf("accuracy %v", share)
	}
}

func concurrent(t *testing.T, fresh maker, iris *dataset.Frame) {
	before := dataset.Hash(iris)
	c := fresh.fitted(t, iris)
	want := texts(t, c, iris)
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			if got, err := c.PredictFrame(context.Background(), iris); err != nil || !slices.Equal(factorTexts(got.Classes), want) {
				t.Errorf("concurrent prediction: %v", err)
			}
		})
	}
	running.Wait()
	if dataset.Hash(iris) != before {
		t.Error("the input has changed")
	}
}

// farRows: cells at the ends of float64 give numbers, or an error that names the row.
func farRows(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	for _, far := range []float64{1e155, 1e200, 1e300, math.MaxFloat64, 0x1p-1074} {
		for signs := range 16 {
			x := mat.NewDense(1, 4, nil)
			for j := range 4 {
				x.Set(0, j, far*float64(1-2*(signs>>j&1)))
			}
			f := must.Get(dataset.New(iris.Names()[:4], x))(t)
			p, err := c.PredictFrame(context.Background(), f)
			if err != nil {
				if !strings.Contains(err.Error(), "row 1") {
					t.Errorf("cells of ±%g: the error %q does not name the row", far, err)
				}
				continue
			}
			numbers := p.Values
			if p.Probabilities != nil {
				numbers = p.Probabilities.RawMatrix().Data
				if math.Abs(floats.Sum(numbers)-1) > 1e-9 {
					t.Errorf("cells of ±%g: the probabilities %v", far, numbers)
				}
			}
			if p.Classes != nil && p.Classes.Codes[0] < 0 || slices.ContainsFunc(numbers, func(v float64) bool { return v-v != 0 }) {
				t.Errorf("cells of ±%g: predicted %+v, %v", far, p.Classes, numbers)
			}
		}
	}
}
