package kernel

// splitDepth computes the product of a small C over a long k in pieces. Each piece
// has its own C; these are then added to c in order. The pieces depend on the shape
// alone. f sets its C to the product over l0 ≤ l < l1 (or only the lower triangle
// of it). It reports whether it did anything: for other shapes the elements of C
// are the tasks.
func splitDepth(c Matrix, k int, f func(c Matrix, l0, l1 int)) bool {
	parts := depthParts(c.Rows*c.Cols, k)
	if parts == 1 {
		return false
	}
	scratch := Borrow()
	defer scratch.Release()
	size := roundUp(c.Rows*c.Cols, line)
	all := scratch.Floats(parts * size)
	parallelIf(c.Rows*c.Cols*k, parts, func(_, part int) {
		own := Matrix{Rows: c.Rows, Cols: c.Cols, Data: all[part*size : (part+1)*size], Stride: c.Cols}
		l0, l1 := span(k, parts, line, part)
		f(own, l0, l1)
	})
	const rows = 32
	parallelIf(parts*c.Rows*c.Cols, (c.Rows+rows-1)/rows, func(_, t int) {
		i0, i1 := t*rows, min(c.Rows, (t+1)*rows)
		sum := all[i0*c.Cols : i1*c.Cols]
		for part := 1; part < parts; part++ {
			axpy(1, all[part*size:][i0*c.Cols:i1*c.Cols], sum)
		}
		for i := i0; i < i1; i++ {
			axpy(1, all[i*c.Cols:(i+1)*c.Cols], c.Row(i))
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
	parts := min(splitParts, k/max(splitRows, elements/splitShare))
	if parts > 2 {
		parts &^= 1
	}
	return max(1, parts)
}

// A sum is cut in at most splitParts pieces of at least splitRows, for a C of at
// most splitElements: 2 MiB, of which a symmetric product uses half. The larger C,
// the longer the pieces: adding it up takes a small part of the time.
const (
	splitParts    = 8
	splitRows     = 1024
	splitElements = 1 << 18
	splitShare    = 64
)

// CrossScratch returns the bytes beyond packed panels that Cross and Gram hold for
// a C of that order and a sum over k.
func CrossScratch(order, k int) int64 {
	if parts := depthParts(order*order, k); parts > 1 {
		return size * int64(parts) * int64(order) * int64(order)
	}
	return 0
}
