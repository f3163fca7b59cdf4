package spectral

import (
	"errors"

	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/fspca/fspca/internal/kernel"
)

// leafOrder is the largest order that is solved by QL iterations.
const leafOrder = 24

// divider computes all eigenpairs of a tridiagonal matrix by divide and
// conquer (Cuppen, 1981; Gu and Eisenstat, 1995). Eigenvectors are rows.
type divider struct {
	d, e []float64

	// Rows of z for rows lo to hi of the matrix are the eigenvectors of that part,
	// zero outside of columns lo to hi; values and order belong to them:
	// values[order[lo+i]] is the i-th smallest.
	z      kernel.Matrix
	values []float64
	order  []int

	packed, u kernel.Matrix // as large as z
	want      int           // rows that the last merge computes
}

// divideAndConquer sets the rows of z (m×n) to eigenvectors of T that belong
// to its m largest eigenvalues, which it returns in descending order. T, which
// whose norm is near 1, is overwritten.
func (t tridiagonal) divideAndConquer(z kernel.Matrix) ([]float64, error) {
	n, m := len(t.d), z.Rows
	room := kernel.Borrow()
	defer room.Release()
	all := room.Matrix(3*n, n)
	v := divider{
		d: t.d, e: t.e, want: m,
		z: all.Slice(0, n, 0, n), packed: all.Slice(n, 2*n, 0, n), u: all.Slice(2*n, 3*n, 0, n),
		values: make([]float64, n), order: make([]int, n),
	}
	v.z.Zero()
	if err := v.solve(0, n); err != nil {
		return nil, err
	}
	values := make([]float64, m)
	for i := range values {
		from := v.order[n-1-i]
		values[i] = v.values[from]
		copy(z.Row(i), v.z.Row(from))
	}
	return values, nil
}

// solve finds the eigenpairs of rows lo to hi.
func (v *divider) solve(lo, hi int) error {
	if hi-lo <= leafOrder {
		return v.leaf(lo, hi)
	}
	mid := (lo + hi) / 2
	rho := v.e[mid-1]
	// T = diag(T₁, T₂) + |ρ|·v·vᵀ with v = (0 … 0 1 ±1 0 … 0).
	sign := 1.0
	if rho < 0 {
		rho, sign = -rho, -1
	}
	v.d[mid-1] -= rho
	v.d[mid] -= rho
	var errs [2]error
	halves := [3]int{lo, mid, hi}
	half := func(_, i int) { errs[i] = v.solve(halves[i], halves[i+1]) }
	if hi-lo > 256 {
		kernel.Parallel(2, half)
	} else {
		half(0, 0)
		half(0, 1)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	m := merge{divider: v, lo: lo, mid: mid, hi: hi, rho: rho, sign: sign, want: hi - lo}
	if hi-lo == len(v.d) {
		m.want = v.want
	}
	m.run()
	return nil
}

// leaf solves rows lo to hi by implicit QL.
func (v *divider) leaf(lo, hi int) error {
	k := hi - lo
	tridiagonal{d: v.d[lo:hi]}.flush(1)
	copy(v.values[lo:hi], v.d[lo:hi])
	e := append(make([]float64, 0, k), v.e[lo:hi-1]...)
	var q [leafOrder * leafOrder]float64
	var work [2 * leafOrder]float64
	if !(lapackgonum.Implementation{}).Dsteqr(lapack.EVTridiag, k, v.values[lo:hi], e, q[:], leafOrder, work[:]) {
		return errors.New("spectral: the QL iteration of a tridiagonal block did not converge")
	}
	for i := range k {
		row := v.z.Row(lo + i)[lo:hi]
		for j := range row {
			row[j] = q[j*leafOrder+i]
		}
		v.order[lo+i] = lo + i
	}
	return nil
}
