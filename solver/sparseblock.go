package solver

import (
	"context"

	"github.com/fspca/fspca/internal/kernel"
)

// block returns A_SS, both triangles: the scalar products of the columns as
// they are stored, less what their means add to them. The products of a part of
// the rows are summed in row order, and the parts in theirs. The error is that of
// the context.
func (s *Sparse) block(ctx context.Context, support []int) (kernel.Matrix, error) {
	k := len(support)
	slot := make([]int32, s.x.Cols) // 1 + position in the support
	for p, j := range support {
		slot[j] = int32(p) + 1
	}
	parts := blockParts(s.x.Entries(), k)
	sums := make([]kernel.Matrix, parts)
	kernel.Parallel(parts, func(_, part int) {
		b := kernel.NewMatrix(k, k)
		lo, hi := entrySpan(s.x.Offsets, parts, part)
		for ; lo < hi && ctx.Err() == nil; lo += productRows {
			addProducts(b, s.y, lo, min(hi, lo+productRows), slot)
		}
		sums[part] = b
	})
	if err := ctx.Err(); err != nil {
		return kernel.Matrix{}, err
	}
	b := sums[0]
	kernel.Parallel(k, func(_, p int) {
		for _, other := range sums[1:] {
			kernel.Axpy(1, other.Row(p)[p:], b.Row(p)[p:])
		}
		s.finishRow(b.Row(p), p, support)
	})
	for p := range k {
		for q := range p {
			b.Row(p)[q] = b.Row(q)[p]
		}
	}
	return b, nil
}

// productRows is the number of rows between two looks at the context.
const productRows = 1024

// blockParts returns in how many pieces the products are summed, each of which
// needs a k×k matrix: up to 8 of together at most 64 MiB, but 2 of any size; 1
// where there is little to do.
func blockParts(entries, k int) int {
	const room = 8 << 20
	return max(1, min(8, max(2, room/max(1, k*k)), entries>>14))
}

// addProducts adds Σ_i x_ip·x_iq over rows lo ≤ i < hi to the upper triangle of
// b; slot gives 1 + the place of a column in b, in ascending order, or 0.
func addProducts(b kernel.Matrix, x kernel.Sparse, lo, hi int, slot []int32) {
	at, values := make([]int32, b.Rows), make([]float64, b.Rows)
	for i := lo; i < hi; i++ {
		found := 0
		columns, row := x.Indices[x.Offsets[i]:x.Offsets[i+1]], x.Values[x.Offsets[i]:x.Offsets[i+1]]
		for p, j := range columns {
			if q := slot[j]; q != 0 {
				at[found], values[found] = q-1, row[p]
				found++
			}
		}
		for p, v := range values[:found] {
			to := b.Row(int(at[p]))
			others := values[p:found]
			for q, c := range at[p:found] {
				to[c] += v * others[q]
			}
		}
	}
}

// finishRow turns row p of X_SᵀX_S, from the diagonal on, into that of A_SS.
func (s *Sparse) finishRow(row []float64, p int, support []int) {
	n, i := float64(s.x.Rows), support[p]
	if s.diag[i] == 0 { // a constant column covaries with nothing
		clear(row[p:])
		return
	}
	for q, j := range support[p:] {
		v := row[p+q]
		if s.mean != nil {
			v -= s.mass * (s.mean[i] * s.mean[j])
		}
		v /= n - 1
		if s.factor != nil {
			v *= s.factor[i] * s.factor[j]
		}
		if s.diag[j] == 0 {
			v = 0
		}
		row[p+q] = v
	}
	row[p] = s.diag[i]
}
