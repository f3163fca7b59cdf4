package classifier

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// lossParts is the number of row ranges whose sums are kept apart. It is fixed,
// so that the sums do not depend on the number of processors.
const lossParts = 8

// logisticLoss is the penalised mean loss as a function of θ: the scaled weights
// v, classes×p in row-major order, then the intercepts b.
//
//	F(θ) = 1/n·Σᵢ −log p(yᵢ | zᵢ) + λ/2n·Σ_jc (v_jc/d_j)²
//
// on columns z_j = (x_j − μ_j)/d_j. With w_jc = v_jc/d_j this is the loss on the
// columns as given, divided by n; centring only moves the intercepts, which the
// penalty leaves alone. The divisor d_j² = s_j²/4 + λ/n with the variance s_j²
// bounds the diagonal of the Hessian by 1, which is what makes the solver
// indifferent to the columns' units. x is never copied as a whole: blocks of
// rows are centred and scaled on the way.
type logisticLoss struct {
	x       *mat.Dense
	codes   []int
	classes int
	lambda  float64
	mean    []float64
	inverse []float64 // 1/d_j
	parts   []lossPart

	theta    []float64 // where value and gradient were evaluated last
	value    float64
	gradient []float64
}

// lossPart sums over the rows first…last−1.
type lossPart struct {
	first, last int
	z           []float64 // block of centred, scaled rows
	scores      []float64 // block×classes
	loss        float64
	gradient    []float64
}

func newLogisticLoss(t *trainingRows, lambda float64) (*logisticLoss, error) {
	n, p := t.x.Dims()
	l := &logisticLoss{
		x: t.x, codes: t.codes, classes: len(t.classes), lambda: lambda,
		mean: make([]float64, p), inverse: make([]float64, p),
		gradient: make([]float64, (p+1)*len(t.classes)),
	}
	if err := l.scale(t.features); err != nil {
		return nil, err
	}
	block := min(max(16, 1<<15/p), n)
	parts := min(lossParts, n)
	for i := range parts {
		l.parts = append(l.parts, lossPart{
			first: i * n / parts, last: (i + 1) * n / parts,
			z: make([]float64, block*p), scores: make([]float64, block*l.classes),
			gradient: make([]float64, len(l.gradient)),
		})
	}
	return l, nil
}

// scale finds μ and 1/d, column by column in two passes over the rows.
func (l *logisticLoss) scale(names []string) error {
	n, p := l.x.Dims()
	for i := range n {
		for j, v := range l.x.RawRowView(i) {
			l.mean[j] += v / float64(n)
		}
	}
	variance := make([]float64, p)
	for i := range n {
		for j, v := range l.x.RawRowView(i) {
			d := v - l.mean[j]
			variance[j] += d * d / float64(n)
		}
	}
	for j, s := range variance {
		d := math.Sqrt(s/4 + l.lambda/float64(n))
		if math.IsInf(d, 0) || math.IsNaN(d) {
			return fmt.Errorf("logistic: the numbers of column %q are too large or not finite: rescale the column, or drop it", names[j])
		}
		l.inverse[j] = 1 / d
		if d == 0 {
			l.inverse[j] = 0 // a constant column, and a penalty that underflows
		}
	}
	return nil
}

// evaluate computes value and gradient at θ, once for both.
func (l *logisticLoss) evaluate(theta []float64) {
	if l.theta != nil && floats.Equal(theta, l.theta) {
		return
	}
	l.theta = append(l.theta[:0], theta...)
	eachPart(len(l.parts), func(part int) { l.evaluatePart(&l.parts[part]) })
	n, p := l.x.Dims()
	l.value = 0
	for i := range l.gradient {
		l.gradient[i] = 0
	}
	for i := range l.parts {
		l.value += l.parts[i].loss / float64(n)
		floats.AddScaled(l.gradient, 1/float64(n), l.parts[i].gradient)
	}
	for at, v := range theta[:p*l.classes] {
		shrink := l.lambda / float64(n) * l.inverse[at%p] * l.inverse[at%p]
		l.gradient[at] += shrink * v
		l.value += shrink * v * v / 2
	}
}

// evaluatePart sums loss and gradient over one range of rows.
func (l *logisticLoss) evaluatePart(part *lossPart) {
	_, p := l.x.Dims()
	k := l.classes
	part.loss = 0
	for i := range part.gradient {
		part.gradient[i] = 0
	}
	weights := blas64.General{Rows: k, Cols: p, Stride: p, Data: l.theta}
	slope := blas64.General{Rows: k, Cols: p, Stride: p, Data: part.gradient}
	for first := part.first; first < part.last; {
		rows := min(len(part.scores)/k, part.last-first)
		z := blas64.General{Rows: rows, Cols: p, Stride: p, Data: part.z}
		scores := blas64.General{Rows: rows, Cols: k, Stride: k, Data: part.scores}
		l.centred(part.z, first, rows)
		for i := range rows {
			copy(part.scores[i*k:(i+1)*k], l.theta[p*k:])
		}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, z, weights, 1, scores)
		for i := range rows {
			row, y := part.scores[i*k:(i+1)*k], l.codes[first+i]
			of := row[y]
			part.loss += softmax(row) - of
			row[y]--
			floats.Add(part.gradient[p*k:], row)
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, scores, z, 1, slope)
		first += rows
	}
}

// centred writes rows of the scaled columns into z.
func (l *logisticLoss) centred(z []float64, first, rows int) {
	p := len(l.mean)
	for i := range rows {
		to := z[i*p : (i+1)*p]
		for j, v := range l.x.RawRowView(first + i) {
			to[j] = (v - l.mean[j]) * l.inverse[j]
		}
	}
}

// errStopped ends a minimisation whose context has ended.
var errStopped = errors.New("context ended")

// fitLogistic minimises the loss from zero weights and the intercepts that fit
// the class shares.
func fitLogistic(ctx context.Context, t *trainingRows, lambda float64, iterations int, tolerance float64) (*logisticFit, error) {
	if lambda == 0 {
		lambda = 1
	}
	if iterations == 0 {
		iterations = 1000
	}
	if tolerance == 0 {
		tolerance = 1e-5
	}
	if len(t.classes) == 2 {
		lambda *= 2 // w₁ = −w₀ at the minimum, so that ‖w₁−w₀‖² = 2(‖w₀‖²+‖w₁‖²)
	}
	loss, err := newLogisticLoss(t, lambda)
	if err != nil {
		return nil, err
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(theta []float64) float64 { loss.evaluate(theta); return loss.value },
		Grad: func(gradient, theta []float64) { loss.evaluate(theta); copy(gradient, loss.gradient) },
		Status: func() (optimize.Status, error) {
			if ctx.Err() != nil {
				return optimize.Failure, errStopped
			}
			return optimize.NotTerminated, nil
		},
	}, loss.start(), &optimize.Settings{
		GradientThreshold: tolerance,
		MajorIterations:   iterations,
		Converger:         optimize.NeverTerminate{},
	}, &optimize.LBFGS{})
	if result == nil || len(result.Gradient) == 0 {
		return nil, fmt.Errorf("logistic: no step was made: %w", errors.Join(ctx.Err(), err))
	}
	fit := loss.fitAt(t, result.X)
	fit.iterations = result.MajorIterations
	fit.tolerance = tolerance
	fit.gradient = floats.Norm(result.Gradient, math.Inf(1))
	fit.status = logisticStatus(ctx, result.Status, fit.gradient <= tolerance)
	return fit, nil
}

// start has zero weights, and intercepts log(n_c) shifted to sum to 0.
func (l *logisticLoss) start() []float64 {
	theta := make([]float64, len(l.gradient))
	b := theta[len(theta)-l.classes:]
	for _, code := range l.codes {
		b[code]++
	}
	for c := range b {
		b[c] = math.Log(b[c])
	}
	centre(b)
	return theta
}

// centre shifts b to the mean 0.
func centre(b []float64) {
	mean := 0.0
	for _, v := range b {
		mean += v / float64(len(b))
	}
	for i := range b {
		b[i] -= mean
	}
}

// fitAt turns θ into weights and intercepts for the columns as given.
func (l *logisticLoss) fitAt(t *trainingRows, theta []float64) *logisticFit {
	p, k := len(l.mean), l.classes
	fit := &logisticFit{
		features: t.features, classes: t.classes,
		weights:    mat.NewDense(k, p, nil),
		intercepts: append([]float64(nil), theta[p*k:]...),
	}
	for j := range p {
		for c := range k {
			w := theta[c*p+j] * l.inverse[j]
			fit.weights.Set(c, j, w)
			fit.intercepts[c] -= w * l.mean[j]
		}
	}
	centre(fit.intercepts)
	return fit
}

func logisticStatus(ctx context.Context, status optimize.Status, converged bool) string {
	switch {
	case converged:
		return "converged"
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "deadline"
	case ctx.Err() != nil:
		return "cancelled"
	case status == optimize.IterationLimit:
		return "iteration_limit"
	}
	return "stalled"
}
