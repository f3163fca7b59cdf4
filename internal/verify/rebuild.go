package verify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A direction is taken to be spanned by the others below these shares, more and less, of
// the largest eigenvalue of the chosen columns' correlations. A choice of near copies lies
// between.
const (
	spannedMore = 1e-8
	spannedLess = 1e-12
)

// CheckReconstruction holds the claims of a model that rebuilds all columns to A: W is
// V (k×m) with VᵀA_SSV = I, D = A_·SV has DᵀD = diag(values), and the objective is
// K_m(A_·S·A_SS†·A_S·). A has the columns that are not excluded, in whatever order.
func (c *Claims) CheckReconstruction(a *mat.SymDense, names []string) ([]Finding, error) {
	p := problem{a: a, k: len(c.Support), m: len(c.Values)}
	low, err := c.rebuilt(&p, c.Support, spannedMore)
	if err != nil {
		return nil, err
	}
	high, err := c.rebuilt(&p, c.Support, spannedLess)
	if err != nil {
		return nil, err
	}
	dense, err := c.densely(&p)
	if err != nil {
		return nil, err
	}
	all := []Finding{c.lists(), c.projection(&p), c.whitened(&p), c.decoder(&p), dense}
	all = append(all, finding("objective", c.Objective >= low*(1-tolerance) && c.Objective <= high*(1+tolerance),
		"stated %.12g, by gonum's eigenvalues of the chosen columns %.12g", c.told(c.Objective), c.told(high)), c.total(&p))
	if !c.Rules.none() {
		all = append(all, c.Rules.finding(&p, c.Support, names))
	}
	bound, err := c.ceiling(&p)
	if err != nil {
		return nil, err
	}
	more, err := c.beside(&p, names)
	return append(append(all, bound), more...), err
}

// rebuilt returns the objective of a support, without directions below the given share.
func (c *Claims) rebuilt(p *problem, support []int, share float64) (float64, error) {
	u, _, err := directions(p.sub(support), share)
	if err != nil {
		return 0, err
	}
	var d mat.Dense
	d.Mul(c.columns(p, support), u)
	s := mat.NewSymDense(len(support), nil)
	s.SymOuterK(1, d.T())
	rebuilt, _, err := eigenvalues(s)
	if err != nil {
		return 0, err
	}
	return largest(rebuilt, min(p.m, len(support))), nil
}

// directions returns U with UᵀBU = I, but for directions below the given share of the largest eigenvalue, which are
// 0; B is changed. Each column is divided by its deviation, since its unit does not matter to what it predicts.
// Least is the smallest share that is left.
func directions(block *mat.SymDense, share float64) (u *mat.Dense, least float64, err error) {
	var e mat.EigenSym
	k := block.SymmetricDim()
	inverse := make([]float64, k)
	for i := range inverse {
		if v := block.At(i, i); v > 0 {
			inverse[i] = 1 / math.Sqrt(v)
		}
	}
	for i := range k {
		for j := range i + 1 {
			block.SetSym(i, j, block.At(i, j)*inverse[i]*inverse[j])
		}
	}
	if !e.Factorize(block, true) {
		return nil, 0, errNoEigenvalues
	}
	values := e.Values(nil)
	u, least = new(mat.Dense), 1
	e.VectorsTo(u)
	for i, v := range values {
		f := 0.0
		if v > share*values[k-1] {
			f, least = 1/math.Sqrt(v), min(least, v/values[k-1])
		}
		for r := range k {
			u.Set(r, i, f*inverse[r]*u.At(r, i))
		}
	}
	return u, least, nil
}

// columns returns A_·S, without the rows of what is excluded.
func (c *Claims) columns(p *problem, support []int) *mat.Dense {
	x := mat.NewDense(p.a.SymmetricDim(), len(support), nil)
	for _, i := range c.counted(p) {
		for q, j := range support {
			x.Set(i, q, p.a.At(i, j))
		}
	}
	return x
}

// counted are the columns that are not excluded.
func (c *Claims) counted(p *problem) (kept []int) {
	out := map[int]bool{}
	for _, j := range c.Exclude {
		out[j] = true
	}
	for j := range p.a.SymmetricDim() {
		if !out[j] {
			kept = append(kept, j)
		}
	}
	return kept
}

// whitened checks that the scores are uncorrelated and have the variance 1, but for components
// beyond the rank, which explain nothing and are 0.
func (c *Claims) whitened(p *problem) Finding {
	var t, g mat.Dense
	t.Mul(p.sub(c.Support), c.W)
	g.Mul(c.W.T(), &t)
	ones := make([]float64, p.m)
	for i, v := range c.Values {
		if v > 0 {
			ones[i] = 1
		}
	}
	worst := distance(&g, ones)
	return finding("uncorrelated scores", worst <= 1e-6, "VᵀA_SSV differs from I by at most %.2g", worst)
}

// decoder checks that each component explains what is stated of all columns.
func (c *Claims) decoder(p *problem) Finding {
	var d, g mat.Dense
	d.Mul(c.columns(p, c.Support), c.W)
	g.Mul(d.T(), &d)
	worst := distance(&g, c.Values)
	return finding("explained variance", worst <= 1e-6*slices.Max(c.Values), "what the components explain of all columns differs from what is stated by at most %.2g", c.told(worst))
}

// ceiling compares the bound with K_m(A), what dense PCA explains, and with the objective of all columns that may
// be chosen. That of fewer is no higher. Where all of them must be chosen, it is that of the only choice.
func (c *Claims) ceiling(p *problem) (Finding, error) {
	if f, ended := c.noBound(); ended {
		return f, nil
	}
	kept := c.counted(p)
	if len(kept) > decomposedOrder {
		return Finding{Claim: "upper bound", Verdict: NotShown, Detail: fmt.Sprintf("stated %.12g; the spectrum of more than %d columns is not computed", c.told(c.UpperBound), decomposedOrder)}, nil
	}
	values, err := c.decompose(p)
	if err != nil {
		return Finding{}, err
	}
	best, what := largest(values, p.m), "dense PCA explains"
	root, err := rootOf(p.a.SymmetricDim(), c.Include, slices.Concat(c.Exclude, c.Unmeasured))
	if err != nil {
		return Finding{}, err
	}
	may := slices.Concat(root.in, root.free)
	if len(root.in) == c.Features {
		may = root.in
	}
	if len(may) < len(kept) {
		all, err := c.rebuilt(p, may, spannedLess)
		if err != nil {
			return Finding{}, err
		}
		if all < best {
			best, what = all, "all columns that may be chosen explain"
		}
		if len(may) == len(c.Support) {
			what = "the only permitted choice explains"
		}
	}
	f := finding("upper bound", true, "stated %.12g; %s %.12g, and no choice more", c.told(c.UpperBound), what, c.told(best))
	if best > c.UpperBound*(1+tolerance) {
		f.Verdict = NotShown
		f.Detail += ": what the search has proved beyond that has no certificate"
	}
	return f, nil
}
