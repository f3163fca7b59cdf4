package verify

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	// shareTolerance is the largest difference of two computations of a share of a variance, such as R². Where a
	// mean is far from 0, rounding adds to it.
	shareTolerance = 1e-7

	// copiesTolerance is that where chosen columns are copies but for copiesShare of the largest eigenvalue of
	// their correlations.
	copiesTolerance = 1e-3
	copiesShare     = 1e-6

	// spectrumTolerance is the largest difference of an eigenvalue, relative to the largest.
	spectrumTolerance = 1e-10
)

// explained is what a choice explains of each column, by code of its own.
type explained struct {
	*Claims
	p       *problem
	counted []int     // columns that are not excluded
	total   float64   // their variance
	least   []float64 // of each column, by least squares on the chosen ones without those that are near copies
	most    []float64 // and with them
	byParts []float64 // by the components
	scored  []float64 // the variance of each component's scores
	unclear bool      // whether a component has a variance is a matter of rounding
	d       *mat.Dense
	slack   []float64 // of the share of each column
	rough   float64   // the largest rounding of a column
}

// explaining computes what the choice explains.
func (c *Claims) explaining(p *problem) (*explained, error) {
	e := &explained{Claims: c, p: p, counted: c.counted(p)}
	for _, j := range e.counted {
		e.total += p.a.At(j, j)
	}
	columns, share := c.columns(p, c.Support), 1.0
	for at, spanned := range []float64{spannedMore, spannedLess} {
		u, least, err := directions(p.sub(c.Support), spanned)
		if err != nil {
			return nil, err
		}
		share, *[]*[]float64{&e.least, &e.most}[at] = least, squares(columns, u)
	}
	if err := e.components(columns); err != nil {
		return nil, err
	}
	e.slack = make([]float64, p.a.SymmetricDim())
	worst := 0.0
	for _, j := range c.Support {
		worst = max(worst, c.rounding(p, j))
	}
	for j := range e.slack {
		e.rough = max(e.rough, c.rounding(p, j))
		if e.slack[j] = shareTolerance + 64*(worst+c.rounding(p, j)); share < copiesShare {
			e.slack[j] = copiesTolerance
		}
	}
	return e, nil
}

// rounding is what a mean far from 0 costs a column, as a share of its deviation.
func (c *Claims) rounding(p *problem, j int) float64 {
	if c.Data.Mean == nil || !(p.a.At(j, j) > 0) {
		return 0
	}
	deviation := math.Sqrt(c.told(p.a.At(j, j)))
	if c.Data.Scale != nil {
		deviation = c.Data.Scale[j]
	}
	return ulp * math.Abs(c.Data.Mean[j]) / deviation
}

// squares returns the sum of squares of each row of a·u.
func squares(a, u *mat.Dense) []float64 {
	var d mat.Dense
	d.Mul(a, u)
	sums := make([]float64, d.RawMatrix().Rows)
	for j := range sums {
		for _, v := range d.RawRowView(j) {
			sums[j] += v * v
		}
	}
	return sums
}

// components finds what the components explain, and their decoder D = AW(Wᵀ(A + λ·diag A)W)†. A component
// whose variance is less than spannedMore of that of its terms has none.
func (e *explained) components(columns *mat.Dense) error {
	var z, g, r mat.Dense // AW, WᵀAW and Wᵀ·diag(A)·W
	block := e.p.sub(e.Support)
	z.Mul(columns, e.W)
	g.Product(e.W.T(), block, e.W)
	for i := range e.p.k {
		for j := range i {
			block.SetSym(i, j, 0)
		}
	}
	r.Product(e.W.T(), block, e.W)
	for t := range e.p.m {
		e.scored = append(e.scored, max(0, g.At(t, t)))
	}
	half, err := e.inverse(&g, &r, 0)
	if err != nil {
		return err
	}
	e.byParts = squares(&z, half)
	if half, err = e.inverse(&g, &r, e.Figures.Options.Ridge); err != nil {
		return err
	}
	e.d = new(mat.Dense)
	e.d.Product(&z, half, half.T())
	return nil
}

// inverse returns H with HHᵀ = (G + λR)†.
func (e *explained) inverse(g, r *mat.Dense, ridge float64) (*mat.Dense, error) {
	gram, vary := mat.NewSymDense(e.p.m, nil), make([]bool, e.p.m)
	for t := range e.p.m {
		v := g.At(t, t) + ridge*r.At(t, t)
		vary[t] = v > spannedMore*r.At(t, t)
		e.unclear = e.unclear || v < copiesShare*r.At(t, t) && v > spannedLess*r.At(t, t)
		for s := range t + 1 {
			if vary[s] && vary[t] {
				gram.SetSym(s, t, g.At(s, t)+ridge*r.At(s, t))
			}
		}
	}
	half, _, err := directions(gram, spannedLess)
	return half, err
}

func sum(s []float64) (all float64) {
	for _, v := range s {
		all += v
	}
	return all
}
