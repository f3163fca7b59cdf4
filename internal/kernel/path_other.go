//go:build !amd64 || noasm

package kernel

func bestPath() path { return plain }

func runTile(m, n, k int, a []float64, sp, sk int, b []float64, sb int, start []float64, ss int, c []float64, sc int, _ fetch) {
	plainTile(m, n, k, a, sp, sk, b, sb, start, ss, c, sc)
}

func dot(x, y []float64) float64 { return plainDot(x, y) }

func foremost(x, y []float64, share float64) int { return plainForemost(x, y, share) }

func axpy(alpha float64, x, y []float64) { plainAxpy(alpha, x, y) }

func peak(n int) float64 { return plainPeak(n) }

func read(x []float64) float64 { return plainRead(x) }

func digest(state *[4][digestLanes]uint64, x []float64) { plainDigest(state, x) }

func ranges(x Matrix, lo, hi int, least, most []float64) { plainRanges(x, lo, hi, least, most) }

func deviations(x Matrix, lo, hi int, center, sums, squares []float64) {
	plainDeviations(x, lo, hi, center, sums, squares)
}

func sparseRight(s Sparse, lo, hi int, q, start, t []float64, width int) {
	plainSparseRight(s, lo, hi, q, start, t, width)
}

func sparseLeft(s Sparse, lo, hi int, t, y []float64, width int) {
	plainSparseLeft(s, lo, hi, t, y, width)
}

func packColumns(dst, src []float64, stride, n int, mean, factor, sums []float64) {
	plainPackColumns(dst, src, stride, n, mean, factor, sums)
}

func packRows(dst, src []float64, stride, rows int, mean, factor []float64) {
	plainPackRows(dst, src, stride, rows, mean, factor)
}

func gather(dst []float64, width int, src []float64, stride, n int, columns []int) {
	plainGather(dst, width, src, stride, n, columns)
}

func center(dst []float64, width int, src []float64, stride, n int, mean []float64) {
	plainCenter(dst, width, src, stride, n, mean)
}

func leftSquares(squares []float64, x Matrix, mean []float64, t Matrix) {
	plainLeftSquares(squares, x, mean, t)
}
