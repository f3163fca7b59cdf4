//go:build !amd64 || noasm

package kernel

func bestPath() path { return plain }

func runTile(m, n, k int, a []float64, sp, sk int, b []float64, sb int, start []float64, ss int, c []float64, sc int, _ fetch) {
	plainTile(m, n, k, a, sp, sk, b, sb, start, ss, c, sc)
}

func dot(x, y []float64) float64 { return plainDot(x, y) }

func axpy(alpha float64, x, y []float64) { plainAxpy(alpha, x, y) }

func peak(n int) float64 { return plainPeak(n) }

func read(x []float64) float64 { return plainRead(x) }
