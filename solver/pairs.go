package solver

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// local is a principal block of A, in which exchanges are evaluated.
type local struct {
	index []int // ascending
	a     *mat.SymDense
}

func newLocal(ctx context.Context, a Covariance, index []int) (*local, error) {
	slices.Sort(index)
	b, err := a.Block(ctx, index)
	return &local{index: index, a: b}, err
}

// positions returns where the members of support stand in the index.
func (l *local) positions(support []int) []int {
	p := make([]int, len(support))
	for q, i := range support {
		p[q], _ = slices.BinarySearch(l.index, i)
	}
	return p
}

// matrix returns the block on some positions.
func (l *local) matrix(kept []int32) kernel.Matrix {
	a := kernel.NewMatrix(len(kept), len(kept))
	for p, i := range kept {
		row := a.Row(p)
		for q, j := range kept {
			row[q] = l.at(int(i), int(j))
		}
	}
	return a
}

// full returns the whole block, both triangles.
func (l *local) full() kernel.Matrix {
	index := lists.Upto[int32](len(l.index))
	return l.matrix(index)
}

// at returns an entry.
func (l *local) at(p, q int) float64 {
	raw := l.a.RawSymmetric()
	return raw.Data[min(p, q)*raw.Stride+max(p, q)]
}

// pair is an exchange: a position out, one in, and the objective after it, or
// an estimate of that.
type pair struct {
	out, in int
	value   float64
}

// parallelWork is the number of multiplications from which exchanges are
// evaluated by several threads.
const parallelWork = 1 << 18

// rank returns all pairs with the estimate f(S−i) + f(S+j) − f(S) of their value.
// The best pairs, as many as sorted says, come first in descending order. Ties are
// in the order of out and in. All of S−i and S+j follow from one decomposition of
// A_SS, or, where k is large, from its leading eigenpairs, the others taken as one.
func (l *local) rank(inside, leaving, entering []int, m, sorted int) ([]pair, error) {
	k := len(inside)
	var s swapper
	decompose := func() error { return s.decompose(l, inside, -1) }
	if k > wholeBasis {
		decompose = func() error { return s.decomposeLeading(l, inside, m) }
	}
	if err := decompose(); err != nil {
		return nil, err
	}
	whole := lists.Sum(s.values[s.cols-m:])
	without := make([]float64, len(leaving))
	for q, out := range leaving {
		row, _ := slices.BinarySearch(inside, out)
		s.w.setRemoval(s.values, s.vectors[row*s.cols:(row+1)*s.cols])
		without[q] = s.w.leadingSum(m)
	}
	with := make([]float64, len(entering))
	type scratch struct {
		w arrow
		b []float64
	}
	spread(len(entering), len(entering)*k*s.cols >= parallelWork, func() *scratch { return &scratch{b: make([]float64, s.cols)} }, func(room *scratch, q int) {
		with[q] = s.added(l, &room.w, room.b, entering[q], m)
	})
	pairs := make([]pair, 0, len(leaving)*len(entering))
	for q, out := range leaving {
		for r, in := range entering {
			pairs = append(pairs, pair{out, in, without[q] + with[r] - whole})
		}
	}
	return foremost(pairs, sorted), nil
}

// foremost moves the n pairs of largest value to the front, in descending
// order; the order is otherwise kept.
func foremost(pairs []pair, n int) []pair {
	n = min(n, len(pairs))
	if n == 0 {
		return pairs
	}
	values := make([]float64, len(pairs))
	for q, p := range pairs {
		values[q] = p.value
	}
	first := subspace.TopK(values, n) // ascending positions
	front, rest := make([]pair, 0, len(pairs)), make([]pair, 0, len(pairs)-n)
	next := 0
	for q, p := range pairs {
		if next < n && first[next] == q {
			front = append(front, p)
			next++
		} else {
			rest = append(rest, p)
		}
	}
	slices.SortStableFunc(front, func(a, b pair) int { return cmp.Compare(b.value, a.value) })
	return append(front, rest...)
}

// spread calls body for 0 ≤ q < n with scratch of its own for each thread: several threads where that is worth it.
func spread[S any](n int, several bool, scratch func() S, body func(s S, q int)) {
	if !several {
		s := scratch()
		for q := range n {
			body(s, q)
		}
		return
	}
	all := lists.Make(kernel.Workers(n), func(int) S { return scratch() })
	kernel.Parallel(n, func(worker, q int) { body(all[worker], q) })
}

// evaluate returns the pair of largest value, of equals that after which the columns are lowest: −∞ for
// none. Pairs with the same index out share a decomposition.
func (l *local) evaluate(inside []int, pairs []pair, m int) (pair, error) {
	best := pair{value: math.Inf(-1)}
	var outs []int
	byOut := map[int][]int{}
	for q, p := range pairs {
		if byOut[p.out] == nil {
			outs = append(outs, p.out)
		}
		byOut[p.out] = append(byOut[p.out], q)
	}
	k := len(inside)
	values, errs := make([]float64, len(pairs)), make([]error, len(outs))
	spread(len(outs), len(outs)*10*k*k*k+len(pairs)*k*k >= parallelWork, func() *swapper { return new(swapper) }, func(s *swapper, q int) {
		if errs[q] = s.decompose(l, inside, outs[q]); errs[q] != nil {
			return
		}
		for _, r := range byOut[outs[q]] {
			values[r] = s.added(l, &s.w, s.b, pairs[r].in, m)
		}
	})
	for q, v := range values {
		now := pair{pairs[q].out, pairs[q].in, v}
		if v > best.value*(1+gainTolerance) || v >= best.value*(1-gainTolerance) && now.lower(best) {
			best = now
		}
	}
	return best, errors.Join(errs...)
}

// lower reports whether a support has lower columns after p than after q: the lowest that one of them lacks decides.
func (p pair) lower(q pair) bool {
	least := func(in, other, kept, dropped int) int {
		least := math.MaxInt
		if in != other {
			least = in
		}
		if kept != dropped {
			least = min(least, kept)
		}
		return least
	}
	return least(p.in, q.in, q.out, p.out) < least(q.in, p.in, p.out, q.out)
}

// swapper evaluates supports that differ little, in memory of its own.
type swapper struct {
	kept []int // positions in the local block, ascending
	eig  eigen
	w    arrow
	b    []float64

	// The eigenpairs of the block on kept: cols values, ascending, and a row
	// of as many entries for each member of kept. If partial, the first value
	// stands for all that are not among the leading ones. The first entry of a row
	// stands for its part outside of their span.
	cols    int
	values  []float64
	vectors []float64
	partial bool
}

// wholeBasis is the largest k whose blocks are decomposed completely to
// evaluate exchanges.
const wholeBasis = 256

// decompose finds the eigenpairs of the block on the positions inside but
// out.
func (s *swapper) decompose(l *local, inside []int, out int) error {
	s.kept = slices.DeleteFunc(append(s.kept[:0], inside...), func(p int) bool { return p == out })
	n := len(s.kept)
	if cap(s.b) < n {
		s.b = make([]float64, n)
	}
	s.b = s.b[:n]
	load(&s.eig, l, s.kept)
	s.cols, s.values, s.vectors, s.partial = n, s.eig.values, s.eig.a, false
	return s.eig.solve()
}

// load stores the upper triangle of the block on some positions.
func load[I int | int32](e *eigen, l *local, kept []I) {
	n := len(kept)
	raw := l.a.RawSymmetric()
	e.reset(n)
	for r, i := range kept {
		row := e.a[r*n : (r+1)*n]
		for c := r; c < n; c++ {
			row[c] = raw.Data[int(min(i, kept[c]))*raw.Stride+int(max(i, kept[c]))]
		}
	}
}

// decomposeLeading finds the leading eigenpairs of the block on the positions
// inside, several times m, and lumps the others together at their mean.
func (s *swapper) decomposeLeading(l *local, inside []int, m int) error {
	s.kept = append(s.kept[:0], inside...)
	k := len(inside)
	r := min(4*m+16, k)
	load(&s.eig, l, s.kept)
	p, err := spectral.Leading(mat.NewSymDense(k, s.eig.a), r)
	if err != nil {
		return err
	}
	rest := 0.0
	for i := range k {
		rest += s.eig.a[i*k+i]
	}
	s.cols, s.partial = r+1, true
	s.values, s.vectors = make([]float64, r+1), make([]float64, k*(r+1))
	for i, v := range p.Values {
		s.values[r-i] = v
		rest -= v
	}
	s.values[0] = min(rest/float64(max(1, k-r)), s.values[1])
	for i := range k {
		row, outside := s.vectors[i*(r+1):(i+1)*(r+1)], 1.0
		for c, v := range p.Vectors.RawRowView(i) {
			row[r-c] = v
			outside -= v * v
		}
		row[0] = math.Sqrt(max(0, outside))
	}
	return nil
}

// added returns the sum of the m largest eigenvalues of the decomposed block
// with position j added, an arrow in the basis of the eigenvectors. w and b
// (cols long) are scratch.
func (s *swapper) added(l *local, w *arrow, b []float64, j, m int) float64 {
	clear(b)
	var norm float64
	for r, p := range s.kept {
		v := l.at(p, j)
		norm += v * v
		for c, q := range s.vectors[r*s.cols : (r+1)*s.cols] {
			b[c] += v * q
		}
	}
	if s.partial {
		for _, v := range b[1:] {
			norm -= v * v
		}
		b[0] = math.Sqrt(max(0, norm))
	}
	w.set(s.values, b, l.at(j, j))
	return w.leadingSum(m)
}
