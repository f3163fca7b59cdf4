// Command gen writes the assembly of package kernel and its stubs. It is a
// module of its own so that users of fspca never see the assembler library.
//
//	go run . -kernels avx512 -out ../avx512_amd64.s -stubs ../avx512_amd64.go -pkg kernel
package main

import (
	"flag"
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
)

var kernels = flag.String("kernels", "avx512", "the instruction set: avx512 or avx2, after symmetric- for the sweeps of symmetric matrices and project- for the products of centred rows")

func main() {
	flag.Parse()
	ConstraintExpr("!noasm")
	switch *kernels {
	case "avx512":
		generate(avx512)
	case "avx2":
		makeSignTable()
		generate(avx2)
	case "symmetric-avx512":
		generateSymmetric(avx512)
	case "symmetric-avx2":
		generateSymmetric(avx2)
	case "project-avx512":
		generateProjections(avx512)
	default:
		fmt.Fprintf(os.Stderr, "gen: no kernels %q, want avx512, avx2, symmetric-avx512, symmetric-avx2 or project-avx512\n", *kernels)
		os.Exit(2)
	}
	Generate()
}

// generate emits every kernel for one instruction set.
func generate(i isa) {
	for _, t := range i.tiles {
		t.emit(i)
	}
	dot(i)
	axpy(i)
	foremost(i)
	deviations(i, 4)
	deviations(i, 1)
	ranges(i)
	digest(i)
	center(i)
	packColumns(i, false)
	packColumns(i, true)
	packRows(i)
	gather(i)
	for _, w := range []int{8, 16} {
		sparseRight(i, w)
		sparseLeft(i, w)
	}
	leftSquares(i)
	peak(i)
	read(i)
}
