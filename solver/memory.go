package solver

import (
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/solver/spectral"
)

// Shape describes the data of a fit, for the memory that it takes.
type Shape struct {
	Rows    int // n; 0 for a covariance matrix that is given
	Columns int // d

	// Sparse says that the rows are sparse, with so many Entries.
	Sparse  bool
	Entries int

	// Scaled says that the columns of rows are divided (DataOptions.Scale).
	Scaled bool

	// Sizes is the number of k that Path visits; 0 and 1 stand for one fit.
	Sizes int
}

// Memory returns the peak memory, in bytes, of making the operator and of Solve or
// Path, beyond the data. It adds up what they allocate; measurements of more than a
// few MiB lie within a fifth of it. Garbage that is not yet collected comes on top
// (see runtime/debug.SetGCPercent). Sparse rows with columns that have to be shifted
// (see Sparse) take 12 more bytes for each entry.
//
// It knows the methods and efforts of this package; EffortExact takes up to
// Params.MemoryLimit.
func Memory(s Shape, p Params) int64 {
	s = s.bounded()
	f := footprint{Shape: s, k: p.Features, m: p.Components, tell: p.Tell && p.Effort.quick()}
	f.k = max(1, min(f.k, s.Columns))
	f.m = max(1, min(f.m, f.k))
	f.route = s.route()
	if (p.Effort.great() || s.Sizes >= manySizes(s.Columns)) && s.formable() {
		f.route = RouteCovariance
	}
	f.pairs = f.pairsFor(p.Effort)
	need := f.kept() + max(f.making(), f.spectrum(), f.ascent())
	if p.Effort == EffortExact {
		need += p.memoryLimit()
	}
	return need
}

// bounded returns the shape with numbers of 0 or more, none of them so large that
// the bytes of a fit overflow.
func (s Shape) bounded() Shape {
	for _, n := range []*int{&s.Rows, &s.Columns, &s.Entries, &s.Sizes} {
		*n = max(0, min(*n, 1<<27))
	}
	return s
}

// route returns the route that data of this shape take; for sparse rows, whose
// entries decide, that of rows with equally many.
func (s Shape) route() Route {
	switch {
	case s.Rows == 0:
		return RouteMatrix
	case !s.Sparse:
		return route(s.Rows, s.Columns)
	}
	return sparseRoute(s.Columns, s.Entries, s.squares())
}

// formable reports whether explicit forms A.
func (s Shape) formable() bool {
	if s.Sparse {
		return sparseFormable(s.Rows, s.Columns, s.Entries, s.squares())
	}
	return formable(s.Rows, s.Columns)
}

// squares is entrySquares of rows with equally many entries.
func (s Shape) squares() float64 {
	return float64(s.Entries) * float64(s.Entries) / float64(max(1, s.Rows))
}

// footprint adds up what is in use at a time.
type footprint struct {
	Shape
	route       Route
	k, m, pairs int
	tell        bool // Params.Tell
}

// packing is about what the kernels hold for a product of large matrices.
const packing = 6 << 20

// doubles returns the bytes of a rows×columns matrix.
func doubles(rows, columns int) int64 { return 8 * int64(rows) * int64(columns) }

// pairsFor returns how many eigenpairs are read; see newTask.
func (f *footprint) pairsFor(effort Effort) int {
	d := f.Columns
	switch {
	case effort.great():
		r, _ := thoroughPairs(d, f.Rows, f.route, f.m)
		return r
	case d <= wholeOrder:
		return d
	}
	return min(f.m+1, d)
}

// kept is in use from the operator's making on: moments, A where it is formed, and
// what later fits to the same data find again.
func (f *footprint) kept() int64 {
	const vectors = 6 // mean, variances, scales, scores
	need := doubles(vectors, f.Columns)
	if f.route == RouteCovariance || f.route == RouteMatrix || f.route == RouteImplicit && !f.Sparse && mayForm(f.Rows, f.Columns, f.pairs) {
		need += doubles(f.Columns, f.Columns)
	}
	if f.route == RouteGram { // its matrix, and the pairs that were found by it
		need += doubles(f.Rows, f.Rows+f.pairs)
	}
	return need
}

// making is in use while the operator is made.
func (f *footprint) making() int64 {
	d := f.Columns
	switch {
	case f.route == RouteMatrix && d <= choleskyOrder:
		return 2 * doubles(d, d) // the check for semidefiniteness
	case f.Sparse:
		need := 4 * int64(momentParts(f.Entries, d)) * int64(d) * 8
		if f.route == RouteCovariance {
			need = max(need, int64(blockParts(f.Entries, d)-1)*doubles(d, d))
		}
		return need
	}
	return 0
}

// spectrum is in use while the leading eigenpairs are found.
func (f *footprint) spectrum() int64 {
	n, d, r := f.Rows, f.Columns, f.pairs
	switch f.route {
	case RouteCovariance, RouteMatrix:
		return max(f.forming(d, n), f.settling(d, r))
	case RouteGram:
		found := min(r, n)
		return max(f.forming(n, d), f.leading(n, found), doubles(d, 2*r)+f.left(found))
	}
	pairs := spectral.Settings{}.Need(d, r)
	need := pairs.Krylov + f.pass(pairs.Columns)
	if sketched := (&footprint{Shape: Shape{Rows: n / sketchStride, Columns: d, Sparse: f.Sparse, Entries: f.Entries / sketchStride}}); sketched.Rows >= sketchRows {
		need += sketched.pass(pairs.Columns)
		if f.Sparse {
			need += 12 * int64(sketched.Entries)
		}
	}
	if !f.Sparse && mayForm(n, d, f.pairs) {
		need = max(need, f.forming(d, n), f.settling(d, r))
	}
	return need
}

// forming is in use while a matrix of that order is formed from dense rows by sums
// over k.
func (f *footprint) forming(order, k int) int64 {
	if f.Rows == 0 || f.Sparse {
		return 0
	}
	return kernel.CrossScratch(order, k)
}

// leading is in use while r eigenpairs of a matrix of order n are found.
func (f *footprint) leading(n, r int) int64 { return leadingNeed(n, r, spectral.Settings{}) }

// settling is leading where the iteration ends once the fit knows enough; see leadingFull.
func (f *footprint) settling(n, r int) int64 {
	return leadingNeed(n, r, spectral.Settings{Converged: func(*spectral.Pairs) bool { return false }, Aim: settledResidual})
}

func leadingNeed(n, r int, settings spectral.Settings) int64 {
	need := settings.Need(n, r)
	if n <= directOrder || 6*r > n {
		return need.Leading
	}
	return need.Krylov
}

// ascent is in use while IPU goes from support to support: the eigenvectors of
// A, A·W and the block of the chosen columns.
func (f *footprint) ascent() int64 {
	n, d, k, m := f.Rows, f.Columns, f.k, f.m
	need := doubles(d, f.pairs+m)
	if f.route == RouteGram {
		need = doubles(d, m) // the pairs are kept
	}
	block := doubles(k, k) + max(min(packing, doubles(k, k)), f.leading(k, m))
	switch {
	case f.route == RouteCovariance || f.route == RouteMatrix:
		return need + max(block, doubles(k, d))
	case f.Sparse:
		return need + f.pass(m) + max(block, int64(blockParts(f.Entries, k))*doubles(k, k), doubles(d, m)) + 4*int64(d)
	case n < k:
		// The eigenvectors of the block are mostly found before there is an A·W.
		need -= doubles(d, m)
		return need + max(doubles(n, k)+doubles(n, n)+f.leading(n, min(m, n))+doubles(k, 3*m), doubles(d, m)+f.left(m))
	}
	if !f.Sparse && mayForm(n, d, f.pairs) {
		block = max(block, doubles(k, d)-f.left(m))
	}
	if f.tell && f.route == RouteImplicit && k <= directOrder { // a product of twice m columns
		need += doubles(d, m) + f.left(2*m)
	}
	return need + f.left(m) + block
}

// pass is the scratch space of a pass over the rows with so many columns.
func (f *footprint) pass(columns int) int64 {
	width := max(16, columns)
	if f.Scaled {
		scaled := *f
		scaled.Scaled = false
		return doubles(f.Columns, columns) + scaled.pass(columns)
	}
	if f.Sparse {
		return kernel.SparseScratch(f.Rows, f.Columns, f.Entries, width)
	}
	return kernel.PassScratch(f.Rows, f.Columns, width)
}

// left is the scratch space of a product with the transposed rows alone.
func (f *footprint) left(columns int) int64 {
	if f.Sparse {
		return f.pass(columns)
	}
	return kernel.LeftScratch(f.Rows, f.Columns, max(16, columns))
}
