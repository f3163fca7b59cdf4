package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// poles emits Σ weight[i]·t[i] and Σ weight[i]·t[i]² with t = 1/(at − x), in
// eight interleaved sums.
func poles(i isa) {
	TEXT("poles"+i.suffix, attr.NOSPLIT, "func(n int, weight, at *float64, x float64, sums *float64)")
	Pragma("noescape")
	Doc("poles" + i.suffix + " stores at sums what Poles returns.")
	n, weight, at := param("n"), param("weight"), param("at")
	x, one := i.vector(), i.vector()
	VBROADCASTSD(slot("x"), x)
	per := 8 / i.lanes
	sum, slope := i.vectors(per), i.vectors(per)
	for p := range per {
		i.zero(sum[p])
		i.zero(slope[p])
	}
	ones := GP64()
	MOVQ(U64(0x3ff0000000000000), ones)
	low := XMM()
	MOVQ(ones, low)
	VBROADCASTSD(low, one)
	step := func(masks []reg.Register) {
		for p := range per {
			var mask reg.Register
			if masks != nil {
				mask = masks[p]
			}
			t, w := i.vector(), i.vector()
			i.load(Mem{Base: at}.Offset(p*i.bytes()), mask, t)
			i.load(Mem{Base: weight}.Offset(p*i.bytes()), mask, w)
			i.addPoles(t, w, x, one, mask, sum[p], slope[p])
		}
	}
	Label("loop")
	CMPQ(n, U32(8))
	JL(LabelRef("part"))
	step(nil)
	ADDQ(U32(64), weight)
	ADDQ(U32(64), at)
	SUBQ(U32(8), n)
	JMP(LabelRef("loop"))
	Label("part")
	TESTQ(n, n)
	JLE(LabelRef("end"))
	step(i.masks(n, per))
	Label("end")
	sums := param("sums")
	for l, s := range [][]reg.VecVirtual{sum, slope} {
		if per == 2 {
			VADDPD(s[1], s[0], s[0])
		}
		VMOVSD(i.fold(s[0]).AsX(), Mem{Base: sums}.Offset(8*l))
	}
	VZEROUPPER()
	RET()
}

// addPoles adds w/(t − x) to sum and w/(t − x)² to slope; it overwrites t and w.
func (i isa) addPoles(t, w, x, one reg.VecVirtual, mask reg.Register, sum, slope reg.VecVirtual) {
	VSUBPD(x, t, t)
	VDIVPD(t, one, t)
	if mask != nil { // what stands for a pole past the end may be 1/0
		if i.lanes == 8 {
			VMOVAPD_Z(t, mask, t)
		} else {
			VANDPD(mask, t, t)
		}
	}
	VMULPD(t, w, w)
	VADDPD(w, sum, sum)
	VFMADD231PD(t, w, slope)
}
