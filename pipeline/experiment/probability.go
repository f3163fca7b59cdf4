package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline"
)

// smallest is the least probability that the log loss counts: the rounding of 1, as
// in scikit-learn.
const smallest = 0x1p-52

// bins is the number of bins of a calibration.
const bins = 10

// Calibration compares predicted probabilities with how often the prediction is
// right. Rows are binned by the probability of their predicted class.
type Calibration struct {
	// Error is the mean over the rows of |share right − mean probability| of their
	// bins (the expected calibration error).
	Error float64          `json:"error"`
	Bins  []CalibrationBin `json:"bins"` // those with rows, of 10 of equal width
}

// CalibrationBin holds the rows with a probability above From and up to To.
type CalibrationBin struct {
	From        float64 `json:"from"`
	To          float64 `json:"to"`
	Rows        int     `json:"rows"`
	Probability float64 `json:"probability"` // mean of the predicted class
	Right       float64 `json:"right"`       // share of the rows predicted right
}

// Score compares predictions with the true classes, or with the numbers of a target
// (dataset.NewTarget), as one test set. Errors: different lengths, a missing class
// or number, no rows.
func Score(truth *dataset.Factor, p *pipeline.Prediction) (*Evaluation, error) {
	switch {
	case p == nil || truth == nil:
		return nil, errors.New("predictions cannot be compared: there are none, or no true classes")
	case p.Values != nil && truth.Numbers == nil:
		return nil, errors.New("the predictions are numbers, and the truth is of classes: make it a target by Factor.AsTarget")
	case p.Values != nil:
		return scoreNumbers(truth, p.Values)
	}
	confusion, err := Tally(truth, p.Predicted)
	if err != nil {
		return nil, err
	}
	t := trial{prediction: p, confusion: confusion, class: truth}
	if err := t.check(); err != nil {
		return nil, err
	}
	m, err := confusion.Metrics()
	if err != nil {
		return nil, err
	}
	m.addProbabilities([]trial{t})
	return &Evaluation{Metrics: m, SEMethod: Binomial}, nil
}

// scoreNumbers measures predicted numbers against those of a target.
func scoreNumbers(truth *dataset.Factor, predicted []float64) (*Evaluation, error) {
	numbers := make([]float64, len(truth.Codes))
	for i := range numbers {
		if numbers[i] = truth.Value(i); math.IsNaN(numbers[i]) {
			return nil, fmt.Errorf("row %d has no true number: drop the rows without one before the evaluation", i+1)
		}
	}
	m, err := Regression(numbers, predicted)
	if err != nil {
		return nil, err
	}
	return &Evaluation{RegressionMetrics: m, SEMethod: IndependentRows}, nil
}

// check says whether there is a probability for each row and class.
func (t *trial) check() error {
	p := t.prediction
	if p.Probabilities == nil {
		return nil
	}
	if n, c := p.Probabilities.Dims(); n != len(p.Predicted.Codes) || n > 0 && c != len(p.Predicted.Levels) {
		return fmt.Errorf("there are %d × %d probabilities for %d rows of %d classes", n, c, len(p.Predicted.Codes), len(p.Predicted.Levels))
	}
	if p.Probabilities.IsEmpty() {
		return nil
	}
	for i := range p.Predicted.Codes {
		for _, v := range p.Probabilities.RawRowView(i) {
			if !(v >= 0 && v <= 1+1e-9) {
				return fmt.Errorf("row %d has the probability %v: want a number from 0 to 1", i+1, v)
			}
		}
	}
	return nil
}

// addProbabilities adds what the probabilities say; nothing without them. The log
// loss and the calibration are of all rows together. The AUC is the mean over the
// trials, since the probabilities of two models have no common scale.
func (m *Metrics) addProbabilities(trials []trial) {
	var losses []float64
	var sure []certainty
	var auc []float64
	for _, t := range trials {
		p := t.prediction
		if p.Probabilities == nil {
			return
		}
		losses = append(losses, t.losses()...)
		for i, code := range p.Predicted.Codes {
			sure = append(sure, certainty{p.Probabilities.At(i, int(code)), p.Predicted.Text(i) == t.class.Text(i)})
		}
		if a, ok := areaUnderROC(t.class, p.Predicted.Levels, p.Probabilities); ok {
			auc = append(auc, a)
		}
	}
	loss := mean(losses)
	m.LogLoss, m.Calibration = &loss, calibrationOf(sure)
	if len(auc) > 0 {
		a := mean(auc)
		m.AUC = &a
	}
}

// losses are −log p of the true class of each row.
func (t *trial) losses() []float64 {
	p := t.prediction
	column := lists.Map(t.class.Levels, func(level string) int { return slices.Index(p.Predicted.Levels, level) })
	return lists.Make(len(t.class.Codes), func(i int) float64 {
		q := 0.0
		if j := column[t.class.Codes[i]]; j >= 0 {
			q = p.Probabilities.At(i, j)
		}
		return -math.Log(min(max(q, smallest), 1))
	})
}

// areaUnderROC is the mean over the classes (one against the rest, macro). For
// one class it is how probable a row of the class gets a higher probability of it
// than another row; ties count half. So it is a half for a class without a probability,
// which was not trained on. Classes without rows, or with all, are left out.
func areaUnderROC(truth *dataset.Factor, levels []string, p *mat.Dense) (auc float64, ok bool) {
	n := len(truth.Codes)
	var areas []float64
	order := lists.Upto[int](n)
	for c, level := range levels {
		positive := lists.Count(order, func(i int) bool { return truth.Text(i) == level })
		if positive == 0 || positive == n {
			continue
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p.At(a, c), p.At(b, c)) })
		ranks := rankSum(truth, level, order, func(i int) float64 { return p.At(i, c) })
		a, b := float64(positive), float64(n-positive)
		areas = append(areas, (ranks-a*(a+1)/2)/(a*b))
	}
	for c, level := range truth.Levels {
		if !slices.Contains(levels, level) && slices.Contains(truth.Codes, int32(c)) && slices.ContainsFunc(truth.Codes, func(code int32) bool { return code != int32(c) }) {
			areas = append(areas, 0.5)
		}
	}
	if len(areas) == 0 {
		return 0, false
	}
	return mean(areas), true
}

// rankSum is the sum of the ranks, from 1 and the mean among ties, that the rows of a class have in order.
func rankSum(truth *dataset.Factor, level string, order []int, value func(row int) float64) float64 {
	ranks := 0.0
	for i := 0; i < len(order); {
		j, hits := i, 0
		for ; j == i || j < len(order) && value(order[j]) == value(order[i]); j++ {
			if truth.Text(order[j]) == level {
				hits++
			}
		}
		ranks += float64(hits) * float64(i+j+1) / 2
		i = j
	}
	return ranks
}

// certainty is the probability of the predicted class, and whether it was right.
type certainty struct {
	probability float64
	right       bool
}

func calibrationOf(rows []certainty) *Calibration {
	if len(rows) == 0 {
		return nil
	}
	all := make([]CalibrationBin, bins)
	for _, row := range rows {
		at := min(max(int(math.Ceil(row.probability*bins))-1, 0), bins-1)
		b := &all[at]
		b.Rows++
		b.Probability += row.probability
		if row.right {
			b.Right++
		}
	}
	c := new(Calibration)
	for i, b := range all {
		if b.Rows == 0 {
			continue
		}
		n := float64(b.Rows)
		b.From, b.To, b.Probability, b.Right = float64(i)/bins, float64(i+1)/bins, b.Probability/n, b.Right/n
		c.Error += n / float64(len(rows)) * math.Abs(b.Right-b.Probability)
		c.Bins = append(c.Bins, b)
	}
	return c
}

func mean(x []float64) float64 {
	return lists.Sum(x) / float64(len(x))
}
