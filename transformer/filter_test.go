package transformer_test

import (
	"errors"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/transformer"
)

// denseGrid is a golearn grid with the numeric columns a and b and a class.
func denseGrid(t *testing.T, a, b []float64) *base.DenseInstances {
	t.Helper()
	grid := base.NewDenseInstances()
	class := base.NewCategoricalAttribute()
	class.SetName("sort")
	specs := []base.AttributeSpec{
		grid.AddAttribute(base.NewFloatAttribute("a")),
		grid.AddAttribute(base.NewFloatAttribute("b")),
		grid.AddAttribute(class),
	}
	must.OK(t, errors.Join(grid.AddClassAttribute(class), grid.Extend(len(a))))
	for i := range a {
		grid.Set(specs[0], i, base.PackFloatToBytes(a[i]))
		grid.Set(specs[1], i, base.PackFloatToBytes(b[i]))
		grid.Set(specs[2], i, class.GetSysValFromString([]string{"x", "y"}[i%2]))
	}
	return grid
}

// TestFilterOtherGrid filters a grid that was made apart from the one of Fit, by adding its own
// attributes, and copies the result into DenseInstances as golearn's users do.
func TestFilterOtherGrid(t *testing.T) {
	step := &transformer.Center{}
	must.OK(t, step.Fit(denseGrid(t, []float64{1, 3}, []float64{10, 20})))
	test := denseGrid(t, []float64{5, 7, 9}, []float64{1, 2, 3})
	filter := step.Filter()
	for _, a := range base.NonClassFloatAttributes(test) {
		if a.GetName() == "a" {
			must.OK(t, filter.AddAttribute(a))
		}
	}
	filtered := must.Get(dataset.FromGrid(base.NewDenseCopy(base.NewLazilyFilteredInstances(test, filter))))(t)
	if filtered.ClassName() != "sort" {
		t.Errorf("the class is %q", filtered.ClassName())
	}
	wantTable(t, filtered.WithoutClass(),
		column{name: "a", numbers: []float64{3, 5, 7}}, column{name: "b", numbers: []float64{1, 2, 3}})
}

// TestFilterKeepsItsFit: a filter does not change when its step is fitted again.
func TestFilterKeepsItsFit(t *testing.T) {
	step := &transformer.MinMax{}
	first := denseGrid(t, []float64{0, 10}, []float64{0, 1})
	must.OK(t, step.Fit(first))
	filter := step.Filter()
	a := base.GetAttributeByName(first, "a")
	must.OK(t, errors.Join(filter.AddAttribute(a), filter.AddAttribute(a)))
	if got := len(filter.GetAttributesAfterFiltering()); got != 1 {
		t.Errorf("an attribute added twice is filtered %d times", got)
	}
	must.OK(t, step.Fit(denseGrid(t, []float64{0, 1000}, []float64{0, 1})))
	if got := base.UnpackBytesToFloat(filter.Transform(a, a, base.PackFloatToBytes(5))); got != 0.5 {
		t.Errorf("5 of 0…10 maps to %v, want 0.5", got)
	}
}

func TestFilterErrors(t *testing.T) {
	step := &transformer.Impute{}
	grid := denseGrid(t, []float64{1, nan}, []float64{1, 2})
	if err := step.Filter().Train(); !errors.Is(err, transformer.ErrNotFitted) {
		t.Errorf("Train before Fit: %v", err)
	}
	must.OK(t, step.Fit(grid))
	filter := step.Filter()
	wantError(t, filter.AddAttribute(base.NewFloatAttribute("A")), `"A"`, `the nearest is "a"`)
	wantError(t, filter.AddAttribute(base.NewFloatAttribute("elsewhere")), `"elsewhere"`)
	wantError(t, filter.AddAttribute(base.NewBinaryAttribute("a")), `"a"`, "numeric")
}
