package config

import (
	"slices"

	"github.com/fspca/fspca/internal/strict"
)

// splitKeys says which keys a way of dividing the rows does not go with, and why.
var splitKeys = []struct {
	key    string
	others []string
	why    string
}{
	{"test", []string{"folds"}, "keep test for one hold-out, or folds for cross-validation"},
	{"file", []string{"test", "folds", "column", "group", "time", "repeats", "shuffle", "stratify"}, "the file holds the rows to test on"},
	{"column", []string{"test", "folds", "group", "time", "repeats", "shuffle", "stratify"}, "the column says which rows are tested together"},
	{"time", []string{"group", "repeats", "shuffle", "stratify"}, "the rows are divided by their time"},
	{"group", []string{"shuffle", "stratify"}, "whole groups are dealt out"},
}

// inspectSplit holds the keys of the split against each other and the steps.
func inspectSplit(in *strict.Inspection, c *Config) {
	s := c.Split
	given := c.splitGiven(in)
	for _, k := range splitKeys {
		for _, other := range k.others {
			if given[k.key] && given[other] {
				in.Against([]string{"split." + k.key}, "split."+other, "split has both %s and %s: %s", k.key, other, k.why)
			}
		}
	}
	ways := slices.ContainsFunc([]string{"test", "folds", "file", "column", "group", "time"}, func(key string) bool { return given[key] })
	i := classifierAt(c.Steps)
	switch {
	case !ways && (len(given) > 0 || in.Written("split")):
		in.Against([]string{"split.test", "split.folds"}, "split", "split needs test (the share held out, like 0.3), folds (like 5), file, column, group or time")
	case !ways && i >= 0:
		in.Against([]string{"steps"}, "split", "missing key \"split\": the classifier %s is measured on rows held out: add split: {test: 0.3} or split: {folds: 5}", c.Steps[i].Name)
	}
	inspectOrder(in, c)
	for key, name := range map[string]string{"column": s.Column, "group": s.Group, "time": s.Time} {
		if name != "" && name == c.Data.Label {
			in.Against([]string{"data.label"}, "split."+key, "split.%s is %q, which is the label", key, name)
		}
	}
}

// inspectOrder checks shuffle and stratify.
func inspectOrder(in *strict.Inspection, c *Config) {
	s := c.Split
	unshuffled := s.Shuffle != nil && !*s.Shuffle
	if unshuffled && s.Repeats > 1 {
		in.Against([]string{"split.shuffle"}, "split.repeats", "split has repeats and shuffle: false, which divides the rows the same way each time: keep one of them")
	}
	if s.Stratify == nil || !*s.Stratify {
		return
	}
	if unshuffled {
		in.Against([]string{"split.shuffle"}, "split.stratify", "split.stratify does not go with shuffle: false, which follows the order of the rows")
	}
	if _, builtin := builtin(c.Data.Source); !builtin && c.Data.Label == "" && c.Data.Source != "" {
		in.Against([]string{"data.label", "data.source"}, "split.stratify", "there is no data.label to stratify by")
	}
}

// splitGiven lists the keys of the split that say something.
func (c *Config) splitGiven(in *strict.Inspection) map[string]bool {
	s, given := c.Split, map[string]bool{}
	for key, value := range map[string]any{"test": s.Test, "folds": s.Folds, "file": s.File, "column": s.Column, "group": s.Group,
		"time": s.Time, "seed": s.Seed, "repeats": s.Repeats, "shuffle": s.Shuffle, "stratify": s.Stratify} {
		if in.Given("split."+key, value) {
			given[key] = true
		}
	}
	switch { // what says what is so in any case
	case s.Repeats == 1:
		delete(given, "repeats")
	}
	if s.Shuffle != nil && !*s.Shuffle && s.Time != "" || s.Stratify != nil && !*s.Stratify {
		delete(given, "stratify")
	}
	if s.Time != "" && s.Shuffle != nil && !*s.Shuffle {
		delete(given, "shuffle")
	}
	return given
}

// settleSplit takes off a resolved split what its way does not read.
func settleSplit(s *Split) {
	if s.File != "" || s.Column != "" || s.Time != "" {
		s.Repeats = 0
	}
	if s.File != "" || s.Column != "" || s.Time != "" || s.Group != "" {
		s.Shuffle, s.Stratify = nil, nil
	}
	if s.Shuffle != nil && !*s.Shuffle {
		no := false
		s.Stratify = &no
	}
}

// TestPath returns the path of split.file; "" without one.
func (c *Config) TestPath() string { return c.path(c.Split.File) }
