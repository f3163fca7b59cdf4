package spectral

// KrylovMemory returns the peak memory of Krylov in bytes, for m pairs of an
// operator of order n. Most of it is a basis of m plus 13 blocks of vectors (see
// Settings.MaxBasis). The memory of the operator's products is not included.
func KrylovMemory(n, m int, s Settings) int64 {
	width := blockWidth(m, s.Start)
	if n <= 4*width || m > n/4 {
		return words(n, n+2*blockColumns) + LeadingMemory(n, m)
	}
	capacity := s.capacity(n, m, width)
	// The basis, a block, its product and a copy, this result and the last one.
	vectors := words(n, capacity+4*width+2*m)
	return vectors + words(capacity, capacity) + LeadingMemory(capacity, m)
}

// LeadingMemory returns the peak memory of Leading in bytes, for m pairs of a
// matrix of order n: one copy of the matrix, and three more if m > n/8. The matrix
// itself is not included.
func LeadingMemory(n, m int) int64 {
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
