package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// digestLanes is the number of interleaved sums of a digest, the same for every
// instruction set.
const digestLanes = 8

// digestState are the sums of the lanes of one vector, in registers: see plainDigest.
type digestState struct {
	keys, products, plain, wrong, steps reg.VecVirtual
}

// digest emits the checksum of n numbers, and what tells whether one is not finite.
func digest(i isa) {
	function("digest"+i.suffix, "func(n int, x *float64, steps, state *uint64)", "adds n numbers to the state, the keys, products, sums and marks of eight lanes.")
	n, x, steps, state := param("n"), param("x"), param("steps"), param("state")
	lanes := make([]digestState, digestLanes/i.lanes)
	for v := range lanes {
		s := digestState{i.vector(), i.vector(), i.vector(), i.vector(), i.vector()}
		for p, r := range s.stored() {
			VMOVUPD(Mem{Base: state}.Offset(8*digestLanes*p+v*i.bytes()), r)
		}
		VMOVUPD(i.part(steps, v), s.steps)
		lanes[v] = s
	}
	i.sweep("whole", n, digestLanes, []reg.GPVirtual{x}, func(masks []reg.Register) {
		for v, mask := range masks {
			i.digestStep(mask, i.part(x, v), lanes[v])
		}
	})
	Label("end")
	for v, s := range lanes {
		for p, r := range s.stored() {
			VMOVUPD(r, Mem{Base: state}.Offset(8*digestLanes*p+v*i.bytes()))
		}
	}
	VZEROUPPER()
	RET()
}

// stored are the registers that are kept between calls.
func (s digestState) stored() []reg.VecVirtual {
	return []reg.VecVirtual{s.keys, s.products, s.plain, s.wrong}
}

// digestStep adds a vector of numbers.
func (i isa) digestStep(mask reg.Register, at Mem, s digestState) {
	u, low, high := i.vector(), i.vector(), i.vector()
	i.load(at, mask, u)
	VPADDQ(u, s.plain, s.plain)
	if i.lanes == 8 {
		VPXORQ(u, s.keys, low)
	} else {
		VPXOR(u, s.keys, low)
	}
	VPSRLQ(U8(32), low, high)
	VPMULUDQ(low, high, high)
	VPADDQ(high, s.products, s.products)
	VPADDQ(s.steps, s.keys, s.keys)
	VSUBPD(u, u, u)
	VORPD(u, s.wrong, s.wrong)
}
