package solver

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// weightedRows are rows about their weighted means, each multiplied by the root of
// its weight, whose second moment about 0 is A; see newWeighted.
type weightedRows struct {
	from Rows
	root []float64 // see roots
	mean []float64 // nil if uncentred

	// Of the rows without the roots: ranges, weighted means and variances about these.
	lo, hi, means, variances []float64
}

// weigh reads the rows for their weighted means, and returns the source of the rows
// of which the second moment is A.
func (s *source) weigh(ctx context.Context) (*source, error) {
	root, err := roots(s.opt.Weights, s.n)
	if err != nil {
		return nil, err
	}
	m := newBlockMoments(s.n, s.width)
	total := 0.0
	err = s.each(ctx, func(b *block) error {
		if err := blameBlock(b); err != nil {
			return err
		}
		for i := range b.x.Rows {
			total += s.opt.Weights[b.from+i]
			m.addWeighted(b.x.Row(i), s.opt.Weights[b.from+i], total)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	w := &weightedRows{from: s.from, root: root, lo: m.lo, hi: m.hi, means: m.mean, variances: m.squares}
	for j := range w.variances {
		w.variances[j] /= total - 1
	}
	if !s.opt.Uncentered {
		w.mean = w.means
	}
	opt := s.opt
	opt.Weights, opt.Uncentered = nil, true
	t := newSource(w, s.n, s.width, opt)
	t.weighted, t.blocks = w, s.blocks
	t.passes.Store(s.passes.Load())
	return t, nil
}

// addWeighted adds a weighted row to the means and the weighted squared deviations
// (West 1979). total is the sum of all weights so far. A constant column has its
// value as its mean.
func (m *blockMoments) addWeighted(row []float64, weight, total float64) {
	share := weight / total
	for j, v := range row {
		delta := v - m.mean[j]
		m.mean[j] += delta * share
		m.squares[j] += weight * delta * (v - m.mean[j])
		m.lo[j], m.hi[j] = min(m.lo[j], v), max(m.hi[j], v)
	}
}

// Dims returns the number of rows and of columns.
func (w *weightedRows) Dims() (n, d int) { return w.from.Dims() }

// Read stores the rows from, from+1, … in dst.
func (w *weightedRows) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	n, err := w.from.Read(ctx, from, dst)
	for i := range max(0, n) {
		row, root := dst.RawRowView(i), w.root[from+i]
		for j, v := range row {
			if w.mean != nil {
				v -= w.mean[j]
			}
			row[j] = root * v
		}
	}
	return n, err
}
