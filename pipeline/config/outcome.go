package config

import (
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golearn"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/transformer"
)

// walked is a column that may come to a step.
type walked struct {
	name        string
	categorical bool
	mixed       bool     // of either kind: nobody knows which
	levels      []string // of a categorical one
	complete    bool     // no cell of a categorical one is missing
	sure        bool     // that it comes: no step may have dropped it
}

func walkedFrom(c dataset.Column) walked {
	if c.Factor == nil {
		return walked{name: c.Name, sure: true}
	}
	return walked{name: c.Name, sure: true, categorical: true, levels: c.Factor.Levels, complete: !slices.Contains(c.Factor.Codes, -1)}
}

// is says whether the column may be of one of the kinds.
func (c walked) is(kinds []string) bool {
	return (!c.categorical || c.mixed) && slices.Contains(kinds, numeric) || (c.categorical || c.mixed) && slices.Contains(kinds, categorical)
}

// pass makes the columns those that may come out of a step that works on the chosen ones; false if it is
// not known which these are.
func (w *columnWalk) pass(s pipeline.Step, chosen []int) bool {
	switch s.Name {
	case "select":
		w.columns = lists.At(w.columns, chosen)
	case "drop":
		w.columns = w.rest(s, chosen)
	case "power", "quantile_bins":
	case "impute":
		w.fills(s.Options.(*pipeline.ImputeStep).Level, chosen)
		return w.given("level")
	case "constant", "variance_filter", "correlation_filter":
		for _, j := range chosen {
			w.columns[j].sure = false
		}
	case "ordinal":
		for _, j := range chosen {
			w.columns[j].categorical, w.columns[j].mixed = false, false
		}
	case "missing_indicator":
		for _, j := range chosen {
			w.columns = append(w.columns, walked{name: w.columns[j].name + "_missing"})
		}
	case "onehot":
		if slices.ContainsFunc(chosen, func(j int) bool { return w.columns[j].mixed }) {
			return false
		}
		w.replace(chosen, oneHot)
	case "dates":
		o := s.Options.(*pipeline.DatesStep)
		w.replace(chosen, func(c walked) []walked { return datesOf(o, c) })
		return w.given("parts") && w.given("format")
	case "fspca", "pca":
		return w.foretold(s, chosen, walked{})
	default:
		_, plain := s.Options.(*pipeline.PlainStep)
		return plain || w.foretold(s, chosen, walked{mixed: true})
	}
	return true
}

// fills adds the level that missing cells become to those of the chosen columns.
func (w *columnWalk) fills(level string, chosen []int) {
	for _, j := range chosen {
		w.columns[j].levels = append(slices.Clone(w.columns[j].levels), level)
	}
}

// rest returns the columns that a step may pass by: those not chosen, and those of an unknown kind where it
// chooses by kind.
func (w *columnWalk) rest(s pipeline.Step, chosen []int) []walked {
	entries, marked := scopeOf(s.Options), lists.Marks(len(w.columns), chosen)
	byKind := slices.Contains(entries, numeric) || slices.Contains(entries, categorical)
	return lists.At(w.columns, lists.Places(len(w.columns), func(j int) bool { return !marked[j] || byKind && w.columns[j].mixed }))
}

// replace puts in the place of each chosen column those that may be made of it.
func (w *columnWalk) replace(chosen []int, by func(walked) []walked) {
	marked := lists.Marks(len(w.columns), chosen)
	var columns []walked
	for j, c := range w.columns {
		if marked[j] {
			columns = append(columns, by(c)...)
		} else {
			columns = append(columns, c)
		}
	}
	w.columns = columns
}

// oneHot returns what the step onehot makes of a column.
func oneHot(c walked) []walked {
	if !c.categorical {
		return []walked{c}
	}
	return lists.Map(c.levels, func(level string) walked { return walked{name: c.name + "=" + level} })
}

// datesOf returns what the step dates may make of a column. The step is fitted to the levels alone, each as a
// row: which of them are in the rows to fit to is not known.
func datesOf(o *pipeline.DatesStep, c walked) []walked {
	if !c.categorical && !c.mixed {
		return []walked{c}
	}
	levels := lists.Distinct(lists.Where(c.levels, func(level string) bool { return level != "" }))
	parts := datesIn(o.Format, o.Parts, c.name, levels)
	if parts != nil && c.complete {
		return parts
	}
	c.sure = false
	if parts == nil { // some rows may hold dates alone, with a time of day or without
		parts = datesIn("", o.Parts, c.name, []string{"2026-11-28T14:05:09"})
	}
	return append(parts, c)
}

// datesIn returns what the step dates makes of a column of these cells; nil if they are no dates.
func datesIn(format string, parts []string, name string, cells []string) []walked {
	step := &transformer.Dates{Format: format, Parts: parts}
	column := dataset.Column{Name: name, Factor: &dataset.Factor{Levels: cells, Codes: lists.Upto[int32](len(cells))}}
	f, err := dataset.Assemble(nil, []dataset.Column{column}, "", nil)
	if err != nil || step.Fit(f) != nil {
		return nil
	}
	return lists.Map(step.Outputs(), func(name string) walked { return walked{name: name} })
}

// foretold makes the columns those that the step foretells for the chosen ones, each like one that is given;
// false if they are not known.
func (w *columnWalk) foretold(s pipeline.Step, chosen []int, like walked) bool {
	s, known := w.fixed(s)
	if !known {
		return false
	}
	var names []string
	err := golearn.Guard("step "+s.Name, func() error {
		step, err := s.Build()
		if on, scoped := step.Transformer.(*transformer.OnColumns); scoped {
			step.Transformer = on.New()
		}
		if f, ok := step.Transformer.(transformer.Foreteller); ok && err == nil {
			names = f.Foretell(lists.Map(lists.At(w.columns, chosen), func(c walked) string { return c.name }))
		}
		return err
	})
	if err != nil || names == nil {
		return false
	}
	w.columns = w.rest(s, chosen)
	for _, name := range names {
		like.name = name
		w.columns = append(w.columns, like)
	}
	return true
}

// fixed returns the step without what a search varies of it; false if that matters and cannot be left out.
func (w *columnWalk) fixed(s pipeline.Step) (pipeline.Step, bool) {
	switch o := s.Options.(type) {
	case *pipeline.FSPCAStep:
		if !w.given("components") {
			open := *o
			open.Components = pipeline.ComponentCount{}
			s.Options = &open
		}
		return s, w.given("output") && w.given("exclude") && w.given("unmeasured") && w.given("weight")
	case *pipeline.PCAStep:
		if !w.given("components") {
			s.Options = &pipeline.PCAStep{Scope: o.Scope}
		}
		return s, true
	}
	return s, !slices.ContainsFunc(w.config.Search.Grid, func(axis Axis) bool {
		at, _, err := pipeline.FindOption(stepNames(w.config.Steps), axis.Key)
		return err != nil || at == w.at
	})
}
