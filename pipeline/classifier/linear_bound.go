package classifier

import (
	"github.com/fspca/fspca/internal/kernel"
)

import "math"

// bound is how far the value may lie above the minimum. With an L2 penalty F is
// strongly convex in the weights: F − min F ≤ ‖g‖²/2·l2 for the smallest
// subgradient g. With L1 alone, it is the gap to a feasible point of the dual.
// Both hold where the derivative by the intercepts is 0; what is left of it
// counts with the intercepts' size. No value is known to more than its last bits.
func (s *linearState) bound() float64 {
	p := s.x.Cols * s.k
	rest := 0.0
	for c, g := range s.gradient[p:] {
		rest += math.Abs(g) * (1 + math.Abs(s.point[p+c]))
	}
	gap := math.Inf(1)
	if s.l2 > 0 {
		sum := 0.0
		for at, g := range s.gradient[:p] {
			inverse := s.inverse[at/s.k]
			if inverse == 0 {
				continue
			}
			g, w := g/inverse, s.point[at]
			switch {
			case w != 0:
				g += s.l1 * sign(w)
			default:
				g = kernel.Soften(g, s.l1)
			}
			sum += g * g
		}
		gap = sum / (2 * s.l2)
	}
	if s.l1 > 0 {
		gap = min(gap, s.dualGap())
	}
	return gap + rest + 0x1p-50*math.Abs(s.value)
}

// dualGap scales the slopes until they are feasible in the dual of the problem with
// L1 alone. If there is an L2 term too, that problem has a smaller penalty.
func (s *linearState) dualGap() float64 {
	p := s.x.Cols * s.k
	largest := 0.0
	for at, g := range s.gradient[:p] {
		inverse := s.inverse[at/s.k]
		if inverse > 0 {
			largest = max(largest, math.Abs(g/inverse-s.l2*s.point[at]*inverse))
		}
	}
	share := 1.0
	if largest > s.l1 {
		share = s.l1 / largest
	}
	dual := s.sweep(nil, nil, func(first, last int) float64 {
		sum := 0.0
		for i := first; i < last; i++ {
			sum -= s.loss.entropy(i, s.slopes[i*s.k:(i+1)*s.k], share)
		}
		return sum
	}, nil, nil)
	return s.value - dual
}

func sign(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}
