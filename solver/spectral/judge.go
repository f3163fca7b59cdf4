package spectral

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// search tells how far one can trust that no leading pair is missing, and when
// to look at the pairs next.
type search struct {
	passes   int       // since random columns were last brought in
	verified []float64 // values at the last convergence that was put to the test

	next   int     // the pass after which pairs are computed
	looked int     // the pass after which they were last
	worst  float64 // the largest residual then
}

// due reports whether the Ritz pairs are worth computing after this pass.
func (l *lanczos) due() bool {
	if l.size < l.m {
		return l.passes >= l.settings.maxPasses()
	}
	always := l.settings.Converged != nil && !l.settings.cheap()
	return always || l.passes >= l.search.next || l.passes >= l.settings.maxPasses()
}

// plan sets the pass after which to look again: half of the way to where the
// residuals will be small enough if they fall as they did.
func (l *lanczos) plan() {
	const farthest = 4
	s := &l.search
	worst, skip := max(0, slices.Max(l.ritz.residuals)), 1.0
	if s.worst > worst && worst > 0 {
		rate := math.Log(s.worst/worst) / float64(l.passes-s.looked)
		skip = math.Log(worst/(l.settings.goal(l.n)*l.norm)) / rate / 2
	}
	s.next = l.passes + int(min(max(skip, 1), farthest))
	s.looked, s.worst = l.passes, worst
}

// leastPasses is how many products random columns get before convergence is
// believed, where the start was given or is narrower than m: a leading
// eigenvector that such a start lacks has to grow out of them.
const leastPasses = 3

// judge returns the pairs if the iteration is at its end, else nil.
func (l *lanczos) judge() (*Pairs, error) {
	limit := l.passes >= l.settings.maxPasses()
	if l.size < l.m {
		if limit {
			return nil, errors.New("spectral: MaxPasses is too small: the iteration ended with fewer vectors than pairs are asked for")
		}
		return nil, nil
	}
	converged := l.withinTolerance()
	if converged && l.doubtful() {
		if converged = l.confirmed(); !converged && !limit {
			return nil, l.challenge()
		}
	}
	ask := l.settings.Converged
	if !converged && !limit {
		if l.plan(); ask == nil {
			return nil, nil
		}
	}
	p := l.pairs()
	for _, v := range p.Values {
		if math.IsInf(v, 0) {
			return nil, errors.New(errOverflow)
		}
	}
	p.Converged = converged
	if !converged && ask != nil && !l.crowded() && ask(p) {
		p.Converged = true
	}
	if p.Converged || limit {
		p.Vectors = mat.DenseCopyOf(p.Vectors)
		return p, nil
	}
	return nil, nil
}

// withinTolerance reports whether every pair has a small residual and random
// columns had their time.
func (l *lanczos) withinTolerance() bool {
	if l.settings.Start != nil && l.search.passes < leastPasses {
		return false
	}
	tolerance := l.settings.tolerance(l.n) * l.norm
	return !slices.ContainsFunc(l.ritz.residuals, func(r float64) bool { return r+l.slack() > tolerance })
}

// doubtful reports whether the blocks are too narrow to hold all copies of an
// eigenvalue that is repeated m times.
func (l *lanczos) doubtful() bool { return l.width < l.m }

// crowded reports whether as many pairs as a block has columns have one eigenvalue,
// as far as their residuals tell: there may then be more of them than it can hold.
func (l *lanczos) crowded() bool {
	if !l.settings.cheap() {
		return false
	}
	v, worst := l.ritz.values, l.ritz.residuals
	for i := l.width - 1; i < len(v); i++ {
		if first := i - l.width + 1; v[first]-v[i] <= worst[first]+worst[i] {
			return true
		}
	}
	return false
}

// confirmed reports whether random columns that were brought in after an
// earlier convergence have changed nothing.
func (l *lanczos) confirmed() bool {
	if l.search.verified == nil || l.search.passes < leastPasses {
		return false
	}
	tolerance := l.settings.tolerance(l.n) * l.norm
	for i, v := range l.search.verified {
		if l.ritz.values[i] > v+tolerance {
			return false
		}
	}
	return true
}

// challenge keeps the converged vectors and goes on from random columns.
func (l *lanczos) challenge() error {
	if l.search.verified != nil && l.search.passes < leastPasses {
		return nil
	}
	l.search.verified = append([]float64(nil), l.ritz.values[:l.m]...)
	if err := l.shrink(l.m); err != nil {
		return err
	}
	s := l.dropped * l.dropped
	for _, v := range l.ritz.residuals {
		s += v * v
	}
	l.dropped = math.Sqrt(s)
	l.search.passes, l.search.worst = 0, 0
	l.search.next = l.passes + leastPasses
	l.source.fill(l.next())
	l.project(l.next())
	l.orthonormalise(l.next(), rowNorms(l.next()), 0)
	return nil
}

// room restarts when the basis is full.
func (l *lanczos) room() error {
	if l.size+l.width > l.capacity {
		return l.restart()
	}
	return nil
}
