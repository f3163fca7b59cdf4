package config

import (
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// Pipeline makes the unfitted pipeline that the config describes. A config made
// in Go is checked first.
func (c *Config) Pipeline() (*pipeline.Pipeline, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	steps := make([]pipeline.NamedStep, len(c.Steps))
	for i, s := range c.Steps {
		if o, ok := s.Options.(*pipeline.FSPCAStep); ok && o != nil && o.Cost.File != "" {
			placed := *o
			placed.Cost.File = c.path(o.Cost.File)
			s.Options = &placed
		}
		step, err := s.Build()
		if err != nil {
			return nil, err
		}
		steps[i] = step
	}
	return pipeline.New(steps...)
}

// takesText reports whether the options of a text apply to the data, as far as the names tell.
func takesText(d Data) bool {
	format := d.Format
	if format == "" {
		format = dataset.FormatByName(d.Source)
	}
	return format == "" || format == "csv" || format == "tsv"
}

// Resolve returns a copy of the config in which every absent key with a fixed
// default holds that default.
func (c *Config) Resolve() *Config {
	out := *c
	strict.Resolve(&out.Data)
	if _, ok := builtin(c.Data.Source); ok || !takesText(c.Data) { // the defaults are those of text
		out.Data = c.Data
	}
	if c.Split != (Split{}) {
		strict.Resolve(&out.Split)
		settleSplit(&out.Split)
	}
	if c.Search.Given() {
		strict.Resolve(&out.Search)
		if out.Search.Metric == "" {
			out.Search.Metric = c.defaultMetric()
		}
	}
	out.Steps = lists.Map(c.Steps, resolved)
	return &out
}

// resolved returns a step in which every absent option holds what its absence means.
func resolved(s pipeline.Step) pipeline.Step {
	full, err := s.Filled()
	if err != nil {
		return s
	}
	strict.Resolve(full.Options)
	switch s := full.Options.(type) {
	case *pipeline.FSPCAStep:
		settle(s)
	case *pipeline.LogisticStep:
		settleLogistic(s)
	}
	return full
}

// settleLogistic fills in the weights that the penalty takes.
func settleLogistic(s *pipeline.LogisticStep) {
	if s.L2 == 0 && s.Penalty != "l1" {
		s.L2 = 1
	}
	if s.L1 == 0 && s.Penalty != "l2" {
		s.L1 = 1
	}
}
