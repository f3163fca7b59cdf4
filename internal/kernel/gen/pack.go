package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// panelWidth is the width of a packed panel in numbers.
const panelWidth = 24

// packColumns emits the copy of up to panelWidth columns of n rows to a panel, centred and scaled, zero
// past the columns that mask has; with sums it also adds up what it writes. AVX2 knows full panels only.
func packColumns(i isa, sums bool) {
	name, params, does := "packColumns", "", ""
	if sums {
		name, params, does = "packColumnsSum", ", sums", " and adds these to sums"
	}
	masked := ""
	if i.lanes == 8 {
		masked = "mask, "
	}
	function(name+i.suffix, "func(n, "+masked+"stride int, src, mean, factor"+params+", dst *float64)", "sets n rows of 24 numbers at dst to (src − mean)·factor"+does+"; stride is in bytes.")
	vectors := panelWidth / i.lanes
	masks := make([]reg.Register, vectors)
	if i.lanes == 8 {
		masks = panelMasks(vectors)
	}
	masked24 := func(name string) []reg.VecVirtual {
		v, from := i.vectors(vectors), param(name)
		for at, x := range v {
			i.load(i.part(from, at), masks[at], x)
		}
		return v
	}
	n, src, stride, dst := param("n"), param("src"), param("stride"), param("dst")
	centers := masked24("mean")
	var totals []reg.VecVirtual
	if sums {
		totals = masked24("sums")
	}
	factors := panelFactors(i, masks)
	loop("loop", n, "end", func() {
		for v, c := range centers {
			x := i.vector()
			i.load(i.part(src, v), masks[v], x)
			VSUBPD(c, x, x)
			VMULPD(factors[v], x, x)
			VMOVUPD(x, i.part(dst, v))
			if sums {
				VADDPD(x, totals[v], totals[v])
			}
		}
		ADDQ(stride, src)
		move(8*panelWidth, dst)
		DECQ(n)
	})
	Label("end")
	if sums {
		to := param("sums")
		for v, x := range totals {
			i.store(x, masks[v], i.part(to, v))
		}
	}
	VZEROUPPER()
	RET()
}

// panelFactors returns the factors of the columns of a panel, in registers where there are enough.
func panelFactors(i isa, masks []reg.Register) []Op {
	factors, factor := make([]Op, len(masks)), param("factor")
	for v := range factors {
		factors[v] = i.part(factor, v)
		if i.lanes == 8 { // AVX2 has too few registers
			f := i.vector()
			i.load(i.part(factor, v), masks[v], f)
			factors[v] = f
		}
	}
	return factors
}

// panelMasks returns the predicates of the columns of a panel that are there.
func panelMasks(vectors int) []reg.Register {
	bits, masks := param("mask"), make([]reg.Register, vectors)
	for v := range masks {
		k := K()
		KMOVB(bits.As32(), k)
		SHRQ(U8(8), bits)
		masks[v] = k
	}
	return masks
}

// packRows emits the transposition of one vector's worth of rows, n numbers
// long, to as many columns of a panel, centred and scaled.
func packRows(i isa) {
	function("packRows"+i.suffix, "func(n int, src *float64, stride int, mean, factor, dst *float64)", "sets the first columns of n rows of 24 numbers at dst to as many rows of (src − mean)·factor; n is a multiple of their number and stride is in bytes.")
	n, dst := param("n"), param("dst")
	mean, factor := param("mean"), param("factor")
	r := rowsOf("stride", "src")
	if i.lanes == 8 {
		second := GP64()
		LEAQ(Mem{Base: r.base[0], Index: r.sp, Scale: 4}, second)
		r.base = append(r.base, second)
	}
	loop("loop", n, "end", func() {
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
		move(i.bytes(), append([]reg.GPVirtual{mean, factor}, r.base...)...)
		move(8*panelWidth*i.lanes, dst)
		SUBQ(U32(uint32(i.lanes)), n)
	})
	finish("end")
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
	function("gather"+i.suffix, "func(n, k int, columns *int, src *float64, stride int, dst *float64, width int, ahead int)", "copies k columns of n rows at src to rows of dst, and asks for those of the rows ahead bytes away; stride, width and ahead are in bytes.")
	n, src, dst, ahead := param("n"), param("src"), param("dst"), param("ahead")
	stride, width := param("stride"), param("width")
	loop("row", n, "end", func() {
		k, column, far, to := param("k"), param("columns"), GP64(), GP64()
		LEAQ(Mem{Base: src, Index: ahead, Scale: 1}, far)
		MOVQ(dst, to)
		copies := func(times int) func() {
			return func() {
				for e := range times {
					at, x := GP64(), GP64()
					MOVQ(Mem{Base: column}.Offset(8*e), at)
					PREFETCHT0(Mem{Base: far, Index: at, Scale: 8})
					MOVQ(Mem{Base: src, Index: at, Scale: 8}, x)
					MOVQ(x, Mem{Base: to}.Offset(8*e))
				}
				move(8*times, column, to)
			}
		}
		repeat("four", k, 4, "one", copies(4))
		repeat("one", k, 1, "next", copies(1))
		Label("next")
		ADDQ(stride, src)
		ADDQ(width, dst)
		DECQ(n)
	})
	Label("end")
	RET()
}
