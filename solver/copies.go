package solver

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// LowestCopies returns the ascending support with every column replaced by the
// lowest copy of it that is not chosen. The objective does not change. Every
// method ends with this step: scores from an iteration differ between copies by
// more than the tie rule allows, and an exchange of a column for its copy gains
// nothing.
//
// Columns i and j are copies where a_ii = a_jj and a_il = a_jl for all l in the
// support, up to rounding. It costs one product of A with a vector if an
// earlier column has the variance of a chosen one, and little otherwise.
func LowestCopies(ctx context.Context, a Covariance, support []int) ([]int, error) {
	d := subspace.Order(a)
	if err := checkIndices(d, support); err != nil {
		return nil, err
	}
	support, err := checkSupport(d, support)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	lowest, _, err := lowestCopies(ctx, a, support, nil, func(int, int) (bool, error) { return true, nil })
	slices.Sort(lowest)
	return lowest, err
}

// lowestCopies returns what takes the place of each column of support. It asks
// replace whether the copy j may take the place of i, and takes yes for done. Where
// that takes a product of A, it returns its product with beside too (k×any on the
// support, nil for none).
func lowestCopies(ctx context.Context, a Covariance, support []int, beside *mat.Dense, replace func(i, j int) (bool, error)) (lowest []int, product *mat.Dense, err error) {
	lowest = slices.Clone(support)
	diag := a.Diag()
	if !earlierEqual(diag, support) {
		return lowest, nil, nil
	}
	chosen := marked(support)
	z, size, product, err := probe(ctx, a, support, beside)
	if err != nil {
		return nil, nil, err
	}
	for p, i := range support {
		tolerance := subspace.Tie * size * math.Sqrt(diag[i])
		for j := range i {
			if chosen[j] || !sameVariance(diag[i], diag[j]) || math.Abs(z.At(i, 0)-z.At(j, 0)) > tolerance {
				continue
			}
			if done, err := replace(i, j); err != nil {
				return nil, nil, err
			} else if done {
				lowest[p], chosen[i], chosen[j] = j, false, true
				break
			}
		}
	}
	return lowest, product, nil
}

// marked says of the columns up to the last of support, which is ascending, whether they are in it.
func marked(support []int) []bool {
	return lists.Marks(support[len(support)-1]+1, support)
}

func sameVariance(a, b float64) bool { return math.Abs(a-b) <= subspace.Tie*a }

// earlierEqual reports whether a column that is not chosen has the variance of a
// chosen one that comes later.
func earlierEqual(diag []float64, support []int) bool {
	chosen := marked(support)
	byVariance := slices.Clone(support)
	slices.SortFunc(byVariance, func(i, j int) int {
		if diag[i] < diag[j] {
			return -1
		}
		return 1
	})
	least, most := diag[byVariance[0]], diag[byVariance[len(byVariance)-1]]
	for j, is := range chosen {
		v := diag[j]
		if is || v < least*(1-2*subspace.Tie) || v > most*(1+2*subspace.Tie) {
			continue
		}
		at, _ := slices.BinarySearchFunc(byVariance, v*(1-2*subspace.Tie), func(i int, v float64) int {
			if diag[i] < v {
				return -1
			}
			return 1
		})
		for ; at < len(byVariance) && diag[byVariance[at]] <= v*(1+2*subspace.Tie); at++ {
			if i := byVariance[at]; i > j && sameVariance(diag[i], v) {
				return true
			}
		}
	}
	return false
}

// probe returns A_{:,S}·v for Gaussian numbers v, in which different rows of
// A_{:,S} are equal with probability 0. It also returns Σ|v_l|·√a_ll, which times √a_ii
// bounds its entry i. The product of A_{:,S} with beside, if not nil, comes with it.
func probe(ctx context.Context, a Covariance, support []int, beside *mat.Dense) (z *mat.Dense, size float64, product *mat.Dense, err error) {
	d, more := a.Order(), 0
	if beside != nil {
		_, more = beside.Dims()
	}
	v := mat.NewDense(len(support), 1+more, nil)
	rng := rand.New(rand.NewPCG(1, 1))
	for p, l := range support {
		v.Set(p, 0, rng.NormFloat64())
		size += math.Abs(v.At(p, 0)) * math.Sqrt(a.Diag()[l])
	}
	z = mat.NewDense(d, 1+more, nil)
	if more > 0 {
		v.Slice(0, len(support), 1, 1+more).(*mat.Dense).Copy(beside)
		product = z.Slice(0, d, 1, 1+more).(*mat.Dense)
	}
	return z, size, product, a.MulRows(ctx, z, support, v)
}

// onLowestCopies moves e to the lowest copies of its columns. Its vectors keep
// their numbers: the block of A is the same but for the order.
func (t *task) onLowestCopies(ctx context.Context, e *embedding) error {
	var beside *mat.Dense
	if t.untold && e.values[0] > 0 {
		beside = e.vectors
	}
	a := t.a
	if t.held != nil {
		a = held{a, t.held}
	}
	lowest, product, err := lowestCopies(ctx, a, e.support, beside, func(i, j int) (bool, error) { return t.replace(ctx, i, j) })
	if product != nil && err == nil {
		t.told = floats.Sum(proxyOf(product, e.values))
	}
	if err != nil || slices.Equal(lowest, e.support) {
		return err
	}
	order := lists.Upto[int](len(lowest))
	slices.SortFunc(order, func(p, q int) int { return lowest[p] - lowest[q] })
	e.vectors = subspace.Rows(e.vectors, order)
	e.support, e.block = slices.Sorted(slices.Values(lowest)), nil
	return nil
}

// replace reports whether column j may take the place of its copy i, and keeps
// what stands together up to date.
func (t *task) replace(ctx context.Context, i, j int) (bool, error) {
	if !t.c.free(i) || !t.c.free(j) {
		return false, nil
	}
	if t.standing == nil {
		return true, nil
	}
	if !t.standing.AdmitsInstead(i, j) {
		return false, nil
	}
	if err := t.standing.Remove(ctx, i); err != nil {
		return false, err
	}
	return true, t.standing.Add(ctx, j)
}
