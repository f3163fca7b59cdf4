package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// peakChains is the number of independent multiply-adds in flight: more than
// two units with a latency of four need.
const peakChains = 12

// peak emits n rounds of peakChains multiply-adds in registers.
func peak(i isa) {
	TEXT("peak"+i.suffix, attr.NOSPLIT, "func(n int)")
	Doc("peak" + i.suffix + " does n times 12 multiply-adds of vectors that stay in registers.")
	n := param("n")
	acc, x := i.zeros(peakChains), i.zeros(1)[0]
	Label("loop")
	for _, s := range acc {
		VFMADD231PD(x, x, s)
	}
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// read emits the sum of n numbers, n a multiple of 64: as fast as they come.
func read(i isa) {
	function("read"+i.suffix, "func(n int, x *float64) float64", "adds n numbers, n a multiple of 64.")
	n, x := param("n"), param("x")
	acc := i.zeros(8)
	loop("loop", n, "end", func() {
		for at := 0; at < 64; at += i.lanes {
			s := acc[at/i.lanes%len(acc)]
			VADDPD(Mem{Base: x}.Offset(8*at), s, s)
		}
		move(512, x)
		SUBQ(U32(64), n)
	})
	Label("end")
	for _, s := range acc[1:] {
		VADDPD(s, acc[0], acc[0])
	}
	Store(i.fold(acc[0]), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
