package spectral

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
)

// Operator is a symmetric matrix A known by its products.
type Operator interface {
	// Order returns the number of rows of A.
	Order() int

	// Mul stores A·x in dst. Both are order×c with c a multiple of 16; they do
	// not overlap, and x may hold columns of zeros.
	// The error, the context's or another, ends the iteration.
	Mul(ctx context.Context, dst, x *mat.Dense) error
}

// blockColumns is the unit in which an Operator is given columns.
const blockColumns = 16

// Krylov returns the m leading (algebraically largest) eigenpairs of op by block
// Lanczos with full reorthogonalisation and thick restarts (Golub and Underwood,
// 1977; Wu and Simon, 2000). An operator whose order is at most four blocks, or
// below 4·m, is formed by products with the identity and decomposed directly.
//
// The Values are Ritz values: each is at most the eigenvalue of its rank, up to
// rounding, and there is an eigenvalue within Residuals[i] of Values[i]. With a
// random start of at least m columns (m ≤ 64, no Settings.Start), a converged
// iteration misses no leading pair in exact arithmetic; repeated eigenvalues
// included. This holds for all starts except a set of measure zero. It is not
// proved for the given start, so Certified is false.
//
// If ctx ends, the error wraps ctx.Err() and the pairs are the last that were
// computed, nil if there are none yet. It is an error if m is not between 1 and the
// order, if Start does not fit, or if a product is not finite.
func Krylov(ctx context.Context, op Operator, m int, s Settings) (*Pairs, error) {
	n := subspace.Order(op)
	if err := checkCount(m, n); err != nil {
		return nil, err
	}
	if err := s.check(n); err != nil {
		return nil, err
	}
	if decomposes(n, m, blockWidth(m, s.Start)) {
		return form(ctx, op, m)
	}
	l := newLanczos(op, m, s)
	defer l.release()
	return l.run(ctx)
}

// form decomposes op after products with the unit vectors.
func form(ctx context.Context, op Operator, m int) (*Pairs, error) {
	n := op.Order()
	a := mat.NewSymDense(n, nil)
	x, y := mat.NewDense(n, blockColumns, nil), mat.NewDense(n, blockColumns, nil)
	passes := 0
	for j0 := 0; j0 < n; j0 += blockColumns {
		if err := ctx.Err(); err != nil {
			return nil, errStopped(passes, err)
		}
		columns := min(n-j0, blockColumns)
		x.Zero()
		for j := range columns {
			x.Set(j0+j, j, 1)
		}
		if err := op.Mul(ctx, y, x); err != nil {
			return nil, err
		}
		passes++
		for j := range columns {
			for i := range j0 + j + 1 {
				a.SetSym(i, j0+j, y.At(i, j))
			}
		}
	}
	p, err := Leading(a, m)
	if p != nil {
		p.Passes = passes
	}
	return p, err
}

// lanczos is the state of a block Lanczos iteration: A·Qᵀ = Qᵀ·H + Nᵀ·R·E. The
// rows of basis are Q (size of them) and then the next block N, and
// E picks the last block of Q. A is scaled by 2^−exponent.
type lanczos struct {
	op       Operator
	settings Settings
	n, m     int
	width    int // rows of a block
	capacity int // largest size

	basis kernel.Matrix // (capacity+width)×n
	size  int
	kept  int           // rows at the start that are Ritz vectors of a restart
	h     kernel.Matrix // capacity×capacity
	r     kernel.Matrix // width×width
	ritz  ritz

	x, y     *mat.Dense     // n×width: a block and its product
	vectors  kernel.Matrix  // n×m: of the pairs that are not the last
	coef     kernel.Matrix  // 2·capacity×width: see extend
	space    *kernel.Buffer // of basis, h, x, y, vectors and coef, until release
	exponent int
	norm     float64 // a lower bound of ‖A‖₂
	dropped  float64 // bounds the part of A·Qᵀ that challenge has given up
	source   random
	passes   int
	search   search
}

func newLanczos(op Operator, m int, s Settings) *lanczos {
	n := op.Order()
	l := &lanczos{op: op, settings: s, n: n, m: m, width: s.width(m)}
	l.capacity = s.capacity(n, m, l.width)
	l.source = newRandom(s.Seed)
	l.space = kernel.Borrow()
	rest := l.space.Floats((l.capacity+3*l.width+m)*n + l.capacity*(l.capacity+2*l.width))
	take := func(rows, cols int) kernel.Matrix {
		m := kernel.Matrix{Rows: rows, Cols: cols, Stride: cols, Data: rest[: rows*cols : rows*cols]}
		rest = rest[rows*cols:]
		return m
	}
	l.basis, l.h = take(l.capacity+l.width, n), take(l.capacity, l.capacity)
	l.x, l.y = mat.NewDense(n, l.width, take(n, l.width).Data), mat.NewDense(n, l.width, take(n, l.width).Data)
	l.vectors, l.coef = take(n, m), take(2*l.capacity, l.width)
	l.h.Zero()
	return l
}

// release gives the room of the iteration back.
func (l *lanczos) release() { l.space.Release() }

// errStopped reports the end of a context.
func errStopped(products int, err error) error {
	return fmt.Errorf("spectral: stopped after %d products: %w", products, err)
}

// run iterates until the pairs suffice or a limit is reached.
func (l *lanczos) run(ctx context.Context) (*Pairs, error) {
	if err := l.start(ctx); err != nil {
		return nil, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return l.last(), errStopped(l.passes, err)
		}
		if err := l.product(ctx); err != nil {
			if ctx.Err() != nil {
				continue // ends above
			}
			return nil, err
		}
		if l.norm == 0 {
			return l.null(), nil
		}
		l.extend()
		if l.due() {
			if err := l.rayleighRitz(min(l.m, l.size)); err != nil {
				return nil, err
			}
			if p, err := l.judge(); p != nil || err != nil {
				return p, err
			}
		}
		if err := l.room(); err != nil {
			return nil, err
		}
	}
}

// next returns the block that follows the basis.
func (l *lanczos) next() kernel.Matrix {
	return l.basis.Slice(l.size, l.size+l.width, 0, l.n)
}

// extend takes the next block into the basis: H gets its columns, and what is
// left of the product becomes the block after it.
//
// The product is made orthogonal twice: to the vectors that it has large parts
// in (the block, the one before it and, after a restart, the Ritz vectors),
// then to all. Once is not enough, for errors would grow from block to block.
func (l *lanczos) extend() {
	j0 := l.size
	l.size += l.width
	y := kernel.Matrix(l.y.RawMatrix())
	before := columnNorms(y)
	l.norm = max(l.norm, slices.Max(before))
	near := j0 - l.width
	if near < l.kept {
		near = 0
	}
	c := l.coef.Slice(0, l.size, 0, l.width)
	c.Zero()
	l.subtract(y, near, c)
	l.subtract(y, 0, c)
	for i := range l.size {
		for j, v := range c.Row(i) {
			if i >= j0 {
				v = (v + c.Row(j0 + j)[i-j0]) / 2
			}
			l.h.Row(i)[j0+j], l.h.Row(j0 + j)[i] = v, v
		}
	}
	transpose(l.next(), y)
	l.r = l.orthonormalise(l.next(), before, rounding(l.n)*l.norm)
}

// subtract takes from the columns of y their parts in the basis from row lo
// on, and adds the coefficients to c.
func (l *lanczos) subtract(y kernel.Matrix, lo int, c kernel.Matrix) {
	q := l.basis.Slice(lo, l.size, 0, l.n)
	part := l.coef.Slice(l.capacity, l.capacity+l.size-lo, 0, l.width)
	kernel.Gemm(false, false, 1, q, y, 0, part)
	kernel.Gemm(true, false, -1, q, part, 1, y)
	for i := range part.Rows {
		kernel.Axpy(1, part.Row(i), c.Row(lo+i))
	}
}

// columnNorms returns the lengths of the columns of y.
func columnNorms(y kernel.Matrix) []float64 {
	s := make([]float64, y.Cols)
	for i := range y.Rows {
		for j, v := range y.Row(i) {
			s[j] += v * v
		}
	}
	return lists.Map(s, math.Sqrt)
}
