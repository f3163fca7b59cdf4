package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// panelWidth is the width of a packed panel in numbers.
const panelWidth = 24

// packColumns emits the copy of panelWidth columns of n rows to a panel,
// centred and scaled.
func packColumns(i isa) {
	TEXT("packColumns"+i.suffix, attr.NOSPLIT, "func(n int, src *float64, stride int, mean, factor, dst *float64)")
	Pragma("noescape")
	Doc("packColumns" + i.suffix + " sets n rows of 24 numbers at dst to (src − mean)·factor; stride is in bytes.")
	n, src, stride, dst := param("n"), param("src"), param("stride"), param("dst")
	mean, factor := param("mean"), param("factor")
	vectors := panelWidth / i.lanes
	centers := i.vectors(vectors)
	var factors []reg.VecVirtual
	for v, c := range centers {
		VMOVUPD(Mem{Base: mean}.Offset(v*i.bytes()), c)
	}
	if i.lanes == 8 { // AVX2 has too few registers
		factors = i.vectors(vectors)
		for v, f := range factors {
			VMOVUPD(Mem{Base: factor}.Offset(v*i.bytes()), f)
		}
	}
	Label("loop")
	TESTQ(n, n)
	JLE(LabelRef("end"))
	for v, c := range centers {
		x := i.vector()
		VMOVUPD(Mem{Base: src}.Offset(v*i.bytes()), x)
		VSUBPD(c, x, x)
		if factors != nil {
			VMULPD(factors[v], x, x)
		} else {
			VMULPD(Mem{Base: factor}.Offset(v*i.bytes()), x, x)
		}
		VMOVUPD(x, Mem{Base: dst}.Offset(v*i.bytes()))
	}
	ADDQ(stride, src)
	ADDQ(U32(8*panelWidth), dst)
	DECQ(n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

// packRows emits the transposition of one vector's worth of rows, n numbers
// long, to as many columns of a panel, centred and scaled.
func packRows(i isa) {
	TEXT("packRows"+i.suffix, attr.NOSPLIT, "func(n int, src *float64, stride int, mean, factor, dst *float64)")
	Pragma("noescape")
	Doc("packRows" + i.suffix + " sets the first columns of n rows of 24 numbers at dst to as many rows of (src − mean)·factor; n is a multiple of their number and stride is in bytes.")
	n, dst := param("n"), param("dst")
	mean, factor := param("mean"), param("factor")
	r := rows{sp: param("stride"), sp3: GP64(), base: []reg.GPVirtual{param("src")}}
	LEAQ(Mem{Base: r.sp, Index: r.sp, Scale: 2}, r.sp3)
	if i.lanes == 8 {
		second := GP64()
		LEAQ(Mem{Base: r.base[0], Index: r.sp, Scale: 4}, second)
		r.base = append(r.base, second)
	}
	Label("loop")
	TESTQ(n, n)
	JLE(LabelRef("end"))
	c, f := i.vector(), i.vector()
	VMOVUPD(Mem{Base: mean}, c)
	VMOVUPD(Mem{Base: factor}, f)
	x := i.vectors(i.lanes)
	for p, v := range x {
		VMOVUPD(r.at(p), v)
		VSUBPD(c, v, v)
		VMULPD(f, v, v)
	}
	for l, v := range i.transpose(x) {
		VMOVUPD(v, Mem{Base: dst}.Offset(8*panelWidth*l))
	}
	for _, p := range append([]reg.GPVirtual{mean, factor}, r.base...) {
		ADDQ(U32(uint32(i.bytes())), p)
	}
	ADDQ(U32(uint32(8*panelWidth*i.lanes)), dst)
	SUBQ(U32(uint32(i.lanes)), n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

// transpose returns the columns of a square of vectors.
func (i isa) transpose(x []reg.VecVirtual) []reg.VecVirtual {
	// Pairs of rows: the even columns in low, the odd ones in high.
	pairs := len(x) / 2
	low, high := i.vectors(pairs), i.vectors(pairs)
	for p := range pairs {
		VUNPCKLPD(x[2*p+1], x[2*p], low[p])
		VUNPCKHPD(x[2*p+1], x[2*p], high[p])
	}
	columns := make([]reg.VecVirtual, len(x))
	for odd, half := range [][]reg.VecVirtual{low, high} {
		if i.lanes == 4 {
			columns[odd], columns[2+odd] = i.vector(), i.vector()
			VPERM2F128(U8(0x20), half[1], half[0], columns[odd])
			VPERM2F128(U8(0x31), half[1], half[0], columns[2+odd])
			continue
		}
		// 128-bit quarters 0 and 2 of two pairs, and 1 and 3; then the same of those.
		for step, select1 := range []uint8{0x88, 0xdd} {
			top, bottom := i.vector(), i.vector()
			VSHUFF64X2(U8(select1), half[1], half[0], top)
			VSHUFF64X2(U8(select1), half[3], half[2], bottom)
			for far, select2 := range []uint8{0x88, 0xdd} {
				c := i.vector()
				VSHUFF64X2(U8(select2), bottom, top, c)
				columns[2*step+4*far+odd] = c
			}
		}
	}
	return columns
}

// gather emits the copy of some columns of n rows. Lines of later rows are
// asked for, as the columns of one row have little memory in common.
func gather(i isa) {
	TEXT("gather"+i.suffix, attr.NOSPLIT, "func(n, k int, columns *int, src *float64, stride int, dst *float64, width int, ahead int)")
	Pragma("noescape")
	Doc("gather" + i.suffix + " copies k columns of n rows at src to rows of dst, and asks for those of the rows ahead bytes away; stride, width and ahead are in bytes.")
	n, src, dst, ahead := param("n"), param("src"), param("dst"), param("ahead")
	stride, width := param("stride"), param("width")
	Label("row")
	TESTQ(n, n)
	JLE(LabelRef("end"))
	k, column, far, to := param("k"), param("columns"), GP64(), GP64()
	LEAQ(Mem{Base: src, Index: ahead, Scale: 1}, far)
	MOVQ(dst, to)
	step := func(e int) {
		at, x := GP64(), GP64()
		MOVQ(Mem{Base: column}.Offset(8*e), at)
		PREFETCHT0(Mem{Base: far, Index: at, Scale: 8})
		MOVQ(Mem{Base: src, Index: at, Scale: 8}, x)
		MOVQ(x, Mem{Base: to}.Offset(8*e))
	}
	for _, times := range []int{4, 1} {
		here, next := "four", "one"
		if times == 1 {
			here, next = "one", "next"
		}
		Label(here)
		CMPQ(k, U32(uint32(times)))
		JL(LabelRef(next))
		for e := range times {
			step(e)
		}
		ADDQ(U32(uint32(8*times)), column)
		ADDQ(U32(uint32(8*times)), to)
		SUBQ(U32(uint32(times)), k)
		JMP(LabelRef(here))
	}
	Label("next")
	ADDQ(stride, src)
	ADDQ(width, dst)
	DECQ(n)
	JMP(LabelRef("row"))
	Label("end")
	RET()
}
