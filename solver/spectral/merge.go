package spectral

import (
	"math"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// merge joins the eigenpairs of rows lo to mid and mid to hi, whose values
// follow the orders, to those of diag(T₁, T₂) + rho·v·vᵀ.
type merge struct {
	*divider
	lo, mid, hi int
	rho, sign   float64
	want        int // how many of the largest are needed as vectors

	sorted []int     // rows lo to hi by value
	z      []float64 // by row − lo: the components of v, scaled to ‖z‖ = 1
	keep   []int     // rows that take part in the secular equation, by value
	done   []int     // rows that are eigenvectors already (deflated), by value
	kind   []kind    // by row − lo
}

// kind tells which columns of a row are not zero.
type kind uint8

const (
	first  kind = 1 << iota // columns lo to mid
	second                  // columns mid to hi
	both   = first | second
)

func (m *merge) run() {
	m.sort()
	m.components()
	m.deflate()
	if len(m.keep) > 0 {
		m.solveSecular()
	}
	m.finish()
}

// sort merges the two ascending orders.
func (m *merge) sort() {
	i, j := m.lo, m.mid
	m.sorted = make([]int, 0, m.hi-m.lo)
	for i < m.mid || j < m.hi {
		if j == m.hi || i < m.mid && m.values[m.order[i]] <= m.values[m.order[j]] {
			m.sorted = append(m.sorted, m.order[i])
			i++
			continue
		}
		m.sorted = append(m.sorted, m.order[j])
		j++
	}
}

// components sets z to (Q₁ᵀ e_last, ±Q₂ᵀ e_first)/√2, whose length is 1, and
// doubles rho for that.
func (m *merge) components() {
	m.z = make([]float64, m.hi-m.lo)
	m.kind = make([]kind, m.hi-m.lo)
	for i := range m.z {
		row := m.divider.z.Row(m.lo + i)
		if m.lo+i < m.mid {
			m.z[i], m.kind[i] = row[m.mid-1]*math.Sqrt2/2, first
		} else {
			m.z[i], m.kind[i] = m.sign*row[m.mid]*math.Sqrt2/2, second
		}
	}
	m.rho *= 2
}

// deflate takes out the eigenpairs that the rank-one term leaves as they are
// to working precision: z_j is tiny, or a rotation of two rows with nearly
// equal values makes it zero.
func (m *merge) deflate() {
	top := 0.0
	for _, r := range m.sorted {
		top = max(top, math.Abs(m.values[r]))
	}
	tolerance := 8 * epsilon * max(top, m.rho)
	held := -1 // the last row that takes part, not yet in keep
	for _, r := range m.sorted {
		if m.rho*math.Abs(m.z[r-m.lo]) <= tolerance {
			m.done = append(m.done, r)
			continue
		}
		if held >= 0 && !m.rotate(held, r, tolerance) {
			m.keep = append(m.keep, held)
		}
		held = r
	}
	if held >= 0 {
		m.keep = append(m.keep, held)
	}
}

// rotate turns rows p and r, values[p] ≤ values[r], so that z_p becomes 0 if
// that costs no more than the tolerance. Row p is then done.
func (m *merge) rotate(p, r int, tolerance float64) bool {
	zp, zr := m.z[p-m.lo], m.z[r-m.lo]
	length := math.Hypot(zp, zr)
	c, s := zr/length, -zp/length
	gap := m.values[r] - m.values[p]
	if math.Abs(gap*c*s) > tolerance {
		return false
	}
	m.z[r-m.lo], m.z[p-m.lo] = length, 0
	k := m.kind[p-m.lo] | m.kind[r-m.lo]
	m.kind[p-m.lo], m.kind[r-m.lo] = k, k
	x, y := m.divider.z.Row(p)[m.lo:m.hi], m.divider.z.Row(r)[m.lo:m.hi]
	for i, v := range x {
		x[i], y[i] = c*v+s*y[i], c*y[i]-s*v
	}
	vp, vr := m.values[p], m.values[r]
	m.values[p] = vp*c*c + vr*s*s
	m.values[r] = vp*s*s + vr*c*c
	m.insertDone(p)
	return true
}

// insertDone keeps done ascending: a rotation may have raised the value.
func (m *merge) insertDone(r int) {
	m.done = append(m.done, r)
	for i := len(m.done) - 1; i > 0 && m.values[m.done[i-1]] > m.values[r]; i-- {
		m.done[i], m.done[i-1] = m.done[i-1], m.done[i]
	}
}

// solveSecular replaces the values and rows in keep by those of the merged
// matrix.
func (m *merge) solveSecular() {
	k := len(m.keep)
	d, z := lists.At(m.values, m.keep), lists.Map(m.keep, func(r int) float64 { return m.z[r-m.lo] })
	eq := newSecular(d, z, m.rho)
	u := m.u.Slice(m.lo, m.lo+k, m.lo, m.lo+k)
	roots := make([]float64, k)
	const chunk = 16
	kernel.Parallel((k+chunk-1)/chunk, func(_, c int) {
		for i := c * chunk; i < min(k, (c+1)*chunk); i++ {
			roots[i] = eq.root(i, u.Row(i))
		}
	})
	eq.weights(z, u.Row)
	for i, r := range m.keep {
		m.values[r] = roots[i]
	}
	m.multiply(u, z, k-m.needed())
}

// needed returns how many of the kept rows are among the m.want largest at
// most.
func (m *merge) needed() int { return min(len(m.keep), m.want) }

// multiply forms the new rows from..k: row i is Σ_j u_ij·(kept row j) with
// u_ij = z_j/(d_j − λ_i), scaled to length 1. Rows that end within one half
// are gathered, so that no products with known zeros are made.
func (m *merge) multiply(u kernel.Matrix, z []float64, from int) {
	k := len(z)
	columns, n1, n12 := m.arrange()
	rows := u.Slice(from, k, 0, k)
	kernel.Parallel((k-from+15)/16, func(_, c int) {
		work := make([]float64, k)
		for i := c * 16; i < min(k-from, (c+1)*16); i++ {
			vectorRow(rows.Row(i), z, columns, work)
		}
	})
	left := m.packed.Slice(m.lo, m.lo+n12, m.lo, m.mid)
	right := m.packed.Slice(m.lo+n1, m.lo+k, m.mid, m.hi)
	out := m.divider.z.Slice(m.lo+from, m.lo+k, m.lo, m.hi)
	// The kept rows are packed, the done ones move behind them.
	for i, j := range columns {
		row := m.divider.z.Row(m.keep[j])
		at := m.packed.Row(m.lo + i)
		copy(at[m.lo:m.hi], row[m.lo:m.hi])
	}
	m.moveDone(k)
	kernel.Gemm(false, false, 1, rows.Slice(0, k-from, 0, n12), left, 0, out.Slice(0, k-from, 0, m.mid-m.lo))
	kernel.Gemm(false, false, 1, rows.Slice(0, k-from, n1, k), right, 0, out.Slice(0, k-from, m.mid-m.lo, m.hi-m.lo))
}

// arrange orders the kept rows: those of the first half (n1 of them), mixed
// ones (up to n12), those of the second half.
func (m *merge) arrange() (columns []int, n1, n12 int) {
	columns = make([]int, 0, len(m.keep))
	for _, k := range [3]kind{first, both, second} {
		for j, r := range m.keep {
			if m.kind[r-m.lo] == k {
				columns = append(columns, j)
			}
		}
		switch k {
		case first:
			n1 = len(columns)
		case both:
			n12 = len(columns)
		}
	}
	return columns, n1, n12
}

// vectorRow turns row, which holds d_j − λ, into the unit eigenvector of the
// secular problem with its entries in the order of columns.
func vectorRow(row, z []float64, columns []int, work []float64) {
	s := 0.0
	for j, v := range row {
		v = z[j] / v
		work[j] = v
		s += v * v
	}
	s = 1 / math.Sqrt(s)
	for i, j := range columns {
		row[i] = work[j] * s
	}
}

// moveDone copies the deflated rows behind the k new ones. Values move too.
func (m *merge) moveDone(k int) {
	old, roots := lists.At(m.values, m.done), lists.At(m.values, m.keep)
	for i, r := range m.done {
		copy(m.packed.Row(m.lo + k + i)[m.lo:m.hi], m.divider.z.Row(r)[m.lo:m.hi])
	}
	for i := range m.done {
		copy(m.divider.z.Row(m.lo + k + i)[m.lo:m.hi], m.packed.Row(m.lo + k + i)[m.lo:m.hi])
	}
	copy(m.values[m.lo:m.lo+k], roots)
	copy(m.values[m.lo+k:m.hi], old)
	for i := range m.keep {
		m.keep[i] = m.lo + i
	}
	for i := range m.done {
		m.done[i] = m.lo + k + i
	}
}

// finish merges the ascending orders of kept and deflated rows. Rounding may
// have exchanged neighbours: an insertion puts them right.
func (m *merge) finish() {
	i, j := 0, 0
	for at := m.lo; at < m.hi; at++ {
		if j == len(m.done) || i < len(m.keep) && m.values[m.keep[i]] <= m.values[m.done[j]] {
			m.order[at] = m.keep[i]
			i++
			continue
		}
		m.order[at] = m.done[j]
		j++
	}
	order := m.order[m.lo:m.hi]
	for at := range order {
		for b := at; b > 0 && m.values[order[b-1]] > m.values[order[b]]; b-- {
			order[b-1], order[b] = order[b], order[b-1]
		}
	}
}
