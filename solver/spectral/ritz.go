package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// ritz holds the leading eigenpairs of H and what they say about A.
type ritz struct {
	values    []float64     // of the scaled operator
	z         kernel.Matrix // rows: the Ritz vectors in the basis
	residuals []float64     // of the scaled operator, without rounding
}

// rayleighRitz finds count Ritz pairs. The residual of a pair is the product
// of R with the end of its vector.
func (l *lanczos) rayleighRitz(count int) error {
	room := kernel.Borrow()
	defer room.Release()
	h := room.Matrix(padded(l.size), padded(l.size))
	h.Zero()
	h.Slice(0, l.size, 0, l.size).Copy(l.h.Slice(0, l.size, 0, l.size))
	values, z, _, err := leading(h, l.size, count)
	if err != nil {
		return err
	}
	l.ritz = ritz{values: values, z: z, residuals: make([]float64, count)}
	for i := range values {
		end := z.Row(i)[l.size-l.width:]
		s := 0.0
		for p := range l.width {
			v := kernel.Dot(l.r.Row(p), end)
			s += v * v
		}
		l.ritz.residuals[i] = math.Sqrt(s)
	}
	return nil
}

// slack bounds what rounding adds to a residual of the scaled operator.
func (l *lanczos) slack() float64 { return 4 * rounding(l.n) * l.norm }

// last is pairs with vectors of its own.
func (l *lanczos) last() *Pairs {
	p := l.pairs()
	if p != nil {
		p.Vectors = mat.DenseCopyOf(p.Vectors)
	}
	return p
}

// pairs returns the current Ritz pairs of the operator as it was given, nil
// before there are m of them. The next call overwrites the vectors.
func (l *lanczos) pairs() *Pairs {
	m := l.m
	if len(l.ritz.values) < m {
		return nil
	}
	p := &Pairs{Values: make([]float64, m), Residuals: make([]float64, m), Passes: l.passes}
	for i := range m {
		p.Values[i] = math.Ldexp(l.ritz.values[i], l.exponent)
		p.Residuals[i] = math.Ldexp(l.ritz.residuals[i]+l.slack()+l.dropped, l.exponent) + math.SmallestNonzeroFloat64
	}
	p.Vectors = mat.NewDense(l.n, m, l.vectors.Data)
	k := l.ritz.z.Cols
	q, z := l.basis.Slice(0, k, 0, l.n), l.ritz.z.Slice(0, m, 0, k)
	kernel.Gemm(true, true, 1, q, z, 0, l.vectors)
	return p
}

// restart replaces the basis by its best Ritz vectors, so that there is room
// for more blocks; the next block stays as it is (Wu and Simon, 2000).
func (l *lanczos) restart() error {
	keep := max(l.m+l.width/2, l.capacity/3)
	return l.shrink(min(keep, l.size-l.width))
}

// shrink replaces the basis by keep Ritz vectors.
func (l *lanczos) shrink(keep int) error {
	if err := l.rayleighRitz(keep); err != nil {
		return err
	}
	q := kernel.NewMatrix(keep, l.n)
	kernel.Gemm(false, false, 1, l.ritz.z, l.basis.Slice(0, l.size, 0, l.n), 0, q)
	next := l.next()
	l.basis.Slice(0, keep, 0, l.n).Copy(q)
	l.size, l.kept = keep, keep
	l.next().Copy(next)
	l.h.Zero()
	for i, v := range l.ritz.values {
		l.h.Row(i)[i] = v
	}
	// The vectors are the basis now.
	l.ritz.z = kernel.NewMatrix(keep, keep)
	for i := range keep {
		l.ritz.z.Row(i)[i] = 1
	}
	return nil
}
