package solver

import (
	"context"
	"math"

	"github.com/fspca/fspca/internal/kernel"
	"gonum.org/v1/gonum/floats"
)

// lbfgsMemory is the number of steps whose curvature is remembered.
const lbfgsMemory = 15

// descent is L-BFGS (Nocedal, 1980) with steps that are halved until the
// function falls (Armijo). It counts steps, not time.
type descent struct {
	f          func(x, grad []float64) (float64, error)
	x          []float64
	s, y       [][]float64 // the last steps and changes of the gradient
	curvature  []float64   // s·y of each
	next, grad []float64
	nextGrad   []float64
	direction  []float64
}

// descend makes at most so many steps from x, which it moves.
func descend(ctx context.Context, x []float64, steps int, f func(x, grad []float64) (float64, error)) error {
	n := len(x)
	d := &descent{f: f, x: x, next: make([]float64, n), grad: make([]float64, n), nextGrad: make([]float64, n), direction: make([]float64, n)}
	value, err := f(x, d.grad)
	for step := 0; step < steps && err == nil && ctx.Err() == nil; step++ {
		var moved bool
		if value, moved, err = d.step(value); !moved {
			if len(d.s) == 0 {
				return err
			}
			d.s, d.y, d.curvature = nil, nil, nil // begin anew with the gradient
		}
	}
	return err
}

// step moves once.
func (d *descent) step(value float64) (after float64, moved bool, err error) {
	d.turn()
	fall := kernel.Dot(d.direction, d.grad)
	if !(fall < 0) {
		return value, false, nil
	}
	t := 1.0
	if len(d.s) == 0 {
		t = .1 * math.Sqrt((1+kernel.Dot(d.x, d.x))/kernel.Dot(d.grad, d.grad))
	}
	for range 20 {
		for i, v := range d.x {
			d.next[i] = v + t*d.direction[i]
		}
		if after, err = d.f(d.next, d.nextGrad); err != nil {
			return value, false, err
		}
		if after <= value+1e-4*t*fall {
			d.remember()
			return after, true, nil
		}
		t /= 2
		if after > value { // the minimum of the parabola, within reason
			if p := -fall * (2 * t) * (2 * t) / (2 * (after - value - fall*2*t)); p > .2*t && p < t {
				t = p
			}
		}
	}
	return value, false, nil
}

// remember moves to next and keeps what the step has shown.
func (d *descent) remember() {
	n := len(d.x)
	var s, y []float64
	if len(d.s) == lbfgsMemory {
		s, y = d.s[0], d.y[0]
		d.s, d.y, d.curvature = d.s[1:], d.y[1:], d.curvature[1:]
	} else {
		s, y = make([]float64, n), make([]float64, n)
	}
	for i := range s {
		s[i], y[i] = d.next[i]-d.x[i], d.nextGrad[i]-d.grad[i]
	}
	copy(d.x, d.next)
	d.grad, d.nextGrad = d.nextGrad, d.grad
	if c := kernel.Dot(s, y); c > 1e-10*math.Sqrt(kernel.Dot(s, s)*kernel.Dot(y, y)) {
		d.s, d.y, d.curvature = append(d.s, s), append(d.y, y), append(d.curvature, c)
	}
}

// turn stores minus the gradient times the approximate inverse of the Hessian.
func (d *descent) turn() {
	p := d.direction
	for i, g := range d.grad {
		p[i] = -g
	}
	m := len(d.s)
	alpha := make([]float64, m)
	for q := m - 1; q >= 0; q-- {
		alpha[q] = kernel.Dot(d.s[q], p) / d.curvature[q]
		kernel.Axpy(-alpha[q], d.y[q], p)
	}
	if m > 0 {
		floats.Scale(d.curvature[m-1]/kernel.Dot(d.y[m-1], d.y[m-1]), p)
	}
	for q := range m {
		beta := kernel.Dot(d.y[q], p) / d.curvature[q]
		kernel.Axpy(alpha[q]-beta, d.s[q], p)
	}
}
