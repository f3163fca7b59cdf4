package kernel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns how many goroutines Parallel uses for n tasks: the smaller
// of n and GOMAXPROCS, at least 1.
func Workers(n int) int {
	return max(1, min(n, runtime.GOMAXPROCS(0)))
}

// Parallel calls body(worker, task) once for every task 0 ≤ task < n, on
// Workers(n) goroutines, the caller's among them, and returns when all are
// done. Which worker runs which task is left open; 0 ≤ worker < Workers(n)
// numbers the caller's scratch space. A result does not depend on GOMAXPROCS
// when n and the tasks depend on the shape of the problem alone and every
// task writes to places of its own, that are combined in task order.
//
// With one worker the tasks run in order on the caller's goroutine and
// nothing is allocated. No goroutine outlives the call. A panic in a task is
// raised again in the caller.
func Parallel(n int, body func(worker, task int)) {
	workers := Workers(n)
	if workers == 1 {
		for i := range n {
			body(0, i)
		}
		return
	}
	p := &parallel{n: int64(n), body: body}
	p.wait.Add(workers - 1)
	for w := 1; w < workers; w++ {
		go p.help(w)
	}
	p.run(0)
	p.wait.Wait()
	if f := p.failure.Load(); f != nil {
		panic(f.value)
	}
}

// parallel is the state of one call of Parallel.
type parallel struct {
	next    atomic.Int64
	n       int64
	body    func(worker, task int)
	wait    sync.WaitGroup
	failure atomic.Pointer[failure]
}

type failure struct{ value any }

func (p *parallel) help(worker int) {
	defer p.wait.Done()
	p.run(worker)
}

func (p *parallel) run(worker int) {
	defer func() {
		if r := recover(); r != nil {
			p.failure.CompareAndSwap(nil, &failure{r})
			p.next.Store(p.n)
		}
	}()
	for {
		i := p.next.Add(1) - 1
		if i >= p.n {
			return
		}
		p.body(worker, int(i))
	}
}

// parallelIf is Parallel where the work (in multiply-adds) pays for starting
// goroutines, and a plain loop otherwise. The tasks are the same.
func parallelIf(work, n int, body func(worker, task int)) {
	if work < smallWork {
		for i := range n {
			body(0, i)
		}
		return
	}
	Parallel(n, body)
}

// smallWork is the number of multiply-adds below which a second goroutine
// costs more (a few microseconds) than it saves.
var smallWork = 1 << 18 // tests set it to 0

// span returns the limits of part i of n elements cut in parts pieces whose
// sizes are multiples of unit, except for the last: nearly equal pieces.
func span(n, parts, unit, i int) (lo, hi int) {
	units := (n + unit - 1) / unit
	lo = units * i / parts * unit
	hi = units * (i + 1) / parts * unit
	return min(lo, n), min(hi, n)
}
