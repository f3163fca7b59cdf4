package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// grammar is how a config is read. It is made anew for each reading, since kinds
// of step may have been registered. What is read of a search depends on the steps of c.
func grammar(c *Config) *strict.Grammar {
	g := &strict.Grammar{
		Empty:   "the config is empty: it needs version, data and steps",
		Example: "split.seed=7 or steps.fspca.features=30",
		Route:   route,
	}
	g.Forms = map[reflect.Type]strict.Form{
		reflect.TypeFor[pipeline.Step](): {Decode: decodeStep, Inspect: c.inspectStep, Schema: func() strict.Object { return stepSchema(g) }},
		reflect.TypeFor[pipeline.FeatureCount](): countForm(g, func(c *pipeline.FeatureCount) *int { return &c.Number }, func(in *strict.Inspection, c *pipeline.FeatureCount, path string) {
			oneCount(in, path, c.Number, "target", c.Target != 0)
		}),
		reflect.TypeFor[pipeline.ComponentCount](): countForm(g, func(c *pipeline.ComponentCount) *int { return &c.Number }, func(in *strict.Inspection, c *pipeline.ComponentCount, path string) {
			oneCount(in, path, c.Number, "target or parallel_analysis: true", c.Target != 0, c.ParallelAnalysis)
		}),
		reflect.TypeFor[pipeline.GroupLimits](): groupForm,
		reflect.TypeFor[pipeline.ClassWeight](): classWeightForm,
		reflect.TypeFor[Grid]():                 {Decode: decodeGrid, Inspect: c.inspectGrid, Schema: gridSchema},
	}
	return g
}

// mapping reads the values of a mapping by their keys.
func mapping[T any](d *strict.Decoder, n *strict.Node, path string, read func(*strict.Node, *T, string)) map[string]T {
	values := map[string]T{}
	for i, key := range n.Keys {
		child := strict.Join(path, key.Text)
		d.Enter(child, key.At, n.Items[i].At)
		var v T
		read(n.Items[i], &v, child)
		values[key.Text] = v
	}
	return values
}

// groupForm is a mapping from patterns of columns to whole numbers.
var groupForm = strict.Form{
	Decode: func(d *strict.Decoder, n *strict.Node, value any, path string) {
		if n.Kind != strict.Mapping {
			d.Fail(n.At, path, "groups: expected a mapping from patterns to numbers, like {'temp_*': 2}, got %s", n.Describe())
			return
		}
		value.(*pipeline.GroupLimits).Most = mapping(d, n, path, d.Whole)
	},
	Schema: func() strict.Object {
		return strict.Object{"type": "object", "additionalProperties": strict.Object{"type": "integer", "minimum": 0}}
	},
}

// classWeightForm is none, balanced, or a mapping from classes to numbers.
var classWeightForm = strict.Form{
	Decode: func(d *strict.Decoder, n *strict.Node, value any, path string) {
		w := value.(*pipeline.ClassWeight)
		if n.Kind != strict.Mapping {
			if n.Kind != strict.Scalar || !slices.Contains(param.ClassWeightings, n.Text) {
				d.Fail(n.At, path, "class_weight: expected none, balanced or a mapping from classes to numbers, like {sick: 5, well: 1}, got %s", n.Describe())
				return
			}
			w.How = n.Text
			return
		}
		w.Of = mapping(d, n, path, d.Number)
	},
	Inspect: func(in *strict.Inspection, value any, path string) {
		w := value.(*pipeline.ClassWeight)
		if w.Of == nil && w.How != "" && !slices.Contains(param.ClassWeightings, w.How) {
			in.Report(path, "class_weight is %q: expected none, balanced or a mapping from classes to numbers", w.How)
		}
		for class, err := range param.ClassWeights(w.Of) {
			in.Report(strict.Join(path, class), "%v", err)
		}
	},
	Schema: func() strict.Object {
		return strict.Object{"anyOf": []any{
			strict.Object{"enum": lists.Map(param.ClassWeightings, func(word string) any { return word })},
			strict.Object{"type": "object", "minProperties": 1, "additionalProperties": strict.Object{"type": "number", "exclusiveMinimum": 0}},
		}}
	},
}

// countForm is a whole number, or a mapping that says how it is found.
func countForm[T any](g *strict.Grammar, number func(*T) *int, check func(*strict.Inspection, *T, string)) strict.Form {
	return strict.Form{
		Decode: func(d *strict.Decoder, n *strict.Node, value any, path string) {
			if n.Kind == strict.Mapping {
				d.Object(n, value, path)
				return
			}
			d.Whole(n, number(value.(*T)), path)
		},
		Inspect: func(in *strict.Inspection, value any, path string) {
			in.Object(value, path)
			check(in, value.(*T), path)
		},
		Schema: func() strict.Object {
			found := g.Schema(new(T))
			found["minProperties"], found["maxProperties"] = 1, 1
			return strict.Object{"anyOf": []any{strict.Object{"type": "integer", "minimum": 1}, found}}
		},
	}
}

// decodeStep reads `name` or `name: {options}`.
func decodeStep(d *strict.Decoder, n *strict.Node, value any, path string) {
	s := value.(*pipeline.Step)
	key, options := n, (*strict.Node)(nil)
	switch {
	case n.Kind == strict.Scalar && n.Tag == "!!str":
	case n.Kind == strict.Mapping && len(n.Keys) == 1:
		key, options = n.Keys[0], n.Items[0]
	case n.Kind == strict.Mapping && len(n.Keys) > 1:
		d.Fail(n.Keys[1].At, path, "%s", crowded(n))
		return
	default:
		d.Fail(n.At, path, "expected a step, like standardize or fspca: {features: 20, components: 5}, got %s", n.Describe())
		return
	}
	read, err := pipeline.NewStep(key.Text)
	if err != nil {
		d.Fail(key.At, path, "%v", err)
		return
	}
	*s = read
	child := strict.Join(path, s.Name)
	if options == nil || options.Nothing() {
		d.Enter(child, key.At, key.At)
		return
	}
	d.Enter(child, key.At, options.At)
	d.Object(options, s.Options, child)
}

// crowded explains a step with several keys: mostly options that are not
// indented below their step, or a step without its dash.
func crowded(n *strict.Node) string {
	first, second := n.Keys[0].Text, n.Keys[1].Text
	if s, err := pipeline.NewStep(first); err == nil && n.Items[0].Nothing() && strict.Knows(s.Options, second) {
		return fmt.Sprintf("%q is at the same level as the step %q: indent the options below it, or write %s: {%s: …}", second, first, first, second)
	}
	keys := lists.Map(n.Keys, func(key *strict.Node) string { return key.Text })
	return fmt.Sprintf("a step has one key, this one has %d (%s): begin each step with its own '-'", len(keys), strict.Listing(keys, "and"))
}

// inspectStep applies the rules of a step's options. What a search gives values of need
// not be written in the step.
func (c *Config) inspectStep(in *strict.Inspection, value any, path string) {
	s, err := value.(*pipeline.Step).Filled()
	if err != nil {
		in.Report(path, "%v", err)
		return
	}
	for _, axis := range c.Search.Grid {
		if at, option, err := pipeline.FindOption(stepNames(c.Steps), axis.Key); err == nil && strict.Join("steps", strconv.Itoa(at)) == path {
			in.Supply(strict.Join(strict.Join(path, s.Name), option))
		}
	}
	path = strict.Join(path, s.Name)
	in.Object(s.Options, path)
	checkOptions(in, s.Options, path)
}
