package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is what the kernels must know about an instruction set.
type isa struct {
	suffix string
	lanes  int // float64 in a vector
	tiles  []tile
}

var avx512 = isa{
	suffix: "AVX512",
	lanes:  8,
	tiles: []tile{
		{vectors: 1, heights: []int{12, 8, 4, 2, 1}, masked: true},
		{vectors: 2, heights: []int{12, 8, 4, 2, 1}, masked: true},
		{vectors: 3, heights: []int{8, 4, 2, 1}, masked: true},
	},
}

var avx2 = isa{
	suffix: "AVX2",
	lanes:  4,
	tiles: []tile{
		{vectors: 2, heights: []int{6, 4, 2, 1}},
		{vectors: 2, heights: []int{4, 2, 1}, masked: true},
	},
}

// bytes returns the size of a vector.
func (i isa) bytes() int { return 8 * i.lanes }

// vector returns a fresh vector register.
func (i isa) vector() reg.VecVirtual {
	if i.lanes == 8 {
		return ZMM()
	}
	return YMM()
}

// vectors returns n fresh vector registers.
func (i isa) vectors(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for j := range v {
		v[j] = i.vector()
	}
	return v
}

// zeros returns n fresh vector registers that are cleared.
func (i isa) zeros(n int) []reg.VecVirtual {
	v := i.vectors(n)
	for _, z := range v {
		i.zero(z)
	}
	return v
}

// loaded returns n fresh vector registers with what a pointer points to.
func (i isa) loaded(pointer reg.Register, n int) []reg.VecVirtual {
	v := i.vectors(n)
	for at, x := range v {
		VMOVUPD(i.part(pointer, at), x)
	}
	return v
}

// zero clears a vector register.
func (i isa) zero(v reg.Register) {
	VXORPD(v, v, v)
}

// masks returns n registers that select the first count numbers of n vectors;
// 8·(n−1) < count in AVX-512 and 0 < count ≤ 8 in AVX2: predicates in the one,
// sign bits in the other.
func (i isa) masks(count reg.GPVirtual, n int) []reg.Register {
	m := make([]reg.Register, n)
	if i.lanes == 8 {
		ones, part := GP64(), GP64()
		MOVQ(I32(-1), ones)
		for v := range m {
			k := K()
			BZHIQ(count, ones, part)
			KMOVB(part.As32(), k)
			ADDQ(I8(-8), count)
			m[v] = k
		}
		return m
	}
	// The signs end at word 8: a window that starts at word 8−count has its
	// first count words set.
	table, first := GP64(), GP64()
	LEAQ(signTable, table)
	MOVQ(U32(8), first)
	SUBQ(count, first)
	for v := range m {
		y := YMM()
		VMOVUPD(Mem{Base: table, Index: first, Scale: 8}.Offset(32*v), y)
		m[v] = y
	}
	return m
}

// signTable holds eight set and eight clear words.
var signTable Mem

func makeSignTable() { signTable = wordTable("signsAVX2", 0) }

// wordTable emits sixteen words that are clear but for eight, which are set, from one of them on.
func wordTable(name string, set int) Mem {
	table := GLOBL(name, attr.RODATA|attr.NOPTR)
	for j := range 16 {
		word := U64(0)
		if set <= j && j < set+8 {
			word = ^word
		}
		DATA(8*j, word)
	}
	return table
}

// load reads a vector, zero where a mask is given and clear.
func (i isa) load(m Mem, mask reg.Register, v reg.Register) {
	switch {
	case mask == nil:
		VMOVUPD(m, v)
	case i.lanes == 8:
		VMOVUPD_Z(m, mask, v)
	default:
		VMASKMOVPD(m, mask, v)
	}
}

// store writes a vector where there is no mask or it is set.
func (i isa) store(v reg.Register, mask reg.Register, m Mem) {
	switch {
	case mask == nil:
		VMOVUPD(v, m)
	case i.lanes == 8:
		VMOVUPD(v, mask, m)
	default:
		VMASKMOVPD(v, mask, m)
	}
}
