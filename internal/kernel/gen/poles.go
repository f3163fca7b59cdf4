package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// poles emits Σ weight[i]·t[i] and Σ weight[i]·t[i]² with t = 1/(at − x), in
// eight interleaved sums.
func poles(i isa) {
	function("poles"+i.suffix, "func(n int, weight, at *float64, x float64, sums *float64)", "stores at sums what Poles returns.")
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
	i.sweep("loop", n, 8, []reg.GPVirtual{weight, at}, func(masks []reg.Register) {
		for p, mask := range masks {
			t, w := i.vector(), i.vector()
			i.load(i.part(at, p), mask, t)
			i.load(i.part(weight, p), mask, w)
			i.addPoles(t, w, x, one, mask, sum[p], slope[p])
		}
	})
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
