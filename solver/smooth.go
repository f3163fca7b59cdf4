package solver

import (
	"math"
	"slices"

	"github.com/fspca/fspca/internal/subspace"
)

// smoothTop returns max ⟨v, w⟩ − μ/2‖w‖² and its w, over 0 ≤ w ≤ 1. The first
// in entries of w are 1, and the others add up to q.
func smoothTop(v []float64, in, q int, mu float64, w []float64) float64 {
	free := v[in:]
	switch {
	case q <= 0:
		smoothWeights(free, math.Inf(1), mu, w[in:])
	case q >= len(free):
		smoothWeights(free, math.Inf(-1), mu, w[in:])
	default:
		smoothWeights(free, smoothShift(free, q, mu), mu, w[in:])
	}
	var sum float64
	for i, e := range v {
		if i < in {
			w[i] = 1
		}
		if w[i] > 0 {
			sum += w[i]*e - mu/2*w[i]*w[i]
		}
	}
	return sum
}

func smoothWeights(v []float64, theta, mu float64, w []float64) {
	for i, e := range v {
		switch {
		case math.IsInf(theta, 0):
			w[i] = 0
			if theta < 0 && !math.IsInf(e, -1) {
				w[i] = 1
			}
		default:
			w[i] = min(1, max(0, (e-theta)/mu))
		}
	}
}

// smoothSum adds min(1, (v − θ)₊/μ) to sum, and counts the v between θ and θ + μ.
func smoothSum(sum float64, v []float64, theta, mu float64) (total float64, between int) {
	for _, e := range v {
		switch w := (e - theta) / mu; {
		case w >= 1:
			sum++
		case w > 0:
			sum += w
			between++
		}
	}
	return sum, between
}

// smoothShift returns θ with Σ min(1, (v − θ)₊/μ) = q, 1 ≤ q < len(v).
func smoothShift(v []float64, q int, mu float64) float64 {
	room := slices.Clone(v)
	t := subspace.SelectLargest(room, q)
	lo, hi := t-mu, t
	ones, inner := 0, room[:0]
	for _, e := range v {
		switch {
		case e >= t+mu:
			ones++
		case e > lo:
			inner = append(inner, e)
		}
	}
	theta := (lo + hi) / 2
	for range 60 {
		sum, active := smoothSum(float64(ones-q), inner, theta, mu)
		switch {
		case sum > 0:
			lo = theta
		case sum < 0:
			hi = theta
		}
		if math.Abs(sum) < 1e-12*float64(q) || hi-lo < 1e-15*math.Abs(t) {
			break
		}
		next := (lo + hi) / 2
		if active > 0 {
			if s := theta + sum*mu/float64(active); s > lo && s < hi {
				next = s
			}
		}
		theta = next
	}
	return theta
}
