package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// deviations emits the sweep of four rows of a table: sums += Σ_r (a_r − center)
// and squares += Σ_r (a_r − center)², n numbers wide.
func deviations(i isa) {
	TEXT("deviations"+i.suffix, attr.NOSPLIT, "func(n int, a *float64, sa int, center, sums, squares *float64)")
	Pragma("noescape")
	Doc("deviations" + i.suffix + " adds the deviations of four rows from center to sums, and their squares to squares; sa is in bytes.")
	n := param("n")
	r := rows{sp: param("sa"), sp3: GP64(), base: []reg.GPVirtual{param("a")}}
	LEAQ(Mem{Base: r.sp, Index: r.sp, Scale: 2}, r.sp3)
	next := rows{sp: r.sp, sp3: r.sp3, base: []reg.GPVirtual{GP64()}} // the four rows after these
	LEAQ(Mem{Base: r.base[0], Index: r.sp, Scale: 4}, next.base[0])
	center, sums, squares := param("center"), param("sums"), param("squares")
	Label("loop")
	CMPQ(n, U32(uint32(i.lanes)))
	JL(LabelRef("part"))
	for p := range 4 {
		PREFETCHT0(next.at(p))
	}
	i.deviationStep(nil, r, center, sums, squares)
	for _, p := range []reg.GPVirtual{r.base[0], next.base[0], center, sums, squares} {
		ADDQ(U32(uint32(i.bytes())), p)
	}
	SUBQ(U32(uint32(i.lanes)), n)
	JMP(LabelRef("loop"))
	Label("part")
	TESTQ(n, n)
	JLE(LabelRef("end"))
	i.deviationStep(i.masks(n, 1)[0], r, center, sums, squares)
	Label("end")
	VZEROUPPER()
	RET()
}

func (i isa) deviationStep(mask reg.Register, r rows, center, sums, squares reg.GPVirtual) {
	c, s, q := i.vector(), i.vector(), i.vector()
	i.load(Mem{Base: center}, mask, c)
	i.load(Mem{Base: sums}, mask, s)
	i.load(Mem{Base: squares}, mask, q)
	for p := range 4 {
		x := i.vector()
		i.load(r.at(p), mask, x)
		VSUBPD(c, x, x)
		VADDPD(x, s, s)
		VFMADD231PD(x, x, q)
	}
	i.store(s, mask, Mem{Base: sums})
	i.store(q, mask, Mem{Base: squares})
}

// ranges emits the sweep of four rows of a table: least = min(least, a_r) and
// most = max(most, a_r), n numbers wide. What is not a number changes nothing.
func ranges(i isa) {
	TEXT("ranges"+i.suffix, attr.NOSPLIT, "func(n int, a *float64, sa int, least, most *float64)")
	Pragma("noescape")
	Doc("ranges" + i.suffix + " lowers least and raises most to the numbers of four rows; sa is in bytes.")
	n := param("n")
	r := rows{sp: param("sa"), sp3: GP64(), base: []reg.GPVirtual{param("a")}}
	LEAQ(Mem{Base: r.sp, Index: r.sp, Scale: 2}, r.sp3)
	least, most := param("least"), param("most")
	Label("loop")
	CMPQ(n, U32(uint32(i.lanes)))
	JL(LabelRef("part"))
	i.rangeStep(nil, r, least, most)
	for _, p := range []reg.GPVirtual{r.base[0], least, most} {
		ADDQ(U32(uint32(i.bytes())), p)
	}
	SUBQ(U32(uint32(i.lanes)), n)
	JMP(LabelRef("loop"))
	Label("part")
	TESTQ(n, n)
	JLE(LabelRef("end"))
	i.rangeStep(i.masks(n, 1)[0], r, least, most)
	Label("end")
	VZEROUPPER()
	RET()
}

func (i isa) rangeStep(mask reg.Register, r rows, least, most reg.GPVirtual) {
	lo, hi := i.vector(), i.vector()
	i.load(Mem{Base: least}, mask, lo)
	i.load(Mem{Base: most}, mask, hi)
	for p := range 4 {
		x := i.vector()
		i.load(r.at(p), mask, x)
		VMINPD(lo, x, lo) // x where it is less, else what was there
		VMAXPD(hi, x, hi)
	}
	i.store(lo, mask, Mem{Base: least})
	i.store(hi, mask, Mem{Base: most})
}

// center emits dst = src − mean, row by row.
func center(i isa) {
	TEXT("center"+i.suffix, attr.NOSPLIT, "func(n, k int, src *float64, stride int, mean, dst *float64, width int)")
	Pragma("noescape")
	Doc("center" + i.suffix + " sets n rows of k > 0 numbers at dst to those at src less mean; stride and width are in bytes.")
	n, src, stride, dst, width := param("n"), param("src"), param("stride"), param("dst"), param("width")
	count := GP64() // numbers behind the last whole vector
	MOVQ(param("k"), count)
	ANDQ(U32(uint32(i.lanes-1)), count)
	mask := i.masks(count, 1)[0]
	Label("row")
	TESTQ(n, n)
	JLE(LabelRef("end"))
	from, mean, to, left := GP64(), param("mean"), GP64(), param("k")
	MOVQ(src, from)
	MOVQ(dst, to)
	last := func() reg.Register { return mask }
	i.unrolled(left, []reg.GPVirtual{from, mean, to}, last, "next", func(v int, mask reg.Register) {
		x, c := i.vector(), i.vector()
		i.load(Mem{Base: from}.Offset(v*i.bytes()), mask, x)
		i.load(Mem{Base: mean}.Offset(v*i.bytes()), mask, c)
		VSUBPD(c, x, x)
		i.store(x, mask, Mem{Base: to}.Offset(v*i.bytes()))
	})
	Label("next")
	ADDQ(stride, src)
	ADDQ(width, dst)
	DECQ(n)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}

// csr are the registers that walk along the rows of a sparse matrix.
type csr struct {
	n, offsets, indices, values, at, end, last reg.GPVirtual
}

// loadCSR loads them; at starts at the first row's first entry.
func loadCSR() csr {
	s := csr{n: param("n"), offsets: param("offsets"), indices: param("indices"), values: param("values"), at: GP64(), end: GP64(), last: GP64()}
	MOVQ(Mem{Base: s.offsets}, s.at)
	MOVQ(Mem{Base: s.offsets, Index: s.n, Scale: 8}, s.last)
	DECQ(s.last)
	return s
}

// nextRow leaves for the label end when there are no rows left.
func (s csr) nextRow() {
	Label("row")
	TESTQ(s.n, s.n)
	JLE(LabelRef("end"))
	ADDQ(U32(8), s.offsets)
	MOVQ(Mem{Base: s.offsets}, s.end)
}

// address returns the place of entry at+e's row of a matrix with rows of
// width numbers.
func (s csr) address(e int, matrix reg.GPVirtual, width int) Mem {
	column := GP64()
	MOVLQSX(Mem{Base: s.indices, Index: s.at, Scale: 4}.Offset(4*e), column)
	IMUL3Q(U32(uint32(8*width)), column, column)
	return Mem{Base: matrix, Index: column, Scale: 1}
}

// csrAhead is how many entries ahead rows of the dense matrix are asked for.
const csrAhead = 12

// prefetch asks for the row of the entry csrAhead+e after the one at hand, or of
// the last one.
func (s csr) prefetch(e int, matrix reg.GPVirtual, width int) {
	far, column := GP64(), GP64()
	LEAQ(Mem{Base: s.at}.Offset(csrAhead+e), far)
	CMPQ(far, s.last)
	CMOVQGT(s.last, far)
	MOVLQSX(Mem{Base: s.indices, Index: far, Scale: 4}, column)
	IMUL3Q(U32(uint32(8*width)), column, column)
	for off := 0; off < 8*width; off += 64 {
		PREFETCHT0(Mem{Base: matrix, Index: column, Scale: 1}.Offset(off))
	}
}

func (s csr) value(i isa, e int) reg.VecVirtual {
	x := i.vector()
	VBROADCASTSD(Mem{Base: s.values, Index: s.at, Scale: 8}.Offset(8*e), x)
	return x
}

const csrParams = "n int, offsets *int64, indices *int32, values *float64"

// sparseRight emits T = start + X·Q for sparse rows: entries are summed in
// two chains by their parity, which are then added.
func sparseRight(i isa, width int) {
	name := fmt.Sprintf("sparseRight%d%s", width, i.suffix)
	TEXT(name, attr.NOSPLIT, "func("+csrParams+", q, start, t *float64)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets n rows of T, %d wide, to start + X·Q.", name, width))
	s := loadCSR()
	q, start, t := param("q"), param("start"), param("t")
	s.nextRow()
	even, odd := i.vectors(width/i.lanes), i.vectors(width/i.lanes)
	for v := range even {
		VMOVUPD(Mem{Base: start}.Offset(v*i.bytes()), even[v])
		i.zero(odd[v])
	}
	add := func(e int, acc []reg.VecVirtual) {
		s.prefetch(e, q, width)
		at, x := s.address(e, q, width), s.value(i, e)
		for v := range acc {
			VFMADD231PD(at.Offset(v*i.bytes()), x, acc[v])
		}
	}
	last := GP64()
	LEAQ(Mem{Base: s.end}.Offset(-1), last)
	Label("pair")
	CMPQ(s.at, last)
	JGE(LabelRef("single"))
	add(0, even)
	add(1, odd)
	ADDQ(U32(2), s.at)
	JMP(LabelRef("pair"))
	Label("single")
	CMPQ(s.at, s.end)
	JGE(LabelRef("store"))
	add(0, even)
	INCQ(s.at)
	Label("store")
	for v := range even {
		VADDPD(odd[v], even[v], even[v])
		VMOVUPD(even[v], Mem{Base: t}.Offset(v*i.bytes()))
	}
	ADDQ(U32(uint32(8*width)), t)
	DECQ(s.n)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}

// sparseLeft emits Y += XᵀT for sparse rows.
func sparseLeft(i isa, width int) {
	name := fmt.Sprintf("sparseLeft%d%s", width, i.suffix)
	TEXT(name, attr.NOSPLIT, "func("+csrParams+", t, y *float64)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds n sparse rows' Xᵀ·T to Y, both %d wide.", name, width))
	s := loadCSR()
	t, y := param("t"), param("y")
	s.nextRow()
	row := i.vectors(width / i.lanes)
	for v := range row {
		VMOVUPD(Mem{Base: t}.Offset(v*i.bytes()), row[v])
	}
	Label("entry")
	CMPQ(s.at, s.end)
	JGE(LabelRef("next"))
	s.prefetch(0, y, width)
	at, x := s.address(0, y, width), s.value(i, 0)
	for v := range row {
		sum := i.vector()
		VMOVUPD(at.Offset(v*i.bytes()), sum)
		VFMADD231PD(row[v], x, sum)
		VMOVUPD(sum, at.Offset(v*i.bytes()))
	}
	INCQ(s.at)
	JMP(LabelRef("entry"))
	Label("next")
	ADDQ(U32(uint32(8*width)), t)
	DECQ(s.n)
	JMP(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}
