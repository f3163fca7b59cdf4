package classifier

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/saved"
)

// weightedRows is numericTraining for classifiers that need two classes and weigh their rows.
func weightedRows(kind string, f *dataset.Frame, how string, given map[string]float64) (*trainingRows, rowWeights, error) {
	rows, err := numericTraining(kind, f)
	if err != nil {
		return nil, rowWeights{}, err
	}
	if len(rows.classes) < 2 {
		return nil, rowWeights{}, fmt.Errorf("%s: all %d training rows have the class %q, and at least two classes are needed",
			kind, f.Rows(), rows.classes[0])
	}
	weights := rowWeights{codes: rows.codes}
	switch {
	case given != nil:
		weights.weight, err = givenWeights(kind, given, f.Class().Levels, rows.classes)
	case how == param.Balanced:
		weights.weight = lists.Map(lists.Tally(len(rows.classes), rows.codes), func(count int) float64 {
			return float64(len(rows.codes)) / (float64(len(rows.classes)) * float64(count))
		})
	}
	return rows, weights, err
}

// givenWeights is the weight of each class's rows. A weight of what is none of the levels of
// the class column is an error; a level may have no training row.
func givenWeights(kind string, given map[string]float64, levels, classes []string) ([]float64, error) {
	var errs []error
	for _, err := range param.UnknownClasses(given, levels) {
		errs = append(errs, fmt.Errorf("%s: %w", kind, err))
	}
	weights := lists.Map(classes, func(class string) float64 {
		if w, ok := given[class]; ok {
			return w
		}
		return 1
	})
	return weights, errors.Join(errs...)
}

// checkClassWeights says what is wrong with the options.
func checkClassWeights(how string, given map[string]float64) error {
	if given == nil {
		return oneOf("class_weight", how, param.ClassWeightings...)
	}
	var errs []error
	if how != param.Unweighted {
		errs = append(errs, fmt.Errorf("class_weight is %q, and there are weights by class too: give one of them", how))
	}
	for _, err := range param.ClassWeights(given) {
		errs = append(errs, fmt.Errorf("class_weight: %w", err))
	}
	return errors.Join(errs...)
}

// linearFit is what fitLinear is asked for.
type linearFit struct {
	loss              scoreLoss
	l1, l2, curvature float64
	limit             int
	tolerance         float64
}

// scores are a linear classifier's weights: a score for each class.
type scores struct {
	columns
	weights    *mat.Dense // classes×p, for the columns as given
	intercepts []float64
	iterations int
	status     string  // "converged", "iteration_limit" or "stalled"
	value, gap float64 // the objective, and a bound on how far it lies above its minimum
}

// fitLinear minimises the loss from zero weights. With two classes there is one
// score s, and the classes get −s/2 and s/2.
func fitLinear(ctx context.Context, kind string, t *trainingRows, want linearFit) (*scores, error) {
	n, p := t.x.Dims()
	k := len(t.classes)
	if k == 2 {
		k = 1
	}
	problem := newLinearProblem(kernel.Matrix(t.x.RawMatrix()), want.loss, k, want.l1, want.l2, want.curvature)
	if err := problem.checkScale(kind, t.features); err != nil {
		return nil, err
	}
	state := newLinearState(ctx, problem, make([]float64, (p+1)*k))
	steps, proved := state.minimise(want.tolerance, want.limit)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if math.IsNaN(state.value) {
		return nil, fmt.Errorf("%s: the loss of the %d rows is not finite: rescale the columns (a standardize step)", kind, n)
	}
	s := &scores{columns: columns{t.features, t.classes}, iterations: steps, status: "stalled", value: state.value, gap: state.gap}
	switch {
	case proved:
		s.status = "converged"
	case steps == want.limit:
		s.status = "iteration_limit"
	}
	problem.unscale(state.point)
	s.take(problem.plain, problem.intercept, k)
	return s, nil
}

// take copies weights (p×k) and intercepts (k).
func (s *scores) take(plain, intercepts []float64, k int) {
	p, classes := len(s.Features), len(s.Classes)
	s.weights, s.intercepts = mat.NewDense(classes, p, nil), make([]float64, classes)
	if k == 1 {
		for j, w := range plain {
			s.weights.Set(0, j, -w/2)
			s.weights.Set(1, j, w/2)
		}
		s.intercepts[0], s.intercepts[1] = -intercepts[0]/2, intercepts[0]/2
		return
	}
	for c := range classes {
		for j := range p {
			s.weights.Set(c, j, plain[j*k+c])
		}
	}
	copy(s.intercepts, intercepts)
}

// of writes the scores of a row.
func (s *scores) of(row, to []float64) {
	for c, intercept := range s.intercepts {
		to[c] = intercept + kernel.Dot(row, s.weights.RawRowView(c))
	}
}

func (s *scores) warnings(kind string) []string {
	if s.status == "converged" {
		return nil
	}
	return []string{fmt.Sprintf("%s stopped (%s) after %d iterations; its objective, %.6g, may lie %.3g above the minimum; standardize the columns, raise max_iterations or the penalty",
		kind, s.status, s.iterations, s.value, s.gap)}
}

// scoresState is the JSON of scores.
type scoresState struct {
	columns
	Weights    [][]float64 `json:"weights"` // one row per class
	Intercepts []float64   `json:"intercepts"`
	Iterations int         `json:"iterations"`
	Status     string      `json:"status"`
	Objective  float64     `json:"objective,omitempty"`
	Gap        float64     `json:"gap,omitempty"`
}

func (s *scores) state() scoresState {
	state := scoresState{columns: s.columns, Weights: saved.Rows(s.weights), Intercepts: s.intercepts,
		Iterations: s.iterations, Status: s.status, Objective: s.value}
	if !math.IsInf(s.gap, 0) && !math.IsNaN(s.gap) {
		state.Gap = s.gap
	}
	return state
}

// read checks what was saved: rows of weights for at least so many classes.
func (s *scoresState) read(rows, least int) (*scores, error) {
	err := joined("weights",
		checkNames("features", s.Features, 1),
		checkNames("classes", s.Classes, least),
		checkTable("weights", s.Weights, rows, len(s.Features)),
		checkTable("intercepts", [][]float64{s.Intercepts}, 1, rows))
	if err != nil {
		return nil, err
	}
	return &scores{columns: s.columns, weights: saved.Dense(s.Weights), intercepts: s.Intercepts,
		iterations: s.Iterations, status: s.Status, value: s.Objective, gap: s.Gap}, nil
}
