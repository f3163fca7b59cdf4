package verify

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ulp is the distance of 1 from the next float64.
const ulp = 0x1p-52

// problem is the choice of k columns for m components of A.
type problem struct {
	a    *mat.SymDense
	k, m int

	// lack is what the trace of a block may lack to the sum of its m largest
	// eigenvalues, where A is semidefinite but for rounding; nil: not known.
	lack *float64
}

// measure finds lack, where that is no work.
func (p *problem) measure() error {
	n := p.a.SymmetricDim()
	if e := exponent(p.a); e < -farthest || e > farthest {
		return errFar
	}
	if n > decomposedOrder {
		return nil
	}
	values, norm, err := eigenvalues(p.a)
	if err != nil {
		return err
	}
	lack := float64(p.k-p.m) * (max(0, -values[0]) + float64(8*n)*ulp*norm)
	p.lack = &lack
	return nil
}

// part is a subproblem: the columns that are chosen, and those that are free.
type part struct{ in, free []int }

// open is the number of columns that are yet to be chosen.
func (p *problem) open(s part) int { return p.k - len(s.in) }

// largest returns the sum of the q largest values. It reorders them.
func largest(values []float64, q int) (sum float64) {
	slices.Sort(values)
	for _, v := range values[len(values)-q:] {
		sum += v
	}
	return sum
}

// most returns the sum of the q largest of what a free column has with the others.
func (s part) most(j, q int, room []float64, with func(l int) float64) float64 {
	if q <= 0 {
		return 0
	}
	room = room[:0]
	for _, l := range s.free {
		if l != j {
			room = append(room, with(l))
		}
	}
	return largest(room, q)
}

// block bounds the objective by trace t and squared Frobenius norm f: for
// eigenvalues with that sum and sum of squares, K_m is largest where m of them are
// equal and so are the others. It is at most t too, if none is below 0.
func (p *problem) block(s part) (bound float64, scores []float64) {
	q := p.open(s)
	var t, f float64
	for _, i := range s.in {
		t += p.a.At(i, i)
		for _, j := range s.in {
			f += p.a.At(i, j) * p.a.At(i, j)
		}
	}
	diag, room := make([]float64, 0, len(s.free)), make([]float64, 0, len(s.free))
	for _, j := range s.free {
		diag = append(diag, p.a.At(j, j))
		score := p.a.At(j, j) * p.a.At(j, j)
		for _, i := range s.in {
			score += 2 * p.a.At(i, j) * p.a.At(i, j)
		}
		scores = append(scores, score+s.most(j, q-1, room, func(l int) float64 { return p.a.At(j, l) * p.a.At(j, l) }))
	}
	t += largest(diag, q)
	f += largest(slices.Clone(scores), q)
	k, m := float64(p.k), float64(p.m)
	slack := (k*k + 16) * ulp
	t, f = t*(1+slack), f*(1+slack)
	whole := math.Inf(1)
	if p.lack != nil {
		whole = t + *p.lack
	}
	t = min(t, math.Sqrt(m*f))
	value := m*t/k + math.Sqrt(m*(k-m)/k*(max(0, f-t*t/k)+16*ulp*f))
	return min(whole, value) * (1 + 16*ulp), scores
}

// spectrum is the decomposition of A on a subproblem.
type spectrum struct {
	values  []float64
	vectors mat.Dense
	norm    float64
}

// decompose returns the eigenpairs of A on all columns of a subproblem.
func (p *problem) decompose(s part) (*spectrum, error) {
	index := slices.Concat(s.in, s.free)
	var e mat.EigenSym
	if !e.Factorize(p.sub(index), true) {
		return nil, errNoEigenvalues
	}
	r := &spectrum{values: e.Values(nil)}
	e.VectorsTo(&r.vectors)
	for _, v := range r.values {
		r.norm = max(r.norm, math.Abs(v))
	}
	return r, nil
}

// eigenvalues returns those of a, ascending, and the largest of their magnitudes.
func eigenvalues(a *mat.SymDense) (values []float64, norm float64, err error) {
	var e mat.EigenSym
	if !e.Factorize(a, false) {
		return nil, 0, errNoEigenvalues
	}
	values = e.Values(nil)
	return values, max(math.Abs(values[0]), math.Abs(values[len(values)-1])), nil
}

var errNoEigenvalues = errors.New("gonum found no eigenvalues of a block")

// threshold returns the bound mσ + Σ_{j∈S} Σ_i (λ_i − σ)₊u_ji² over the best S, and
// the score of each free column: A ≼ σI + B with B = (A − σI)₊ ≽ 0, so
// K_m(A_SS) ≤ mσ + tr B_SS.
func (p *problem) threshold(r *spectrum, s part, sigma float64) (bound float64, scores []float64) {
	n := len(r.values)
	bound = float64(p.m) * sigma
	for j := range n {
		var b float64
		for i, v := range r.values {
			if v > sigma {
				u := r.vectors.At(j, i)
				b += (v - sigma) * u * u
			}
		}
		if j < len(s.in) {
			bound += b
		} else {
			scores = append(scores, b)
		}
	}
	bound += largest(slices.Clone(scores), p.open(s))
	slack := float64(8*n*p.m)*ulp*r.norm + float64(n+p.k+16)*ulp*(math.Abs(bound)+2*float64(p.m)*math.Abs(sigma))
	return bound + slack, scores
}

// exchanged returns the bound of the supports with each free column: that of all,
// with its score in the place of the last that counts. It is +Inf for those
// that count.
func (p *problem) exchanged(bound float64, scores []float64, q int) []float64 {
	with := make([]float64, len(scores))
	for at := range with {
		with[at] = math.Inf(1)
	}
	if q == 0 {
		return with
	}
	order := slices.Clone(scores)
	slices.Sort(order)
	last := order[len(order)-q]
	for at, v := range scores {
		if v < last {
			with[at] = bound - (last - v) + 8*ulp*(math.Abs(bound)+math.Abs(last))
		}
	}
	return with
}

// best returns the σ with the least bound: it is convex in σ.
func (p *problem) best(r *spectrum, s part) (sigma, bound float64) {
	lo, hi := slices.Min(r.values), slices.Max(r.values)
	for range 40 {
		x, y := lo+(hi-lo)*.382, lo+(hi-lo)*.618
		fx, _ := p.threshold(r, s, x)
		fy, _ := p.threshold(r, s, y)
		if fx <= fy {
			hi = y
		} else {
			lo = x
		}
	}
	sigma = (lo + hi) / 2
	bound, _ = p.threshold(r, s, sigma)
	return sigma, bound
}

// value returns the objective of a support, and what it is at most with the
// rounding error.
func (p *problem) value(support []int) (value, upper float64, err error) {
	values, norm, err := eigenvalues(p.sub(support))
	if err != nil {
		return 0, 0, err
	}
	value = largest(values, p.m)
	return value, value + float64(8*p.k*p.m+p.k)*ulp*norm, nil
}

// sub returns A on some columns.
func (p *problem) sub(index []int) *mat.SymDense {
	b := mat.NewSymDense(len(index), nil)
	for i, r := range index {
		for j := i; j < len(index); j++ {
			b.SetSym(i, j, p.a.At(r, index[j]))
		}
	}
	return b
}
