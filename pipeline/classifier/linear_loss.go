package classifier

import "math"

// scoreLoss is a loss of the scores of one row: the inner products of its
// features with one weight vector for each score.
type scoreLoss interface {
	// evaluate returns the loss of row i at its scores, and writes the derivative
	// by each of them.
	evaluate(i int, scores, slope []float64) float64
	// curve multiplies d by the second derivative of row i, given its first.
	curve(i int, slope, d []float64)
	// entropy is the value of the dual of row i where its dual point is share
	// times the slope, negated; NaN where the dual is not used.
	entropy(i int, slope []float64, share float64) float64
}

// rowWeights weighs the loss of a row by its class; nil weighs all alike.
type rowWeights struct {
	codes  []int
	weight []float64 // by class
}

func (w *rowWeights) of(i int) float64 {
	if w.weight == nil {
		return 1
	}
	return w.weight[w.codes[i]]
}

// softmaxLoss is −log p(yᵢ | scores), p ∝ exp(scores).
type softmaxLoss struct{ rowWeights }

func (l *softmaxLoss) evaluate(i int, scores, slope []float64) float64 {
	y, w := l.codes[i], l.of(i)
	copy(slope, scores)
	value := softmax(slope) - scores[y]
	slope[y]--
	for c := range slope {
		slope[c] *= w
	}
	return w * value
}

func (l *softmaxLoss) curve(i int, slope, d []float64) {
	y, w := l.codes[i], l.of(i)
	mean := 0.0
	for c, r := range slope {
		mean += l.share(c == y, r/w) * d[c]
	}
	for c, r := range slope {
		d[c] = w * l.share(c == y, r/w) * (d[c] - mean)
	}
}

// share is the probability of a class, of the derivative by its score.
func (l *softmaxLoss) share(own bool, r float64) float64 {
	if own {
		return r + 1
	}
	return r
}

func (l *softmaxLoss) entropy(i int, slope []float64, share float64) float64 {
	y, w := l.codes[i], l.of(i)
	sum := 0.0
	for c, r := range slope {
		sum += xLogX(l.share(c == y, share*r/w))
	}
	return w * sum
}

// binaryLoss is softmaxLoss with two classes, whose scores are −s/2 and s/2.
type binaryLoss struct{ rowWeights }

func (l *binaryLoss) evaluate(i int, scores, slope []float64) float64 {
	s, w := scores[0], l.of(i)
	if l.codes[i] == 0 {
		s = -s
	}
	// The loss is log(1+exp(−s)), the chance of the other class 1/(1+exp(s)).
	e := math.Exp(-math.Abs(s))
	value, wrong := math.Log1p(e), e/(1+e)
	if s < 0 {
		value, wrong = value-s, 1/(1+e)
	}
	slope[0] = -w * wrong
	if l.codes[i] == 0 {
		slope[0] = w * wrong
	}
	return w * value
}

func (l *binaryLoss) curve(i int, slope, d []float64) {
	w := l.of(i)
	wrong := math.Abs(slope[0]) / w
	d[0] *= w * wrong * (1 - wrong)
}

func (l *binaryLoss) entropy(i int, slope []float64, share float64) float64 {
	w := l.of(i)
	wrong := share * math.Abs(slope[0]) / w
	return w * (xLogX(wrong) + xLogX(1-wrong))
}

// hingeLoss is Σ_c max(0, 1 − t_c·score_c)² with t = 1 for the class of the row
// and −1 for the others. With two classes there is one score, of the second.
type hingeLoss struct{ rowWeights }

func (l *hingeLoss) evaluate(i int, scores, slope []float64) float64 {
	own, w, value := l.codes[i], l.of(i), 0.0
	if len(scores) == 1 {
		own-- // class 1 has score 0
	}
	for c, s := range scores {
		t := -1.0
		if c == own {
			t = 1
		}
		slope[c] = 0
		if short := 1 - t*s; short > 0 {
			value += w * short * short
			slope[c] = -2 * w * t * short
		}
	}
	return value
}

func (l *hingeLoss) curve(i int, slope, d []float64) {
	w := l.of(i)
	for c, r := range slope {
		if r == 0 {
			d[c] = 0
		} else {
			d[c] *= 2 * w
		}
	}
}

func (l *hingeLoss) entropy(int, []float64, float64) float64 { return math.NaN() }

func xLogX(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}
