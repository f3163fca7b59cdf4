package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// partialSums is the number of interleaved sums of a dot product, the same for
// every instruction set.
const partialSums = 32

// dot emits Σ x[i]·y[i].
func dot(i isa) {
	function("dot"+i.suffix, "func(n int, x, y *float64) float64", "returns the sum of the products of n numbers, in 32 partial sums.")
	n, x, y := param("n"), param("x"), param("y")
	acc := i.zeros(partialSums / i.lanes)
	repeat("whole", n, partialSums, "rest", func() {
		for v, s := range acc {
			u := i.vector()
			VMOVUPD(i.part(x, v), u)
			VFMADD231PD(i.part(y, v), u, s)
		}
		move(8*partialSums, x, y)
	})
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
	orLeave(n, "sum")
	CMPQ(n, U32(uint32(i.lanes)))
	JL(LabelRef(label + "part"))
	u, w := i.vector(), i.vector()
	VMOVUPD(Mem{Base: x}, u)
	VFMADD231PD(Mem{Base: y}, u, s)
	move(i.bytes(), x, y)
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
func (i isa) fold(s reg.VecVirtual) reg.VecVirtual { return i.halved(s, VADDPD, VADDSD) }

// halved joins the halves of a vector until one number is left: by last the last two.
func (i isa) halved(s reg.VecVirtual, join, last func(...Op)) reg.VecVirtual {
	y := s
	if i.lanes == 8 {
		high := YMM()
		VEXTRACTF64X4(U8(1), s, high)
		join(high, s.AsY(), high)
		y = high
	}
	x, t := XMM(), XMM()
	VEXTRACTF128(U8(1), y.AsY(), x)
	join(y.AsX(), x, x)
	VPERMILPD(U8(1), x, t)
	last(t, x, x)
	return x
}

// foremost emits the first i with |x[i]·y[i]| ≥ share·max |x[j]·y[j]|.
func foremost(i isa) {
	function("foremost"+i.suffix, "func(n int, x, y *float64, share float64) int", "returns where the first product of n numbers has a magnitude of at least share of the largest.")
	n, x, y := param("n"), param("x"), param("y")
	acc, magnitude := i.zeros(4), i.vector()
	ones, first := GP64(), XMM() // every bit but the sign
	MOVQ(U64(1<<63-1), ones)
	VMOVQ(ones, first)
	VPBROADCASTQ(first, magnitude)
	product := func(v int, mask reg.Register) reg.VecVirtual {
		u, w := i.vector(), i.vector()
		i.load(i.part(x, v), mask, u)
		i.load(i.part(y, v), mask, w)
		VMULPD(u, w, w)
		VANDPD(magnitude, w, w)
		return w
	}
	last := func() reg.Register { return i.masks(n, 1)[0] }
	i.unrolled(n, []reg.GPVirtual{x, y}, last, "fold", func(v int, mask reg.Register) { VMAXPD(product(v, mask), acc[v], acc[v]) })
	Label("fold")
	VMAXPD(acc[1], acc[0], acc[0])
	VMAXPD(acc[3], acc[2], acc[2])
	VMAXPD(acc[2], acc[0], acc[0])
	most, least, bits, at := i.halved(acc[0], VMAXPD, VMAXSD), i.vector(), GP32(), GP64()
	VMULSD(slot("share"), most, most)
	VBROADCASTSD(most, least)
	Load(Param("n"), n)
	Load(Param("x"), x)
	Load(Param("y"), y)
	XORQ(at, at)
	found := func(w reg.VecVirtual) {
		if i.lanes == 8 {
			k := K()
			VCMPPD(U8(atLeast), least, w, k)
			KMOVB(k, bits)
		} else {
			VCMPPD(U8(atLeast), least, w, w)
			VMOVMSKPD(w, bits)
		}
		TESTL(bits, bits)
		JNZ(LabelRef("found"))
	}
	repeat("look", n, i.lanes, "lookPart", func() {
		found(product(0, nil))
		move(i.bytes(), x, y)
		ADDQ(U8(i.lanes), at)
	})
	Label("lookPart")
	orLeave(n, "end")
	found(product(0, last()))
	JMP(LabelRef("end"))
	Label("found")
	BSFL(bits, bits)
	ADDQ(bits.As64(), at)
	Label("end")
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// atLeast is the predicate ≥ of comparisons, false for what is not a number.
const atLeast = 29

// unrolled emits a loop over n numbers: four vectors at a time, then one, then
// the part that is left, for which step gets a mask. It goes on at the label
// done. Pointers are moved along, but not after the part.
func (i isa) unrolled(n reg.GPVirtual, pointers []reg.GPVirtual, mask func() reg.Register, done string, step func(v int, mask reg.Register)) {
	whole := func(times int) func() {
		return func() {
			for v := range times {
				step(v, nil)
			}
			move(times*i.bytes(), pointers...)
		}
	}
	repeat("by4", n, 4*i.lanes, "by1", whole(4))
	repeat("by1", n, i.lanes, "part", whole(1))
	Label("part")
	orLeave(n, done)
	step(0, mask())
}

// axpy emits y[i] += alpha·x[i].
func axpy(i isa) {
	function("axpy"+i.suffix, "func(n int, alpha float64, x, y *float64)", "adds alpha times n numbers at x to those at y.")
	n, x, y := param("n"), param("x"), param("y")
	alpha := i.vector()
	VBROADCASTSD(slot("alpha"), alpha)
	last := func() reg.Register { return i.masks(n, 1)[0] }
	i.unrolled(n, []reg.GPVirtual{x, y}, last, "end", func(v int, mask reg.Register) {
		u, w := i.vector(), i.vector()
		i.load(i.part(x, v), mask, u)
		i.load(i.part(y, v), mask, w)
		VFMADD231PD(u, alpha, w)
		i.store(w, mask, i.part(y, v))
	})
	finish("end")
}
