package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/experiment"
)

// predictCommand says what a pipeline predicts for new rows.
type predictCommand struct {
	flags dataFlags
	out   tableOutput
	mem   memoryFlag
}

func newPredict() *cobra.Command {
	return command(&predictCommand{}, &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Classify new rows with a pipeline's model",
		Long: `Classify new rows with the model folder that run wrote, and write one line per
row as CSV: the row's number from 1, the predicted class, and the probability
of each class.

DATA needs only the columns that the chosen features come from, in any order.
With --label the output also has the true class, and the share of right predictions
is printed to standard error; rows may lack a label. With --id the first column holds
the names of the rows. DATA is as in fit; - is standard input.`,
		Example: `  fspca predict out/digits/model new.csv -o predictions.csv`,
		Args:    exactly("MODEL", "DATA"),
	})
}

func (c *predictCommand) register(cmd *cobra.Command) {
	c.flags.register(cmd, "`COLUMN` with the true class, to compare with")
	c.out.register(cmd)
	c.mem.register(cmd, "the rows and the predictions")
}

func (c *predictCommand) run(cmd *cobra.Command, args []string) error {
	if err := errors.Join(c.out.checkFormat(), checkOutputs(cmd, args, &c.out.output)); err != nil {
		return err
	}
	m, err := loadModel(args[0])
	if err != nil {
		return err
	}
	if m.pipeline == nil {
		return fmt.Errorf("%s is the model of a selection, which cannot classify: predict takes the model folder that run writes", args[0])
	}
	if !m.pipeline.HasClassifier() {
		return fmt.Errorf("%s holds a pipeline without a classifier: use transform", args[0])
	}
	table, err := m.read(cmd, &c.flags, args[1], &c.mem, len(m.pipeline.Inputs()), "")
	if err != nil {
		return err
	}
	defer table.close()
	told, err := c.write(cmd, m, table, args[1])
	if err != nil {
		return err
	}
	if table.truth != nil {
		return reportAccuracy(cmd, table.truth, told.prediction())
	}
	return nil
}

// write writes the predictions, and returns those of the rows with a label.
func (c *predictCommand) write(cmd *cobra.Command, m *model, table *newTable, path string) (*predictions, error) {
	told := &predictions{}
	err := c.out.writeRows(cmd, path, table, func(from int, rows *newRows) (*dataset.Frame, error) {
		p, err := m.pipeline.PredictContext(cmd.Context(), rows.Frame)
		if err != nil {
			return nil, err
		}
		if from == 0 {
			if err := checkTruth(c.flags.Label, table.truth, p); err != nil {
				return nil, err
			}
		}
		if table.truth != nil {
			told.add(from, p)
		}
		return p.Table(rows.Frame, rows.truth, from+1)
	})
	return told, err
}

// predictions gather what is said of blocks of rows.
type predictions struct {
	last          *pipeline.Prediction
	codes         []int32
	values        []float64
	probabilities []float64
}

// add adds the predictions of the rows from row from on; those from 0 on start anew.
func (g *predictions) add(from int, p *pipeline.Prediction) {
	if from == 0 {
		*g = predictions{}
	}
	g.last = p
	g.values = append(g.values, p.Values...)
	if p.Predicted != nil {
		g.codes = append(g.codes, p.Predicted.Codes...)
	}
	if p.Probabilities != nil {
		n, _ := p.Probabilities.Dims()
		for i := range n {
			g.probabilities = append(g.probabilities, p.Probabilities.RawRowView(i)...)
		}
	}
}

// prediction returns all that was added.
func (g *predictions) prediction() *pipeline.Prediction {
	p := &pipeline.Prediction{Class: g.last.Class, Values: g.values}
	if g.last.Predicted != nil {
		p.Predicted = &dataset.Factor{Levels: g.last.Predicted.Levels, Codes: g.codes}
	}
	if len(g.probabilities) > 0 {
		_, classes := g.last.Probabilities.Dims()
		p.Probabilities = mat.NewDense(len(g.probabilities)/classes, classes, g.probabilities)
	}
	return p
}

// checkTruth returns an error for labels that predictions cannot be compared with. Beside numbers, each must
// be a number; beside classes, at least one of them must be a class of the model.
func checkTruth(label string, truth *dataset.Factor, p *pipeline.Prediction) error {
	if truth == nil {
		return nil
	}
	if p.Values != nil {
		if _, err := truth.AsTarget(); err != nil {
			return fmt.Errorf("--label %s: %w", label, err)
		}
		return nil
	}
	classes, known := p.Predicted.Levels, labelled(truth)
	find := dataset.FindLevel(classes)
	if len(known) == 0 || slices.ContainsFunc(known, func(i int) bool { return find(truth.Text(i)) >= 0 }) {
		return nil
	}
	return fmt.Errorf("none of the labels in %q (%q, …) is a class of the model (%q, …): is this the column of the classes?", label, truth.Text(known[0]), classes[0])
}

// reportAccuracy prints how right the predictions are for the rows that have a label.
func reportAccuracy(cmd *cobra.Command, truth *dataset.Factor, p *pipeline.Prediction) error {
	known := labelled(truth)
	figures, what := accuracyOf, "accuracy"
	if p.Values != nil {
		figures, what = errorsOf, "R²"
	}
	text := "no row has a label: there is no " + what
	if len(known) > 0 {
		found, err := figures(truth, p, known)
		if err != nil {
			return cli.Failed(err)
		}
		text = found + ofAll(len(known), len(truth.Codes))
	}
	if p.Predicted != nil {
		text += strangeText(truth, p.Predicted.Levels)
	}
	_, err := fmt.Fprintln(cmd.ErrOrStderr(), text)
	return cli.Failed(err)
}

// ofAll says that some rows have no label; "" if all have.
func ofAll(known, all int) string {
	if known == all {
		return ""
	}
	return fmt.Sprintf(" of %d; the others have no label", all)
}

// accuracyOf is the share of right answers among rows that have a label.
func accuracyOf(truth *dataset.Factor, p *pipeline.Prediction, known []int) (string, error) {
	c, err := experiment.Tally(rowsOf(truth, known), rowsOf(p.Predicted, known))
	if err != nil {
		return "", err
	}
	m, err := c.Metrics()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("accuracy %.4f on %s", m.Accuracy, words.Count(len(known), "row")), nil
}

// errorsOf measures predicted numbers against a label that was read as text, where it is known.
func errorsOf(truth *dataset.Factor, p *pipeline.Prediction, known []int) (string, error) {
	numbers, err := truth.AsTarget() // which checkTruth has seen to
	if err != nil {
		return "", err
	}
	e, err := experiment.Score(rowsOf(numbers, known), &pipeline.Prediction{Values: lists.At(p.Values, known)})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("R² %.4f, RMSE %.4g, MAE %.4g on %s", e.R2, e.RMSE, e.MAE, words.Count(e.Rows, "row")), nil
}

// strangeText says how many labels are no class of the model; "" for none.
func strangeText(truth *dataset.Factor, classes []string) string {
	rows, example := strangeLabels(truth, classes)
	if rows == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s a label that is no class of the model (%q), which counts as wrong", words.Count(rows, "row"), words.Of(rows, "has", "have"), example)
}

// strangeLabels counts the labels that are no class of the model, and gives one.
func strangeLabels(truth *dataset.Factor, classes []string) (rows int, example string) {
	find := dataset.FindLevel(classes)
	strange := lists.Map(truth.Levels, func(level string) bool { return find(level) < 0 })
	found := lists.Where(labelled(truth), func(i int) bool { return strange[truth.Codes[i]] })
	if found != nil {
		example = truth.Text(found[0])
	}
	return len(found), example
}

// labelled returns the rows that have a label.
func labelled(truth *dataset.Factor) []int {
	return lists.Places(len(truth.Codes), func(i int) bool { return truth.Codes[i] != dataset.Missing })
}

// rowsOf returns the given rows of a factor.
func rowsOf(c *dataset.Factor, rows []int) *dataset.Factor {
	return &dataset.Factor{Levels: c.Levels, Codes: lists.At(c.Codes, rows), Numbers: c.Numbers}
}
