package classifier

import (
	"fmt"
	"math"

	"github.com/fspca/fspca/internal/kernel"
)

// linearProblem is the minimisation of
//
//	F(W, b) = Σᵢ loss(xᵢᵀW + b) + l1·Σ|w_jc| + l2/2·Σ w_jc²
//
// over W (p×k) and b (k), one column for each score. The solver works with the
// columns (x_j − μ_j)/d_j: with u_j = d_j·w_j and the intercepts of centred
// columns. d_j² is near the second derivative of the mean loss, so the units of the
// columns do not matter. x is never copied: blocks of rows are multiplied as they
// are, and μ is taken off the sums.
//
// A point θ is (p+1)×k in row-major order: u, then b.
type linearProblem struct {
	x         kernel.Matrix
	loss      scoreLoss
	k         int
	l1, l2    float64
	mean      []float64 // μ
	inverse   []float64 // 1/d
	parts     []linearPart
	plain     []float64 // p×k: u/d of the point of a sweep
	intercept []float64 // b − μᵀ(u/d)
}

// linearPart sums over the rows first…last−1.
type linearPart struct {
	first, last int
	value       float64
	sums        []float64 // (p+1)×k: XᵀT and 1ᵀT
}

// linearParts is the number of pieces of the rows whose sums are kept apart.
// It is fixed, so that sums do not depend on the number of processors.
const linearParts = 16

// linearBlock is the number of rows that are multiplied at a time: they stay in
// the cache between the two products of a sweep.
const linearBlock = 64

// newLinearProblem scales the columns. curvature is about the second derivative
// of a row's loss by a score.
func newLinearProblem(x kernel.Matrix, loss scoreLoss, k int, l1, l2, curvature float64) *linearProblem {
	n, p := x.Rows, x.Cols
	l := &linearProblem{x: x, loss: loss, k: k, l1: l1, l2: l2,
		mean: make([]float64, p), inverse: make([]float64, p),
		plain: make([]float64, p*k), intercept: make([]float64, k)}
	kernel.Moments(l.mean, l.inverse, x)
	for j, squares := range l.inverse {
		l.inverse[j] = 0 // a constant column without a penalty: its weight stays 0
		if d := math.Sqrt((squares*curvature + l2) / float64(n)); d > 0 {
			l.inverse[j] = 1 / d
		}
	}
	parts := min(linearParts, (n+linearBlock-1)/linearBlock)
	for i := range parts {
		l.parts = append(l.parts, linearPart{first: i * n / parts, last: (i + 1) * n / parts, sums: make([]float64, (p+1)*k)})
	}
	return l
}

// checkScale names the first column whose numbers are too large to square.
func (l *linearProblem) checkScale(kind string, names []string) error {
	for j, inverse := range l.inverse {
		if v := inverse + l.mean[j]; math.IsNaN(v) || math.IsInf(v, 0) || inverse == 0 && l.l2 > 0 {
			return fmt.Errorf("%s: the numbers of column %q are too large or not finite: rescale the column, or drop it", kind, names[j])
		}
	}
	return nil
}

// sweep reads the rows once. Where v is given it first sets scores (n×k) to the
// scores of the point v. Then do is called for rows first…last−1, and returns a
// part of the sum that sweep returns. Last, where to is given, it is set to the
// derivative that slopes (n×k) have by the point, without the penalty.

func (l *linearProblem) sweep(v, scores []float64, do func(first, last int) float64, slopes, to []float64) float64 {
	if v != nil {
		l.unscale(v)
	}
	kernel.Parallel(len(l.parts), func(_, i int) {
		part := &l.parts[i]
		part.value = 0
		clear(part.sums)
		for first := part.first; first < part.last; first += linearBlock {
			last := min(first+linearBlock, part.last)
			if v != nil {
				l.multiply(scores, first, last)
			}
			part.value += do(first, last)
			if to != nil {
				l.collect(part, slopes, first, last)
			}
		}
	})
	return l.merge(to)
}

// merge adds up what the parts found: it returns the value, and writes the sums to to unless that is nil.
func (l *linearProblem) merge(to []float64) float64 {
	p := l.x.Cols
	value := 0.0
	for i := range l.parts {
		value += l.parts[i].value
		if to != nil && i > 0 {
			kernel.Axpy(1, l.parts[i].sums, l.parts[0].sums)
		}
	}
	if to == nil {
		return value
	}
	sums := l.parts[0].sums
	total := sums[p*l.k:]
	for j := range p {
		for c := range l.k {
			to[j*l.k+c] = (sums[j*l.k+c] - l.mean[j]*total[c]) * l.inverse[j]
		}
	}
	copy(to[p*l.k:], total)
	return value
}

// unscale turns a point into weights and intercepts for the columns as given.
func (l *linearProblem) unscale(v []float64) {
	p := l.x.Cols
	copy(l.intercept, v[p*l.k:])
	for j := range p {
		for c := range l.k {
			w := v[j*l.k+c] * l.inverse[j]
			l.plain[j*l.k+c] = w
			l.intercept[c] -= w * l.mean[j]
		}
	}
}

// multiply sets the scores of rows first…last−1.
func (l *linearProblem) multiply(scores []float64, first, last int) {
	if l.k == 1 {
		for i := first; i < last; i++ {
			scores[i] = l.intercept[0] + kernel.Dot(l.x.Row(i), l.plain)
		}
		return
	}
	for i := first; i < last; i++ {
		copy(scores[i*l.k:(i+1)*l.k], l.intercept)
	}
	p := l.x.Cols
	kernel.Gemm(false, false, 1, l.x.Slice(first, last, 0, p), kernel.Matrix{Rows: p, Cols: l.k, Stride: l.k, Data: l.plain},
		1, kernel.Matrix{Rows: last - first, Cols: l.k, Stride: l.k, Data: scores[first*l.k : last*l.k]})
}

// collect adds XᵀT and 1ᵀT over rows first…last−1.
func (l *linearProblem) collect(part *linearPart, slopes []float64, first, last int) {
	p := l.x.Cols
	total := part.sums[p*l.k:]
	for i := first; i < last; i++ {
		for c, t := range slopes[i*l.k : (i+1)*l.k] {
			total[c] += t
		}
	}
	if l.k == 1 {
		for i := first; i < last; i++ {
			if slopes[i] != 0 {
				kernel.Axpy(slopes[i], l.x.Row(i), part.sums[:p])
			}
		}
		return
	}
	kernel.Gemm(true, false, 1, l.x.Slice(first, last, 0, p),
		kernel.Matrix{Rows: last - first, Cols: l.k, Stride: l.k, Data: slopes[first*l.k : last*l.k]},
		1, kernel.Matrix{Rows: p, Cols: l.k, Stride: l.k, Data: part.sums[:p*l.k]})
}

// evaluateRows sets the slopes of the scores and returns the sum of the losses.
func (l *linearProblem) evaluateRows(scores, slopes []float64) func(first, last int) float64 {
	return func(first, last int) float64 {
		value := 0.0
		for i := first; i < last; i++ {
			value += l.loss.evaluate(i, scores[i*l.k:(i+1)*l.k], slopes[i*l.k:(i+1)*l.k])
		}
		return value
	}
}

// penalty returns the penalty at a point and adds the derivative of its smooth
// part to slope, if given.
func (l *linearProblem) penalty(v, slope []float64) float64 {
	sum := 0.0
	for j, inverse := range l.inverse {
		shrink := l.l2 * inverse * inverse
		for at := j * l.k; at < (j+1)*l.k; at++ {
			sum += shrink/2*v[at]*v[at] + l.l1*inverse*math.Abs(v[at])
			if slope != nil {
				slope[at] += shrink * v[at]
			}
		}
	}
	return sum
}
