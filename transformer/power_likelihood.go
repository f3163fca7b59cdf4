package transformer

import "math"

// yeoJohnson returns the transformation ψ(x, λ) of Yeo and Johnson (2000). It ascends in x and is x
// itself at λ = 1.
func yeoJohnson(x, lambda float64) float64 {
	if lambda == 1 {
		return x
	}
	if x >= 0 {
		return boxCox(math.Log1p(x), lambda)
	}
	return -boxCox(math.Log1p(-x), 2-lambda)
}

// boxCox returns (exp(λ·l) − 1)/λ, and l at λ = 0.
func boxCox(l, lambda float64) float64 {
	if lambda == 0 {
		return l
	}
	return math.Expm1(lambda*l) / lambda
}

const (
	mostLog    = 500  // |λ|·log(1 + |x|) at most: powers stay far from overflow
	leastAlike = 1e-8 // relative spread below which powers have lost what tells them apart
)

// likelihood is the profile log-likelihood of λ for the cells of a column, divided by n.
type likelihood struct {
	cells   []float64
	powers  []float64 // scratch
	slope   float64   // Σ sign(x)·log(1 + |x|)/n
	largest float64   // log(1 + max|x|)
}

// of returns −½·log var ψ(x, λ) + (λ − 1)·Σ sign(x)·log(1 + |x|)/n, and −∞ where the powers overflow
// or cannot be told apart.
func (l *likelihood) of(lambda float64) float64 {
	if max(math.Abs(lambda), math.Abs(2-lambda))*l.largest > mostLog {
		return math.Inf(-1)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, x := range l.cells {
		y := yeoJohnson(x, lambda)
		l.powers[i] = y
		lo, hi = min(lo, y), max(hi, y)
	}
	if lambda != 1 && WithinRounding(lo, hi, leastAlike) {
		return math.Inf(-1)
	}
	unit := max(-lo, hi)
	var sum, squares, left float64
	n := float64(len(l.powers))
	for i, y := range l.powers {
		l.powers[i] = y / unit
		sum += l.powers[i]
	}
	mean := sum / n
	for _, y := range l.powers {
		squares += (y - mean) * (y - mean)
		left += y - mean
	}
	variance := (squares - left*left/n) / n
	return -0.5*math.Log(variance) - math.Log(unit) + (lambda-1)*l.slope
}

// likeliestPower returns the λ of greatest likelihood for the cells v of a column that varies.
func likeliestPower(v []float64, m moments) float64 {
	l := &likelihood{cells: v, powers: make([]float64, len(v)), largest: math.Log1p(max(-m.min, m.max))}
	for _, x := range v {
		l.slope += math.Copysign(math.Log1p(math.Abs(x)), x) / float64(len(v))
	}
	best, at := l.of(1), 1.0
	// A likelihood that is higher by rounding alone is
	// no reason to leave λ = 1: where |x| ≪ 1 every λ gives the same.
	margin := 1e-13 * max(1, math.Abs(best))
	try := func(lambda float64) bool {
		f := l.of(lambda)
		if f > best+margin {
			best, at = f, lambda
			return true
		}
		return false
	}
	const grid, low, high = 0.5, -2.0, 4.0
	for lambda := low; lambda <= high; lambda += grid {
		try(lambda)
	}
	// On from an end of the grid, in growing steps: λ grows as the cells become small.
	step := grid
	for _, end := range []float64{low, high} {
		for at == end || step > grid {
			if !try(at + math.Copysign(step, end)) {
				break
			}
			step *= 2
		}
	}
	if lambda, f := l.ascend(at-step, at+step); f > best+margin {
		return lambda
	}
	return at
}

// golden is the part of an interval that a golden section takes.
const golden = 0.3819660112501051

// ascend returns the maximum of a likelihood with one peak in [a, b], by Brent's method: parabolas
// through three points, golden sections where these do not help.
func (l *likelihood) ascend(a, b float64) (at, value float64) {
	x := a + golden*(b-a)
	f := l.of(x)
	s := ascent{a: a, b: b, x: x, w: x, v: x, fx: f, fw: f, fv: f}
	for range 100 {
		least := 1e-10*math.Abs(s.x) + 1e-12
		if math.Abs(s.x-s.middle()) <= 2*least-(s.b-s.a)/2 {
			break
		}
		u := s.next(least)
		s.add(u, l.of(u))
	}
	return s.x, s.fx
}

// ascent is where a search for the maximum stands.
type ascent struct {
	a, b          float64 // the maximum lies between
	x, w, v       float64 // the best three points, the best first
	fx, fw, fv    float64
	moved, before float64 // the last step, and the one before it
}

func (s *ascent) middle() float64 { return (s.a + s.b) / 2 }

// next returns the next point to try, at least so far from the best one.
func (s *ascent) next(least float64) float64 {
	p, q := parabola(s.x, s.w, s.v, s.fx, s.fw, s.fv)
	if last := s.before; math.Abs(last) > least && math.Abs(p) < math.Abs(q*last/2) && p > q*(s.a-s.x) && p < q*(s.b-s.x) {
		s.before, s.moved = s.moved, p/q
		if u := s.x + s.moved; u-s.a < 2*least || s.b-u < 2*least {
			s.moved = math.Copysign(least, s.middle()-s.x)
		}
	} else {
		s.before = s.b - s.x
		if s.x >= s.middle() {
			s.before = s.a - s.x
		}
		s.moved = golden * s.before
	}
	if math.Abs(s.moved) < least {
		return s.x + math.Copysign(least, s.moved)
	}
	return s.x + s.moved
}

// add takes in the value fu at u.
func (s *ascent) add(u, fu float64) {
	if fu >= s.fx {
		if u >= s.x {
			s.a = s.x
		} else {
			s.b = s.x
		}
		s.v, s.fv, s.w, s.fw, s.x, s.fx = s.w, s.fw, s.x, s.fx, u, fu
		return
	}
	if u < s.x {
		s.a = u
	} else {
		s.b = u
	}
	if fu >= s.fw || s.w == s.x {
		s.v, s.fv, s.w, s.fw = s.w, s.fw, u, fu
	} else if fu >= s.fv || s.v == s.x || s.v == s.w {
		s.v, s.fv = u, fu
	}
}

// parabola returns the numerator and the denominator (at least 0) of the step from x to the top of
// the parabola through three points.
func parabola(x, w, v, fx, fw, fv float64) (p, q float64) {
	r, q := (x-w)*(fx-fv), (x-v)*(fx-fw)
	p = (x-v)*q - (x-w)*r
	if q = 2 * (q - r); q > 0 {
		p = -p
	}
	return p, math.Abs(q)
}
