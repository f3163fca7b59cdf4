package kernel

// Moments sets mean (length d) to the column means of x (n×d) and squares
// (length d, nil if not wanted) to the sums of the squared deviations from
// them, Σ_i (x_ij − mean_j)²: (n−1) times the diagonal of the covariance.
//
// x is read once from memory: each block of rows is summed, then its squared
// deviations from its own means while it is in the cache, and blocks are
// combined as Chan, Golub and LeVeque (1983) do. Means are summed relative to
// the first block's, so that they are right to their last place, whatever
// their size beside the deviations. A table without rows has means 0.
func Moments(mean, squares []float64, x Matrix) {
	x.check("X")
	mustLen("mean", mean, x.Cols)
	if squares != nil {
		mustLen("squares", squares, x.Cols)
	}
	clear(mean)
	clear(squares)
	if x.empty() {
		return
	}
	m := newMoments(x)
	Parallel(m.parts, m.sum)
	m.combine(mean, squares)
	m.scratch.release()
}

// momentBlock is the number of rows of a block.
const momentBlock = 32

// moments are the sums over fixed pieces of the rows.
type moments struct {
	x       Matrix
	parts   int
	shift   []float64 // first block's means
	scratch *buffer
	data    []float64 // per part: mean − shift, squares, block sums (d each)
}

func newMoments(x Matrix) *moments {
	m := &moments{x: x, parts: max(1, min(8, x.Rows/momentBlock)), scratch: borrow()}
	d := x.Cols
	all := m.scratch.floats(d * (1 + 3*m.parts))
	m.shift, m.data = all[:d], all[d:]
	clear(m.data)
	rows := min(x.Rows, momentBlock)
	clear(m.shift)
	for i := range rows {
		axpy(1, x.Row(i), m.shift)
	}
	for j := range m.shift {
		m.shift[j] /= float64(rows)
	}
	return m
}

// part returns the three vectors of a part.
func (m *moments) part(i int) (mean, squares, block []float64) {
	d := m.x.Cols
	all := m.data[3*d*i : 3*d*(i+1)]
	return all[:d], all[d : 2*d], all[2*d:]
}

// sum computes the moments of a part's rows.
func (m *moments) sum(_, part int) {
	mean, squares, block := m.part(part)
	lo, hi := span(m.x.Rows, m.parts, momentBlock, part)
	for i0 := lo; i0 < hi; i0 += momentBlock {
		i1 := min(hi, i0+momentBlock)
		clear(block)
		for i := i0; i < i1; i++ {
			for j, v := range m.x.Row(i) {
				block[j] += v - m.shift[j]
			}
		}
		merge(float64(i0-lo), mean, squares, float64(i1-i0), block)
		for i := i0; i < i1; i++ {
			for j, v := range m.x.Row(i) {
				e := v - m.shift[j] - block[j]
				squares[j] += e * e
			}
		}
	}
}

// merge adds rows with the sums block to mean and squares of before rows, and
// turns block into means.
func merge(before float64, mean, squares []float64, rows float64, block []float64) {
	total := before + rows
	for j := range block {
		block[j] /= rows
		e := block[j] - mean[j]
		mean[j] += e * (rows / total)
		squares[j] += e * e * (before * rows / total)
	}
}

// combine merges the parts in order.
func (m *moments) combine(mean, squares []float64) {
	lo, hi := span(m.x.Rows, m.parts, momentBlock, 0)
	before := float64(hi - lo)
	mean0, squares0, _ := m.part(0)
	for part := 1; part < m.parts; part++ {
		lo, hi = span(m.x.Rows, m.parts, momentBlock, part)
		rows := float64(hi - lo)
		if rows == 0 {
			continue
		}
		meanP, squaresP, _ := m.part(part)
		for j := range meanP {
			meanP[j] *= rows
		}
		merge(before, mean0, squares0, rows, meanP)
		axpy(1, squaresP, squares0)
		before += rows
	}
	for j := range mean {
		mean[j] = m.shift[j] + mean0[j]
	}
	copy(squares, squares0)
}
