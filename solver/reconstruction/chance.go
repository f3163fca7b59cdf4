package reconstruction

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/param"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
)

// drawn draws k of the columns that vary, ascending: all of them where fewer may be taken. Those of barred may
// not. Choice i of a seed is drawn by rand.NewPCG(seed, i).
func drawn(diag []float64, k int, barred []int, seed, i uint64) []int {
	left := lists.Marks(len(diag), barred)
	candidates := lists.Places(len(diag), func(j int) bool { return diag[j] > 0 && !left[j] })
	order := rand.New(rand.NewPCG(seed, i)).Perm(len(candidates))[:min(k, len(candidates))]
	return slices.Sorted(slices.Values(lists.At(candidates, order)))
}

// Chance is a random choice of columns, ascending. Loadings (k×m) are those of the
// components on them, and Decoder (d×m) rebuilds all columns from the components;
// see the function Decoder.
type Chance struct {
	Support           []int
	Loadings, Decoder *mat.Dense
}

// ChanceParams say which choices Chances draws: Count choices of Features columns
// each, none of them in Exclude or Unmeasured. The m components are the leading
// ones of the variance of the chosen columns. With Rebuild they are those that
// rebuild all columns best. Ridge is as in Decoder.
type ChanceParams struct {
	Count, Features, Components int
	Exclude, Unmeasured         []int
	Seed                        uint64
	Rebuild                     bool
	Ridge                       float64
}

// mostChances is the largest Count.
const mostChances = 1000

// check returns the columns that may not be drawn of d.
func (p ChanceParams) check(d int) (barred []int, err error) {
	errs := []error{param.Sizes(p.Features, p.Components, d), param.Finite("Ridge", "the ridge", p.Ridge)}
	if p.Count < 0 || p.Count > mostChances {
		errs = append(errs, param.New("Count", p.Count, "a number from 0 to 1000", "the number of random choices is %d", p.Count))
	}
	barred = slices.Concat(p.Exclude, p.Unmeasured)
	_, err = param.Lists(d, nil, barred)
	return barred, errors.Join(append(errs, err)...)
}

// RandomChoice returns random choice i, the same that Chances and Describe draw
// with these parameters. It ignores Count.
func RandomChoice(a solver.Covariance, p ChanceParams, i uint64) ([]int, error) {
	barred, err := p.check(subspace.Order(a))
	if err != nil {
		return nil, err
	}
	return drawn(a.Diag(), p.Features, barred, p.Seed, i), nil
}

// Chances draws the random choices that Describe draws, so that they can be
// compared on other rows.
func Chances(ctx context.Context, a solver.Covariance, p ChanceParams) ([]Chance, error) {
	barred, err := p.check(subspace.Order(a))
	if err != nil {
		return nil, err
	}
	o, err := newOperator(a, p.Exclude)
	if err != nil {
		return nil, err
	}
	room := kernel.Borrow()
	defer room.Release()
	all := make([]Chance, p.Count)
	for i := range all {
		c := &all[i]
		c.Support = drawn(o.diag, p.Features, barred, p.Seed, uint64(i))
		columns, err := o.borrowed(ctx, room, c.Support)
		if err != nil {
			return nil, err
		}
		if c.Loadings, err = o.chanceLoadings(ctx, columns, c.Support, p); err != nil {
			return nil, err
		}
		subspace.OrientColumns(c.Loadings)
		z := o.productOf(columns, c.Loadings)
		rotated, half, err := o.whitened(c.Support, c.Loadings, z, p.Ridge)
		if err != nil {
			return nil, err
		}
		c.Decoder = decoderOf(rotated, half)
	}
	return all, nil
}

// chanceLoadings returns the components on a random choice.
func (o *operator) chanceLoadings(ctx context.Context, columns *mat.Dense, support []int, p ChanceParams) (*mat.Dense, error) {
	k := len(support)
	v, m := mat.NewDense(k, p.Components, nil), min(k, p.Components)
	if !p.Rebuild {
		block, err := o.a.Block(ctx, support)
		if err != nil {
			return nil, err
		}
		pairs, err := spectral.Leading(block, m)
		if err == nil {
			v.Slice(0, k, 0, m).(*mat.Dense).Copy(pairs.Vectors)
		}
		return v, err
	}
	c := o.factored(columns, support)
	n := len(c.order)
	if n == 0 {
		return v, nil
	}
	r := min(m, n)
	inner := o.inner(c, columns)
	pairs, err := spectral.Leading(mat.NewSymDense(n, inner.Data), r)
	if err != nil {
		return nil, err
	}
	y := solved(pairs.Vectors, func(q, p int) float64 { return c.l.Row(q)[p] }) // V in the order of L
	for p, at := range c.order {
		copy(v.RawRowView(at), y.Row(p))
	}
	return v, nil
}
