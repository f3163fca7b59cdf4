package kernel

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, threads := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(threads)
		for _, n := range []int{0, 1, 5, 100} {
			times := make([]atomic.Int32, n)
			var busy [8]atomic.Int32
			Parallel(n, func(worker, task int) {
				if worker < 0 || worker >= Workers(n) || busy[worker].Add(1) != 1 {
					t.Errorf("worker %d of %d is not alone", worker, Workers(n))
				}
				times[task].Add(1)
				busy[worker].Add(-1)
			})
			for i := range times {
				if times[i].Load() != 1 {
					t.Fatalf("%d threads: task %d of %d ran %d times", threads, i, n, times[i].Load())
				}
			}
		}
	}
}

func TestParallelPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	before := runtime.NumGoroutine()
	for range 20 {
		func() {
			defer func() {
				if r := recover(); r != "broken" {
					t.Errorf("recovered %v, want what the task panicked with", r)
				}
			}()
			parallelRounds(5, 10, func(_, task int) {
				if task == 17 {
					Parallel(8, func(_, inner int) {
						if inner == 3 {
							panic("broken")
						}
					})
				}
			})
			t.Error("no panic")
		}()
	}
	for wait := 0; runtime.NumGoroutine() > before && wait < 100; wait++ {
		time.Sleep(time.Millisecond) // goroutines end just after they are waited for
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// TestNoHelperIsNeeded: the caller does all that no helper comes to do, and one
// that comes too late does nothing.
func TestNoHelperIsNeeded(t *testing.T) {
	for _, tc := range []struct{ rounds, n int }{{1, 1}, {1, 50}, {7, 3}, {40, 1}} {
		var order []int
		p := newParallel(tc.rounds, tc.n, func(worker, task int) {
			if worker != 0 {
				t.Errorf("a worker that came late does task %d", task)
			}
			order = append(order, task)
		})
		p.run(0)
		p.await(p.n)
		p.run(1)
		if len(order) != tc.rounds*tc.n || !slices.IsSorted(order) {
			t.Errorf("%d rounds of %d: the caller alone did %v", tc.rounds, tc.n, order)
		}
	}
}

// TestWaitingHoldsNothing: a worker that waits for a round has taken no task of
// it, so that the one it waits for can do them all.
func TestWaitingHoldsNothing(t *testing.T) {
	const rounds, n = 30, 2
	slow, waits := make(chan struct{}), make(chan struct{})
	var doneBySlow atomic.Int32
	p := newParallel(rounds, n, func(worker, task int) {
		if worker == 0 {
			if task == 0 {
				close(slow)
				<-waits
			}
			doneBySlow.Add(1)
		}
	})
	go p.run(0)
	<-slow
	var helper sync.WaitGroup
	helper.Go(func() { p.run(1) })
	for p.finished.Load() != 1 { // the helper did task 1, reported it, and waits for task 0
		runtime.Gosched()
	}
	if next := p.next.Load(); next != n {
		t.Errorf("the next task is %d while round 0 is under way, want %d", next, n)
	}
	close(waits)
	helper.Wait()
	p.await(p.n)
	if doneBySlow.Load() == 0 {
		t.Error("the first worker did nothing")
	}
}

// TestRounds: no task begins before those of earlier rounds are done.
func TestRounds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, threads := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(threads)
		for _, n := range []int{1, 3, 16} {
			const rounds = 50
			var done [rounds]atomic.Int32
			parallelRounds(rounds, n, func(_, task int) {
				if r := task / n; r > 0 && done[r-1].Load() != int32(n) {
					t.Errorf("%d threads: task %d of round %d begins after %d of %d before it", threads, task%n, r, done[r-1].Load(), n)
				}
				done[task/n].Add(1)
			})
			if got := done[rounds-1].Load(); got != int32(n) {
				t.Errorf("%d threads: %d of %d tasks of the last round", threads, got, n)
			}
		}
	}
}

func TestSpan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 1000 {
		n, parts, unit := rng.IntN(200), 1+rng.IntN(20), 1+rng.IntN(15)
		next := 0
		for i := range parts {
			lo, hi := span(n, parts, unit, i)
			if lo != next || hi < lo || hi != n && hi%unit != 0 {
				t.Fatalf("part %d of %d of %d by %d is [%d, %d), want it from %d", i, parts, n, unit, lo, hi, next)
			}
			next = hi
		}
		if next != n {
			t.Fatalf("parts of %d end at %d", n, next)
		}
	}
}

// TestNoAllocation: with one worker nothing is allocated in a call, once its
// scratch space is there.
func TestNoAllocation(t *testing.T) {
	if raceDetector {
		t.Skip("sync.Pool forgets at random under the race detector")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	rng := rand.New(rand.NewPCG(1, 4))
	x, q, y := randomMatrix(rng, 300, 60), randomMatrix(rng, 60, 16), randomMatrix(rng, 60, 16)
	t0, c, mean := randomMatrix(rng, 300, 16), NewMatrix(60, 60), make([]float64, 60)
	big, out := NewMatrix(200, 200), NewMatrix(200, 200)
	pass, sparse := NewPass(x, mean, 16), NewSparsePass(sparseOf(x), mean, 16)
	for name, f := range map[string]func(){
		"Fused":        func() { pass.Fused(y, q) },
		"Right":        func() { pass.Right(t0, q) },
		"Left":         func() { pass.Left(y, t0) },
		"sparse Fused": func() { sparse.Fused(y, q) },
		"Moments":      func() { Moments(mean, nil, x) },
		"Gemm":         func() { Gemm(true, false, 1, x, t0, 0, y) },
		"large Gemm":   func() { Gemm(false, true, 1, big, big, 0, out) },
		"Cross":        func() { Cross(c, View{X: x, Mean: mean}) },
		"Dot":          func() { mean[0] = Dot(mean, mean) },
	} {
		f()
		if n := testing.AllocsPerRun(20, f); n > 2 { // closures for a few words
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestPeaks(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		if p := Peak(1 << 12); !(p > 0) || math.IsInf(p, 0) {
			t.Errorf("peak of %v GFLOP/s", p)
		}
		if b := ReadBandwidth(make([]float64, 1<<18)); !(b > 0) || math.IsInf(b, 0) {
			t.Errorf("bandwidth of %v GB/s", b)
		}
	})
}
