package config

import (
	"fmt"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

// regression is the task of predicting numbers.
const regression = "regression"

// A numeric label of at least manyNumbers different values, with fewer than
// rowsEach rows a value on the mean, looks like a number to predict.
const (
	manyNumbers = 20
	rowsEach    = 10
)

// withTask makes the label the target of a regression, or checks that it looks like
// classes.
func (c *Config) withTask(f *dataset.Frame) (*dataset.Frame, error) {
	label := c.Data.Label
	if c.Data.Task == regression {
		if class := f.Class(); class != nil { // of built-in data
			target, err := class.AsTarget()
			if err != nil {
				return nil, c.At("data.task", fmt.Errorf("data.task is regression, and the class of %s is no number: %w", c.Data.Source, err))
			}
			return f.WithClass(f.ClassName(), target)
		}
		g, err := f.WithTarget(label)
		if err != nil {
			return nil, c.At("data.label", fmt.Errorf("data.label for data.task: regression: %w", err))
		}
		return g, nil
	}
	class := f.Class()
	if class == nil || c.Data.Task != "" || !c.Classifies() || len(class.Levels) <= manyNumbers || len(class.Levels)*rowsEach <= f.Rows() {
		return f, nil
	}
	if _, err := class.AsTarget(); err != nil {
		return f, nil
	}
	return nil, c.At("data.label", fmt.Errorf("the label %q has %d different numbers in %d rows: to predict a number, say data.task: regression and end in ridge, linear, knn or dummy; if these are classes, say data.task: classification",
		f.ClassName(), len(class.Levels), f.Rows()))
}

// inspectTask holds the last step to the task.
func inspectTask(in *strict.Inspection, c *Config) {
	i := classifierAt(c.Steps)
	if i < 0 {
		if c.Data.Task != "" {
			in.Against([]string{"steps"}, "data.task", "data.task is %s, and no step at the end predicts anything", c.Data.Task)
		}
		return
	}
	k, err := pipeline.FindKind(c.Steps[i].Name)
	switch {
	case err != nil:
	case c.Data.Task == regression && !k.Regresses():
		in.Against([]string{"steps"}, "data.task", "data.task is regression, and %s predicts classes: end the steps in %s", k.Name(), regressions())
	case c.Data.Task != regression && !k.Classifies():
		in.Against([]string{"steps"}, "data.task", "%s predicts numbers: say data.task: regression", k.Name())
	}
	if c.Data.Task == regression && c.Split.Stratify != nil && *c.Split.Stratify {
		in.Against([]string{"data.task"}, "split.stratify", "a regression has no classes to stratify by: leave stratify out")
	}
}

// regressions lists the kinds that predict numbers.
func regressions() string {
	return strict.Listing(lists.Map(lists.Where(pipeline.Kinds(), pipeline.Kind.Regresses), pipeline.Kind.Name), "or")
}
