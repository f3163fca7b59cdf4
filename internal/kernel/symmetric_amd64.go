//go:build !noasm

package kernel

import "unsafe"

func symvRows(y []float64, a Matrix, x []float64, i0, i1 int) {
	switch active {
	case avx512:
		symvRowsAVX512(i0, i1, len(x), &a.Data[0], a.Stride*size, &x[0], &y[0])
	case avx2:
		symvRowsAVX2(i0, i1, len(x), &a.Data[0], a.Stride*size, &x[0], &y[0])
	default:
		plainSymvRows(y, a, x, i0, i1)
	}
}

func rank2SymvRows(y []float64, a Matrix, x, v, w []float64, i0, i1 int) {
	switch active {
	case avx512:
		rank2SymvRowsAVX512(i0, i1, len(x), &a.Data[0], a.Stride*size, &x[0], &y[0], &v[0], &w[0])
	case avx2:
		rank2SymvRowsAVX2(i0, i1, len(x), &a.Data[0], a.Stride*size, &x[0], &y[0], &v[0], &w[0])
	default:
		plainRank2SymvRows(y, a, x, v, w, i0, i1)
	}
}

func poles(weight, at []float64, x float64) (sum, slope float64) {
	var sums [2]float64
	switch active {
	case avx512:
		polesAVX512(len(weight), unsafe.SliceData(weight), unsafe.SliceData(at), x, &sums[0])
	case avx2:
		polesAVX2(len(weight), unsafe.SliceData(weight), unsafe.SliceData(at), x, &sums[0])
	default:
		return plainPoles(weight, at, x)
	}
	return sums[0], sums[1]
}

func sturmCounts(below *[Shifts]uint64, d, square []float64, x *[Shifts]float64) {
	if active == plain {
		plainSturmCounts(below, d, square, x)
		return
	}
	sturmCountsAVX2(len(d), unsafe.SliceData(d), unsafe.SliceData(square), &x[0], &below[0])
}

func sturmSlopes(below *[Shifts]uint64, slope *[Shifts]float64, d, square []float64, x *[Shifts]float64) {
	if active == plain {
		plainSturmSlopes(below, slope, d, square, x)
		return
	}
	sturmSlopesAVX2(len(d), unsafe.SliceData(d), unsafe.SliceData(square), &x[0], &below[0], &slope[0])
}
