package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Verdict says whether a claim holds.
type Verdict string

// The verdicts.
const (
	Holds    Verdict = "holds"
	Fails    Verdict = "fails"
	NotShown Verdict = "not shown" // what is at hand neither proves nor refutes it
)

// Finding is one claim and what became of it.
type Finding struct {
	Claim   string  `json:"claim"`
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
}

// Claims are what a model says.
type Claims struct {
	Support    []int      // columns of A, ascending
	W          *mat.Dense // k×m, its rows in the order of Support
	Values     []float64  // variance of each component
	Objective  float64
	Total      float64 // Tr(A) of the columns that are not excluded
	UpperBound float64
	Proved     bool
	Include    []int
	Exclude    []int
	Unmeasured []int // not to be chosen, but counted
	Features   int   // the k that was asked for; 0: that of Support
	Rules      *Rules

	Leading    float64    // what dense PCA explains
	Projection            // of the chosen columns
	Data       Projection // of all columns, from the data

	Figures *Figures // nil: none are checked
	Ranges  *Ranges  // of all columns, from the data; nil without rows

	eigenvalues []float64 // those of decompose
	rebuilds    bool      // the criterion is reconstruction
	unit        float64   // what numbers here are multiplied by where they are told; 0: 1
}

// tolerance is the relative difference of two computations of the same number.
const tolerance = 1e-8

// Standardize makes the diagonal 1, but for columns that do not vary.
func Standardize(a *mat.SymDense) {
	d := a.SymmetricDim()
	scale := make([]float64, d)
	for i := range scale {
		if scale[i] = 1; a.At(i, i) > 0 {
			scale[i] = math.Sqrt(a.At(i, i))
		}
	}
	for i := range d {
		for j := i; j < d; j++ {
			v := a.At(i, j) / (scale[i] * scale[j])
			if i == j && a.At(i, i) > 0 {
				v = 1
			}
			a.SetSym(i, j, v)
		}
	}
}

// Check holds the claims to A, with a certificate of the bound or nil, of which
// checked is the error of its check.
func (c *Claims) Check(a *mat.SymDense, names []string, certificate *Certificate, checked error) ([]Finding, error) {
	p := problem{a: a, k: len(c.Support), m: len(c.Values)}
	value, _, err := p.value(c.Support)
	if err != nil {
		return nil, err
	}
	dense, err := c.densely(&p)
	if err != nil {
		return nil, err
	}
	all := []Finding{c.lists(), c.projection(&p), c.orthonormal(), c.components(&p), c.objective(value), c.total(&p), dense}
	if !c.Rules.none() {
		all = append(all, c.Rules.finding(&p, c.Support, names))
	}
	more, err := c.beside(&p, names)
	if err != nil {
		return nil, err
	}
	if certificate != nil {
		return append(append(all, c.certified(certificate, checked)), more...), nil
	}
	root, err := rootOf(a.SymmetricDim(), c.Include, slices.Concat(c.Exclude, c.Unmeasured))
	if err != nil {
		return nil, err
	}
	// Of fewer columns none explain more: the bound is that of all k that were asked for.
	p.k = min(max(p.k, c.Features), len(root.in)+len(root.free))
	bound, err := c.bound(&p, root)
	return append(append(all, bound), more...), err
}

func finding(claim string, ok bool, format string, args ...any) Finding {
	f := Finding{Claim: claim, Verdict: Holds, Detail: fmt.Sprintf(format, args...)}
	if !ok {
		f.Verdict = Fails
	}
	return f
}

// lists checks that the choice is permitted.
func (c *Claims) lists() Finding {
	chosen := map[int]bool{}
	for _, j := range c.Support {
		chosen[j] = true
	}
	broken := len(c.Support) - len(chosen)
	for _, j := range c.Include {
		if !chosen[j] {
			broken++
		}
	}
	for _, j := range slices.Concat(c.Exclude, c.Unmeasured) {
		if chosen[j] {
			broken++
		}
	}
	return finding("support", broken == 0, "%d different columns, %d against what is included and excluded", len(chosen), broken)
}

func (c *Claims) orthonormal() Finding {
	var g mat.Dense
	g.Mul(c.W.T(), c.W)
	worst := distance(&g, slices.Repeat([]float64{1}, g.RawMatrix().Rows))
	return finding("orthonormality", worst <= tolerance, "WᵀW differs from I by at most %.2g", worst)
}

// distance returns the largest difference of g from a matrix with this diagonal and 0 beside it.
func distance(g *mat.Dense, diagonal []float64) (worst float64) {
	for i, want := range diagonal {
		g.Set(i, i, g.At(i, i)-want)
	}
	for _, v := range g.RawMatrix().Data {
		worst = max(worst, math.Abs(v))
	}
	return worst
}

// components checks that the components are uncorrelated and what their variances are: WᵀA_SSW = diag(values).
func (c *Claims) components(p *problem) Finding {
	var t, g mat.Dense
	t.Mul(p.sub(c.Support), c.W)
	g.Mul(c.W.T(), &t)
	worst := distance(&g, c.Values)
	return finding("explained variance", worst <= tolerance*slices.Max(c.Values), "the variances of the components differ from those stated by at most %.2g", c.told(worst))
}

func (c *Claims) objective(value float64) Finding {
	return finding("objective", math.Abs(value-c.Objective) <= tolerance*math.Abs(value), "stated %.12g, by gonum's eigenvalues of the chosen columns %.12g", c.told(c.Objective), c.told(value))
}

func (c *Claims) total(p *problem) Finding {
	var sum float64
	for _, i := range c.counted(p) {
		sum += p.a.At(i, i)
	}
	return finding("total variance", math.Abs(sum-c.Total) <= tolerance*sum, "stated %.12g, found %.12g", c.told(c.Total), c.told(sum))
}

// decomposedOrder is the order up to which the spectrum of A bounds a choice here.
const decomposedOrder = 2000

// noBound is the finding where no bound is to be compared with what can be proved.
func (c *Claims) noBound() (f Finding, ended bool) {
	if c.UpperBound == 0 && !c.Proved {
		return finding("upper bound", true, "none is stated"), true
	}
	if c.Proved && c.UpperBound > c.Objective*(1+tolerance) {
		return finding("upper bound", false, "stated %.12g, above the objective %.12g, which is said to be proved", c.told(c.UpperBound), c.told(c.Objective)), true
	}
	if c.UpperBound < c.Objective*(1-tolerance) {
		return finding("upper bound", false, "stated %.12g, below the objective %.12g", c.told(c.UpperBound), c.told(c.Objective)), true
	}
	return f, false
}

// bound compares the upper bound with what trace, norm and spectrum prove.
func (c *Claims) bound(p *problem, root part) (Finding, error) {
	if f, ended := c.noBound(); ended {
		return f, nil
	}
	if q := p.open(root); q < 0 || q > len(root.free) {
		return Finding{}, errors.New("the lists leave no choice")
	}
	best, err := p.cheapest(root)
	if err != nil {
		return Finding{}, err
	}
	f := finding("upper bound", true, "stated %.12g; trace, norm and spectrum of A prove %.12g", c.told(c.UpperBound), c.told(best))
	if best > c.UpperBound*(1+tolerance) {
		f.Verdict = NotShown
		f.Detail += ": a certificate would prove the rest"
	}
	return f, nil
}

// cheapest is what trace, norm and spectrum prove of a subproblem.
func (p *problem) cheapest(s part) (float64, error) {
	q := p.open(s)
	best := 0.0
	for _, i := range s.in {
		best += p.a.At(i, i)
	}
	var free []float64
	for _, j := range s.free {
		free = append(free, p.a.At(j, j))
	}
	if best += largest(free, q); p.a.SymmetricDim() > decomposedOrder {
		return best, nil
	}
	if q == 0 || q == len(s.free) {
		_, upper, err := p.value(append(s.in, s.free[:q]...))
		return upper, err
	}
	block, _ := p.block(s)
	r, err := p.decompose(s)
	if err != nil {
		return best, err
	}
	_, soft := p.best(r, s)
	return min(best, block, soft), nil
}

// certified compares the upper bound with a certificate.
func (c *Claims) certified(certificate *Certificate, err error) Finding {
	if err != nil {
		return finding("certificate", false, "%v", err)
	}
	ends := 0
	for _, v := range certificate.Tree {
		if v < 0 {
			ends++
		}
	}
	if f, ended := c.noBound(); ended && f.Verdict == Fails {
		return f
	}
	if certificate.Bound > c.UpperBound*(1+1e-10) {
		return finding("certificate", false, "it proves the bound %.12g, and the model states %.12g", c.told(certificate.Bound), c.told(c.UpperBound))
	}
	if certificate.Bound < c.Objective*(1-tolerance) {
		return finding("certificate", false, "it claims the bound %.12g, below the objective %.12g", c.told(certificate.Bound), c.told(c.Objective))
	}
	return finding("certificate", true, "all %d subproblems are closed: no permitted choice has more than %.12g", ends, c.told(certificate.Bound))
}
