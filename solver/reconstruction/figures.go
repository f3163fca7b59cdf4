package reconstruction

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver"
)

// Question says which figures Describe computes. The zero value asks only for those
// that cost almost nothing.
type Question struct {
	Rows       float64 // n, or the sum of the weights; 0 where A was not made from rows
	Rank       int     // no more columns are independent: n − 1 of centred rows; 0 where that is not known
	Exclude    []int   // columns that are left out of A, as in Params
	Unmeasured []int   // columns that random choices may not take

	// Told, if not 0, is the variance that the components explain, from
	// solver.Solution.Told: R2Components then needs no product of A.
	Told float64

	// Block, if not nil, is A_SS, from solver.Solution.Block; it is not changed.
	Block *mat.SymDense

	R2      bool // R2: a product of A with k columns
	Columns bool // R2 and Columns: that too
	PCA     bool // PCA and Variances: the leading eigenvalues

	// Random is the number of random choices whose mean R² is computed, each at
	// the cost of Columns. Choice i is drawn by rand.NewPCG(Seed, i).
	Random int
	Seed   uint64
}

// Figures say how well the chosen columns rebuild all columns except the excluded.
// R² is the share of Tr(A) that is explained, between 0 and 1. A figure that the
// Question does not ask for, or that A does not determine, is NaN.
type Figures struct {
	// R2Components is R² of least squares on the m components: the trace of
	// AW(WᵀAW)†WᵀA over Tr(A).
	R2Components float64

	R2     float64 // that of least squares on the k chosen columns
	Noise  float64 // what k of d columns of independent noise reach in n rows, k/d + (1 − k/d)·k/(n−1); d counts those that vary
	PCA    float64 // that of the k leading principal components: no k columns reach more
	Random float64 // the mean of random choices of columns that vary

	// Variances are the leading eigenvalues of A without the excluded columns,
	// descending: at most 20, and at most Rank. Nil if Question.PCA is not set.
	Variances []float64

	// MaxCorrelation is the largest |r| among the chosen columns, 0 for one column.
	// Pair holds the two columns that have it, if at least two vary.
	MaxCorrelation float64
	Pair           []int

	Columns []Column // of all columns in order; nil if not asked for
}

// Column says how well the chosen columns predict one column.
type Column struct {
	R2 float64 // 1 for a chosen column; NaN for one that does not vary or is excluded

	// Nearest is the chosen column with the largest |correlation|, the first of
	// equals, and Correlation is that correlation. Nearest is −1 for a chosen
	// column, and for one that does not vary or is excluded.
	Nearest     int
	Correlation float64
}

// Describe computes figures of a support, ascending, and of the components on it.
// The loadings (k×m) may be those of either criterion.
func Describe(ctx context.Context, a solver.Covariance, support []int, loadings *mat.Dense, q Question) (*Figures, error) {
	if err := cmp.Or(checkSupport(subspace.Order(a), support, loadings), ctx.Err()); err != nil {
		return nil, err
	}
	if q.PCA && subspace.Order(a) <= directOrder {
		a = solver.Explicit(a) // which serves all figures
	}
	room := kernel.Borrow()
	defer room.Release()
	order, k := a.Order(), len(support)
	numbers := room.Floats(order + k*k)
	o, err := newOperatorIn(numbers[:0:order], a, q.Exclude)
	if err != nil {
		return nil, err
	}
	nan := math.NaN()
	f := &Figures{R2: nan, Noise: nan, PCA: nan, Random: nan}
	if q.Rows > 1 {
		share := min(1, float64(k)/float64(o.vary))
		f.Noise = share + (1-share)*min(1, float64(k)/(q.Rows-1))
	}
	block, err := o.blockOf(ctx, numbers[order:], support, q.Block)
	if err != nil {
		return nil, err
	}
	told := q.Told
	if !ownVariance(block, loadings) {
		told = 0
	}
	var z *mat.Dense // AW
	if q.R2 || q.Columns {
		if z, err = o.describe(ctx, support, block, loadings, q, f); err != nil {
			return nil, err
		}
	}
	if f.R2Components, err = o.shareOfComponents(ctx, support, loadings, z, told); err != nil {
		return nil, err
	}
	o.correlate(block, support, f)
	if q.PCA {
		if f.PCA, f.Variances, err = o.pca(ctx, k, q.Rank); err != nil {
			return nil, err
		}
	}
	if q.Random > 0 {
		f.Random, err = o.random(ctx, k, q)
	}
	return f, err
}

// checkSupport returns an error unless loadings is k×m for k columns of d.
func checkSupport(d int, support []int, loadings *mat.Dense) error {
	for p, j := range support {
		if j < 0 || j >= d || p > 0 && j <= support[p-1] {
			return fmt.Errorf("the support %v is not an ascending list of columns 0 to %d", support, d-1)
		}
	}
	if loadings == nil {
		return errors.New("the support has no loadings")
	}
	if r, _ := loadings.Dims(); r != len(support) || r == 0 {
		return fmt.Errorf("the loadings have %d rows for %d columns", r, len(support))
	}
	return nil
}

// blockOf returns A_SS, from a solution that has it, or in room.
func (o *operator) blockOf(ctx context.Context, room []float64, support []int, known *mat.SymDense) (*mat.SymDense, error) {
	if known == nil {
		block := mat.NewSymDense(len(support), room)
		return block, solver.CopyBlock(ctx, block, o.a, support)
	}
	if n := known.SymmetricDim(); n != len(support) {
		return nil, fmt.Errorf("the block is %d×%d for %d columns", n, n, len(support))
	}
	return known, nil
}

// borrowed returns A_·S in room.
func (o *operator) borrowed(ctx context.Context, room *kernel.Buffer, support []int) (*mat.Dense, error) {
	columns := mat.NewDense(o.d, len(support), room.Floats(o.d*len(support)))
	return columns, solver.CopyColumns(ctx, columns, o.a, support)
}

// shareOfComponents is R2Components: from told where that is known, else from z = AW, which is computed if it
// is nil and changed if not.
func (o *operator) shareOfComponents(ctx context.Context, support []int, loadings, z *mat.Dense, told float64) (share float64, err error) {
	if explained := o.scale * told; explained > 0 {
		return shareOf(explained, o.total), nil
	}
	if z == nil {
		if z, err = o.product(ctx, support, loadings); err != nil {
			return 0, err
		}
	}
	explained, err := o.components(support, loadings, z)
	return shareOf(explained, o.total), err
}

// shareOf is part/total, without what rounding adds to 1.
func shareOf(part, total float64) float64 {
	switch share := part / total; {
	case share < 0:
		return 0
	case share > 1:
		return 1
	default:
		return share
	}
}

// ownVariance reports whether every component has variance, as gram has it; block is A_SS.
func ownVariance(block *mat.SymDense, loadings *mat.Dense) bool {
	k, m := loadings.Dims()
	room := kernel.Borrow()
	defer room.Release()
	numbers := room.Floats(k*k + k*m)
	half := kernel.Matrix{Rows: k, Cols: k, Data: numbers[:k*k], Stride: k} // half + halfᵀ is the block
	product := kernel.Matrix{Rows: k, Cols: m, Data: numbers[k*k:], Stride: m}
	raw := block.RawSymmetric()
	for p := range k {
		row := half.Row(p)
		clear(row[:p])
		copy(row[p:], raw.Data[p*raw.Stride+p:p*raw.Stride+k])
		row[p] /= 2
	}
	kernel.Gemm(false, false, 1, half, kernel.Matrix(loadings.RawMatrix()), 0, product)
	variance, terms := make([]float64, m), make([]float64, m)
	for p := range k {
		w, aw, own := loadings.RawRowView(p), product.Row(p), 2*half.Row(p)[p]
		for t, v := range w {
			variance[t] += 2 * v * aw[t]
			terms[t] += v * v * own
		}
	}
	for t, v := range variance {
		if !(v > spanTolerance*terms[t]) {
			return false
		}
	}
	return true
}

// correlate finds the largest correlation among the chosen columns; block is A_SS.
func (o *operator) correlate(block *mat.SymDense, support []int, f *Figures) {
	inverse, raw := o.inverseDeviations(support), block.RawSymmetric()
	for p, i := range support {
		if inverse[p] == 0 {
			continue
		}
		for q, j := range support[:p] {
			if inverse[q] == 0 {
				continue
			}
			v := o.scale * raw.Data[q*raw.Stride+p]
			if math.Abs(v)*inverse[p]*inverse[q] < f.MaxCorrelation { // 0 without a pair
				continue
			}
			r := math.Abs(o.correlation(v, i, j))
			if f.Pair == nil || r > f.MaxCorrelation*(1+subspace.Tie) {
				f.MaxCorrelation, f.Pair = r, []int{j, i}
			}
		}
	}
}

// inverseDeviations returns 1/deviation of the columns, 0 where they do not vary.
func (o *operator) inverseDeviations(columns []int) []float64 {
	inverse := make([]float64, len(columns))
	for p, i := range columns {
		if o.diag[i] > 0 {
			inverse[p] = 1 / math.Sqrt(o.diag[i])
		}
	}
	return inverse
}

// correlation turns a covariance of two columns that vary into a correlation.
func (o *operator) correlation(v float64, i, j int) float64 {
	return max(-1, min(1, v/math.Sqrt(o.diag[i])/math.Sqrt(o.diag[j])))
}
