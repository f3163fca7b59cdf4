package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// Confusion counts how often each true class was predicted as each class.
// Counts is square, in the order of Labels: Counts[i][j] rows have the true
// class Labels[i] and the predicted class Labels[j].
type Confusion struct {
	Labels []string `json:"labels"`
	Counts [][]int  `json:"counts"`
}

// ClassMetrics are the figures of one class against all others together.
type ClassMetrics struct {
	Class string `json:"class"`
	// Precision is the share of the rows predicted as Class that are Class;
	// 0 where no row was predicted so.
	Precision float64 `json:"precision"`
	// Recall is the share of the rows of Class that were predicted as Class;
	// 0 where there is no such row.
	Recall float64 `json:"recall"`
	// F1 is the harmonic mean of Precision and Recall, 2·TP/(2·TP + FP + FN).
	F1 float64 `json:"f1"`
	// Support is the number of rows whose true class is Class.
	Support int `json:"support"`
}

// Metrics are the figures of a classification. Those that need no probabilities come from Confusion.
// A ratio with the denominator 0 counts as 0: a class that is never predicted lowers MacroF1, and
// every figure can be written as JSON.
type Metrics struct {
	// Accuracy is the share of rows predicted right, in [0, 1].
	Accuracy float64 `json:"accuracy"`
	// AccuracySE is its standard error: Binomial for one test set, else NadeauBengio.
	AccuracySE float64 `json:"accuracy_se"`
	// BalancedAccuracy is the mean recall of the classes that occur.
	BalancedAccuracy float64 `json:"balanced_accuracy"`
	// LogLoss is the mean of −log p, where p is the probability of the true class,
	// at least 2⁻⁵². AUC is the area under the ROC curve, averaged over the classes,
	// each against the rest, and over the folds. LogLoss, AUC and Calibration are
	// nil without probabilities; AUC also if no test part has two classes.
	LogLoss *float64 `json:"log_loss,omitempty"`
	AUC     *float64 `json:"auc,omitempty"`
	// MacroF1 is the plain mean of the classes' F1: every class weighs the same.
	MacroF1     float64        `json:"macro_f1"`
	PerClass    []ClassMetrics `json:"per_class"`
	Calibration *Calibration   `json:"calibration,omitempty"`
	// Confusion has the classes that occur as a true or as a predicted class.
	Confusion Confusion `json:"confusion"`
}

// Tally counts predictions against the truth, row by row. Classes are matched
// by their text, whatever the order of the levels; the labels are the levels of
// truth, then those that only predicted has. It is an error if the lengths
// differ or a class is missing on either side.
func Tally(truth, predicted *dataset.Factor) (*Confusion, error) {
	if truth == nil || predicted == nil {
		return nil, errors.New("predictions cannot be compared: the true or the predicted classes are nil")
	}
	if len(truth.Codes) != len(predicted.Codes) {
		return nil, fmt.Errorf("predictions cannot be compared: %d predicted rows, %d rows with a known class",
			len(predicted.Codes), len(truth.Codes))
	}
	c := &Confusion{}
	rows, columns := c.indices(truth.Levels), c.indices(predicted.Levels)
	for i, t := range truth.Codes {
		p := predicted.Codes[i]
		if int(t) >= len(rows) || int(p) >= len(columns) {
			return nil, fmt.Errorf("row %d has the codes %d and %d, and there are %d true and %d predicted levels", i+1, t, p, len(rows), len(columns))
		}
		if t < 0 || p < 0 {
			side := "true"
			if t >= 0 {
				side = "predicted"
			}
			return nil, fmt.Errorf("row %d has no %s class: drop the rows without one before the evaluation", i+1, side)
		}
		c.Counts[rows[t]][columns[p]]++
	}
	return c, nil
}

// indices gives the place of each label, adding those that c lacks.
func (c *Confusion) indices(labels []string) []int {
	find := dataset.FindLevel(c.Labels)
	places := lists.Map(labels, func(label string) int {
		place := find(label)
		if place < 0 {
			place = len(c.Labels)
			c.Labels = append(c.Labels, label)
		}
		return place
	})
	for i := range c.Counts {
		c.Counts[i] = append(c.Counts[i], make([]int, len(c.Labels)-len(c.Counts[i]))...)
	}
	for len(c.Counts) < len(c.Labels) {
		c.Counts = append(c.Counts, make([]int, len(c.Labels)))
	}
	return places
}

// add adds the counts of other, label by label: the confusion of several folds
// together. Labels that c lacks are appended.
func (c *Confusion) add(other *Confusion) {
	places := c.indices(other.Labels)
	for i, row := range other.Counts {
		for j, count := range row {
			c.Counts[places[i]][places[j]] += count
		}
	}
}

func (c *Confusion) square() bool {
	return len(c.Counts) == len(c.Labels) && !slices.ContainsFunc(c.Counts, func(row []int) bool { return len(row) != len(c.Labels) })
}

// occurring drops the labels that are neither true nor predicted anywhere.
func (c *Confusion) occurring() Confusion {
	keep := lists.Places(len(c.Labels), func(i int) bool {
		support, predicted := c.margins(i)
		return support+predicted > 0
	})
	return Confusion{lists.At(c.Labels, keep), lists.Map(keep, func(i int) []int { return lists.At(c.Counts[i], keep) })}
}

// margins are how many rows have a class, and how many are predicted as it.
func (c *Confusion) margins(i int) (support, predicted int) {
	for j := range c.Labels {
		support += c.Counts[i][j]
		predicted += c.Counts[j][i]
	}
	return support, predicted
}

// Metrics derives the figures from the counts. Classes that never occur, neither
// as a true nor as a predicted class, are left out. A confusion without any row
// is an error. AccuracySE takes the rows as one test set.
func (c *Confusion) Metrics() (*Metrics, error) {
	if !c.square() {
		return nil, fmt.Errorf("the confusion has %d labels: want as many rows of counts, and as many in each", len(c.Labels))
	}
	m := &Metrics{Confusion: c.occurring()}
	labels, counts := m.Confusion.Labels, m.Confusion.Counts
	if len(labels) == 0 {
		return nil, errors.New("there is no row to evaluate: metrics need at least one predicted row")
	}
	var right, total, occurring int
	for i := range labels {
		class := m.Confusion.class(i)
		right += counts[i][i]
		total += class.Support
		m.PerClass = append(m.PerClass, class)
		m.MacroF1 += class.F1
		if class.Support > 0 {
			m.BalancedAccuracy += class.Recall
			occurring++
		}
	}
	m.Accuracy = ratio(right, total)
	m.MacroF1 /= float64(len(labels))
	m.BalancedAccuracy /= float64(occurring)
	m.AccuracySE = math.Sqrt(m.Accuracy * (1 - m.Accuracy) / float64(total))
	return m, nil
}

// class measures class i.
func (c *Confusion) class(i int) ClassMetrics {
	support, predicted := c.margins(i)
	hit := c.Counts[i][i]
	return ClassMetrics{
		Class:     c.Labels[i],
		Precision: ratio(hit, predicted),
		Recall:    ratio(hit, support),
		F1:        ratio(2*hit, predicted+support),
		Support:   support,
	}
}

// ratio is a/b, and 0 where b is 0.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
