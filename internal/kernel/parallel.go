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

// Parallel calls body(worker, task) once for every task 0 ≤ task < n, and returns
// when all are done. It uses at most Workers(n) goroutines, including the caller's.
// Which worker runs which task is left open; 0 ≤ worker < Workers(n) numbers the
// caller's scratch space. A result does not depend on GOMAXPROCS under two
// conditions. n and the tasks depend only on the shape of the problem. Every task
// writes to its own places, and these are combined in task order.
//
// With one worker the tasks run in order on the caller's goroutine and
// nothing is allocated. A panic in a task is raised again in the caller; tasks
// that nobody had begun by then are left out.
//
// The caller waits for tasks that others have begun, never for a helper to
// begin. Where other goroutines keep all processors busy, the caller does the
// tasks itself; a helper that gets a processor later finds none and ends.
func Parallel(n int, body func(worker, task int)) { parallelRounds(1, n, body) }

// parallelRounds is Parallel for rounds·n tasks, in rounds of n: no task begins
// before all tasks of the rounds before its own are done.
func parallelRounds(rounds, n int, body func(worker, task int)) {
	tasks := rounds * n
	workers := min(Workers(tasks), Processors())
	if workers == 1 {
		for i := range tasks {
			body(0, i)
		}
		return
	}
	p := newParallel(rounds, n, body)
	for range workers - 1 {
		if !engage(p) {
			go help(p)
		}
	}
	underWay.Add(1)
	p.run(0)
	p.await(p.n)
	underWay.Add(-1)
	p.over.Store(true)
	if f := p.failure.Load(); f != nil {
		panic(f.value)
	}
}

// parallel is the state of one call of Parallel.
type parallel struct {
	n, round int64 // tasks, and those of a round
	body     func(worker, task int)
	failure  atomic.Pointer[failure]
	helpers  atomic.Int64 // that have begun: the last one's number as a worker
	over     atomic.Bool  // the caller has all tasks

	lock     sync.Mutex
	roundEnd sync.Cond

	_        [8 * line]byte // the lines of what changes with every task are not those of the rest
	next     atomic.Int64   // the first task that nobody has taken
	_        [8 * line]byte
	finished atomic.Int64 // tasks reported as done
}

type failure struct{ value any }

func newParallel(rounds, n int, body func(worker, task int)) *parallel {
	p := &parallel{n: int64(rounds * n), round: int64(n), body: body}
	p.roundEnd.L = &p.lock
	return p
}

// run does tasks until none is left to take. A task of a round that is not open
// yet is not taken: who waits holds nothing that others wait for.
func (p *parallel) run(worker int) {
	done := int64(0) // and not reported
	defer func() { p.report(done) }()
	for {
		i := p.next.Load()
		if i >= p.n {
			return
		}
		if start := i - i%p.round; p.finished.Load() < start {
			p.report(done)
			done = 0
			p.await(start)
		} else if p.next.CompareAndSwap(i, i+1) {
			done++
			p.do(worker, int(i))
		}
	}
}

// do does a task. After a panic the tasks are taken and reported still, so that
// nobody waits in vain, but not done.
func (p *parallel) do(worker, task int) {
	defer func() {
		if r := recover(); r != nil {
			p.failure.CompareAndSwap(nil, &failure{r})
		}
	}()
	if p.failure.Load() == nil {
		p.body(worker, task)
	}
}

// report adds to the tasks that are done.
func (p *parallel) report(done int64) {
	if done > 0 && p.finished.Add(done)%p.round == 0 {
		p.lock.Lock()
		p.roundEnd.Broadcast()
		p.lock.Unlock()
	}
}

// await returns when that many tasks are reported. Others are at work on them,
// mostly for microseconds; one that lost its processor may take much longer.
func (p *parallel) await(tasks int64) {
	for range patience {
		if p.finished.Load() >= tasks {
			return
		}
	}
	p.lock.Lock()
	for p.finished.Load() < tasks {
		p.roundEnd.Wait()
	}
	p.lock.Unlock()
}

// patience is how often a worker looks before it sleeps: for about as long as
// it takes to be woken.
const patience = 20000

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
// costs more (some ten microseconds) than it saves.
var smallWork = 1 << 20 // tests set it to 0

// span returns the limits of part i of n elements cut in parts pieces whose
// sizes are multiples of unit, except for the last: nearly equal pieces.
func span(n, parts, unit, i int) (lo, hi int) {
	units := (n + unit - 1) / unit
	lo = units * i / parts * unit
	hi = units * (i + 1) / parts * unit
	return min(lo, n), min(hi, n)
}
