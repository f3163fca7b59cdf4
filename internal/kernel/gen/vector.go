package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// partialSums is the number of interleaved sums of a dot product, the same for
// every instruction set.
const partialSums = 32

// dot emits Σ x[i]·y[i].
func dot(i isa) {
	TEXT("dot"+i.suffix, attr.NOSPLIT, "func(n int, x, y *float64) float64")
	Pragma("noescape")
	Doc("dot" + i.suffix + " returns the sum of the products of n numbers, in 32 partial sums.")
	n, x, y := param("n"), param("x"), param("y")
	acc := i.vectors(partialSums / i.lanes)
	for _, s := range acc {
		i.zero(s)
	}
	Label("whole")
	CMPQ(n, U32(partialSums))
	JL(LabelRef("rest"))
	for v, s := range acc {
		u := i.vector()
		VMOVUPD(Mem{Base: x}.Offset(v*i.bytes()), u)
		VFMADD231PD(Mem{Base: y}.Offset(v*i.bytes()), u, s)
	}
	ADDQ(U32(8*partialSums), x)
	ADDQ(U32(8*partialSums), y)
	SUBQ(U32(partialSums), n)
	JMP(LabelRef("whole"))
	Label("rest")
	for v, s := range acc {
		i.lastDot(fmt.Sprintf("dot%d", v), n, x, y, s)
	}
	Label("dot" + fmt.Sprint(len(acc)))
	Label("sum")
	for h := len(acc) / 2; h > 0; h /= 2 {
		for v := range h {
			VADDPD(acc[v+h], acc[v], acc[v])
		}
	}
	Store(i.fold(acc[0]), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// lastDot adds the next up to lanes products to s and leaves when none are left.
func (i isa) lastDot(label string, n, x, y reg.GPVirtual, s reg.VecVirtual) {
	TESTQ(n, n)
	JLE(LabelRef("sum"))
	CMPQ(n, U32(uint32(i.lanes)))
	JL(LabelRef(label + "part"))
	u, w := i.vector(), i.vector()
	VMOVUPD(Mem{Base: x}, u)
	VFMADD231PD(Mem{Base: y}, u, s)
	ADDQ(U32(uint32(i.bytes())), x)
	ADDQ(U32(uint32(i.bytes())), y)
	SUBQ(U32(uint32(i.lanes)), n)
	JMP(LabelRef(label + "done"))
	Label(label + "part")
	mask := i.masks(n, 1)[0]
	i.load(Mem{Base: x}, mask, u)
	i.load(Mem{Base: y}, mask, w)
	VFMADD231PD(w, u, s)
	JMP(LabelRef("sum"))
	Label(label + "done")
}

// fold adds the numbers of a vector by halves and returns the sum.
func (i isa) fold(s reg.VecVirtual) reg.VecVirtual {
	y := s
	if i.lanes == 8 {
		high := YMM()
		VEXTRACTF64X4(U8(1), s, high)
		VADDPD(high, s.AsY(), high)
		y = high
	}
	x, t := XMM(), XMM()
	VEXTRACTF128(U8(1), y.AsY(), x)
	VADDPD(y.AsX(), x, x)
	VPERMILPD(U8(1), x, t)
	VADDSD(t, x, x)
	return x
}

// unrolled emits a loop over n numbers: four vectors at a time, then one, then
// the part that is left, for which step gets a mask. It goes on at the label
// done. Pointers are moved along, but not after the part.
func (i isa) unrolled(n reg.GPVirtual, pointers []reg.GPVirtual, mask func() reg.Register, done string, step func(v int, mask reg.Register)) {
	const unroll = 4
	for _, times := range []int{unroll, 1} {
		here, next := fmt.Sprintf("by%d", times), "by1"
		if times == 1 {
			next = "part"
		}
		Label(here)
		CMPQ(n, U32(uint32(times*i.lanes)))
		JL(LabelRef(next))
		for v := range times {
			step(v, nil)
		}
		for _, p := range pointers {
			ADDQ(U32(uint32(times*i.bytes())), p)
		}
		SUBQ(U32(uint32(times*i.lanes)), n)
		JMP(LabelRef(here))
	}
	Label("part")
	TESTQ(n, n)
	JLE(LabelRef(done))
	step(0, mask())
}

// axpy emits y[i] += alpha·x[i].
func axpy(i isa) {
	TEXT("axpy"+i.suffix, attr.NOSPLIT, "func(n int, alpha float64, x, y *float64)")
	Pragma("noescape")
	Doc("axpy" + i.suffix + " adds alpha times n numbers at x to those at y.")
	n, x, y := param("n"), param("x"), param("y")
	alpha := i.vector()
	VBROADCASTSD(slot("alpha"), alpha)
	last := func() reg.Register { return i.masks(n, 1)[0] }
	i.unrolled(n, []reg.GPVirtual{x, y}, last, "end", func(v int, mask reg.Register) {
		u, w := i.vector(), i.vector()
		i.load(Mem{Base: x}.Offset(v*i.bytes()), mask, u)
		i.load(Mem{Base: y}.Offset(v*i.bytes()), mask, w)
		VFMADD231PD(u, alpha, w)
		i.store(w, mask, Mem{Base: y}.Offset(v*i.bytes()))
	})
	Label("end")
	VZEROUPPER()
	RET()
}
