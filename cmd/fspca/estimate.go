package main

import (
	"math"
	"time"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// longWork is what is announced with the time that it may take.
const longWork = 10 * time.Second

// slowest is the number of operations that any machine does in a second.
const slowest = 1e8

// estimate returns about how long a fit of data of this shape takes on this machine, and
// false where nobody can know: a search for a proof ends when it has one. It is a guess
// from the multiplications, good to a factor of about 3.
func estimate(s solver.Shape, o selector.Options) (time.Duration, bool) {
	if o.Effort == string(solver.EffortExact) || o.Method != "" && o.Method != string(solver.MethodIPU) && o.Method != string(solver.MethodGo) {
		return 0, false
	}
	flop := work(s, o)
	if flop < slowest*longWork.Seconds() { // which needs no measuring
		return 0, true
	}
	seconds := flop / machineSpeed()
	if o.Deadline > 0 {
		seconds = math.Min(seconds, o.Deadline.Seconds())
	}
	return time.Duration(math.Min(seconds, 1e9) * float64(time.Second)), true
}

// work returns about how many floating-point operations a fit takes.
func work(s solver.Shape, o selector.Options) float64 {
	const width, passes = 16, 9 // of products with all rows, where no matrix is formed
	n, d := float64(s.Rows), float64(s.Columns)
	smaller := math.Min(n, d)
	if s.Rows == 0 {
		n, smaller = d, d
	}
	cells := n * d
	if s.Sparse {
		cells = 10 * float64(s.Entries) // which are not next to one another
	}
	eigen := math.Min(12*smaller*smaller*smaller, 4*width*passes*smaller*smaller)
	fit := math.Min(cells*smaller+eigen, 4*cells*width*passes)
	if o.Effort == string(solver.EffortThorough) {
		fit = cells*smaller + eigen + 100*4*d*d*width
	}
	all := fit * (1 + 0.1*float64(max(0, min(s.Sizes, s.Columns)-1))) // which share the matrix
	all += fit * float64(o.Bootstrap)
	if o.ParallelAnalysis {
		const tables = 50
		all += tables * fit
	}
	if o.Reconstruction { // of the chosen columns and of random ones
		k := float64(min(max(o.Features, 1), s.Columns))
		all += 8 * 2 * cells * k
	}
	return all
}

// machineSpeed returns how many operations a second products of matrices reach here.
func machineSpeed() float64 {
	const order = 256
	a, c := kernel.NewMatrix(order, order), kernel.NewMatrix(order, order)
	best := math.Inf(1)
	for range 5 { // the best, since others may work here too
		start := time.Now()
		kernel.Gemm(false, false, 1, a, a, 0, c)
		best = math.Min(best, math.Max(1e-6, time.Since(start).Seconds()))
	}
	const lost = 0.3 // of the peak, in a fit
	return lost * 2 * order * order * order / best
}
