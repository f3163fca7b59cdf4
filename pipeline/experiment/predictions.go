package experiment

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline"
)

// writePredictions writes one line for each row held out, in the order of the rows,
// for each repeat in turn: its number from 1, the part it was held out in, its class
// and the class predicted without it. The probability of each class follows, the
// repeat where there are several, and what each compared pipeline predicts.
func (r *run) writePredictions(w io.Writer) error {
	levels := r.predictable()
	rivals := r.rivals()
	out := csv.NewWriter(w)
	if err := out.Write(r.predictionHeader(levels, rivals)); err != nil {
		return err
	}
	each := len(r.splits) / max(r.division.Repeats, 1) // splits of a repeat
	for repeat := range max(r.division.Repeats, 1) {
		var places [][2]int // split and place in it
		for i := repeat * each; i < (repeat+1)*each; i++ {
			for j := range r.splits[i].Test {
				places = append(places, [2]int{i, j})
			}
		}
		row := func(p [2]int) int { return r.splits[p[0]].Test[p[1]] }
		slices.SortStableFunc(places, func(a, b [2]int) int { return cmp.Compare(row(a), row(b)) })
		for _, p := range places {
			line := r.predictionLine(p[0], p[1], repeat, levels, rivals)
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// predictionLine is the line of a row that a split holds out, the at-th of its test rows.
func (r *run) predictionLine(split, at, repeat int, levels []string, rivals []rival) []string {
	row := r.splits[split].Test[at]
	line := []string{strconv.Itoa(row + 1)}
	if name, ids := r.tested.ID(); ids != nil && name == "row" { // it takes the place of the number
		line[0] = ids[row]
	} else if ids != nil {
		line = []string{ids[row], line[0]}
	}
	repeats := max(r.division.Repeats, 1)
	p := r.chosen.trials[split].prediction
	line = append(line, r.partName(split%(len(r.splits)/repeats)), r.tested.Class().Text(row), predictedText(p, at))
	line = append(line, probabilitiesOf(p, at, levels)...)
	if r.division.Repeats > 1 {
		line = append(line, strconv.Itoa(repeat+1))
	}
	for _, rival := range rivals {
		line = append(line, predictedText(rival.trials[split].prediction, at))
	}
	return line
}

func (r *run) predictionHeader(levels []string, rivals []rival) []string {
	part := "fold"
	if r.hasOneTest() {
		part = "split"
	}
	header := []string{"row", part, "true", "predicted"}
	if id, ids := r.tested.ID(); ids != nil && id != header[0] {
		header = append([]string{id}, header...)
	}
	for _, level := range levels {
		header = append(header, "p_"+level)
	}
	if r.division.Repeats > 1 {
		header = append(header, "repeat")
	}
	for _, rival := range rivals {
		header = append(header, "predicted_"+rival.name)
	}
	return header
}

// hasOneTest says whether each repeat tests one part.
func (r *run) hasOneTest() bool {
	return len(r.splits) == max(r.division.Repeats, 1) && r.division.Folds == 0
}

// partName is the test, or the number of a fold.
func (r *run) partName(i int) string {
	if r.hasOneTest() {
		return "test"
	}
	return strconv.Itoa(i + 1)
}

// rival is a contender with its name in the file.
type rival struct {
	name string
	contender
}

// rivals are the contenders that were tried on all splits; of the random columns the
// first draw.
func (r *run) rivals() []rival {
	all := []rival{{"all_columns", r.all}, {"dummy", r.dummy}}
	if len(r.random) > 0 {
		all = append(all, rival{"random_columns", r.random[0]})
	}
	all = append(all, rival{"pca", r.pca})
	return slices.DeleteFunc(all, func(c rival) bool { return len(c.trials) == 0 })
}

// predictedText is what is predicted for row i, in full.
func predictedText(p *pipeline.Prediction, i int) string {
	if p.Values != nil {
		return numberText(p.Values[i])
	}
	return p.Predicted.Text(i)
}

// predictable are the classes that the classifiers give probabilities for, in the
// order of the data's levels; nil where they give none.
func (r *run) predictable() []string {
	if r.data.Target() != nil {
		return nil
	}
	return lists.Where(r.data.Class().Levels, func(level string) bool {
		return slices.ContainsFunc(r.chosen.trials, func(t trial) bool {
			return t.prediction.Probabilities != nil && slices.Contains(t.prediction.Predicted.Levels, level)
		})
	})
}

// probabilitiesOf are those of row i for the levels; 0 for one that the training
// rows did not have.
func probabilitiesOf(p *pipeline.Prediction, i int, levels []string) []string {
	return lists.Map(levels, func(level string) string {
		v := 0.0
		if at := slices.Index(p.Predicted.Levels, level); at >= 0 && p.Probabilities != nil {
			v = p.Probabilities.At(i, at)
		}
		return numberText(v)
	})
}

// numberText is a number as tables have it.
func numberText(v float64) string { return string(delimited.AppendNumber(nil, v)) }
