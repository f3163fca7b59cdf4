package classifiertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline/classifier"
)

func mustFit(t *testing.T, c classifier.Classifier, f *dataset.Frame) {
	t.Helper()
	must.OK(t, c.FitFrame(context.Background(), f))
}

// stateOf is what a classifier saves.
func stateOf(t *testing.T, c classifier.Classifier) string {
	t.Helper()
	var state strings.Builder
	must.OK(t, c.SaveTo(&state))
	return state.String()
}

// texts are the predicted classes by name.
func texts(t *testing.T, c classifier.Classifier, f *dataset.Frame) []string {
	t.Helper()
	predicted := must.Get(c.PredictFrame(context.Background(), f))(t)
	return factorTexts(predicted.Classes)
}

// answers are all that a classifier says about rows, bit for bit.
func answers(t *testing.T, c classifier.Classifier, f *dataset.Frame) string {
	t.Helper()
	p := must.Get(c.PredictFrame(context.Background(), f))(t)
	return said(c, p)
}

// said is a prediction, bit for bit.
func said(c classifier.Classifier, p *classifier.Prediction) string {
	out := fmt.Sprint(c.Classes(), c.Inputs())
	if p.Classes != nil {
		out += fmt.Sprint(factorTexts(p.Classes))
	}
	if p.Probabilities != nil {
		out += fmt.Sprintf(" %x", p.Probabilities.RawMatrix().Data)
	}
	return out + fmt.Sprintf(" %x", p.Values)
}

func factorTexts(f *dataset.Factor) []string {
	return lists.Make(len(f.Codes), f.Text)
}

// gridTexts are the classes of a golearn grid.
func gridTexts(g base.FixedDataGrid) []string {
	_, rows := g.Size()
	return lists.Make(rows, func(i int) string { return base.GetClass(g, i) })
}

func agreement(a, b []string) float64 {
	same := lists.Places(len(a), func(i int) bool { return a[i] == b[i] })
	return float64(len(same)) / float64(len(a))
}

// rowsEvery gives the rows whose index leaves the remainder r by m.
func rowsEvery(n, m, r int) []int {
	return lists.Places(n, func(i int) bool { return i%m == r })
}

// golearnGrid builds the frame again as golearn's own user would: cell by cell,
// the columns in the given order, the class first, one column more than needed
// and the class values in reverse.
func golearnGrid(t *testing.T, f *dataset.Frame, order []int, class bool) *base.DenseInstances {
	t.Helper()
	g := base.NewDenseInstances()
	var classSpec base.AttributeSpec
	attribute := base.NewCategoricalAttribute()
	if class {
		attribute.SetName(f.ClassName())
		levels := slices.Clone(f.Class().Levels)
		slices.Reverse(levels)
		for _, level := range levels {
			attribute.GetSysValFromString(level)
		}
		classSpec = g.AddAttribute(attribute)
	}
	extra := g.AddAttribute(base.NewFloatAttribute("extra"))
	specs := lists.Map(order, func(j int) base.AttributeSpec { return g.AddAttribute(base.NewFloatAttribute(f.Names()[j])) })
	if class {
		must.OK(t, g.AddClassAttribute(attribute))
	}
	must.OK(t, g.Extend(f.Rows()))
	for i := range f.Rows() {
		g.Set(extra, i, base.PackFloatToBytes(float64(-i)))
		for at, j := range order {
			g.Set(specs[at], i, base.PackFloatToBytes(f.Numeric().At(i, j)))
		}
		if class {
			g.Set(classSpec, i, attribute.GetSysValFromString(f.Class().Text(i)))
		}
	}
	return g
}
