package solver

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
)

// Multipliers are those of the joint dual, in the letters of docs/algorithms.md, for
// a matrix of order n: B = LLᵀ, N = HHᵀ with the rows 0 … n, and G_ij = −G_ji, of
// which the upper triangle counts. Whoever evaluates them has a proof of a bound.
type Multipliers struct {
	L *mat.Dense // n×r
	Y *mat.Dense // n×n
	C []float64  // n, above 0
	G *mat.Dense // n×n
	H *mat.Dense // (n+1)×s
}

// FindMultipliers looks for multipliers that bound the sum of the m largest
// eigenvalues of all k×k principal blocks of a. The first in indices are in every
// block; objective is that of a good one. It ends early at a bound of enough, and
// with the best yet when ctx ends meanwhile. The order is at most 600.
func FindMultipliers(ctx context.Context, a *mat.SymDense, in, k, m int, objective, enough float64) (*Multipliers, error) {
	if a == nil {
		return nil, errors.New("solver: there is no matrix")
	}
	n := a.SymmetricDim()
	switch {
	case n > relaxRoot:
		return nil, fmt.Errorf("solver: the matrix has the order %d: want at most %d", n, relaxRoot)
	case m < 1 || k < m || k > n || in < 0 || in > k:
		return nil, fmt.Errorf("solver: order %d, k = %d, m = %d and %d in every block: want 1 ≤ m ≤ k ≤ order, and no more than k", n, k, m, in)
	case !(objective > 0) || math.IsInf(objective, 0) || math.IsNaN(enough):
		return nil, fmt.Errorf("solver: the objective %v: want a number above 0", objective)
	}
	if norm := mat.Norm(a, 2); !(norm <= math.MaxFloat64) {
		return nil, fmt.Errorf("solver: the norm of the matrix is %v: want finite entries, small enough to square", norm)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	j, err := firstJoint(whole(a), lists.Upto[int32](n), in, k, m, objective)
	if err != nil {
		return nil, err
	}
	best, err := j.evaluate()
	if err != nil {
		return nil, err
	}
	return j.improve(ctx, best.value, objective, enough)
}

// improve descends in both stages, and returns the multipliers of the least bound that
// was met, at first the present one.
func (j *joint) improve(ctx context.Context, least, objective, enough float64) (*Multipliers, error) {
	kept := j.multipliers()
	for stage := 0; stage < 2 && least > enough; stage++ {
		if stage > 0 {
			j.complete()
		}
		mu := j.smoothing(least, objective)
		for _, share := range smoothings {
			j.mu = share * mu
			if err := descend(ctx, j.moving(), fullWork.root.of(j.n), j.smoothed); err != nil {
				return nil, err
			}
			b, err := j.evaluate()
			if err != nil {
				return nil, err
			}
			if b.value < least {
				least, kept = b.value, j.multipliers()
			}
			if least <= enough || ctx.Err() != nil {
				return kept, nil
			}
		}
	}
	return kept, nil
}

// whole is a matrix as a block of all its columns.
func whole(a *mat.SymDense) *local {
	return &local{a: a, index: lists.Upto[int](a.SymmetricDim())}
}

// multipliers copies the present ones.
func (j *joint) multipliers() *Multipliers {
	dense := func(rows, cols int, data []float64) *mat.Dense {
		return mat.DenseCopyOf(mat.NewDense(rows, cols, data))
	}
	m := &Multipliers{
		L: dense(j.n, j.rank, j.l(j.x).Data), Y: dense(j.n, j.n, j.y(j.x).Data), C: lists.Make(j.n, j.weight),
		G: mat.NewDense(j.n, j.n, nil), H: mat.NewDense(j.n+1, j.moments, nil),
	}
	if j.full {
		for i := range j.n {
			for q := i + 1; q < j.n; q++ {
				m.G.Set(i, q, j.g(j.x).Row(i)[q])
			}
		}
		m.H.Copy(mat.NewDense(j.n+1, j.moments, j.h(j.x).Data))
	}
	root := math.Sqrt(j.scale)
	m.L.Scale(root, m.L)
	m.H.Scale(root, m.H)
	m.Y.Scale(j.scale, m.Y)
	m.G.Scale(j.scale, m.G)
	floats.Scale(j.scale, m.C)
	return m
}
