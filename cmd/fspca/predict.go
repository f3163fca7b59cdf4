package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/experiment"
)

func newPredict() *cobra.Command {
	var flags dataFlags
	var out string
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Classify new rows with a pipeline's model",
		Long: `Classify new rows with the model folder that run wrote, and write one line per
row as CSV: the row's number from 1, the predicted class, and the probability
of each class.

DATA needs only the columns that the chosen features come from, in any order.
With --label the true class stands beside the predicted one and the share of
right answers is printed to standard error.`,
		Example: `  fspca predict out/digits/model new.csv -o predictions.csv`,
		Args:    exactly("MODEL", "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFolder(out); err != nil {
				return err
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			if m.pipeline == nil {
				return fmt.Errorf("%s is the model of a selection, which classifies nothing: predict takes the model folder that run writes", args[0])
			}
			if !m.pipeline.HasClassifier() {
				return fmt.Errorf("%s holds a pipeline without a classifier: use transform", args[0])
			}
			f, err := m.read(&flags, args[1])
			if err != nil {
				return err
			}
			p, err := m.pipeline.PredictFrame(f)
			if err != nil {
				return at(args[1], err)
			}
			table, err := predictionTable(f, p)
			if err != nil {
				return failed(err)
			}
			if err := writeTable(cmd, out, table); err != nil {
				return err
			}
			if f.Class() != nil {
				return reportAccuracy(cmd, f.Class(), p)
			}
			return nil
		},
	}
	flags.register(cmd, "`COLUMN` with the true class, to compare with")
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write as CSV; standard output if not given")
	return cmd
}

// predictionTable lists row, true class if known, prediction and
// probabilities.
func predictionTable(f *dataset.Frame, p *pipeline.Prediction) (*dataset.Frame, error) {
	n := f.Rows()
	columns := []dataset.Column{{Name: "row"}}
	if c := f.Class(); c != nil {
		columns = append(columns, dataset.Column{Name: "true", Factor: c})
	}
	columns = append(columns, dataset.Column{Name: "predicted", Factor: p.Predicted})
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, float64(i+1))
	}
	if p.Probabilities != nil {
		for _, level := range p.Predicted.Levels {
			columns = append(columns, dataset.Column{Name: "p_" + level})
		}
		var wide mat.Dense
		wide.Augment(x, p.Probabilities)
		x = &wide
	}
	return dataset.Assemble(x, columns, "", nil)
}

func reportAccuracy(cmd *cobra.Command, truth *dataset.Factor, p *pipeline.Prediction) error {
	c, err := experiment.Tally(truth, p.Predicted)
	if err != nil {
		return failed(err)
	}
	m, err := c.Metrics()
	if err != nil {
		return failed(err)
	}
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "accuracy %.4f on %d rows\n", m.Accuracy, len(truth.Codes))
	return failed(err)
}
