package selector

import (
	"fmt"
	"math"
	"slices"
)

// figure is one of the shares of a Reconstruction.
type figure struct {
	name string
	at   **float64
}

// figures are all that are numbers, by the names that they have in files.
func (f *Reconstruction) figures() []figure {
	return []figure{{"r2", &f.R2}, {"r2_components", &f.R2Components}, {"noise", &f.Noise}, {"pca", &f.PCA}, {"random", &f.Random}, {"max_correlation", &f.MaxCorrelation}}
}

// readReconstruction reads the figures of a model file.
func (m *Model) readReconstruction(o *object) {
	m.figures = &Reconstruction{}
	for _, figure := range m.figures.figures() {
		o.maybe(figure.name, figure.at)
	}
	o.maybe("pair", &m.figures.Pair)
	o.maybe("columns", &m.figures.Columns)
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
	for _, figure := range f.figures() {
		share(figure.name, *figure.at)
	}
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
