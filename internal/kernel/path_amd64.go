//go:build !noasm

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// bestPath returns the widest kernels that processor and operating system
// support.
func bestPath() path {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA:
		return plain
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL && x.HasBMI2:
		return avx512
	}
	return avx2
}

func runTile(m, n, k int, a []float64, sp, sk int, b []float64, sb int, start []float64, ss int, c []float64, sc int, far fetch) {
	if active == plain {
		plainTile(m, n, k, a, sp, sk, b, sb, start, ss, c, sc)
		return
	}
	at := unsafe.SliceData(a)
	if active == avx2 && far.hop == 0 {
		far.step /= 2 // six rows at a time instead of twelve
	}
	for j := 0; j < n; {
		w := n - j
		var bj, sj *float64
		if k > 0 {
			bj = &b[j]
		}
		if start != nil {
			sj = &start[j]
		}
		switch {
		case active == avx2 && w >= 8:
			w = 8
			tile8AVX2(m, w, k, at, sp*size, sk*size, bj, sb*size, sj, ss*size, &c[j], sc*size, far.from, far.step, far.hop)
		case active == avx2:
			tile8PartAVX2(m, w, k, at, sp*size, sk*size, bj, sb*size, sj, ss*size, &c[j], sc*size, far.from, far.step, far.hop)
		case w <= 8:
			tile8AVX512(m, w, k, at, sp*size, sk*size, bj, sb*size, sj, ss*size, &c[j], sc*size, far.from, far.step, far.hop)
		case w <= 16 || w > 24:
			w = min(w, 16)
			tile16AVX512(m, w, k, at, sp*size, sk*size, bj, sb*size, sj, ss*size, &c[j], sc*size, far.from, far.step, far.hop)
		default:
			if far.hop == 0 {
				far.step = far.step * 2 / 3 // eight rows at a time
			}
			tile24AVX512(m, w, k, at, sp*size, sk*size, bj, sb*size, sj, ss*size, &c[j], sc*size, far.from, far.step, far.hop)
		}
		j += w
		far = fetch{}
	}
}

func dot(x, y []float64) float64 {
	switch active {
	case avx512:
		return dotAVX512(len(x), unsafe.SliceData(x), unsafe.SliceData(y))
	case avx2:
		return dotAVX2(len(x), unsafe.SliceData(x), unsafe.SliceData(y))
	}
	return plainDot(x, y)
}

func foremost(x, y []float64, share float64) int {
	switch active {
	case avx512:
		return foremostAVX512(len(x), unsafe.SliceData(x), unsafe.SliceData(y), share)
	case avx2:
		return foremostAVX2(len(x), unsafe.SliceData(x), unsafe.SliceData(y), share)
	}
	return plainForemost(x, y, share)
}

func axpy(alpha float64, x, y []float64) {
	switch active {
	case avx512:
		axpyAVX512(len(x), alpha, unsafe.SliceData(x), unsafe.SliceData(y))
	case avx2:
		axpyAVX2(len(x), alpha, unsafe.SliceData(x), unsafe.SliceData(y))
	default:
		plainAxpy(alpha, x, y)
	}
}

func peak(n int) float64 {
	switch active {
	case avx512:
		peakAVX512(n)
		return float64(n) * 12 * 16
	case avx2:
		peakAVX2(n)
		return float64(n) * 12 * 8
	}
	return plainPeak(n)
}

func read(x []float64) float64 {
	switch active {
	case avx512:
		return readAVX512(len(x)&^63, unsafe.SliceData(x))
	case avx2:
		return readAVX2(len(x)&^63, unsafe.SliceData(x))
	}
	return plainRead(x)
}

// digest is plainDigest on the path in use.
func digest(state *[4][digestLanes]uint64, x []float64) {
	switch active {
	case avx512:
		digestAVX512(len(x), &x[0], &digestSteps[0], &state[0][0])
	case avx2:
		digestAVX2(len(x), &x[0], &digestSteps[0], &state[0][0])
	default:
		plainDigest(state, x)
	}
}

// ranges is plainRanges on the path in use: four rows at a time, the last ones
// alone.
func ranges(x Matrix, lo, hi int, least, most []float64) {
	for ; active != plain && lo+momentRows <= hi; lo += momentRows {
		a := &x.Data[lo*x.Stride]
		if active == avx512 {
			rangesAVX512(x.Cols, a, x.Stride*size, &least[0], &most[0])
		} else {
			rangesAVX2(x.Cols, a, x.Stride*size, &least[0], &most[0])
		}
	}
	plainRanges(x, lo, hi, least, most)
}

// deviations is plainDeviations on the path in use: four rows at a time, then
// one.
func deviations(x Matrix, lo, hi int, center, sums, squares []float64) {
	if active == plain || x.Cols == 0 {
		plainDeviations(x, lo, hi, center, sums, squares)
		return
	}
	for lo < hi {
		a, rows := &x.Data[lo*x.Stride], momentRows
		if lo+rows > hi {
			rows = 1
		}
		switch {
		case active == avx512 && rows == 1:
			deviations1AVX512(x.Cols, a, x.Stride*size, &center[0], &sums[0], &squares[0])
		case active == avx512:
			deviations4AVX512(x.Cols, a, x.Stride*size, &center[0], &sums[0], &squares[0])
		case rows == 1:
			deviations1AVX2(x.Cols, a, x.Stride*size, &center[0], &sums[0], &squares[0])
		default:
			deviations4AVX2(x.Cols, a, x.Stride*size, &center[0], &sums[0], &squares[0])
		}
		lo += rows
	}
}

// sparseRight is plainSparseRight on the path in use.
func sparseRight(s Sparse, lo, hi int, q, start, t []float64, width int) {
	if active == plain || lo == hi {
		plainSparseRight(s, lo, hi, q, start, t, width)
		return
	}
	o, ix, v := &s.Offsets[lo], unsafe.SliceData(s.Indices), unsafe.SliceData(s.Values)
	at := unsafe.SliceData(q)
	switch {
	case active == avx512 && width == 16:
		sparseRight16AVX512(hi-lo, o, ix, v, at, &start[0], &t[0])
	case active == avx512:
		sparseRight8AVX512(hi-lo, o, ix, v, at, &start[0], &t[0])
	case width == 16:
		sparseRight16AVX2(hi-lo, o, ix, v, at, &start[0], &t[0])
	default:
		sparseRight8AVX2(hi-lo, o, ix, v, at, &start[0], &t[0])
	}
}

// sparseLeft is plainSparseLeft on the path in use.
func sparseLeft(s Sparse, lo, hi int, t, y []float64, width int) {
	if active == plain || lo == hi {
		plainSparseLeft(s, lo, hi, t, y, width)
		return
	}
	o, ix, v := &s.Offsets[lo], unsafe.SliceData(s.Indices), unsafe.SliceData(s.Values)
	at := unsafe.SliceData(y)
	switch {
	case active == avx512 && width == 16:
		sparseLeft16AVX512(hi-lo, o, ix, v, &t[0], at)
	case active == avx512:
		sparseLeft8AVX512(hi-lo, o, ix, v, &t[0], at)
	case width == 16:
		sparseLeft16AVX2(hi-lo, o, ix, v, &t[0], at)
	default:
		sparseLeft8AVX2(hi-lo, o, ix, v, &t[0], at)
	}
}

// packColumns is plainPackColumns on the path in use.
func packColumns(dst, src []float64, stride, n int, mean, factor, sums []float64) {
	columns := len(mean)
	if active == plain || active == avx2 && columns < panelWidth || n == 0 || columns == 0 {
		plainPackColumns(dst, src, stride, n, mean, factor, sums)
		return
	}
	mustReach("panel", dst, n*panelWidth)
	mustReach("source", src, (n-1)*stride+columns)
	mask := 1<<columns - 1
	switch {
	case active == avx512 && sums != nil:
		packColumnsSumAVX512(n, mask, stride*size, &src[0], &mean[0], &factor[0], &sums[0], &dst[0])
	case active == avx512:
		packColumnsAVX512(n, mask, stride*size, &src[0], &mean[0], &factor[0], &dst[0])
	case sums != nil:
		packColumnsSumAVX2(n, stride*size, &src[0], &mean[0], &factor[0], &sums[0], &dst[0])
	default:
		packColumnsAVX2(n, stride*size, &src[0], &mean[0], &factor[0], &dst[0])
	}
}

// packRows is plainPackRows on the path in use: squares of rows and columns as
// wide as a vector, and what is left of the columns. The last rows may begin within those before.
func packRows(dst, src []float64, stride, rows int, mean, factor []float64) {
	width := 8
	if active == avx2 {
		width = 4
	}
	n, p := len(mean)/width*width, 0
	for ; active != plain && n > 0 && rows >= width && p < rows; p += width {
		p = min(p, rows-width)
		x, d := src[p*stride:], dst[p:]
		mustReach("panel", d, (n-1)*panelWidth+width)
		mustReach("source", x, (width-1)*stride+n)
		if active == avx512 {
			packRowsAVX512(n, &x[0], stride*size, &mean[0], &factor[0], &d[0])
		} else {
			packRowsAVX2(n, &x[0], stride*size, &mean[0], &factor[0], &d[0])
		}
		if n < len(mean) {
			plainPackRows(d[n*panelWidth:], x[n:], stride, width, mean[n:], factor[n:])
		}
	}
	if p < rows {
		plainPackRows(dst[p:], src[p*stride:], stride, rows-p, mean, factor)
	}
}

// gatherAhead is how many rows ahead a gather asks for.
const gatherAhead = 6

// gather is plainGather on the path in use.
func gather(dst []float64, width int, src []float64, stride, n int, columns []int) {
	if active == plain || n == 0 || len(columns) == 0 {
		plainGather(dst, width, src, stride, n, columns)
		return
	}
	mustReach("destination", dst, (n-1)*width+len(columns))
	ahead := gatherAhead * stride * size
	if active == avx512 {
		gatherAVX512(n, len(columns), &columns[0], &src[0], stride*size, &dst[0], width*size, ahead)
	} else {
		gatherAVX2(n, len(columns), &columns[0], &src[0], stride*size, &dst[0], width*size, ahead)
	}
}

// center is plainCenter on the path in use.
func center(dst []float64, width int, src []float64, stride, n int, mean []float64) {
	k := len(mean)
	if active == plain || n == 0 || k == 0 {
		plainCenter(dst, width, src, stride, n, mean)
		return
	}
	mustReach("destination", dst, (n-1)*width+k)
	mustReach("source", src, (n-1)*stride+k)
	if active == avx512 {
		centerAVX512(n, k, &src[0], stride*size, &mean[0], &dst[0], width*size)
	} else {
		centerAVX2(n, k, &src[0], stride*size, &mean[0], &dst[0], width*size)
	}
}

// leftSquares is plainLeftSquares on the path in use: strips of columns, of which the last may
// begin within the one before.
func leftSquares(squares []float64, x Matrix, mean []float64, t Matrix) {
	width := 16
	if active == avx2 {
		width = 8
	}
	if active == plain || x.Cols < width || x.Rows == 0 || t.Cols == 0 {
		plainLeftSquares(squares, x, mean, t)
		return
	}
	center := &none.zeros[0]
	for j := 0; j < x.Cols; j += width {
		j = min(j, x.Cols-width)
		if mean != nil {
			center = &mean[j]
		}
		if active == avx512 {
			leftSquares16AVX512(t.Cols, x.Rows, &x.Data[j], x.Stride*size, center, &t.Data[0], t.Stride*size, &squares[j])
		} else {
			leftSquares8AVX2(t.Cols, x.Rows, &x.Data[j], x.Stride*size, center, &t.Data[0], t.Stride*size, &squares[j])
		}
	}
}
