package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// function begins a function that keeps none of its pointers. Its comment is its name and what it does.
func function(name, signature, does string) {
	TEXT(name, attr.NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " " + does)
}

// finish ends a function at a label.
func finish(label string) {
	Label(label)
	VZEROUPPER()
	RET()
}

// repeat emits a loop that takes step of count as long as there are so many, and then goes on at the
// label next.
func repeat(label string, count reg.GPVirtual, step int, next string, body func()) {
	Label(label)
	CMPQ(count, U32(uint32(step)))
	JL(LabelRef(next))
	body()
	SUBQ(U32(uint32(step)), count)
	JMP(LabelRef(label))
}

// loop emits a loop that runs while count is above 0, which the body lowers, and then goes on at the
// label next.
func loop(label string, count reg.GPVirtual, next string, body func()) {
	Label(label)
	orLeave(count, next)
	body()
	JMP(LabelRef(label))
}

// orLeave goes to a label unless count is above 0.
func orLeave(count reg.GPVirtual, label string) {
	TESTQ(count, count)
	JLE(LabelRef(label))
}

// move adds bytes to pointers.
func move(bytes int, pointers ...reg.GPVirtual) {
	for _, p := range pointers {
		ADDQ(U32(uint32(bytes)), p)
	}
}

// sweep emits step for each width of n numbers, without masks, and moves the pointers along. Then it
// emits it for the part that is left, with masks, and leaves for the label end where there is none.
func (i isa) sweep(label string, n reg.GPVirtual, width int, pointers []reg.GPVirtual, step func(masks []reg.Register)) {
	repeat(label, n, width, "part", func() {
		step(make([]reg.Register, width/i.lanes))
		move(8*width, pointers...)
	})
	Label("part")
	orLeave(n, "end")
	step(i.masks(n, width/i.lanes))
}

// part returns the v-th vector behind a pointer.
func (i isa) part(pointer reg.Register, v int) Mem {
	return Mem{Base: pointer}.Offset(v * i.bytes())
}

// param loads a parameter into a fresh register.
func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// slot returns the place of a parameter on the stack.
func slot(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}
