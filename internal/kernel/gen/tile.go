package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile is a micro-kernel C = start + A·B for C of any height and of a width of
// some vectors; rows of C are held in registers, the highest group first.
type tile struct {
	vectors int
	heights []int // rows of C in registers at a time, descending to 1
	masked  bool  // the width may end within a vector
}

// name is tile16AVX512 or, for the masked one of two, tile8PartAVX2.
func (t tile) name(i isa) string {
	part := ""
	if t.masked && i.lanes == 4 {
		part = "Part"
	}
	return fmt.Sprintf("tile%d%s%s", t.vectors*i.lanes, part, i.suffix)
}

// rows are the registers that walk along the rows of A: row p is at
// base[p/4] + (p%4)·sp.
type rows struct {
	sp, sp3 reg.GPVirtual
	base    []reg.GPVirtual
}

// rowsOf loads the parameters of the distance between rows and of where groups of four begin.
func rowsOf(distance string, bases ...string) rows {
	r := rows{sp: param(distance), sp3: GP64()}
	for _, base := range bases {
		r.base = append(r.base, param(base))
	}
	LEAQ(Mem{Base: r.sp, Index: r.sp, Scale: 2}, r.sp3)
	return r
}

func (r rows) at(p int) Mem {
	b := r.base[p/4]
	switch p % 4 {
	case 1:
		return Mem{Base: b, Index: r.sp, Scale: 1}
	case 2:
		return Mem{Base: b, Index: r.sp, Scale: 2}
	case 3:
		return Mem{Base: b, Index: r.sp3, Scale: 1}
	}
	return Mem{Base: b}
}

// nearAhead is how many bytes right of the row in use a tile asks for: when A
// is a transposed matrix, these are the columns of the groups to come.
const nearAhead = 192

// walk is the state of a tile between its groups of rows.
type walk struct {
	rows
	m, a, c, sk, sb, far, stride reg.GPVirtual
	masks                        []reg.Register
}

func (t tile) emit(i isa) {
	function(t.name(i), "func(m, n, k int, a *float64, sp, sk int, b *float64, sb int, start *float64, ss int, c *float64, sc int, far uintptr, stride, hop int)",
		fmt.Sprintf("sets m rows of C, n ≤ %d wide, to start + A·B; strides are in bytes.", t.vectors*i.lanes))
	w := walk{masks: make([]reg.Register, t.vectors)}
	if t.masked {
		w.masks = i.masks(param("n"), t.vectors)
	}
	w.m, w.a, w.c = param("m"), param("a"), param("c")
	w.sk, w.sb = param("sk"), param("sb")
	w.far, w.stride = param("far"), param("stride")
	w.rows = rowsOf("sp")
	for at, h := range t.heights {
		next := "end"
		if at+1 < len(t.heights) {
			next = fmt.Sprintf("rows%d", t.heights[at+1])
		}
		t.group(i, h, next, w)
	}
	finish("end")
}

// group emits the loop over groups of h rows, which ends at the label next.
func (t tile) group(i isa, h int, next string, w walk) {
	repeat(fmt.Sprintf("rows%d", h), w.m, h, next, func() {
		acc := make([][]reg.VecVirtual, h)
		for p := range acc {
			acc[p] = i.vectors(t.vectors)
		}
		t.start(i, h, w.masks, acc)
		w.base = w.bases(w.a, h)
		t.prefetchC(i, h, w.c)
		b, count := param("b"), param("k")
		TESTQ(count, count)
		JZ(LabelRef(fmt.Sprintf("store%d", h)))
		Label(fmt.Sprintf("sum%d", h))
		PREFETCHT0(Mem{Base: w.base[0]}.Offset(nearAhead))
		PREFETCHT0(Mem{Base: w.base[0]}.Offset(nearAhead + 64))
		PREFETCHT1(Mem{Base: w.far})
		ADDQ(w.stride, w.far)
		t.step(i, h, w.masks, acc, b, w.rows)
		for _, base := range w.base {
			ADDQ(w.sk, base)
		}
		ADDQ(w.sb, b)
		DECQ(count)
		JNZ(LabelRef(fmt.Sprintf("sum%d", h)))
		Label(fmt.Sprintf("store%d", h))
		t.store(i, acc, w)
		ADDQ(slot("hop"), w.far)
	})
}

// bases returns fresh registers for h rows from a on.
func (r rows) bases(a reg.GPVirtual, h int) []reg.GPVirtual {
	var base []reg.GPVirtual
	for p := 0; p < h; p += 4 {
		b := GP64()
		if p == 0 {
			MOVQ(a, b)
		} else {
			LEAQ(Mem{Base: base[p/4-1], Index: r.sp, Scale: 4}, b)
		}
		base = append(base, b)
	}
	return base
}

// store writes the group's rows and moves c and a to the next.
func (t tile) store(i isa, acc [][]reg.VecVirtual, w walk) {
	sc := param("sc")
	for p := range acc {
		for v, x := range acc[p] {
			i.store(x, w.masks[v], i.part(w.c, v))
		}
		ADDQ(sc, w.c)
	}
	for range len(acc) / 4 {
		LEAQ(Mem{Base: w.a, Index: w.sp, Scale: 4}, w.a)
	}
	for range len(acc) % 4 {
		ADDQ(w.sp, w.a)
	}
}

// start loads the group's rows of start, or zeros where there is none.
func (t tile) start(i isa, h int, masks []reg.Register, acc [][]reg.VecVirtual) {
	from := param("start")
	TESTQ(from, from)
	JNZ(LabelRef(fmt.Sprintf("load%d", h)))
	for p := range acc {
		for _, x := range acc[p] {
			i.zero(x)
		}
	}
	JMP(LabelRef(fmt.Sprintf("loaded%d", h)))
	Label(fmt.Sprintf("load%d", h))
	ss := param("ss")
	for p := range acc {
		for v, x := range acc[p] {
			i.load(i.part(from, v), masks[v], x)
		}
		ADDQ(ss, from)
	}
	MOVQ(from, slot("start"))
	Label(fmt.Sprintf("loaded%d", h))
}

// step adds one column of A times one row of B.
func (t tile) step(i isa, h int, masks []reg.Register, acc [][]reg.VecVirtual, b reg.GPVirtual, r rows) {
	row := i.vectors(t.vectors)
	for v, x := range row {
		i.load(i.part(b, v), masks[v], x)
	}
	x := i.vector()
	for p := range h {
		VBROADCASTSD(r.at(p), x)
		for v := range row {
			VFMADD231PD(row[v], x, acc[p][v])
		}
	}
}

// prefetchC asks for the next group's rows of C.
func (t tile) prefetchC(i isa, h int, c reg.GPVirtual) {
	sc := param("sc")
	n := GP64()
	IMUL3Q(U32(uint32(h)), sc, n)
	ADDQ(c, n)
	for range h {
		for v := 0; v < t.vectors*i.bytes(); v += 64 {
			PREFETCHT0(Mem{Base: n}.Offset(v))
		}
		ADDQ(sc, n)
	}
}
