package solver

import (
	"cmp"
	"context"
	"slices"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"gonum.org/v1/gonum/mat"
)

const (
	// partners is the number of columns that are tried beside the included ones.
	partners = 64

	// grownStarts is how many of the supports that grow around an included
	// column and a partner are improved. It is also to how many dimensions of
	// the included ones a start is mixed.
	grownStarts = 4

	// grownOrder is the number of included columns up to which supports grow
	// around them.
	grownOrder = 256
)

// grown is where IPU begins around the included columns. The scores of Go say
// what fits A's leading eigenvectors, whatever is included; its support is then
// a good one and some columns that add nothing. No step of IPU leads from there
// to one that fits what is included.
type grown struct {
	supports [][]int
	spaces   []*mat.Dense // d×m, orthonormal
}

// around returns starts that fit the included columns: the best supports for
// these and one other column, filled up by the scores of the proxy that the two
// make; and subspaces of which some dimensions are those of the included block
// and the others A's leading ones.
func (t *task) around(ctx context.Context) (*grown, error) {
	in, g := t.c.must, &grown{}
	if len(in) == 0 || len(in) == t.c.k || len(in) > grownOrder {
		return g, nil
	}
	own, err := Columns(ctx, t.a, in)
	if err != nil {
		return nil, err
	}
	e, err := embedWithin(own, in, min(t.m, len(in)))
	if err != nil {
		return nil, err
	}
	for c := 1; c <= min(len(e.values), grownStarts) && e.values[c-1] > rankTolerance*e.values[0]; c++ {
		g.spaces = append(g.spaces, t.mixed(e, c))
	}
	others := t.partners(proxyScores(own, e))
	beside, err := Columns(ctx, t.a, others)
	if err != nil {
		return nil, err
	}
	g.supports, err = t.grow(own, beside, others)
	return g, err
}

// embedWithin is the embedding on all of index, whose columns of A are given.
func embedWithin(columns *mat.Dense, index []int, m int) (*embedding, error) {
	b := mat.NewSymDense(len(index), nil)
	for p, i := range index {
		for q := p; q < len(index); q++ {
			b.SetSym(p, q, columns.At(i, q))
		}
	}
	values, vectors, err := leadingPairs(b, m)
	return &embedding{support: index, values: values, vectors: vectors}, err
}

// proxyScores returns the diagonal of the proxy of an embedding, the columns of
// A on whose support are given.
func proxyScores(columns *mat.Dense, e *embedding) []float64 {
	var z mat.Dense
	z.Mul(columns, e.vectors)
	d, m := z.Dims()
	scores := make([]float64, d)
	for i := range d {
		for c, v := range z.RawRowView(i)[:m] {
			if e.values[c] > rankTolerance*e.values[0] {
				scores[i] += v * v / e.values[c]
			}
		}
	}
	return scores
}

// mixed returns the span of the first c vectors of e and the leading
// eigenvectors of A.
func (t *task) mixed(e *embedding, c int) *mat.Dense {
	w := mat.NewDense(t.a.Order(), t.m, nil)
	for i := range t.a.Order() {
		for l := c; l < t.m; l++ {
			w.Set(i, l, t.s.vectors().At(i, l-c))
		}
	}
	for p, i := range e.support {
		for l := range c {
			w.Set(i, l, e.vectors.At(p, l))
		}
	}
	subspace.Orthonormalise(w)
	return w
}

// partners returns the free columns that fit best to the included ones, by the
// scores of their proxy, and to all, by Go's; all where they are few.
func (t *task) partners(scores []float64) []int {
	free := lists.Places(len(scores), t.c.free)
	if len(free) <= partners {
		return free
	}
	var at []int
	for _, s := range [][]float64{scores, t.s.lowRankScores(t.m, 0)} {
		at = append(at, subspace.TopK(lists.At(s, free), partners/2)...)
	}
	return lists.At(free, distinct(at))
}

// grow returns the supports around the included columns and one of the others
// each that the proxies of these say most of.
func (t *task) grow(own, beside *mat.Dense, others []int) ([][]int, error) {
	type found struct {
		support []int
		value   float64
	}
	var all []found
	d, n := own.Dims()
	columns := mat.NewDense(d, n+1, nil)
	columns.Slice(0, d, 0, n).(*mat.Dense).Copy(own)
	for q, j := range others {
		columns.Slice(0, d, n, n+1).(*mat.Dense).Copy(beside.Slice(0, d, q, q+1))
		e, err := embedWithin(columns, append(slices.Clone(t.c.must), j), min(t.m, n+1))
		if err != nil {
			return nil, err
		}
		scores := proxyScores(columns, e)
		support := t.c.fill([]int{j}, scores)
		s := found{support: support}
		for _, i := range support {
			s.value += scores[i]
		}
		if !slices.ContainsFunc(all, func(o found) bool { return slices.Equal(o.support, support) }) {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.value, a.value) })
	var supports [][]int
	for _, s := range all[:min(grownStarts, len(all))] {
		supports = append(supports, s.support)
	}
	return supports, nil
}
