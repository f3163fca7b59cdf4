package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
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

func (t tile) emit(i isa) {
	TEXT(t.name(i), attr.NOSPLIT, "func(m, n, k int, a *float64, sp, sk int, b *float64, sb int, start *float64, ss int, c *float64, sc int, far uintptr, stride int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets m rows of C, n ≤ %d wide, to start + A·B; strides are in bytes.", t.name(i), t.vectors*i.lanes))
	masks := make([]reg.Register, t.vectors)
	if t.masked {
		masks = i.masks(param("n"), t.vectors)
	}
	m, a, c := param("m"), param("a"), param("c")
	sk, sb := param("sk"), param("sb")
	far, stride := param("far"), param("stride")
	r := rows{sp: param("sp"), sp3: GP64()}
	LEAQ(Mem{Base: r.sp, Index: r.sp, Scale: 2}, r.sp3)
	for at, h := range t.heights {
		t.group(i, at, h, masks, m, a, c, sk, sb, far, stride, r)
	}
	Label("end")
	if i.lanes == 8 || true {
		VZEROUPPER()
	}
	RET()
}

// group emits the loop over groups of h rows.
func (t tile) group(i isa, at, h int, masks []reg.Register, m, a, c, sk, sb, far, stride reg.GPVirtual, r rows) {
	next := "end"
	if at+1 < len(t.heights) {
		next = fmt.Sprintf("rows%d", t.heights[at+1])
	}
	Label(fmt.Sprintf("rows%d", h))
	CMPQ(m, U32(uint32(h)))
	JL(LabelRef(next))
	acc := make([][]reg.VecVirtual, h)
	for p := range acc {
		acc[p] = i.vectors(t.vectors)
	}
	t.start(i, h, masks, acc)

	r.base = r.base[:0]
	for p := 0; p < h; p += 4 {
		b := GP64()
		if p == 0 {
			MOVQ(a, b)
		} else {
			LEAQ(Mem{Base: r.base[p/4-1], Index: r.sp, Scale: 4}, b)
		}
		r.base = append(r.base, b)
	}
	t.prefetchC(i, h, c)
	b, count := param("b"), param("k")
	TESTQ(count, count)
	JZ(LabelRef(fmt.Sprintf("store%d", h)))
	Label(fmt.Sprintf("sum%d", h))
	PREFETCHT0(Mem{Base: r.base[0]}.Offset(nearAhead))
	PREFETCHT0(Mem{Base: r.base[0]}.Offset(nearAhead + 64))
	PREFETCHT1(Mem{Base: far})
	ADDQ(stride, far)
	t.step(i, h, masks, acc, b, r)
	for _, base := range r.base {
		ADDQ(sk, base)
	}
	ADDQ(sb, b)
	DECQ(count)
	JNZ(LabelRef(fmt.Sprintf("sum%d", h)))

	Label(fmt.Sprintf("store%d", h))
	sc := param("sc")
	for p := range acc {
		for v, x := range acc[p] {
			i.store(x, masks[v], Mem{Base: c}.Offset(v*i.bytes()))
		}
		ADDQ(sc, c)
	}
	for range h / 4 {
		LEAQ(Mem{Base: a, Index: r.sp, Scale: 4}, a)
	}
	for range h % 4 {
		ADDQ(r.sp, a)
	}
	SUBQ(U32(uint32(h)), m)
	JMP(LabelRef(fmt.Sprintf("rows%d", h)))
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
			i.load(Mem{Base: from}.Offset(v*i.bytes()), masks[v], x)
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
		i.load(Mem{Base: b}.Offset(v*i.bytes()), masks[v], x)
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
