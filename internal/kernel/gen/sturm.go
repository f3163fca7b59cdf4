package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sturmState is what the pivots of four shifts share.
type sturmState struct {
	n, d, square  reg.GPVirtual
	x, one, count reg.VecVirtual
}

// newSturm loads the operands.
func newSturm(i isa) sturmState {
	s := sturmState{n: param("n"), d: param("d"), square: param("square"), x: i.vector(), one: i.vector(), count: i.vector()}
	i.load(i.part(param("x"), 0), nil, s.x)
	ones, low := GP64(), XMM()
	MOVQ(U64(0x3ff0000000000000), ones)
	MOVQ(ones, low)
	VBROADCASTSD(low, s.one)
	i.zero(s.count)
	return s
}

// rows emits the loop over the rows: pivot gives the next one, of d − x and the squared entry beside the diagonal.
func (s sturmState) rows(i isa, pivot func(q, square reg.VecVirtual)) {
	loop("loop", s.n, "end", func() {
		q, square, sign := i.vector(), i.vector(), i.vector()
		VBROADCASTSD(Mem{Base: s.d}, q)
		VBROADCASTSD(Mem{Base: s.square}, square)
		VSUBPD(s.x, q, q)
		pivot(q, square)
		VPSRLQ(U8(63), q, sign)
		VPADDQ(sign, s.count, s.count)
		move(8, s.d, s.square)
		DECQ(s.n)
	})
	Label("end")
	i.store(s.count, nil, i.part(param("below"), 0))
}

// sturmCounts emits the number of negative pivots of LDLᵀ = T − x·I for four x.
func sturmCounts(i isa) {
	function("sturmCounts"+i.suffix, "func(n int, d, square, x *float64, below *uint64)", "stores at below what SturmCounts does.")
	s := newSturm(i)
	last := i.vector()
	VMOVAPD(s.one, last)
	s.rows(i, func(q, square reg.VecVirtual) {
		VDIVPD(last, square, square)
		VSUBPD(square, q, q)
		VMOVAPD(q, last)
	})
	finish("done")
}

// sturmSlopes emits the same, and the sums of the pivots' logarithmic derivatives.
func sturmSlopes(i isa) {
	function("sturmSlopes"+i.suffix, "func(n int, d, square, x *float64, below *uint64, slope *float64)", "stores at below and slope what SturmSlopes does.")
	s := newSturm(i)
	inverse, ratio, sum := i.vector(), i.vector(), i.vector()
	VMOVAPD(s.one, inverse)
	i.zero(ratio)
	i.zero(sum)
	s.rows(i, func(q, square reg.VecVirtual) {
		VMULPD(inverse, square, square)
		VSUBPD(square, q, q)
		VDIVPD(q, s.one, inverse)
		VMULPD(square, ratio, ratio)
		VSUBPD(s.one, ratio, ratio)
		VMULPD(inverse, ratio, ratio)
		VADDPD(ratio, sum, sum)
	})
	i.store(sum, nil, i.part(param("slope"), 0))
	finish("done")
}
