package kernel

// splitDepth computes the product of a small C over a long k in pieces. The first is
// computed in c; the others have a C each, and these are added to c in order. The pieces
// depend on the shape alone. f computes one of them, over l0 ≤ l < l1: part 0 in c,
// with what is there as for the whole, and the others from nothing. Serial says on the
// caller's goroutine. If the product is symmetric, only the lower triangles count.
//
// It reports whether it did anything: for other shapes the elements of C are the tasks.
// They are so within a piece if there are more workers than pieces.
func splitDepth(c Matrix, k int, symmetric bool, f func(c Matrix, part, l0, l1 int, serial bool)) bool {
	parts := depthParts(c.Rows*c.Cols, k)
	if parts == 1 {
		return false
	}
	scratch := Borrow()
	defer scratch.Release()
	size := roundUp(c.Rows*c.Cols, line)
	all := scratch.Floats((parts - 1) * size)
	own := func(part int) Matrix {
		if part == 0 {
			return c
		}
		return Matrix{Rows: c.Rows, Cols: c.Cols, Data: all[(part-1)*size:][:c.Rows*c.Cols], Stride: c.Cols}
	}
	serial := Workers(parts+1) <= parts
	piece := func(_, part int) {
		l0, l1 := span(k, parts, line, part)
		f(own(part), part, l0, l1, serial)
	}
	if serial {
		parallelIf(c.Rows*c.Cols*k, parts, piece)
	} else {
		for part := range parts {
			piece(0, part)
		}
	}
	const rows = 16
	blocks := (c.Rows + rows - 1) / rows
	parallelIf(parts*c.Rows*c.Cols, blocks, func(_, t int) {
		t = blocks - 1 - t // the longest rows of a triangle first
		for i := t * rows; i < min(c.Rows, (t+1)*rows); i++ {
			cols := c.Cols
			if symmetric {
				cols = i + 1
			}
			for part := 1; part < parts; part++ {
				axpy(1, own(part).Row(i)[:cols], c.Row(i)[:cols])
			}
		}
	})
	return true
}

// depthParts returns in how many pieces a sum over k is cut for each of the elements
// of C. From three on the number is even, so that two workers end together.
func depthParts(elements, k int) int {
	if elements > splitElements {
		return 1
	}
	parts := 1
	if elements <= manyElements {
		parts = min(splitParts, k/max(splitRows, elements/splitShare))
	}
	if parts > 2 {
		return parts &^ 1
	}
	if k >= 2*max(halfRows, elements/halfShare) {
		return 2
	}
	return max(1, parts)
}

// A sum is cut in at most splitParts pieces of at least splitRows, for a C of at
// most manyElements: 2 MiB, of which a symmetric product uses half. The larger C,
// the longer the pieces: adding it up takes a small part of the time.
//
// For a C of up to splitElements (8 MiB) it is cut in two halves even if k is of moderate
// length. One of them needs no scratch space. Two workers that share the steps
// of a product read what the other has packed, and wait for each other at each of them. On
// two cores without a common cache that takes half as long as the multiplications.
const (
	splitParts   = 8
	splitRows    = 1024
	manyElements = 1 << 18
	splitShare   = 64

	halfRows      = 768
	splitElements = 1 << 20
	halfShare     = 400
)

// CrossScratch returns the bytes beyond packed panels that Cross and Gram hold for
// a C of that order and a sum over k.
func CrossScratch(order, k int) int64 {
	if parts := depthParts(order*order, k); parts > 1 {
		return size * int64(parts-1) * int64(order) * int64(order)
	}
	return 0
}
