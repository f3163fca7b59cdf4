package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
	"github.com/fspca/fspca/transformer"
)

// Grid lists the options that a search varies; every combination of their values is
// a setting. The keys are those of configs, such as fspca.features and knn.k.
// Encoding/json must write the values as a config holds them: 20, 0.5, "uniform",
// and a map for components {target: 0.8}.
type Grid = config.Grid

// Axis is one option of a Grid.
type Axis = config.Axis

// largestGrid is the number of settings that a search may have.
const largestGrid = 1 << 20

// gridPoint is one setting of a grid.
type gridPoint struct {
	setting Setting
	places  []int // of the values in the axes
	steps   []pipeline.NamedStep
	tried   []pipeline.NamedStep // the same for a trial: measureOnly
	err     error                // why there are no steps
}

// expand makes the points of a grid for the steps of a pipeline, the last axis changing
// fastest; random of them, drawn by the seed, if that is above 0. Settings with the
// same values for a step share it, so that a Fitter fits it once.
func expand(p *pipeline.Pipeline, grid Grid, random int, seed uint64) ([]gridPoint, []int, error) {
	axes, err := resolveAxes(p, grid)
	if err != nil {
		return nil, nil, err
	}
	picked, err := drawn(grid, random, seed)
	if err != nil {
		return nil, nil, err
	}
	made := map[string]pipeline.NamedStep{}
	bare := map[transformer.Transformer]pipeline.NamedStep{} // of an fspca step, shared as that is
	points := make([]gridPoint, len(picked))
	for i, index := range picked {
		points[i] = pointAt(p, grid, axes, index, made)
		points[i].tried = points[i].steps
		if at := selectorAt(p.Steps); at >= 0 && points[i].err == nil {
			of := points[i].steps[at].Transformer
			tried := measureOnly(points[i].steps)
			if known, ok := bare[of]; ok {
				tried = slices.Clone(tried)
				tried[at] = known
			}
			bare[of], points[i].tried = tried[at], tried
		}
	}
	return points, fitOrder(points, axes), nil
}

// drawn returns the settings of a grid to try, by their place among all of them: all, or
// random of them.
func drawn(grid Grid, random int, seed uint64) ([]int, error) {
	total := 1
	for _, axis := range grid {
		if total > largestGrid/len(axis.Values) {
			return nil, fmt.Errorf("the grid has more than %d settings: take fewer values", largestGrid)
		}
		total *= len(axis.Values)
	}
	picked := lists.Upto[int](total)
	if random > 0 && random < total {
		generator := rand.New(rand.NewPCG(seed, 1<<33))
		generator.Shuffle(total, func(i, j int) { picked[i], picked[j] = picked[j], picked[i] })
		picked = picked[:random]
		slices.Sort(picked)
	}
	return picked, nil
}

// fitOrder sorts the points so that those which differ in later steps only follow one another.
func fitOrder(points []gridPoint, axes []axisPlace) []int {
	order := lists.Upto[int](len(points))
	byStep := lists.Upto[int](len(axes))
	slices.SortStableFunc(byStep, func(a, b int) int { return axes[a].step - axes[b].step })
	slices.SortStableFunc(order, func(a, b int) int {
		for _, axis := range byStep {
			if d := points[a].places[axis] - points[b].places[axis]; d != 0 {
				return d
			}
		}
		return 0
	})
	return order
}

// axisPlace is the option that an axis names.
type axisPlace struct {
	step   int
	option string
}

// resolveAxes finds the options that a grid names.
func resolveAxes(p *pipeline.Pipeline, grid Grid) ([]axisPlace, error) {
	if len(grid) == 0 {
		return nil, errors.New("the grid is empty: name options and values to try, as in fspca.features: [10, 20]")
	}
	names := lists.Map(p.Steps, func(s pipeline.NamedStep) string { return s.Name })
	var errs []error
	axes := make([]axisPlace, len(grid))
	for i, axis := range grid {
		step, option, err := pipeline.FindOption(names, axis.Key)
		axes[i] = axisPlace{step, option}
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("the grid's key %w", err))
			continue
		case slices.Contains(axes[:i], axes[i]):
			errs = append(errs, fmt.Errorf("%s occurs twice in the grid", axis.Key))
		case len(axis.Values) == 0:
			errs = append(errs, fmt.Errorf("%s has no values to try", axis.Key))
		}
		for _, v := range axis.Values {
			if _, err := p.Steps[step].With(option, v); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", axis.Key, err))
				break
			}
		}
	}
	return axes, errors.Join(errs...)
}

// pointAt makes one point. made holds the steps made so far, by their settings.
func pointAt(p *pipeline.Pipeline, grid Grid, axes []axisPlace, index int, made map[string]pipeline.NamedStep) gridPoint {
	point := gridPoint{setting: Setting{}, places: make([]int, len(grid)), steps: slices.Clone(p.Steps)}
	for i, axis := range slices.Backward(grid) {
		point.places[i] = index % len(axis.Values)
		index /= len(axis.Values)
		point.setting[axis.Key] = axis.Values[point.places[i]]
	}
	for step := range point.steps {
		key, changed := fmt.Sprint(step), false
		for i, axis := range axes {
			if axis.step == step {
				key, changed = fmt.Sprint(key, ".", i, "=", point.places[i]), true
			}
		}
		if !changed {
			continue
		}
		if known, ok := made[key]; ok {
			point.steps[step] = known
			continue
		}
		s := point.steps[step]
		for i, axis := range axes {
			if axis.step == step && point.err == nil {
				s, point.err = s.With(axis.option, grid[i].Values[point.places[i]])
			}
		}
		if point.err == nil {
			point.steps[step], made[key] = s, s
		}
	}
	return point
}

// SearchOptions say how a search is made. The zero value is usable.
type SearchOptions struct {
	// Folds is the number of inner folds; 0 is 5.
	Folds int
	// Metric is averaged over the inner folds to compare settings: accuracy,
	// balanced_accuracy, macro_f1, log_loss or auc for classes, r2, rmse or mae for
	// numbers. "" is accuracy or r2.
	Metric string
	// Rule is "best" (or ""), or "one_se": the setting with the fewest columns
	// within one standard error of the best.
	Rule string
	// Random is the number of settings that are drawn from the grid; 0 is all.
	Random int
	// Seed is the seed of the draw and of the inner folds.
	Seed uint64
	// Deadline is the time that one search may take; 0 is no limit. The settings tried
	// until then count, at least one.
	Deadline time.Duration
	// Split is read by Search alone. It divides the rows by Group, Time or
	// Unshuffled, or ignores the classes. Its Folds, Seed, Test and Repeats are not
	// read.
	Split SplitOptions
	// Progress, if not nil, is called before each setting, in order, from one goroutine.
	Progress func(Progress)
}

// newPlan checks the options of a search on classes or numbers.
func newPlan(p *pipeline.Pipeline, grid Grid, opt SearchOptions, numbers bool) (*plan, error) {
	metric := "accuracy"
	if numbers {
		metric = "r2"
	}
	out := &plan{folds: cmp.Or(opt.Folds, 5), metric: cmp.Or(opt.Metric, metric), rule: cmp.Or(opt.Rule, "best"), nested: true, deadline: opt.Deadline}
	if err := out.check(p, opt, numbers); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	var err error
	if out.points, out.order, err = expand(p, grid, opt.Random, opt.Seed); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	axes, _ := resolveAxes(p, grid) // which expand has looked at
	out.varied = lists.Map(axes, func(a axisPlace) int { return a.step })
	return out, nil
}

// check returns what is wrong with the options of a search.
func (p *plan) check(chain *pipeline.Pipeline, opt SearchOptions, numbers bool) error {
	var errs []error
	if _, ok := metrics[p.metric]; !ok {
		errs = append(errs, fmt.Errorf("the metric %q is not known: expected one of %s", p.metric, strings.Join(slices.Sorted(maps.Keys(metrics)), ", ")))
	} else if slices.Contains(numberMetrics, p.metric) != numbers {
		what := "classes"
		if numbers {
			what = "numbers"
		}
		errs = append(errs, fmt.Errorf("the metric %s does not go with the target, which is of %s", p.metric, what))
	}
	if p.rule != "best" && p.rule != "one_se" {
		errs = append(errs, fmt.Errorf("the rule %q is not known: expected best or one_se", p.rule))
	}
	if p.folds < 2 {
		errs = append(errs, fmt.Errorf("the number of inner folds is %d, and must be at least 2", p.folds))
	}
	if opt.Random < 0 || opt.Deadline < 0 {
		errs = append(errs, fmt.Errorf("search: %d settings and the deadline %v: want numbers above 0, or 0 for no limit", opt.Random, opt.Deadline))
	}
	if !chain.HasClassifier() {
		errs = append(errs, errors.New("a search needs a classifier or regression at the end, to judge the settings by"))
	}
	return errors.Join(errs...)
}
