package classifiertest

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline/classifier"
)

func learns(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh()
	mustFit(t, c, iris.Subset(rowsEvery(150, 2, 0)))
	test := iris.Subset(rowsEvery(150, 2, 1))
	got := texts(t, c, test)
	if share := agreement(got, factorTexts(test.Class())); share < .9 {
		t.Errorf("accuracy %v on the other half of iris", share)
	}
	if !slices.Equal(c.Classes(), iris.Class().Levels) || !slices.Equal(c.Inputs(), iris.Names()) {
		t.Errorf("classes %q, inputs %q", c.Classes(), c.Inputs())
	}
	if !slices.Equal(texts(t, c, test.WithoutClass()), got) {
		t.Error("a class column changes the predictions")
	}
}

// probabilities: rows sum to 1, the predicted class is among the
// likeliest, and a row alone gives the bits that it gives in the batch.
func probabilities(t *testing.T, fresh maker, iris *dataset.Frame) {
	c, ok := fresh().(classifier.Probabilistic)
	if !ok {
		return
	}
	mustFit(t, c, iris)
	likely, err := c.ProbabilitiesFrame(context.Background(), iris)
	if err != nil {
		t.Fatal(err)
	}
	predicted, err := c.PredictFrame(context.Background(), iris)
	if err != nil {
		t.Fatal(err)
	}
	for i := range iris.Rows() {
		row := likely.RawRowView(i)
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		if math.Abs(sum-1) > 1e-14 || row[predicted.Codes[i]] != slices.Max(row) {
			t.Errorf("row %d: probabilities %v, predicted class %d", i, row, predicted.Codes[i])
		}
		alone, err := c.ProbabilitiesFrame(context.Background(), iris.Subset([]int{i}))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(alone.RawRowView(0), row) {
			t.Errorf("row %d: alone %v, in the batch %v", i, alone.RawRowView(0), row)
		}
	}
}

// columnsByName: order and extra columns do not matter, absent
// ones are all named, and so are columns of the wrong kind.
func columnsByName(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh()
	mustFit(t, c, iris)
	want := texts(t, c, iris)
	names := iris.Names()
	slices.Reverse(names)
	turned, err := iris.Pick(names)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(texts(t, c, turned), want) {
		t.Error("reordered columns change the predictions")
	}
	few, err := iris.Pick(names[:2])
	if err != nil {
		t.Fatal(err)
	}
	var missing *dataset.MissingColumnsError
	if _, err := c.PredictFrame(context.Background(), few); !errors.As(err, &missing) || len(missing.Missing) != 2 {
		t.Errorf("two missing columns: got %v", err)
	}
}

// ownClasses: classes without training rows are not predicted,
// and do not disturb the codes of the others.
func ownClasses(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh()
	var rows []int
	for i, code := range iris.Class().Codes {
		if code != 1 {
			rows = append(rows, i)
		}
	}
	mustFit(t, c, iris.Subset(rows))
	levels := iris.Class().Levels
	if want := []string{levels[0], levels[2]}; !slices.Equal(c.Classes(), want) {
		t.Errorf("classes %q, want %q", c.Classes(), want)
	}
	test := iris.Subset(rows)
	if share := agreement(texts(t, c, test), factorTexts(test.Class())); share < .95 {
		t.Errorf("accuracy %v", share)
	}
}

func concurrent(t *testing.T, fresh maker, iris *dataset.Frame) {
	before := dataset.Hash(iris)
	c := fresh()
	mustFit(t, c, iris)
	want := texts(t, c, iris)
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			if got, err := c.PredictFrame(context.Background(), iris); err != nil || !slices.Equal(factorTexts(got), want) {
				t.Errorf("concurrent prediction: %v", err)
			}
		})
	}
	running.Wait()
	if dataset.Hash(iris) != before {
		t.Error("the input has changed")
	}
}
