package selector

import (
	"fmt"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/pattern"
	"github.com/fspca/fspca/transformer"
)

var (
	_ transformer.Foreteller = (*FSPCA)(nil)
	_ transformer.Foreteller = (*PCA)(nil)
)

// Foretell returns the names of all columns that Transform may yield after a fit to these columns with the
// options as they are: those that may be chosen, or the components, or both. It is nil if there are none.
func (s *FSPCA) Foretell(columns []string) []string {
	o := s.Options
	barred, _ := pattern.Expand(slices.Concat(o.Exclude, o.Unmeasured), columns)
	bar := lists.Marks(len(columns), barred)
	var names []string
	for j, name := range columns {
		if !bar[j] && (o.Weight == "" || !dataset.SameName(name, o.Weight)) {
			names = append(names, name)
		}
	}
	components := componentNames(o.Components, len(names))
	switch o.output() {
	case Projection:
		return components
	case Both:
		return append(names, components...)
	}
	return names
}

// Foretell returns the names of all components that Transform may yield after a fit to these columns with the
// options as they are. It is nil if there are none.
func (p *PCA) Foretell(columns []string) []string {
	return componentNames(p.Components, len(columns))
}

// componentNames returns pc1 and so on: of m components, or of as many as there are columns if m is not known.
func componentNames(m, d int) []string {
	if m < 1 || m > d {
		m = d
	}
	return lists.Make(m, componentName)
}

// componentName is the name of component j, from 0.
func componentName(j int) string { return fmt.Sprintf("pc%d", j+1) }
