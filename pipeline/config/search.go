package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// Search describes a choice of options by cross-validation within the training rows.
type Search struct {
	Grid     Grid   `json:"grid,omitempty" rule:"required" aka:"parameters|params|space" doc:"Values to try of options of the steps: fspca.features: [10, 20]."`
	Random   int    `json:"random,omitempty" rule:"min=1" aka:"n_iter|samples" doc:"Number of settings drawn from the grid by split.seed, instead of all."`
	Folds    int    `json:"folds,omitempty" rule:"min=2" default:"5" aka:"cv|k" doc:"Number of inner folds: each training part is divided so again."`
	Metric   string `json:"metric,omitempty" rule:"one=accuracy|balanced_accuracy|macro_f1|log_loss|auc|r2|rmse|mae" aka:"scoring|score" doc:"What a setting is judged by, the mean over the inner folds; accuracy without it, r2 for a regression."`
	Rule     string `json:"rule,omitempty" rule:"one=best|one_se" default:"best" doc:"best takes the best setting; one_se the one with the fewest columns within one standard error of the best."`
	Nested   *bool  `json:"nested,omitempty" default:"true" doc:"Whether the search is made again in each training part of split, so that the figure reported is honest; if not, it is made once on all rows, and the figure is too good."`
	Deadline string `json:"deadline,omitempty" rule:"duration" aka:"timeout|time_limit" doc:"Time that one search may take, such as 10m; the settings tried until then count."`
}

// Given reports whether there is a search.
func (s Search) Given() bool { return len(s.Grid) > 0 }

// Grid lists the options that a search varies, with their values, in order. In a
// config and in JSON it is a mapping from keys to lists.
type Grid []Axis

// Axis is one option of a step and the values to try. Key is such as
// fspca.features; encoding/json must write the values as a config holds them.
type Axis struct {
	Key    string
	Values []any
}

// MarshalJSON writes the mapping in the order of the axes.
func (g Grid) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, axis := range g {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(axis.Key)
		if err != nil {
			return nil, err
		}
		values, err := json.Marshal(axis.Values)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(values)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON wrote, in its order; numbers are json.Number.
func (g *Grid) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return errors.Join(err, fmt.Errorf("expected a mapping from keys to lists, got %.60s", b))
	}
	*g = nil
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var values []any
		if err := d.Decode(&values); err != nil {
			return err
		}
		*g = append(*g, Axis{key.(string), values})
	}
	_, err := d.Token()
	return err
}

// decodeGrid reads the keys and the values. What they mean is for inspectGrid.
func decodeGrid(d *strict.Decoder, n *strict.Node, value any, path string) {
	if n.Kind == strict.Bad {
		return
	}
	if n.Kind != strict.Mapping {
		d.Fail(n.At, path, "grid: expected a mapping like {fspca.features: [10, 20]}, got %s", n.Describe())
		return
	}
	if len(n.Keys) == 0 {
		d.Fail(n.At, path, "grid is empty: name options and values to try, like {fspca.features: [10, 20]}")
		return
	}
	g := value.(*Grid)
	for i, key := range n.Keys {
		at := gridPath(path, len(*g))
		d.Enter(at, key.At, n.Items[i].At)
		axis := Axis{Key: key.Text}
		switch items := n.Items[i]; {
		case items.Kind == strict.Bad:
			continue
		case items.Kind != strict.List:
			d.Fail(items.At, at, "%s: expected a list of values to try, got %s: write it as [a, b]", key.Text, items.Describe())
		default:
			for j, item := range items.Items {
				d.Enter(strict.Join(at, strconv.Itoa(j)), item.At, item.At)
				axis.Values = append(axis.Values, gridValue(item))
			}
		}
		*g = append(*g, axis)
	}
}

// gridPath is where an axis stands: its key has points, which paths are made of.
func gridPath(path string, i int) string { return strict.Join(path, strconv.Itoa(i)) }

// gridValue is a node as encoding/json has it. What is no number or truth value as
// this package reads them stays a text, which an option of another type refuses.
func gridValue(n *strict.Node) any {
	switch {
	case n.Kind == strict.Mapping:
		out := map[string]any{}
		for i, key := range n.Keys {
			out[key.Text] = gridValue(n.Items[i])
		}
		return out
	case n.Kind == strict.List:
		return lists.Map(n.Items, gridValue)
	case n.Nothing():
		return nil
	case n.Plain && (n.Text == "true" || n.Text == "false"):
		return n.Text == "true"
	case n.Plain && (n.Tag == "!!int" || n.Tag == "!!float") && json.Valid([]byte(n.Text)):
		return json.Number(n.Text)
	}
	return n.Text
}

// inspectGrid holds the grid to the steps: each key names an option, and each value
// keeps its rule. Rules over several options are not held: a setting that breaks
// one is listed by the search.
func (c *Config) inspectGrid(in *strict.Inspection, value any, path string) {
	names := stepNames(c.Steps)
	seen := map[[2]string]bool{}
	for i, axis := range *value.(*Grid) {
		at := gridPath(path, i)
		step, option, err := pipeline.FindOption(names, axis.Key)
		if err != nil {
			in.Against([]string{"steps"}, at, "%v", err)
			continue
		}
		if where := [2]string{strconv.Itoa(step), option}; seen[where] {
			in.Report(at, "%s occurs twice in the grid", axis.Key)
		} else {
			seen[where] = true
		}
		if len(axis.Values) == 0 {
			in.Report(at, "%s has no values to try: write them as [a, b]", axis.Key)
		}
		c.inspectValues(in, axis, step, option, at)
	}
}

func stepNames(steps []pipeline.Step) []string {
	return lists.Map(steps, func(s pipeline.Step) string { return s.Name })
}

func (c *Config) inspectValues(in *strict.Inspection, axis Axis, step int, option, at string) {
	var before, told []string
	for j, v := range axis.Values {
		where := strict.Join(at, strconv.Itoa(j))
		text, wrong := c.tryValue(in, step, option, v)
		for _, message := range wrong {
			if !slices.Contains(told, message) { // an option that is not there is one mistake
				in.Against([]string{"steps"}, where, "%s", message)
			}
			told = append(told, message)
		}
		if wrong == nil && slices.Contains(before, text) {
			in.Report(where, "%s holds %s twice", axis.Key, text)
		}
		before = append(before, text)
	}
}

// tryValue returns a value to try as JSON, and what would be wrong with it if it stood in its step.
func (c *Config) tryValue(in *strict.Inspection, step int, option string, value any) (text string, wrong []string) {
	changed, err := c.Steps[step].With(option, value)
	if err != nil {
		return "", []string{err.Error()}
	}
	b, err := json.Marshal(value)
	var written any
	if err = errors.Join(err, json.Unmarshal(b, &written)); err != nil {
		return "", []string{err.Error()}
	}
	path := strict.Join("steps", strconv.Itoa(step))
	key := strict.Join(strict.Join(path, changed.Name), option)
	return string(b), in.Trial(key, written, func(trial *strict.Inspection) { new(Config).inspectStep(trial, &changed, path) })
}

func gridSchema() strict.Object {
	return strict.Object{"type": "object", "minProperties": 1,
		"additionalProperties": strict.Object{"type": "array", "minItems": 1}}
}

// Regression metrics are for numbers, the others for classes.
var regressionMetrics = []string{"r2", "rmse", "mae"}

// inspectSearch holds the search to the rest of the config.
func inspectSearch(in *strict.Inspection, c *Config) {
	s := c.Search
	if !in.Written("search") && !s.Given() {
		return
	}
	if classifierAt(c.Steps) < 0 {
		in.Against([]string{"steps"}, "search", "a search needs a classifier or regression at the end of the steps, to judge the settings by")
		return
	}
	if s.Metric != "" && slices.Contains(regressionMetrics, s.Metric) != (c.Data.Task == regression) {
		what := "classes"
		if c.Data.Task == regression {
			what = "numbers"
		}
		in.Against([]string{"data.task", "steps"}, "search.metric", "search.metric is %s, and the steps predict %s", s.Metric, what)
	}
	if s.Nested != nil && !*s.Nested && c.Split.File != "" {
		in.Against([]string{"split.file"}, "search.nested", "search.nested: false looks at all rows, and split.file names the rows to test on: leave nested out")
	}
}

func (c *Config) defaultMetric() string {
	if c.Data.Task == regression {
		return "r2"
	}
	return "accuracy"
}
