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

// ascend returns the maximum of a likelihood with one peak in [a, b], by Brent's method: parabolas
// through three points, golden sections where these do not help.
func (l *likelihood) ascend(a, b float64) (at, value float64) {
	const golden, tolerance = 0.3819660112501051, 1e-10
	x := a + golden*(b-a)
	w, v := x, x
	fx := l.of(x)
	fw, fv := fx, fx
	var moved, before float64
	for range 100 {
		middle := (a + b) / 2
		least := tolerance*math.Abs(x) + 1e-12
		if math.Abs(x-middle) <= 2*least-(b-a)/2 {
			break
		}
		p, q := parabola(x, w, v, fx, fw, fv)
		if last := before; math.Abs(last) > least && math.Abs(p) < math.Abs(q*last/2) && p > q*(a-x) && p < q*(b-x) {
			before, moved = moved, p/q
			if u := x + moved; u-a < 2*least || b-u < 2*least {
				moved = math.Copysign(least, middle-x)
			}
		} else {
			before = b - x
			if x >= middle {
				before = a - x
			}
			moved = golden * before
		}
		u := x + moved
		if math.Abs(moved) < least {
			u = x + math.Copysign(least, moved)
		}
		fu := l.of(u)
		if fu >= fx {
			if u >= x {
				a = x
			} else {
				b = x
			}
			v, fv, w, fw, x, fx = w, fw, x, fx, u, fu
			continue
		}
		if u < x {
			a = u
		} else {
			b = u
		}
		if fu >= fw || w == x {
			v, fv, w, fw = w, fw, u, fu
		} else if fu >= fv || v == x || v == w {
			v, fv = u, fu
		}
	}
	return x, fx
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
