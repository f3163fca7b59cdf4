package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// builtinPrefix marks a source that is embedded in the program.
const builtinPrefix = "builtin:"

func builtin(source string) (name string, ok bool) {
	return strings.CutPrefix(source, builtinPrefix)
}

// inspect applies the rules that take more than one key.
func (c *Config) inspect(in *strict.Inspection) {
	if c.Version != Version && c.Version != 0 {
		in.Report("version", "version %d is not known: this fspca reads version %d", c.Version, Version)
	} else if c.Version == 0 && in.Written("version") {
		in.Report("version", "version 0 is not known: this fspca reads version %d", Version)
	}
	inspectData(in, &c.Data)
	inspectSplit(in, c)
	inspectChain(in, c.Steps)
	inspectTask(in, c)
	inspectSearch(in, c)
	if i := classifierAt(c.Steps); i >= 0 && c.Data.Label == "" && c.Data.Source != "" {
		if _, ok := builtin(c.Data.Source); !ok {
			in.Against([]string{"data.source", "steps"}, "data.label", "missing key \"label\" in data: the classifier %s needs the column with the classes", c.Steps[i].Name)
		}
	}
}

func inspectData(in *strict.Inspection, d *Data) {
	categorical := lists.Set(d.Categorical)
	for i, name := range d.Drop {
		path := "data.drop." + strconv.Itoa(i)
		if name == d.Label && name != "" {
			in.Against([]string{"data.label"}, path, "the column %q is the label: it cannot be dropped as well", name)
		} else if categorical[name] {
			in.Against([]string{"data.categorical"}, path, "the column %q is in drop and in categorical: keep one", name)
		}
	}
	inspectText(in, d)
	inspectBuiltin(in, d)
}

// inspectText holds the keys of a text file to the rules of its reader.
func inspectText(in *strict.Inspection, d *Data) {
	for key, opt := range map[string]dataset.ReadOptions{"decimal": {Decimal: d.Decimal}, "numbers": {Numbers: d.Numbers}, "skip_lines": {SkipLines: d.SkipLines, NoHeader: d.Header != nil && !*d.Header}, "comment": {Comment: d.Comment}} {
		if err := opt.CheckText(); err != nil {
			in.Report("data."+key, "%v", err)
		}
	}
	decimal := d.Decimal
	if decimal != "," && decimal != "." {
		decimal = "" // which is reported above
	}
	if err := (dataset.ReadOptions{Decimal: decimal, Thousands: d.Thousands}).CheckText(); err != nil {
		in.Report("data.thousands", "%v", err)
	}
	if d.Format != "" {
		if err := dataset.CheckFormat(d.Format); err != nil {
			in.Report("data.format", "%v", err)
		}
	}
}

// inspectBuiltin holds built-in data to what they are: they are not read from a file.
func inspectBuiltin(in *strict.Inspection, d *Data) {
	name, ok := builtin(d.Source)
	if !ok {
		return
	}
	if names := dataset.BuiltinNames(); !slices.Contains(names, name) {
		in.Report("data.source", "there is no built-in data %q, only %s%s", name, strict.Listing(names, "and"), strict.Suggest(name, names))
		return
	}
	keys := []struct {
		key   string
		given bool
	}{{"missing", d.Missing != nil}, {"header", d.Header != nil}, {"delimiter", d.Delimiter != ""},
		{"decimal", d.Decimal != ""}, {"thousands", d.Thousands != ""}, {"numbers", d.Numbers != nil},
		{"skip_rows", d.SkipRows != 0}, {"skip_footer", d.SkipFooter != 0}, {"skip_lines", d.SkipLines != nil}, {"comment", d.Comment != ""},
		{"line_limit", d.LineLimit != 0}, {"format", d.Format != ""}, {"index_base", d.IndexBase != nil}, {"id", d.ID != ""}, {"transpose", d.Transpose},
		{"names", d.Names != ""}, {"sheet", d.Sheet != ""}, {"categorical", d.Categorical != nil}}
	for _, k := range keys {
		if k.given {
			in.Report("data."+k.key, "%s says how a file is read; %s is built in and needs no %s", k.key, d.Source, k.key)
		}
	}
}

// chain checks the order of the steps.
func inspectChain(in *strict.Inspection, steps []pipeline.Step) {
	first := map[string]int{}
	for i, s := range steps {
		k, err := pipeline.FindKind(s.Name)
		if err != nil {
			continue
		}
		path := strict.Join("steps", strconv.Itoa(i))
		if before, twice := first[s.Name]; twice && s.Name == selection {
			in.Report(path, "step %d is a second %s (the first is step %d): a pipeline has one", i+1, s.Name, before+1)
		} else if !twice {
			first[s.Name] = i
		}
		if k.Ends() && i < len(steps)-1 {
			in.Report(path, "step %d (%s) is a classifier, which must be last, but step %d (%s) follows it", i+1, s.Name, i+2, steps[i+1].Name)
		}
	}
}

// Classifies reports whether the config ends in a classifier.
func (c *Config) Classifies() bool { return classifierAt(c.Steps) >= 0 }

// classifierAt is the index of the classifier at the end, -1 without one.
func classifierAt(steps []pipeline.Step) int {
	if i := len(steps) - 1; i >= 0 {
		if k, err := pipeline.FindKind(steps[i].Name); err == nil && k.Ends() {
			return i
		}
	}
	return -1
}
