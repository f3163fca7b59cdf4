package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// deviations emits the sweep of some rows of a table: sums += Σ_r (a_r − center)
// and squares += Σ_r (a_r − center)², n numbers wide.
func deviations(i isa, count int) {
	function(fmt.Sprintf("deviations%d%s", count, i.suffix), "func(n int, a *float64, sa int, center, sums, squares *float64)", "adds the deviations of as many rows from center to sums, and their squares to squares; sa is in bytes.")
	n := param("n")
	r := rowsOf("sa", "a")
	next := rows{sp: r.sp, sp3: r.sp3, base: []reg.GPVirtual{GP64()}} // the rows after these
	LEAQ(Mem{Base: r.base[0], Index: r.sp, Scale: uint8(count)}, next.base[0])
	center, sums, squares := param("center"), param("sums"), param("squares")
	pointers := []reg.GPVirtual{r.base[0], next.base[0], center, sums, squares}
	i.sweep("loop", n, i.lanes, pointers, func(masks []reg.Register) {
		for p := range count {
			if masks[0] == nil {
				PREFETCHT0(next.at(p))
			}
		}
		i.deviationStep(masks[0], count, r, center, sums, squares)
	})
	finish("end")
}

func (i isa) deviationStep(mask reg.Register, count int, r rows, center, sums, squares reg.GPVirtual) {
	c, s, q := i.vector(), i.vector(), i.vector()
	i.load(Mem{Base: center}, mask, c)
	i.load(Mem{Base: sums}, mask, s)
	i.load(Mem{Base: squares}, mask, q)
	for p := range count {
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
	function("ranges"+i.suffix, "func(n int, a *float64, sa int, least, most *float64)", "lowers least and raises most to the numbers of four rows; sa is in bytes.")
	n := param("n")
	r := rowsOf("sa", "a")
	least, most := param("least"), param("most")
	i.sweep("loop", n, i.lanes, []reg.GPVirtual{r.base[0], least, most}, func(masks []reg.Register) {
		i.rangeStep(masks[0], r, least, most)
	})
	finish("end")
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
	function("center"+i.suffix, "func(n, k int, src *float64, stride int, mean, dst *float64, width int)", "sets n rows of k > 0 numbers at dst to those at src less mean; stride and width are in bytes.")
	n, src, stride, dst, width := param("n"), param("src"), param("stride"), param("dst"), param("width")
	count := GP64() // numbers behind the last whole vector
	MOVQ(param("k"), count)
	ANDQ(U32(uint32(i.lanes-1)), count)
	mask := i.masks(count, 1)[0]
	last := func() reg.Register { return mask }
	loop("row", n, "end", func() {
		from, mean, to, left := GP64(), param("mean"), GP64(), param("k")
		MOVQ(src, from)
		MOVQ(dst, to)
		i.unrolled(left, []reg.GPVirtual{from, mean, to}, last, "next", func(v int, mask reg.Register) {
			x, c := i.vector(), i.vector()
			i.load(i.part(from, v), mask, x)
			i.load(i.part(mean, v), mask, c)
			VSUBPD(c, x, x)
			i.store(x, mask, i.part(to, v))
		})
		Label("next")
		ADDQ(stride, src)
		ADDQ(width, dst)
		DECQ(n)
	})
	finish("end")
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

// eachRow emits body for the rows, one after another, and moves t along, whose rows have width numbers.
func (s csr) eachRow(t reg.GPVirtual, width int, body func()) {
	loop("row", s.n, "end", func() {
		ADDQ(U32(8), s.offsets)
		MOVQ(Mem{Base: s.offsets}, s.end)
		body()
		move(8*width, t)
		DECQ(s.n)
	})
	finish("end")
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
	function(name, "func("+csrParams+", q, start, t *float64)", fmt.Sprintf("sets n rows of T, %d wide, to start + X·Q.", width))
	s := loadCSR()
	q, start, t := param("q"), param("start"), param("t")
	s.eachRow(t, width, func() {
		even, odd := i.vectors(width/i.lanes), i.vectors(width/i.lanes)
		for v := range even {
			VMOVUPD(i.part(start, v), even[v])
			i.zero(odd[v])
		}
		s.addPairs(i, q, width, even, odd)
		for v := range even {
			VADDPD(odd[v], even[v], even[v])
			VMOVUPD(even[v], i.part(t, v))
		}
	})
}

// addPairs emits the sums over the entries of a row, which end at the label store.
func (s csr) addPairs(i isa, q reg.GPVirtual, width int, even, odd []reg.VecVirtual) {
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
}

// sparseLeft emits Y += XᵀT for sparse rows.
func sparseLeft(i isa, width int) {
	name := fmt.Sprintf("sparseLeft%d%s", width, i.suffix)
	function(name, "func("+csrParams+", t, y *float64)", fmt.Sprintf("adds n sparse rows' Xᵀ·T to Y, both %d wide.", width))
	s := loadCSR()
	t, y := param("t"), param("y")
	s.eachRow(t, width, func() {
		row := i.loaded(t, width/i.lanes)
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
	})
}
