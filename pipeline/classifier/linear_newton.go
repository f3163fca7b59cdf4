package classifier

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/fspca/fspca/internal/kernel"
)

// linearState is a point with what was computed there.
type linearState struct {
	*linearProblem
	ctx            context.Context
	point          []float64
	scores, slopes []float64 // n×k
	value          float64
	gradient       []float64 // of the smooth part
	gap            float64   // bounds how far value lies above the minimum
	damping        float64   // added to the diagonal of the Hessian where there is an L1 penalty

	// Room for one step.
	step, stepScores        []float64
	r, d, hd, dScores, room []float64
}

func newLinearState(ctx context.Context, l *linearProblem, point []float64) *linearState {
	n := l.x.Rows * l.k
	s := &linearState{linearProblem: l, ctx: ctx, point: point}
	if l.l1 > 0 && l.k > 1 {
		s.damping = 1e-2 * float64(l.x.Rows)
	}
	for _, to := range []*[]float64{&s.scores, &s.slopes, &s.stepScores, &s.dScores, &s.room} {
		*to = make([]float64, n)
	}
	for _, to := range []*[]float64{&s.gradient, &s.step, &s.r, &s.d, &s.hd} {
		*to = make([]float64, len(point))
	}
	return s
}

// minimise takes Newton steps, each computed by conjugate gradients as long as that
// pays. It stops when the value is proved to be within the relative tolerance of
// the minimum, or after limit steps. It reports the number of steps and whether
// that was proved.
func (s *linearState) minimise(tolerance float64, limit int) (steps int, proved bool) {
	s.value = s.sweep(s.point, s.scores, s.evaluateRows(s.scores, s.slopes), s.slopes, s.gradient)
	s.value += s.penalty(s.point, s.gradient)
	length := 1 / float64(s.x.Rows)
	s.gap = s.bound()
	for ; ; steps++ {
		if s.gap <= tolerance*s.value {
			return steps, true
		}
		if steps == limit || s.ctx.Err() != nil {
			return steps, false
		}
		before, gap := s.value, s.gap
		if s.l1 > 0 {
			length = s.shrink(length)
		}
		s.newton()
		if s.ctx.Err() != nil {
			return steps, false
		}
		if s.gap = s.bound(); s.value >= before && s.gap > gap/2 {
			s.gap = min(s.gap, gap+s.value-before)
			return steps, false // rounding allows no better
		}
	}
}

// rounding is how far, as a share, values may lie apart that are meant to be equal. Near the minimum the
// value then tells nothing more of a step, and the gradient, which is small there, still does.
const rounding = 1e-13

// newton takes one step of Newton's method on the weights that are not 0, or on
// all of them where there is no L1 penalty.
func (s *linearState) newton() {
	p := s.x.Cols * s.k
	free := func(at int) bool { return s.l1 == 0 || at >= p || s.point[at] != 0 }
	slope := 0.0
	clear(s.step)
	clear(s.stepScores)
	for at, g := range s.gradient {
		s.r[at] = 0
		if free(at) {
			s.r[at] = -g
			if at < p {
				s.r[at] -= s.l1 * s.inverse[at/s.k] * sign(s.point[at])
			}
		}
	}
	if !s.solvesDirectly() || !s.direct() {
		clear(s.step)
		clear(s.stepScores)
		s.conjugate(free)
	}
	for at, g := range s.gradient {
		if at < p && s.l1 > 0 {
			g += s.l1 * s.inverse[at/s.k] * sign(s.point[at])
		}
		slope += g * s.step[at]
	}
	if slope < 0 {
		s.search(slope)
	}
}

// conjugate solves H·step = r by conjugate gradients, r being the negative
// gradient, over the free weights, to a residual that shrinks with the gradient:
// then the steps converge faster than linearly (Nocedal and Wright, Numerical
// Optimization, section 7.1).
func (s *linearState) conjugate(free func(at int) bool) {
	rr := floats.Dot(s.r, s.r)
	if rr == 0 {
		return
	}
	start := math.Sqrt(rr)
	aim := min(0.1, math.Sqrt(start/float64(s.x.Rows))) * start
	copy(s.d, s.r)
	for range 2*len(s.point) + 10 {
		if s.ctx.Err() != nil {
			return
		}
		s.curve(free)
		curvature := floats.Dot(s.d, s.hd)
		if !(curvature > 1e-14*float64(s.x.Rows)*floats.Dot(s.d, s.d)) {
			if floats.Norm(s.step, 1) == 0 {
				floats.AddScaled(s.step, 1/float64(s.x.Rows), s.d)
				s.addScores(1 / float64(s.x.Rows))
			}
			return
		}
		alpha := rr / curvature
		kernel.Axpy(alpha, s.d, s.step)
		s.addScores(alpha)
		kernel.Axpy(-alpha, s.hd, s.r)
		next := floats.Dot(s.r, s.r)
		if math.Sqrt(next) <= aim {
			return
		}
		beta := next / rr
		rr = next
		for at, v := range s.r {
			s.d[at] = v + beta*s.d[at]
		}
	}
}

// curve writes H·d to hd, for the free weights.
func (s *linearState) curve(free func(at int) bool) {
	s.sweep(s.d, s.dScores, func(first, last int) float64 {
		copy(s.room[first*s.k:last*s.k], s.dScores[first*s.k:last*s.k])
		for i := first; i < last; i++ {
			s.loss.curve(i, s.slopes[i*s.k:(i+1)*s.k], s.room[i*s.k:(i+1)*s.k])
		}
		return 0
	}, s.room, s.hd)
	for at, v := range s.d {
		if at < s.x.Cols*s.k {
			inverse := s.inverse[at/s.k]
			s.hd[at] += (s.l2*inverse*inverse + s.damping) * v
		}
		if !free(at) {
			s.hd[at] = 0
		}
	}
}

// addScores keeps the scores of the step up to date.
func (s *linearState) addScores(alpha float64) {
	kernel.Axpy(alpha, s.dScores, s.stepScores)
}

// search goes along the step until the value has fallen enough, halving it. A
// weight with an L1 penalty stops where its sign would change.
func (s *linearState) search(slope float64) {
	trial, old := s.r, s.d
	copy(old, s.point)
	p := s.x.Cols * s.k
	for t := 1.0; t > 1e-10; t /= 2 {
		if s.ctx.Err() != nil {
			return
		}
		copy(trial, old)
		kernel.Axpy(t, s.step, trial)
		stopped := false
		for at := range trial[:p] {
			if s.l1 > 0 && trial[at]*old[at] < 0 {
				trial[at], stopped = 0, true
			}
		}
		value := s.along(t, trial, stopped)
		value += s.penalty(trial, nil)
		if value <= s.value+1e-4*t*slope || t == 1 && value <= s.value+rounding*math.Abs(s.value) {
			s.accept(trial, value)
			if t == 1 {
				s.damping /= 4
			} else if t < .5 {
				s.damping *= 4
			}
			return
		}
	}
	s.damping *= 16
}

// along is the loss at trial, which lies t of the step ahead unless a weight has stopped.
func (s *linearState) along(t float64, trial []float64, stopped bool) float64 {
	scores := s.dScores
	if stopped {
		return s.sweep(trial, scores, s.evaluateRows(scores, s.room), nil, nil)
	}
	return s.sweep(nil, nil, func(first, last int) float64 {
		for at := first * s.k; at < last*s.k; at++ {
			scores[at] = s.scores[at] + t*s.stepScores[at]
		}
		return s.evaluateRows(scores, s.room)(first, last)
	}, nil, nil)
}

// accept moves to a point whose scores are in dScores and their slopes in room.
func (s *linearState) accept(point []float64, value float64) {
	copy(s.point, point)
	s.scores, s.dScores = s.dScores, s.scores
	s.slopes, s.room = s.room, s.slopes
	s.value = value
	s.sweep(nil, nil, func(first, last int) float64 { return 0 }, s.slopes, s.gradient)
	s.penalty(s.point, s.gradient)
}

// shrink takes one step of the proximal gradient method, which finds the weights
// that are not 0, and returns the length that served.
func (s *linearState) shrink(length float64) float64 {
	trial := s.r
	p := s.x.Cols * s.k
	for length *= 2; s.ctx.Err() == nil && length > 1e-30; length /= 2 {
		linear, square := 0.0, 0.0
		smooth := s.value
		for at, v := range s.point {
			to := v - length*s.gradient[at]
			if at < p {
				to = kernel.Soften(to, length*s.l1*s.inverse[at/s.k])
				smooth -= s.l1 * s.inverse[at/s.k] * math.Abs(v)
			}
			trial[at] = to
			linear += s.gradient[at] * (to - v)
			square += (to - v) * (to - v)
		}
		if square == 0 {
			return length
		}
		value := s.sweep(trial, s.dScores, s.evaluateRows(s.dScores, s.room), nil, nil) + s.penalty(trial, nil)
		after := value
		for at, v := range trial[:p] {
			after -= s.l1 * s.inverse[at/s.k] * math.Abs(v)
		}
		if after <= smooth+linear+square/(2*length)+rounding*math.Abs(smooth) {
			if value < s.value {
				s.accept(trial, value)
			}
			return length
		}
	}
	return length
}
