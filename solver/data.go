package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// ErrConstant is returned (wrapped) where no column varies, so that there is
// nothing to explain.
var ErrConstant = errors.New("every column is constant: want at least one that varies")

// blockRows is the number of rows that are centred at a time.
const blockRows = 256

// DataOptions says how the covariance is made from data rows.
type DataOptions struct {
	// Uncentered leaves the columns as they are: A = XᵀX/(n−1), the second
	// moment about 0 with the divisor of the covariance.
	Uncentered bool

	// Scale, if not nil, holds d positive numbers; column j is divided by
	// Scale[j] after it is centred. With the standard deviations A is the
	// correlation matrix.
	Scale []float64
}

// Data is the covariance of data rows, A = D(X − 1μᵀ)ᵀ(X − 1μᵀ)D/(n−1) with
// D = diag(1/Scale), kept as an operator on X. X is shared and never copied
// as a whole.
type Data struct {
	x       *mat.Dense
	n, d    int
	mean    []float64 // what is subtracted; zeros if uncentred
	inverse []float64 // 1/Scale; nil for none
	diag    []float64

	once    sync.Once // guards entries
	entries *matrix   // A itself, formed on first use
}

// NewData returns the covariance operator of the n×d rows of x. It reads x
// twice, for the means and the variances. A column whose n values are equal
// has variance exactly 0. Errors: fewer than two rows, no column, an entry
// that is not finite (*EntryError), a scale that is not positive, or no
// column that varies (ErrConstant). x must not change while Data is in use.
func NewData(x *mat.Dense, opt DataOptions) (*Data, error) {
	n, d := x.Dims()
	if d == 0 {
		return nil, errors.New("the data have no column: want at least one")
	}
	if n < 2 {
		return nil, fmt.Errorf("the data have %d row(s): a variance needs at least 2", n)
	}
	c := &Data{x: x, n: n, d: d, mean: make([]float64, d)}
	if opt.Scale != nil {
		if len(opt.Scale) != d {
			return nil, fmt.Errorf("scale has %d entries for %d columns", len(opt.Scale), d)
		}
		c.inverse = make([]float64, d)
		for j, s := range opt.Scale {
			if !(s > 0) || math.IsInf(1/s, 0) || s > math.MaxFloat64 {
				return nil, fmt.Errorf("scale of column %d (counted from 0) is %v: want a positive finite number", j, s)
			}
			c.inverse[j] = 1 / s
		}
	}
	constant, err := c.readMean(opt.Uncentered)
	if err != nil {
		return nil, err
	}
	c.readVariance(constant)
	peak := 0.0
	for j, v := range c.diag {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil, fmt.Errorf("the variance of column %d (counted from 0) overflows: divide the data by a constant", j)
		}
		peak = math.Max(peak, v)
	}
	if peak == 0 {
		return nil, ErrConstant
	}
	return c, nil
}

// readMean fills in the column means (zeros if uncentered) and tells which
// columns have variance 0.
func (c *Data) readMean(uncentered bool) (constant []bool, err error) {
	constant = make([]bool, c.d)
	first := c.x.RawRowView(0)
	for j := range constant {
		constant[j] = true
	}
	for i := range c.n {
		for j, v := range c.x.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("the data: %w", &EntryError{i, j, v, "want a finite number"})
			}
			if v != first[j] {
				constant[j] = false
			}
			// Deviations from the first row keep the digits that a common
			// offset would cost.
			c.mean[j] += v - first[j]
		}
	}
	for j := range c.mean {
		c.mean[j] = first[j] + c.mean[j]/float64(c.n)
		if uncentered {
			constant[j] = constant[j] && first[j] == 0
			c.mean[j] = 0
		} else if constant[j] {
			c.mean[j] = first[j]
		}
	}
	return constant, nil
}

// readVariance fills in the diagonal.
func (c *Data) readVariance(constant []bool) {
	c.diag = make([]float64, c.d)
	c.eachBlock(func(_ int, b *mat.Dense) {
		rows, _ := b.Dims()
		for i := range rows {
			for j, v := range b.RawRowView(i) {
				c.diag[j] += v * v
			}
		}
	})
	for j := range c.diag {
		c.diag[j] /= float64(c.n - 1)
		if constant[j] {
			c.diag[j] = 0
		}
	}
}

// eachBlock hands out the centred and scaled rows, up to blockRows at a time
// with the index of the first. The block is overwritten by the next.
func (c *Data) eachBlock(use func(start int, block *mat.Dense)) {
	buffer := make([]float64, min(blockRows, c.n)*c.d)
	for start := 0; start < c.n; start += blockRows {
		rows := min(blockRows, c.n-start)
		b := mat.NewDense(rows, c.d, buffer[:rows*c.d])
		for i := range rows {
			dst := b.RawRowView(i)
			for j, v := range c.x.RawRowView(start + i) {
				dst[j] = v - c.mean[j]
			}
			if c.inverse != nil {
				for j, s := range c.inverse {
					dst[j] *= s
				}
			}
		}
		use(start, b)
	}
}

// columns returns the centred and scaled columns in support as an
// n×len(support) matrix.
func (c *Data) columns(support []int) *mat.Dense {
	xs := mat.NewDense(c.n, len(support), nil)
	for i := range c.n {
		src, dst := c.x.RawRowView(i), xs.RawRowView(i)
		for p, j := range support {
			dst[p] = src[j] - c.mean[j]
			if c.inverse != nil {
				dst[p] *= c.inverse[j]
			}
		}
	}
	return xs
}

// Mean returns what is subtracted from each column: its mean, or 0 if
// uncentred.
func (c *Data) Mean() []float64 { return append([]float64(nil), c.mean...) }

// Order returns the number of columns d.
func (c *Data) Order() int { return c.d }

// Diag returns the variances of the d columns, shared.
func (c *Data) Diag() []float64 { return c.diag }

// Mul stores A·W in dst (both d×c) in one pass over X.
func (c *Data) Mul(dst, w *mat.Dense) {
	dst.Zero()
	_, m := w.Dims()
	var product mat.Dense
	t := mat.NewDense(min(blockRows, c.n), m, nil)
	c.eachBlock(func(_ int, b *mat.Dense) {
		rows, _ := b.Dims()
		tb := t.Slice(0, rows, 0, m).(*mat.Dense)
		tb.Mul(b, w)
		product.Mul(b.T(), tb)
		dst.Add(dst, &product)
	})
	dst.Scale(1/float64(c.n-1), dst)
}

// MulRows stores A·W in dst (d×c) for a W that is v on the rows in support
// and zero elsewhere, in one pass over X.
func (c *Data) MulRows(dst *mat.Dense, support []int, v *mat.Dense) {
	var scores mat.Dense
	scores.Mul(c.columns(support), v)
	c.mulTranspose(dst, &scores)
}

// mulTranspose stores XᵀT/(n−1) in dst (d×c) for T n×c, X centred and scaled.
func (c *Data) mulTranspose(dst, t *mat.Dense) {
	dst.Zero()
	_, m := t.Dims()
	var product mat.Dense
	c.eachBlock(func(start int, b *mat.Dense) {
		rows, _ := b.Dims()
		product.Mul(b.T(), t.Slice(start, start+rows, 0, m))
		dst.Add(dst, &product)
	})
	dst.Scale(1/float64(c.n-1), dst)
}

// Block returns A_SS, from the columns in support alone.
func (c *Data) Block(support []int) *mat.SymDense {
	b := mat.NewSymDense(len(support), nil)
	b.SymOuterK(1/float64(c.n-1), c.columns(support).T())
	return b
}

// Entries returns A itself, formed in the first call.
func (c *Data) Entries() (*mat.SymDense, error) {
	if c.d > MaxEntriesOrder {
		return nil, fmt.Errorf("order %d: %w", c.d, ErrTooLarge)
	}
	c.once.Do(func() {
		a := mat.NewSymDense(c.d, nil)
		c.eachBlock(func(_ int, b *mat.Dense) {
			a.SymRankK(a, 1/float64(c.n-1), b.T())
		})
		c.entries = &matrix{a: a, diag: c.diag}
	})
	return c.entries.a, nil
}

// Leading returns the r leading eigenpairs of A: of the d×d matrix where
// that is the smaller side, and by way of the n×n Gram matrix otherwise.
func (c *Data) Leading(ctx context.Context, r int) ([]float64, *mat.Dense, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if c.d <= c.n && c.d <= MaxEntriesOrder {
		a, err := c.Entries()
		if err != nil {
			return nil, nil, err
		}
		return leadingPairs(a, r)
	}
	return c.leadingByGram(r)
}

// leadingByGram uses that XXᵀ has the non-zero eigenvalues of XᵀX: with
// XXᵀq = λq the vector Xᵀq/√λ is an eigenvector of XᵀX.
func (c *Data) leadingByGram(r int) ([]float64, *mat.Dense, error) {
	gram := mat.NewSymDense(c.n, nil)
	all := make([]int, c.d)
	for j := range all {
		all[j] = j
	}
	gram.SymOuterK(1/float64(c.n-1), c.columns(all))
	found := min(r, c.n)
	values, q, err := leadingPairs(gram, found)
	if err != nil {
		return nil, nil, err
	}
	u := mat.NewDense(c.d, found, nil)
	c.mulTranspose(u, q)
	vectors := mat.NewDense(c.d, r, nil)
	vectors.Slice(0, c.d, 0, found).(*mat.Dense).Copy(u)
	for len(values) < r {
		values = append(values, 0)
	}
	for j, v := range values {
		if v < 1e-14*values[0]*float64(c.n) { // nothing but rounding
			values[j] = 0
		}
	}
	orthonormalise(vectors)
	return values, vectors, nil
}
