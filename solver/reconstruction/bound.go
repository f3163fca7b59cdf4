package reconstruction

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
)

const (
	// wholeOrder is the order up to which every eigenpair is found.
	wholeOrder = 448

	// sparePairs is how many eigenpairs more than needed are found above it: the
	// bound has to allow for those that are not known.
	sparePairs = 16

	// mostPairs is the largest number of pairs that are looked for.
	mostPairs = 512
)

// decompose reads the leading eigenpairs and bounds f_m by them. It returns
// the rows of the k leading eigenvectors.
func (r *problem) decompose(ctx context.Context) ([][]float64, error) {
	d := r.op.d
	wanted := r.k
	if r.single() {
		wanted = r.m
	}
	pairs := min(d, mostPairs, wanted+sparePairs)
	if d <= wholeOrder {
		pairs = d
	}
	pairs = max(pairs, min(d, r.m))
	values, vectors, err := r.op.leading(ctx, pairs)
	if err != nil {
		return nil, err
	}
	r.values = values
	r.pca = make([]float64, len(values)+1)
	for i, v := range values {
		r.pca[i+1] = r.pca[i] + max(0, v)
	}
	frobenius := lists.Sum(r.op.squares)
	r.ceiling = kyFanCeiling(values, r.op.total, frobenius, d, r.m) + r.slack()
	return rowsOf(vectors, min(r.k, pairs)), nil
}

// slack is the error that rounding may leave in the eigenvalues' sum.
func (r *problem) slack() float64 { return 1e-12 * float64(r.op.d) * r.values[0] }

func rowsOf(m *mat.Dense, columns int) [][]float64 {
	d, _ := m.Dims()
	return lists.Make(d, func(i int) []float64 { return m.RawRowView(i)[:columns] })
}

// kyFanCeiling bounds the sum of the m largest eigenvalues of a semidefinite
// matrix of order d by Ritz values, descending, which may be too small: take a
// basis of the Ritz vectors and their complement. The matrix then has
// diag(values) in one corner, and in the other a block with the trace and
// Frobenius norm that are left. The m largest are at most m − j from the first
// and j from the second; these have a sum of at most
//
//	jT/n + √(j(n−j)/n·(F − T²/n)),
//
// n being the block's order, T its trace and F the square of its norm.
func kyFanCeiling(values []float64, trace, frobenius float64, d, m int) float64 {
	for _, v := range values {
		trace -= v
		frobenius -= v * v
	}
	n := float64(d - len(values))
	trace, frobenius = max(0, trace), max(0, frobenius)
	sums := []float64{0}
	for _, v := range values {
		sums = append(sums, sums[len(sums)-1]+v)
	}
	best := 0.0
	for j := 0; j <= m; j++ {
		if m-j > len(values) {
			continue
		}
		rest := 0.0
		if x := float64(j); j > 0 && n > 0 {
			x = min(x, n)
			t := min(trace, math.Sqrt(x*frobenius))
			rest = min(trace, x*t/n+math.Sqrt(x*(n-x)/n*max(0, frobenius-t*t/n)))
		}
		best = max(best, sums[m-j]+rest)
	}
	return best
}
