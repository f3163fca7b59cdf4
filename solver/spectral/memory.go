package spectral

// Need is what finding eigenpairs takes, in bytes and columns.
type Need struct {
	Leading int64 // peak memory of Leading, without the matrix itself
	Krylov  int64 // peak memory of Krylov and of Refine, without that of the operator's products
	Columns int   // of each of these products
}

// Need returns what m pairs of order n take with these settings. Leading makes one
// copy of the matrix, and three more if m > n/8. Most of what Krylov takes is a basis
// of m plus 13 blocks of vectors (see MaxBasis).
func (s Settings) Need(n, m int) Need {
	width := s.width(m)
	need := Need{Leading: leadingMemory(n, m), Columns: width}
	if decomposes(n, m, width) {
		need.Krylov = words(n, n+2*blockColumns) + need.Leading
		return need
	}
	capacity := s.capacity(n, m, width)
	// The basis, a block, its product and a copy, this result and the last one.
	vectors := words(n, capacity+4*width+2*m)
	need.Krylov = vectors + words(capacity, capacity) + leadingMemory(capacity, m)
	return need
}

func leadingMemory(n, m int) int64 {
	side := padded(n)
	total := words(side, side) + 2*words(n, m) + words(4*panelWidth+10, side)
	if !byInverse(n, m) {
		total += 3 * words(n, n)
	}
	return total
}

// words returns the bytes of a rows×columns matrix, of sizes that do not make them
// overflow.
func words(rows, columns int) int64 {
	const most = 1 << 27
	return 8 * int64(max(0, min(rows, most))) * int64(max(0, min(columns, most)))
}
