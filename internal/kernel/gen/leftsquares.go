package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// stripVectors is the width of the columns of X whose products with T are squared at a time.
const stripVectors = 2

// squaresWalk is the state of leftSquares between its groups of columns of T.
type squaresWalk struct {
	m, x, sx, t, st reg.GPVirtual
	mean, sum       []reg.VecVirtual
}

// leftSquares emits the squared lengths of some rows of (X − 1·meanᵀ)ᵀ·T: for each of the columns
// of X, Σ_p (Σ_l t_lp·(x_l − mean))² over the m columns of T. Products stay in registers.
func leftSquares(i isa) {
	function(fmt.Sprintf("leftSquares%d%s", stripVectors*i.lanes, i.suffix), "func(m, k int, x *float64, sx int, mean, t *float64, st int, squares *float64)",
		fmt.Sprintf("sets %d squares, those of as many columns of X, from m columns of T; strides are in bytes.", stripVectors*i.lanes))
	w := squaresWalk{m: param("m"), x: param("x"), sx: param("sx"), t: param("t"), st: param("st")}
	w.mean, w.sum = i.vectors(stripVectors), i.vectors(stripVectors)
	mean := param("mean")
	for v := range w.mean {
		i.load(i.part(mean, v), nil, w.mean[v])
		i.zero(w.sum[v])
	}
	heights := []int{12, 10, 8, 4, 2, 1}
	if i.lanes == 4 {
		heights = []int{4, 2, 1}
	}
	for at, h := range heights {
		next := "end"
		if at+1 < len(heights) {
			next = fmt.Sprintf("rows%d", heights[at+1])
		}
		repeat(fmt.Sprintf("rows%d", h), w.m, h, next, func() { w.columns(i, h) })
	}
	Label("end")
	squares := param("squares")
	for v, sum := range w.sum {
		i.store(sum, nil, i.part(squares, v))
	}
	finish("done")
}

// columns emits h columns of T.
func (w squaresWalk) columns(i isa, h int) {
	acc := make([][]reg.VecVirtual, h)
	for p := range acc {
		acc[p] = i.vectors(stripVectors)
		for _, a := range acc[p] {
			i.zero(a)
		}
	}
	x, t, count := GP64(), GP64(), param("k")
	MOVQ(w.x, x)
	MOVQ(w.t, t)
	square := fmt.Sprintf("square%d", h)
	loop(fmt.Sprintf("sum%d", h), count, square, func() {
		w.step(i, acc, x, t)
		ADDQ(w.sx, x)
		ADDQ(w.st, t)
		DECQ(count)
	})
	Label(square)
	for p := range acc {
		for v, a := range acc[p] {
			VFMADD231PD(a, a, w.sum[v])
		}
	}
	move(8*h, w.t)
}

// step adds one row of X times one of T, and asks for the columns after these: the last
// bytes of lines, since a row may begin within one.
func (w squaresWalk) step(i isa, acc [][]reg.VecVirtual, x, t reg.GPVirtual) {
	strip := stripVectors * i.bytes()
	for at := strip + 63; at < 2*strip; at += 64 {
		PREFETCHT0(Mem{Base: x}.Offset(at))
	}
	row := i.vectors(stripVectors)
	for v, r := range row {
		i.load(i.part(x, v), nil, r)
		VSUBPD(w.mean[v], r, r)
	}
	b := i.vector()
	for p := range acc {
		VBROADCASTSD(Mem{Base: t}.Offset(8*p), b)
		for v, r := range row {
			VFMADD231PD(r, b, acc[p][v])
		}
	}
}
