package selector

import (
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// readReconstruction reads the figures of a model file; o is nil where it is no object.
func (m *Model) readReconstruction(o *object) {
	if o == nil {
		return
	}
	f := &Reconstruction{}
	figure := func(name string, into **float64) {
		var v float64
		if o.maybe(name, &v) {
			*into = &v
		}
	}
	figure("r2", &f.R2)
	figure("r2_components", &f.R2Components)
	figure("noise", &f.Noise)
	figure("pca", &f.PCA)
	figure("random", &f.Random)
	figure("max_correlation", &f.MaxCorrelation)
	o.maybe("pair", &f.Pair)
	o.maybe("columns", &f.Columns)
	o.done()
	m.figures = f
}

// checkReconstruction reports what is wrong with figures that were read.
func (m *Model) checkReconstruction(bad func(string, ...any)) {
	f := m.figures
	if f == nil {
		return
	}
	share := func(name string, v *float64) {
		if v != nil && !(*v >= 0 && *v <= 1) {
			bad("the field %q is %v, want a share from 0 to 1", "reconstruction."+name, *v)
		}
	}
	share("r2", f.R2)
	share("r2_components", f.R2Components)
	share("noise", f.Noise)
	share("pca", f.PCA)
	share("random", f.Random)
	share("max_correlation", f.MaxCorrelation)
	if (f.MaxCorrelation != nil) != (len(f.Pair) == 2) {
		bad("the field \"reconstruction.pair\" has %d names, want 2 beside max_correlation and none without", len(f.Pair))
	}
	for i, c := range f.Columns {
		share(fmt.Sprintf("columns[%d].r2", i), c.R2)
		if c.Nearest != "" && !slices.Contains(m.features, c.Nearest) {
			bad("the field \"reconstruction.columns[%d].nearest\" is %q, want a chosen column", i, c.Nearest)
		}
		if (c.Nearest == "") != (c.Correlation == nil) || c.Correlation != nil && !(math.Abs(*c.Correlation) <= 1) {
			bad("the field \"reconstruction.columns[%d].correlation\" is not a number from -1 to 1 beside a nearest column", i)
		}
	}
}

// write puts the figures into a model file.
func (f *Reconstruction) write(t *writer) {
	for _, figure := range []struct {
		name string
		v    *float64
	}{{"r2", f.R2}, {"r2_components", f.R2Components}, {"noise", f.Noise}, {"pca", f.PCA}, {"random", f.Random}, {"max_correlation", f.MaxCorrelation}} {
		if figure.v != nil {
			t.field(figure.name, *figure.v)
		}
	}
	if f.Pair != nil {
		t.field("pair", f.Pair)
	}
	if f.Columns != nil {
		elements := lists.Map(f.Columns, func(c ColumnFigure) any { return c })
		t.list("columns", elements)
	}
}
