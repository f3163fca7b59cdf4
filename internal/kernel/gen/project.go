package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// widestProjection is the number of columns of V whose sums stay in registers,
// for a vector of rows beside a square that is transposed.
const widestProjection = 12

// generateProjections emits the products of centred rows with 2, 4, … columns.
func generateProjections(i isa) {
	for width := 2; width <= widestProjection; width += 2 {
		projection{isa: i, width: width}.emit()
	}
}

// projection is the product of centred rows with V, width columns. The lanes of
// a vector are rows, so that a width between the multiples of eight wastes no
// multiply-add: a square of eight rows and columns of X is centred and
// transposed in registers. It adds to the sums by one multiply-add for each of
// its columns and of V's.
type projection struct {
	isa
	width int

	rows          rows
	mean, v, left reg.GPVirtual
	ahead         reg.GPVirtual
	acc           []reg.VecVirtual // by column of V
}

func (p projection) emit() {
	name := fmt.Sprintf("project%d%s", p.width, p.suffix)
	function(name, "func(groups, k int, x *float64, sx int, mean, v *float64, ahead, m int, dst *float64, sd int)", fmt.Sprintf("sets m ≤ %d columns of groups of eight rows at dst to (x − mean)·V, V %d wide. It asks for x ahead bytes away; sx, sd and ahead are in bytes.", p.width, p.width))
	groups, x, dst := param("groups"), param("x"), param("dst")
	p.ahead = param("ahead")
	p.rows = rowsOf("sx")
	p.rows.base = []reg.GPVirtual{GP64(), GP64()}
	loop("group", groups, "end", func() {
		MOVQ(x, p.rows.base[0])
		LEAQ(Mem{Base: x, Index: p.rows.sp, Scale: 4}, p.rows.base[1])
		LEAQ(Mem{Base: x, Index: p.rows.sp, Scale: 8}, x)
		p.mean, p.v, p.left = param("mean"), param("v"), param("k")
		p.acc = p.zeros(p.width)
		p.sum()
		p.storeRows(dst)
		DECQ(groups)
	})
	finish("end")
}

// sum adds up a group of rows.
func (p projection) sum() {
	repeat("square", p.left, p.lanes, "part", func() {
		for l, x := range p.square(nil) {
			p.add(l, x)
		}
		move(p.bytes(), p.rows.base[0], p.rows.base[1], p.mean)
		move(8*p.width*p.lanes, p.v)
	})
	Label("part")
	orLeave(p.left, "store")
	count := GP64()
	MOVQ(p.left, count)
	for l, x := range p.square(p.masks(count, 1)[0])[:p.lanes-1] {
		p.add(l, x)
		CMPQ(p.left, U32(uint32(l+1)))
		JLE(LabelRef("store"))
	}
	Label("store")
}

// square returns eight centred columns of X for a group of rows.
func (p projection) square(mask reg.Register) []reg.VecVirtual {
	c := p.vector()
	p.load(Mem{Base: p.mean}, mask, c)
	x := p.vectors(p.lanes)
	for r, v := range x {
		at := p.rows.at(r)
		p.load(at, mask, v)
		VSUBPD(c, v, v)
	}
	if mask == nil {
		for _, base := range p.rows.base {
			far := GP64()
			LEAQ(Mem{Base: base, Index: p.ahead, Scale: 1}, far)
			for r := range 4 {
				PREFETCHT0(rows{sp: p.rows.sp, sp3: p.rows.sp3, base: []reg.GPVirtual{far}}.at(r))
			}
		}
	}
	return p.transpose(x)
}

// add adds what column l of the square at hand contributes.
func (p projection) add(l int, x reg.VecVirtual) {
	for j, a := range p.acc {
		VFMADD231PD_BCST(Mem{Base: p.v}.Offset(8*(l*p.width+j)), x, a)
	}
}

// storeRows writes the sums of a group, eight columns of V at a time.
func (p projection) storeRows(dst reg.GPVirtual) {
	sd, m := param("sd"), param("m")
	masks := p.masks(m, (p.width+p.lanes-1)/p.lanes)
	for b, mask := range masks {
		columns := p.acc[b*p.lanes : min(p.width, (b+1)*p.lanes)]
		columns = append(slices.Clip(columns), p.zeros(p.lanes-len(columns))...)
		at := GP64()
		MOVQ(dst, at)
		for r, row := range p.transpose(columns) {
			if r > 0 {
				ADDQ(sd, at)
			}
			p.store(row, mask, p.part(at, b))
		}
	}
	LEAQ(Mem{Base: dst, Index: sd, Scale: 8}, dst)
}
