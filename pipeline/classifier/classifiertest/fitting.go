package classifiertest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/clone"
	"github.com/fspca/fspca/internal/countdown"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/transformer"
)

// unfitted: an error that wraps the transformers', and no file.
func unfitted(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.new()
	path := filepath.Join(t.TempDir(), "model")
	_, frame := c.PredictFrame(context.Background(), iris)
	_, grid := c.Predict(iris)
	for name, err := range map[string]error{
		"PredictFrame": frame, "Predict": grid,
		"SaveTo": c.SaveTo(new(bytes.Buffer)), "Save": c.Save(path),
	} {
		if !errors.Is(err, transformer.ErrNotFitted) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if c.Classes() != nil || c.Inputs() != nil {
		t.Error("classes or inputs before Fit")
	}
	if found, _ := filepath.Glob(path); found != nil {
		t.Error("Save left a file")
	}
}

// failedFit: bad training rows are an error, and the fit before
// stays.
func failedFit(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	want := texts(t, c, iris)
	gap := mat.DenseCopyOf(iris.Numeric())
	gap.Set(7, 1, math.NaN())
	holes := must.Get(dataset.Assemble(gap, iris.Columns(), "species", iris.Class()))(t)
	nothing := must.Get(dataset.Assemble(nil, nil, "species", iris.Class()))(t)
	for _, test := range []struct {
		f    *dataset.Frame
		want string
	}{
		{iris.WithoutClass(), "no class column"},
		{iris.Subset(nil), "no training rows"},
		{holes, iris.Names()[1]},
		{nothing, "no feature column"},
	} {
		if err := c.FitFrame(context.Background(), test.f); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want an error with %q", err, test.want)
		}
	}
	if !slices.Equal(texts(t, c, iris), want) {
		t.Error("a failed fit changed the classifier")
	}
	if _, err := c.PredictFrame(context.Background(), holes); err == nil || !strings.Contains(err.Error(), iris.Names()[1]) {
		t.Errorf("missing cell in new rows: got %v", err)
	}
	none, err := c.PredictFrame(context.Background(), iris.Subset(nil))
	if err != nil || len(none.Classes.Codes) != 0 {
		t.Errorf("no rows: %v, %v", none, err)
	}
}

// mirrored is iris with every number turned round and other classes: what is
// learned from it predicts otherwise.
func mirrored(t *testing.T, iris *dataset.Frame) *dataset.Frame {
	t.Helper()
	x := mat.DenseCopyOf(iris.Numeric())
	x.Apply(func(i, j int, v float64) float64 { return 10 - v*float64(1+i%3) }, x)
	class := &dataset.Factor{Levels: iris.Class().Levels}
	for _, code := range iris.Class().Codes {
		class.Codes = append(class.Codes, 2-code)
	}
	return must.Get(dataset.Assemble(x, iris.Columns(), iris.ClassName(), class))(t)
}

// cancelledFit cancels a second fit at every moment at which it looks.
func cancelledFit(t *testing.T, fresh maker, iris *dataset.Frame) {
	other := mirrored(t, iris)
	for n := 0; ; n += 1 + n/8 {
		c := fresh.fitted(t, iris)
		want := answers(t, c, iris)
		ctx := countdown.New(n)
		err := c.FitFrame(ctx, other)
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if n == 0 && err == nil {
			t.Fatal("a fit whose context has ended returns no error")
		}
		if err != nil && answers(t, c, iris) != want {
			t.Fatalf("cancelled at the %d-th look, the second fit changed the first", n)
		}
		if !ctx.Ended() {
			return
		}
	}
}

// copied fits a copy of the struct behind a fitted classifier: a pipeline fits
// such copies, and what was fitted before goes on answering.
func copied(t *testing.T, fresh maker, iris *dataset.Frame) {
	c := fresh.fitted(t, iris)
	want := answers(t, c, iris)
	mustFit(t, clone.Of(c), mirrored(t, iris))
	if answers(t, c, iris) != want {
		t.Error("fitting a copy changed the original")
	}
}

// ownMemory overwrites all that the caller handed in.
func ownMemory(t *testing.T, fresh maker, iris *dataset.Frame) {
	x, class := mat.DenseCopyOf(iris.Numeric()), &dataset.Factor{Levels: slices.Clone(iris.Class().Levels), Codes: slices.Clone(iris.Class().Codes)}
	f := must.Get(dataset.Assemble(x, iris.Columns(), iris.ClassName(), class))(t)
	c := fresh.fitted(t, f)
	want := answers(t, c, iris)
	x.Zero()
	clear(class.Codes)
	for i := range class.Levels {
		class.Levels[i] = "overwritten"
	}
	if answers(t, c, iris) != want {
		t.Error("the caller's memory is kept: overwriting it changes the predictions")
	}
}
