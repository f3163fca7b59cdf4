package kernel

import "fmt"

// tile is the micro-kernel that all products are made of:
//
//	C = start + A·B,  A m×k, B k×n, C m×n.
//
// Element (p, l) of A is a[p*sp+l*sk], so that A may be a transposed matrix;
// B, C and start are row-major with strides sb, sc and ss. A nil start is
// zero, start = c adds to C, and ss = 0 starts every row from the same one.
//
// Each element of C is one chain of fused multiply-adds in the order of l,
// whatever m, n, the element's place and the path: the bytes of a row do not
// depend on its neighbours, and cutting k in pieces changes nothing.
func tile(m, n, k int, a []float64, sp, sk int, b []float64, sb int, start []float64, ss int, c []float64, sc int) {
	tileFetch(m, n, k, a, sp, sk, b, sb, start, ss, c, sc, fetch{})
}

// fetch is what a tile asks of the memory for later, besides its own work:
// one cache line at from, and step bytes further for each of its columns of A
// and group of twelve rows. With a hop, a group of any height takes steps of its own,
// and the next one begins hop bytes after its end. Any address is allowed.
type fetch struct {
	from      uintptr
	step, hop int
}

// tileFetch is tile with a fetch on the side.
func tileFetch(m, n, k int, a []float64, sp, sk int, b []float64, sb int, start []float64, ss int, c []float64, sc int, far fetch) {
	if m == 0 || n == 0 {
		return
	}
	if start != nil {
		mustReach("start", start, (m-1)*ss+n)
	}
	mustReach("C", c, (m-1)*sc+n)
	if k > 0 {
		mustReach("A", a, (m-1)*sp+(k-1)*sk+1)
		mustReach("B", b, (k-1)*sb+n)
	}
	runTile(m, n, k, a, sp, sk, b, sb, start, ss, c, sc, far)
}

// mustReach panics unless x has n elements: the kernels in assembly do not
// check bounds.
func mustReach(name string, x []float64, n int) {
	if len(x) < n {
		panic(fmt.Sprintf("kernel: operand %s holds %d numbers, want %d", name, len(x), n))
	}
}
