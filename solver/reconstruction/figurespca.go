package reconstruction

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/solver/spectral"
)

// pcaTolerance is the residual of an eigenpair, relative to λ₁, that suffices
// for a figure: the eigenvalue is right to about its square.
const pcaTolerance = 1e-4

// mostVariances is the number of leading eigenvalues that Figures holds.
const mostVariances = 20

// pca returns the share of the k leading eigenvalues, and the first of them. Rank is that of Question.
func (o *operator) pca(ctx context.Context, k, rank int) (share float64, first []float64, err error) {
	k = min(k, o.vary)
	most := min(mostVariances, o.vary)
	all := rank > 0 && k >= rank
	if rank > 0 {
		most = min(most, rank)
	}
	r := max(k, most)
	if all { // k components explain everything
		r = most
	}
	values, err := o.eigenvalues(ctx, r)
	if err != nil {
		return 0, nil, err
	}
	var sum float64
	for i, v := range values {
		v = max(0, v)
		if i < k {
			sum += v
		}
		if i < most {
			first = append(first, v/o.scale)
		}
	}
	if all {
		return 1, first, nil
	}
	return shareOf(sum, o.total), first, nil
}

// eigenvalues returns the r leading eigenvalues of the operator.
func (o *operator) eigenvalues(ctx context.Context, r int) (values []float64, err error) {
	if o.targets == nil {
		values, err = solver.Eigenvalues(ctx, o.a, r)
	}
	switch {
	case err != nil:
	case values != nil:
		floats.Scale(o.scale, values)
	case o.vary <= directOrder:
		var block *mat.SymDense
		if block, err = o.a.Block(ctx, o.varying()); err != nil {
			return nil, err
		}
		values, err = spectral.Values(block, r)
		floats.Scale(o.scale, values)
	default:
		var pairs *spectral.Pairs
		if pairs, err = spectral.Krylov(ctx, o, r, spectral.Settings{Tolerance: pcaTolerance}); err == nil {
			values = pairs.Values
		}
	}
	return values, err
}

// random returns the mean R² of random choices of k columns.
func (o *operator) random(ctx context.Context, k int, q Question) (float64, error) {
	room := kernel.Borrow()
	defer room.Release()
	var mean float64
	for i := range q.Random {
		support := drawn(o.diag, k, slices.Concat(q.Exclude, q.Unmeasured), q.Seed, uint64(i))
		columns, err := o.borrowed(ctx, room, support)
		if err != nil {
			return 0, err
		}
		mean += shareOf(o.rebuilt(columns, support), o.total) / float64(q.Random)
	}
	return mean, nil
}
