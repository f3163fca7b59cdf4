package solver

import (
	"context"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// searchWork is what the parts of a search may take: multiplications and steps,
// not time, so that the answer does not depend on the machine.
type searchWork struct {
	before float64 // nodes, times the cube of the order, before that enumeration: a spectrum with a gap is over by then
	first  float64 // enumeration by trace and norm
	form   float64 // enumeration with the dual of the root
	node   float64 // the same after the dual's first stage, and of a node

	// Steps for each amount of smoothing, at the root and at a node: a number by
	// the cube of the order, between two limits.
	root, joint steps
}

type steps struct {
	work        float64
	least, most int
}

var fullWork = searchWork{before: 1e8, first: 2e8, form: 3e9, node: 3e8, root: steps{3e9, 80, 400}, joint: steps{5e7, 20, 60}}

// nodeGap is the largest gap of a node that is enumerated. What could not be enumerated
// lowers this limit below its own gap for nodes with as many columns to choose or more;
// what could raises it for those with as many or fewer.
const (
	nodeGap      = .04
	nodeGapFalls = .9
	nodeGapRises = 1.25
)

// decided is the share of an index in the maximiser above which it is not branched
// on: the node without it would be closed at once, that with it is no smaller.
const decided = .98

// of returns the number of steps for order n.
func (s steps) of(n int) int {
	return int(min(float64(s.most), max(float64(s.least), s.work/math.Pow(float64(n), 3))))
}

// smoothings are the amounts of smoothing, as shares of the gap and of the
// objective by k: more than the gap would hide it.
var smoothings = []float64{1, .3, .1, .03}

// smoothing returns the largest amount for a bound.
func (j *joint) smoothing(bound, cutoff float64) float64 {
	return j.unit * min(.1, max(1e-6, (bound-cutoff)/cutoff))
}

// reach bounds the root by the joint dual and begins the search anew from it.
// It enumerates what is left with the dual as a quadratic form.
func (s *search) reach(ctx context.Context) error {
	root := s.sub.root
	kept := append(slices.Clone(root.in), root.free...)
	if s.tree.Len() == 0 || len(root.in) >= s.t.c.k || s.tree.Memory+jointMemory(len(kept)) > s.t.p.memoryLimit() {
		return nil
	}
	j, err := firstJoint(s.l, kept, len(root.in), s.t.c.k, s.t.m, s.best.best.objective)
	if err != nil {
		return err
	}
	s.beginAnew()
	for stage := range 2 {
		if stage > 0 {
			j.complete()
		}
		mu := j.smoothing(s.upper(), s.Cutoff())
		for _, share := range smoothings {
			j.mu = share * mu
			if kept, j, err = s.descendRoot(ctx, kept, j, s.work.root.of(j.n)); j == nil || err != nil {
				return err
			}
		}
		work := s.work.node
		if stage > 0 && s.gap() < nodeGap {
			work += s.work.form
		}
		if done, err := s.enumerateJoint(ctx, kept, j, work); done || err != nil {
			return err
		}
	}
	return nil
}

// beginAnew opens the root in place of all open nodes. These were divided by a bound
// that closed few of them; the joint dual needs fewer nodes from the root than they are.
func (s *search) beginAnew() {
	upper, root := s.upper(), s.sub.root
	s.tree.Empty()
	s.tree.Push(node{bound: upper, in: slices.Clone(root.in), free: slices.Clone(root.free)})
}

// gap is what is left to prove, as a share of what is proved.
func (s *search) gap() float64 { return (s.upper() - s.Cutoff()) / s.Cutoff() }

// descendRoot improves the multipliers of the root and narrows the search. There are
// none any more where nothing is left to do.
func (s *search) descendRoot(ctx context.Context, kept []int32, j *joint, steps int) ([]int32, *joint, error) {
	if err := descend(ctx, j.moving(), steps, j.smoothed); err != nil {
		return kept, nil, err
	}
	b, err := j.evaluate() // where ctx has ended, too: all multipliers are valid
	if err != nil {
		return kept, nil, err
	}
	if kept, j = s.settle(kept, j, b); s.tree.Len() == 0 || ctx.Err() != nil {
		j = nil
	}
	return kept, j, nil
}

// jointMemory is what the joint dual of order n takes, in bytes: with what L-BFGS
// remembers, at the root or at two nodes.
func jointMemory(n int) int64 {
	all := int64(n) * int64(2*n+40+momentRank)
	return 8 * 2 * all * (2*lbfgsMemory + 10)
}

// enumerateJoint goes through what is open with the dual as a quadratic form.
func (s *search) enumerateJoint(ctx context.Context, kept []int32, j *joint, work float64) (done bool, err error) {
	s.joint, s.jointAt = j, places(kept, len(s.l.index))
	b, err := j.evaluate()
	if err != nil {
		return false, err
	}
	e := newEnumeration(s.l, s.t.c.k, s.t.m, s.spread(), b.form.within(kept, len(s.l.index)), work)
	return s.enumerate(ctx, e)
}

// settle narrows the search by a bound of the root, and restricts the multipliers
// to what is left: nil where only one support is.
func (s *search) settle(kept []int32, j *joint, b *jointBound) ([]int32, *joint) {
	f := fixing{in: slices.Clone(kept[:j.in]), free: slices.Clone(kept[j.in:]), closed: math.Inf(-1)}
	d := &dual{diag: make([]float64, len(s.l.index)), rest: b.rest}
	for p, i := range kept {
		d.diag[i] = b.scores[p]
	}
	if b.value <= s.Cutoff() {
		s.tree.Closed, s.ceiling = max(s.tree.Closed, b.value), min(s.ceiling, max(b.value, s.tree.Closed))
		s.tree.Empty()
		return kept, j
	}
	f.apply(b.scores[j.in:], j.k-j.in, b.value, s.Cutoff())
	s.narrow(node{bound: b.value, in: f.in, free: f.free}, f.closed, d)
	s.t.report(Progress{Stage: StageSDP, UpperBound: s.upper()})
	if len(f.free) == len(kept)-j.in {
		return kept, j
	}
	if _, only := f.last(j.k); only {
		return kept, nil
	}
	at := places(kept, len(s.l.index))
	kept = append(f.in, f.free...)
	return kept, j.restrict(s.l.matrix(kept), lists.At(at, kept), len(f.in))
}

// places returns where each of n positions stands in kept, −1 for nowhere.
func places(kept []int32, n int) []int {
	at := slices.Repeat([]int{-1}, n)
	for p, i := range kept {
		at[i] = p
	}
	return at
}

// within returns the form on n positions, of which kept are its own.
func (f *form) within(kept []int32, n int) *form {
	m, alpha := kernel.NewMatrix(n, n), make([]float64, n)
	for p, i := range kept {
		alpha[i] = f.alpha[p]
		for q, j := range kept {
			m.Row(int(i))[j] = f.m.Row(p)[q]
		}
	}
	w := newForm(m, alpha, f.constant, f.k)
	w.slack = max(w.slack, f.slack)
	return w
}

// firstJoint starts from the soft bound, or from Y = A − σI where that is lower.
func firstJoint(l *local, kept []int32, in, k, m int, objective float64) (*joint, error) {
	n := len(kept)
	a := l.matrix(kept)
	p := prober{l: l, k: k, m: m}
	if err := p.decompose(kept[:in], kept[in:]); err != nil {
		return nil, err
	}
	bound, sigma := p.f.minimise(math.Inf(-1))
	y := kernel.NewMatrix(n, n)
	above := lists.Count(p.f.values, func(v float64) bool { return v > sigma })
	rank := min(n, max(12, 2*above))
	unit := objective / float64(k)
	factor := kernel.Matrix(subspace.Random(n, rank, 1, 0).RawMatrix())
	scaleAll(factor, .1*math.Sqrt(unit))
	if row, shift := rowBound(a, in, k, m); row < bound {
		y.Copy(a)
		for i := range n {
			y.Row(i)[i] -= shift
		}
	} else {
		for i := range n {
			for c := range above {
				factor.Row(i)[c] = p.eig.a[i*n+n-1-c] * math.Sqrt(p.f.values[c]-sigma)
			}
		}
	}
	return newJoint(a, in, k, m, factor, y, objective), nil
}

// rowBound returns the least of mσ + (the k largest h_i), but for rounding, and its
// σ. Here h_i = (Y_ii + √(Y_ii² + r_i²))/2 for Y = A − σI. It is convex in σ.
func rowBound(a kernel.Matrix, in, k, m int) (value, sigma float64) {
	n := a.Rows
	reach, h := make([]float64, n), make([]float64, n)
	top := 0.0
	for i := range n {
		reach[i] = besides(squared(a.Row(i)), i, in, k)
		top = max(top, a.Row(i)[i]+math.Sqrt(reach[i]))
	}
	at := func(sigma float64) float64 {
		for i := range h {
			d := a.Row(i)[i] - sigma
			h[i] = (d + math.Sqrt(d*d+reach[i])) / 2
		}
		return float64(m)*sigma + diagSum(h, in, k)
	}
	lo, hi := -top, top
	for range 60 {
		x, y := lo+(hi-lo)*.382, lo+(hi-lo)*.618
		if at(x) < at(y) {
			hi = y
		} else {
			lo = x
		}
	}
	return at((lo + hi) / 2), (lo + hi) / 2
}
