package kernel

// splitDepth computes the product of a small C over a long k in pieces. Each piece
// has its own C; these are then added to c in order. The pieces depend on the shape
// alone. f sets its C to the product over l0 ≤ l < l1 (or only the lower triangle
// of it). It reports whether it did anything: for other shapes the elements of C
// are the tasks.
func splitDepth(c Matrix, k int, f func(c Matrix, l0, l1 int)) bool {
	parts := min(splitParts, k/splitRows)
	if parts < 2 || c.Rows*c.Cols > splitElements {
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
	for part := 1; part < parts; part++ {
		axpy(1, all[part*size:(part+1)*size], all[:size])
	}
	for i := range c.Rows {
		axpy(1, all[i*c.Cols:(i+1)*c.Cols], c.Row(i))
	}
	return true
}

// A sum is cut in at most splitParts pieces of at least splitRows, for a C of at
// most splitElements: small enough to stay in the second-level cache.
const (
	splitParts    = 8
	splitRows     = 1024
	splitElements = 1 << 15
)
