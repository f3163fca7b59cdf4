package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// triangle is the state of a sweep over the upper triangle of a symmetric
// matrix, a group of rows at a time. Columns are taken eight at a time from
// the multiple of eight at or before the diagonal, where masks cut off what
// lies below it.
type triangle struct {
	isa
	update bool // subtract v·wᵀ + w·vᵀ first
	rows   int  // in a group

	x, y, v, w, off, end   reg.GPVirtual
	row                    []reg.GPVirtual
	alphaX, alphaV, alphaW []reg.VecVirtual
	acc                    [][]reg.VecVirtual // by row and vector of eight columns
}

// emitTriangle emits SymvRows or Rank2SymvRows.
func emitTriangle(i isa, update bool) {
	name, params := "symvRows"+i.suffix, "x, y *float64"
	if update {
		name, params = "rank2SymvRows"+i.suffix, "x, y, v, w *float64"
	}
	function(name, "func(i0, i1, n int, a *float64, sa int, "+params+")", "sweeps rows i0 to i1 of the upper triangle of A; sa is in bytes.")
	s := triangle{isa: i, update: update, rows: 4}
	if i.lanes == 4 { // too few registers for more
		s.rows = 2
	}
	s.emit()
}

func (s *triangle) emit() {
	s.x, s.y, s.off, s.end = param("x"), param("y"), GP64(), param("n")
	if s.update {
		s.v, s.w = param("v"), param("w")
	}
	i, first := param("i0"), param("a")
	SHLQ(U8(3), i)
	SHLQ(U8(3), s.end)
	step := param("sa")
	at := GP64()
	MOVQ(i, at)
	SHRQ(U8(3), at)
	IMULQ(step, at)
	ADDQ(at, first)
	s.row = []reg.GPVirtual{first}
	for range s.rows - 1 {
		s.row = append(s.row, GP64())
	}
	Label("group")
	last := param("i1")
	SHLQ(U8(3), last)
	CMPQ(i, last)
	JGE(LabelRef("done"))
	s.startGroup(i)
	s.diagonal(i)
	Label("loop")
	ADDQ(U32(64), s.off)
	CMPQ(s.off, s.end)
	JGE(LabelRef("sum"))
	s.columns(nil)
	JMP(LabelRef("loop"))
	Label("sum")
	s.addSums(i)
	move(8*s.rows, i)
	next := param("sa")
	ADDQ(next, s.row[s.rows-1])
	MOVQ(s.row[s.rows-1], s.row[0])
	JMP(LabelRef("group"))
	finish("done")
}

// addSums adds the sums of the rows at i (in bytes) to y.
func (s *triangle) addSums(i reg.GPVirtual) {
	for p, acc := range s.acc {
		if len(acc) == 2 {
			VADDPD(acc[1], acc[0], acc[0])
		}
		sum := s.fold(acc[0]).AsX()
		to := Mem{Base: s.y, Index: i, Scale: 1}.Offset(8 * p)
		VADDSD(to, sum, sum)
		VMOVSD(sum, to)
	}
}

// startGroup loads what belongs to the rows at i (in bytes).
func (s *triangle) startGroup(i reg.GPVirtual) {
	step := param("sa")
	for p := 1; p < s.rows; p++ {
		LEAQ(Mem{Base: s.row[p-1], Index: step, Scale: 1}, s.row[p])
	}
	spread := func(from reg.GPVirtual) []reg.VecVirtual {
		v := s.vectors(s.rows)
		for p := range v {
			VBROADCASTSD(Mem{Base: from, Index: i, Scale: 1}.Offset(8*p), v[p])
		}
		return v
	}
	s.alphaX = spread(s.x)
	if s.update {
		s.alphaV, s.alphaW = spread(s.v), spread(s.w)
	}
	s.acc = make([][]reg.VecVirtual, s.rows)
	for p := range s.acc {
		s.acc[p] = s.zeros(8 / s.lanes)
	}
}

// diagonal takes the eight columns that hold the group's diagonal.
func (s *triangle) diagonal(i reg.GPVirtual) {
	MOVQ(i, s.off)
	ANDQ(I8(-64), s.off)
	// The window of eight mask words that starts k words before the middle of
	// the table has all but its first k words set.
	window, shift := GP64(), GP64()
	LEAQ(maskTable.Offset(64), window)
	MOVQ(i, shift)
	SUBQ(s.off, shift)
	SUBQ(shift, window)
	s.columns(window)
}

// columns takes eight columns at off; window, if not nil, is where the masks
// of the first row start.
func (s *triangle) columns(window reg.Register) {
	mem := func(b reg.GPVirtual, part int) Mem {
		return Mem{Base: b, Index: s.off, Scale: 1}.Offset(part * s.bytes())
	}
	for part := range 8 / s.lanes {
		y := s.vector()
		VMOVUPD(mem(s.y, part), y)
		x, v, w := s.shared(mem(s.x, part)), Op(nil), Op(nil)
		if s.update {
			v, w = s.shared(mem(s.v, part)), s.shared(mem(s.w, part))
		}
		for p := range s.rows {
			a := s.vector()
			VMOVUPD(mem(s.row[p], part), a)
			if s.update {
				VFNMADD231PD(w, s.alphaV[p], a)
				VFNMADD231PD(v, s.alphaW[p], a)
				VMOVUPD(a, mem(s.row[p], part))
			}
			if window == nil {
				VFMADD231PD(x, a, s.acc[p][part])
				VFMADD231PD(s.alphaX[p], a, y)
				continue
			}
			with, without := s.vector(), s.vector()
			VANDPD(Mem{Base: window}.Offset(-8*p+part*s.bytes()), a, with)
			VANDPD(Mem{Base: window}.Offset(-8*(p+1)+part*s.bytes()), a, without)
			VFMADD231PD(x, with, s.acc[p][part])
			VFMADD231PD(s.alphaX[p], without, y)
		}
		VMOVUPD(y, mem(s.y, part))
	}
}

// shared returns what rows share: in a register, where there are enough of them.
func (s *triangle) shared(m Mem) Op {
	if s.lanes < 8 {
		return m
	}
	r := s.vector()
	VMOVUPD(m, r)
	return r
}

// maskTable holds eight clear and eight set words.
var maskTable Mem

func makeMaskTable(i isa) {
	maskTable = wordTable("triangleMasks"+i.suffix, 8)
}

// generateSymmetric emits the kernels of symmetric.go, poles.go and sturm.go, which takes four shifts on any path.
func generateSymmetric(i isa) {
	makeMaskTable(i)
	if i.lanes == 4 {
		makeSignTable()
	}
	emitTriangle(i, false)
	emitTriangle(i, true)
	poles(i)
	if i.lanes == 4 {
		sturmCounts(i)
		sturmSlopes(i)
	}
}
