package pipeline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/dataset"
)

// builtinPrefix marks a source that is embedded in the program.
const builtinPrefix = "builtin:"

func builtin(source string) (name string, ok bool) {
	return strings.CutPrefix(source, builtinPrefix)
}

// against reports a mistake that rests on other paths as well.
func (in *inspection) against(beside []string, path, format string, args ...any) {
	in.report(path, format, args...)
	in.mistakes[len(in.mistakes)-1].beside = beside
}

// config applies the rules that take more than one key.
func (in *inspection) config(c *Config) {
	if c.Version != ConfigVersion && c.Version != 0 {
		in.report("version", "version %d is not known: this fspca reads version %d", c.Version, ConfigVersion)
	} else if c.Version == 0 && in.given != nil && in.given("version") {
		in.report("version", "version 0 is not known: this fspca reads version %d", ConfigVersion)
	}
	in.data(&c.Data)
	in.split(c)
	in.chain(c.Steps)
	if i := classifierAt(c.Steps); i >= 0 && c.Data.Label == "" && c.Data.Source != "" {
		if _, ok := builtin(c.Data.Source); !ok {
			in.against([]string{"data.source", "steps"}, "data.label", "missing key \"label\" in data: the classifier %s needs the column with the classes", c.Steps[i].Name)
		}
	}
}

func (in *inspection) data(d *DataConfig) {
	for i, name := range d.Drop {
		path := "data.drop." + strconv.Itoa(i)
		if name == d.Label && name != "" {
			in.against([]string{"data.label"}, path, "the column %q is the label: it cannot be dropped as well", name)
		} else if slices.Contains(d.Categorical, name) {
			in.against([]string{"data.categorical"}, path, "the column %q is in drop and in categorical: keep one", name)
		}
	}
	name, ok := builtin(d.Source)
	if !ok {
		return
	}
	if names := dataset.BuiltinNames(); !slices.Contains(names, name) {
		in.report("data.source", "there is no built-in data %q, only %s%s", name, listing(names, "and"), suggestion(name, names))
		return
	}
	keys := []struct {
		key   string
		given bool
	}{{"missing", d.Missing != nil}, {"header", d.Header != nil}, {"delimiter", d.Delimiter != ""},
		{"categorical", d.Categorical != nil}}
	for _, k := range keys {
		if k.given {
			in.report("data."+k.key, "%s says how a file is read; %s is built in and needs no %s", k.key, d.Source, k.key)
		}
	}
}

func (in *inspection) split(c *Config) {
	s := c.Split
	given := func(key string, is bool) bool {
		if in.given != nil {
			return in.given("split." + key)
		}
		return is
	}
	test, folds := given("test", s.Test != 0), given("folds", s.Folds != 0)
	some := test || folds || given("seed", s.Seed != 0) || given("stratify", s.Stratify != nil)
	if in.given != nil {
		some = some || in.given("split")
	}
	i := classifierAt(c.Steps)
	switch {
	case test && folds:
		in.report("split.folds", "split has both test and folds: keep test for one hold-out, or folds for cross-validation")
	case some && !test && !folds:
		in.against([]string{"split.test", "split.folds"}, "split", "split needs test (the share held out, like 0.3) or folds (like 5)")
	case !some && i >= 0:
		in.against([]string{"steps"}, "split", "missing key \"split\": the classifier %s is measured on rows held out: add split: {test: 0.3} or split: {folds: 5}", c.Steps[i].Name)
	}
	if s.Stratify != nil && *s.Stratify && c.Data.Label == "" && c.Data.Source != "" {
		if _, ok := builtin(c.Data.Source); !ok {
			in.against([]string{"data.label", "data.source"}, "split.stratify", "there is no data.label to stratify by")
		}
	}
}

// chain checks the order of the steps.
func (in *inspection) chain(steps []Step) {
	first := map[string]int{}
	for i, s := range steps {
		k, ok := findKind(s.Name)
		if !ok {
			continue
		}
		path := join("steps", strconv.Itoa(i))
		if before, twice := first[s.Name]; twice && k.once {
			in.report(path, "step %d is a second %s (the first is step %d): a pipeline has one", i+1, s.Name, before+1)
		} else if !twice {
			first[s.Name] = i
		}
		if k.classifier && i < len(steps)-1 {
			in.report(path, "step %d (%s) is a classifier, which must be last, but step %d (%s) follows it", i+1, s.Name, i+2, steps[i+1].Name)
		}
	}
}

// classifierAt is the index of the classifier at the end, -1 without one.
func classifierAt(steps []Step) int {
	if i := len(steps) - 1; i >= 0 {
		if k, ok := findKind(steps[i].Name); ok && k.classifier {
			return i
		}
	}
	return -1
}
