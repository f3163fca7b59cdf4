package selector

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
)

// ProjectRow stores in dst (length m) the components of one row of the k chosen columns, in the
// order of Support: dst = Wᵀ(row − mean)/scale. It allocates nothing and gives the same bits as
// Project does for the row. A missing cell (NaN) makes every component NaN. Wrong lengths are
// errors.
func (m *Model) ProjectRow(dst, row []float64) error {
	if err := m.fitted(); err != nil {
		return err
	}
	k, c := m.loadings.Dims()
	if len(row) != k || len(dst) != c {
		return fmt.Errorf("fspca: cannot project a row of %d cells into %d components: want the k = %d chosen columns and m = %d components",
			len(row), len(dst), k, c)
	}
	m.projection.ProjectRow(dst, row)
	return nil
}

// parallelCells is the number of cells of a projection below which starting goroutines costs more
// than it saves.
const parallelCells = 1 << 16

// Project returns the components of the rows of x as an n×m matrix. x holds the k chosen columns in
// the order of Support (n×k), or all d columns of the fit in their order (n×d). Rows
// are projected one by one, on all processors if there are many. Each row gives the same bits alone
// and in any batch. Another number of columns is an error.
func (m *Model) Project(x *mat.Dense) (*mat.Dense, error) {
	if x == nil || x.IsEmpty() {
		return nil, errors.New("fspca: the matrix is nil or empty: want rows to project")
	}
	if err := m.fitted(); err != nil {
		return nil, err
	}
	n, p := x.Dims()
	k, c := m.loadings.Dims()
	switch p {
	case k:
	case m.columns:
		return m.projectAll(x), nil
	default:
		return nil, fmt.Errorf("fspca: cannot project a matrix with %d columns: want the k = %d chosen columns in the order of Support, or all d = %d columns of the fit", p, k, m.columns)
	}
	z := mat.NewDense(n, c, nil)
	m.projection.Project(z, x)
	return z, nil
}

// projectAll projects rows of all d columns.
func (m *Model) projectAll(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	k, c := m.loadings.Dims()
	chosen := mat.NewDense(n, k, nil)
	z := mat.NewDense(n, c, nil)
	eachRow(n, k, func(i int) {
		src, dst := x.RawRowView(i), chosen.RawRowView(i)
		for at, j := range m.support {
			dst[at] = src[j]
		}
	})
	m.projection.Project(z, chosen)
	return z
}

// Reconstruct returns the k chosen columns rebuilt from the components z (n×m), as an n×k matrix: z·Wᵀ·scale
// + mean, or with the criterion reconstruction z·Dᵀ·scale + mean, where D = A_SS·W. Of all matrices of the
// form Z·Wᵀ, that of Project is nearest to the (standardised) columns. Another number of columns is an error.
func (m *Model) Reconstruct(z *mat.Dense) (*mat.Dense, error) {
	if z == nil || z.IsEmpty() {
		return nil, errors.New("fspca: the matrix is nil or empty: want rows to reconstruct")
	}
	if err := m.fitted(); err != nil {
		return nil, err
	}
	n, p := z.Dims()
	_, c := m.loadings.Dims()
	if p != c {
		return nil, fmt.Errorf("fspca: cannot reconstruct from a %d×%d matrix: want rows of the m = %d components", n, p, c)
	}
	back := m.loadings
	if m.decoder != nil {
		back = m.decoder
	}
	return rebuild(z, back, m.scale, m.mean), nil
}

// rebuild returns z·Dᵀ·scale + mean. Scale and mean may be nil.
func rebuild(z, d *mat.Dense, scale, mean []float64) *mat.Dense {
	n, _ := z.Dims()
	columns, _ := d.Dims()
	x := mat.NewDense(n, columns, nil)
	eachRow(n, columns, func(i int) {
		from, to := z.RawRowView(i), x.RawRowView(i)
		for j := range to {
			var s float64
			for t, v := range d.RawRowView(j) {
				s += from[t] * v
			}
			if scale != nil {
				s *= scale[j]
			}
			if mean != nil {
				s += mean[j]
			}
			to[j] = s
		}
	})
	return x
}

// eachRow calls do for each of n rows of k cells, on several goroutines if it is worth it. Rows do
// not depend on each other, so their order does not matter.
func eachRow(n, k int, do func(i int)) {
	parts := 1
	if n*k >= parallelCells {
		parts = min(64, n)
	}
	kernel.Parallel(parts, func(_, part int) {
		for i := n * part / parts; i < n*(part+1)/parts; i++ {
			do(i)
		}
	})
}
