//go:build !amd64 || noasm

package kernel

func symvRows(y []float64, a Matrix, x []float64, i0, i1 int) { plainSymvRows(y, a, x, i0, i1) }

func rank2SymvRows(y []float64, a Matrix, x, v, w []float64, i0, i1 int) {
	plainRank2SymvRows(y, a, x, v, w, i0, i1)
}

func poles(weight, at []float64, x float64) (sum, slope float64) { return plainPoles(weight, at, x) }

func sturmCounts(below *[Shifts]uint64, d, square []float64, x *[Shifts]float64) {
	plainSturmCounts(below, d, square, x)
}

func sturmSlopes(below *[Shifts]uint64, slope *[Shifts]float64, d, square []float64, x *[Shifts]float64) {
	plainSturmSlopes(below, slope, d, square, x)
}
