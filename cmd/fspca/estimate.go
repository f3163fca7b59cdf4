package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// longWork is how long work may take without an announcement.
const longWork = 10 * time.Second

// slowest is the number of operations that any machine does in a second.
const slowest = 1e8

// An implicit fit multiplies all rows by this many columns, in this many passes.
const width, passes = 16, 9

// rowPasses is how often a fit usually reads rows in blocks if it does not form A: for their moments and a first
// product, three times for the leading pairs. The last of these gives columns of A too; others may take one more.
const rowPasses = 5

// span is a range of times in seconds. The zero value means that the time is not known.
type span struct{ low, high float64 }

// doubt is the factor by which a time may be shorter or longer than the count of operations says:
// the count is rough, and other programs share the machine.
const doubt = 3

func about(seconds float64) span { return span{seconds / doubt, seconds * doubt} }

// within cuts a range off at a deadline; 0 means none.
func (s span) within(deadline time.Duration) span {
	if deadline <= 0 {
		return s
	}
	return span{math.Min(s.low, deadline.Seconds()), math.Min(s.high, deadline.Seconds())}
}

// long reports whether the work may take long enough to be announced.
func (s span) long() bool { return s.high >= longWork.Seconds() }

// say returns a clause with the time that the work may take, "" if it is short. Sure is false where
// the time is not known.
func (s span) say(sure bool, deadline time.Duration) string {
	switch {
	case s.long():
		return fmt.Sprintf("; it may take %v", s)
	case !sure && deadline == 0:
		return "; how long it takes is not known: --deadline ends it with the best so far"
	}
	return ""
}

// String writes the range in words.
func (s span) String() string {
	low, high := lengthOf(seconds(s.low)), lengthOf(seconds(s.high))
	if low == high {
		return "about " + high
	}
	return fmt.Sprintf("%s to %s at this machine's present speed", low, high)
}

// seconds returns a duration of at most 30 years.
func seconds(s float64) time.Duration {
	return time.Duration(math.Min(s, 1e9) * float64(time.Second))
}

// countable reports whether the operations of a fit can be counted in advance. A search for a proof
// ends when it has one, and the methods for comparison have other costs.
func countable(o selector.Options) bool {
	return o.Effort != string(solver.EffortExact) && (o.Method == "" || o.Method == string(solver.MethodIPU) || o.Method == string(solver.MethodGo))
}

// estimate returns how long a fit of data of this shape may take on this machine, and false if that
// is not known.
func estimate(s solver.Shape, o selector.Options) (span, bool) {
	if !countable(o) {
		return span{}, false
	}
	flop := work(s, o)
	if flop < slowest*longWork.Seconds() { // short on any machine
		return span{}, true
	}
	return about(flop / machineSpeed(flop)).within(o.Deadline), true
}

// work returns about how many floating-point operations a fit takes.
func work(s solver.Shape, o selector.Options) float64 {
	n, d := float64(s.Rows), float64(s.Columns)
	smaller := math.Min(n, d)
	if s.Rows == 0 {
		n, smaller = d, d
	}
	cells := n * d
	if s.Sparse {
		cells = 10 * float64(s.Entries) // scattered in memory
	}
	formed := cells*smaller + eigen(smaller)
	fit := math.Min(formed, 4*cells*width*passes)
	if o.Effort == string(solver.EffortThorough) {
		fit = formed + 100*4*d*d*width
	}
	all := fit * (1 + 0.1*float64(max(0, min(s.Sizes, s.Columns)-1))) // all k share the matrix
	all += fit * float64(o.Bootstrap)
	if o.ParallelAnalysis {
		all += shuffled(cells, smaller)
	}
	if o.Reconstruction { // of the chosen columns and of random ones
		k := float64(min(max(o.Features, 1), s.Columns))
		all += 8 * 2 * cells * k
	}
	return all
}

// eigen returns about how many operations the leading eigenpairs of a matrix of this order take.
func eigen(order float64) float64 {
	return math.Min(12*order*order*order, 4*width*passes*order*order)
}

// shuffled returns about how many operations the tables of parallel analysis take. The spectrum of a
// shuffled table is flat, so an iteration costs as much as forming the matrix. Up to 448 columns,
// two shuffled copies serve all tables, three where there are few rows.
func shuffled(cells, smaller float64) float64 {
	const tables, few, long = 50, 448, 16
	if smaller <= few {
		copies := 3.0
		if cells >= long*smaller*smaller {
			copies = 2
		}
		return copies*copies*cells*smaller + tables*2*smaller*smaller*smaller
	}
	return tables * 2 * (cells*smaller + eigen(smaller))
}

// machineSpeed returns how many operations a second a fit does on this machine at present: the speed
// of matrix products, less what a fit loses to memory. More work gets a longer measurement, which
// includes the load by other programs.
func machineSpeed(flop float64) float64 {
	const lost = 0.3
	speed := gemmSpeed(shortLook)
	if long := lookFor(flop / speed); long > shortLook {
		speed = gemmSpeed(long)
	}
	return lost * speed
}

// A measurement takes a hundredth of what it foretells, and no less than shortLook or more than
// longLook: on what is short it would be wasted.
const (
	shortLook = 5 * time.Millisecond
	longLook  = 200 * time.Millisecond
)

// lookFor returns how long work that takes so many seconds is to be measured.
func lookFor(work float64) time.Duration {
	return max(shortLook, min(longLook, seconds(work/100)))
}

// gemmSpeed measures the operations a second of matrix products for a while.
func gemmSpeed(while time.Duration) float64 {
	const order = 256
	a, c := kernel.NewMatrix(order, order), kernel.NewMatrix(order, order)
	start, products := time.Now(), 0
	for products == 0 || time.Since(start) < while {
		kernel.Gemm(false, false, 1, a, a, 0, c)
		products++
	}
	return 2 * order * order * order * float64(products) / math.Max(1e-6, time.Since(start).Seconds())
}

// estimateBlocks returns how long a fit of rows in blocks may take, and false if that is not known.
// Formed says that A is formed in one pass over the rows; otherwise a fit takes rowPasses or more.
func (d *source) estimateBlocks(ctx context.Context, o selector.Options, formed bool) (span, bool) {
	if !countable(o) {
		return span{}, false
	}
	pass, err := d.passTime(ctx)
	if err != nil { // the fit will report it
		return span{}, false
	}
	n, columns := d.blocks.Dims()
	cells, order := float64(n)*float64(columns), float64(columns)
	reads, flop := float64(rowPasses), 4*cells*width*rowPasses
	if formed {
		reads, flop = 1, cells*order+work(solver.Shape{Columns: columns}, o)
	}
	if o.Weight != "" {
		reads += 2
	}
	if o.Bootstrap > 0 { // the memory holds the matrices of some draws at once
		atOnce := math.Max(1, float64(d.rowsMemory())/(16*order*order))
		reads += math.Ceil(float64(o.Bootstrap) / atOnce)
		flop *= 1 + float64(o.Bootstrap)
	}
	return about(reads*pass + flop/machineSpeed(flop)).within(o.Deadline), true
}

// passTime returns how many seconds a pass over the rows takes, measured on the first of them.
func (d *source) passTime(ctx context.Context) (float64, error) {
	const cells = 1 << 18
	n, columns := d.blocks.Dims()
	block := mat.NewDense(max(1, min(n, cells/max(1, columns))), max(1, columns), nil)
	start, pass := time.Now(), 0.0
	for from := 0; from < n && (from == 0 || time.Since(start) < lookFor(pass)); {
		got, err := d.blocks.Read(ctx, from, block)
		if err != nil {
			return 0, err
		}
		from += max(1, got)
		pass = time.Since(start).Seconds() * float64(n) / float64(from)
	}
	return pass, nil
}
