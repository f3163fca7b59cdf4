package bestfirst

import (
	"container/heap"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

type sized float64

func (s sized) Bound() float64 { return float64(s) }
func (s sized) Size() int64    { return 8 }

// What comes out is sorted by bound, and by the latest among equals, in whatever order it went in.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []waiting[sized]
	for i := range 200 {
		all = append(all, waiting[sized]{sized(random.IntN(9)), i})
	}
	want := slices.Clone(all)
	slices.SortFunc(want, func(a, b waiting[sized]) int {
		if a.node != b.node {
			return int(b.node - a.node)
		}
		return b.number - a.number
	})
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var q queue[sized]
	for _, w := range all {
		heap.Push(&q, w)
	}
	for _, w := range want {
		if q[0] != w {
			t.Fatalf("the first is %v, want %v", q[0], w)
		}
		if got := heap.Pop(&q).(waiting[sized]); got != w {
			t.Fatalf("got %v, want %v", got, w)
		}
	}
	if q.Len() != 0 {
		t.Errorf("%d are left", q.Len())
	}
}

// knapsack is a problem for a search: the largest sum of some values that is at most room.
type knapsack struct {
	values []float64
	room   float64
	best   float64
	fail   func(r *packed) error // of Take; nil: never
	upper  func()                // between batches
}

type load struct {
	at  int // values before it are decided
	sum float64
	top float64
}

func (l load) Bound() float64 { return l.top }
func (l load) Size() int64    { return 24 }

type packed struct {
	load
	sum  float64
	rest []load
}

func (k *knapsack) Cutoff() float64 { return k.best }

func (k *knapsack) load(at int, sum float64) load {
	top := sum
	for _, v := range k.values[at:] {
		top += v
	}
	return load{at, sum, min(top, k.room)}
}

func (k *knapsack) Examine(ctx context.Context, _ int, n *load, _ float64) (packed, error) {
	p := packed{load: *n, sum: n.sum}
	if n.at < len(k.values) {
		if with := n.sum + k.values[n.at]; with <= k.room {
			p.rest = append(p.rest, k.load(n.at+1, with))
		}
		p.rest = append(p.rest, k.load(n.at+1, n.sum))
	}
	return p, ctx.Err()
}

func (k *knapsack) Take(_ context.Context, p *packed) (float64, []load, error) {
	if k.fail != nil {
		if err := k.fail(p); err != nil {
			return 0, nil, err
		}
	}
	k.best = max(k.best, p.sum)
	return math.Inf(-1), p.rest, nil
}

func (k *knapsack) Between(context.Context) error {
	if k.upper != nil {
		k.upper()
	}
	return nil
}

// newKnapsack returns a problem with its optimum, by trying all sums, and the search of it.
func newKnapsack(seed uint64) (*knapsack, float64, *Search[load, packed]) {
	random := rand.New(rand.NewPCG(seed, 3))
	k := &knapsack{best: math.Inf(-1)}
	for range 12 {
		k.values = append(k.values, float64(1+random.IntN(1000)))
		k.room += k.values[len(k.values)-1] / 3
	}
	optimum := 0.0
	for set := range 1 << len(k.values) {
		sum := 0.0
		for i, v := range k.values {
			if set>>i&1 == 1 {
				sum += v
			}
		}
		if sum <= k.room {
			optimum = max(optimum, sum)
		}
	}
	s := &Search[load, packed]{Problem: k, Batch: Batch, Limit: 1 << 20, Closed: math.Inf(-1)}
	s.Push(k.load(0, 0))
	return k, optimum, s
}

// TestOptimum: the search ends with the optimum, after examining part of the nodes, and its
// bound is never below it.
func TestOptimum(t *testing.T) {
	for seed := range uint64(50) {
		k, optimum, s := newKnapsack(seed)
		k.upper = func() {
			if max(s.Upper(), k.best) < optimum {
				t.Errorf("seed %d: bound %v after %d nodes, optimum %v", seed, s.Upper(), s.Nodes, optimum)
			}
		}
		must.OK(t, s.Run(t.Context()))
		if k.best != optimum || s.Len() != 0 || s.Memory != 0 || s.Nodes >= 1<<13 {
			t.Errorf("seed %d: %v, want %v; %d open in %d bytes after %d nodes", seed, k.best, optimum, s.Len(), s.Memory, s.Nodes)
		}
	}
}

// TestNothingIsLost: where the search ends early, by an error at any node, by its context or by
// its memory, the bound covers the optimum, and going on finds it.
func TestNothingIsLost(t *testing.T) {
	broken := errors.New("broken")
	for seed := range uint64(20) {
		k, optimum, s := newKnapsack(seed)
		calls := 0
		k.fail = func(p *packed) error {
			if calls++; calls%7 == 3 {
				return broken
			}
			return nil
		}
		failed := 0
		for s.Len() > 0 {
			err := s.Run(t.Context())
			if err != nil && !errors.Is(err, broken) {
				t.Fatal(err)
			}
			if err != nil {
				failed++
			}
			if max(s.Upper(), k.best) < optimum {
				t.Fatalf("seed %d: bound %v after an error, optimum %v", seed, s.Upper(), optimum)
			}
		}
		if k.best != optimum || failed == 0 || s.Memory != 0 {
			t.Errorf("seed %d: %v, want %v; %d errors; %d bytes", seed, k.best, optimum, failed, s.Memory)
		}
	}
	k, optimum, s := newKnapsack(1)
	ctx, cancel := context.WithCancel(t.Context())
	k.upper = cancel
	if err := s.Run(ctx); !errors.Is(err, context.Canceled) || s.Len() == 0 || max(s.Upper(), k.best) < optimum {
		t.Errorf("%v with %d open, bound %v, optimum %v", err, s.Len(), s.Upper(), optimum)
	}
	s.Limit = 24 * int64(s.Len()-1)
	if err := s.Run(t.Context()); !errors.Is(err, ErrMemory) || max(s.Upper(), k.best) < optimum {
		t.Errorf("%v, bound %v, optimum %v", err, s.Upper(), optimum)
	}
}

// TestEmpty: what is taken out does not count any more.
func TestEmpty(t *testing.T) {
	s := &Search[load, packed]{Closed: math.Inf(-1), Memory: 100}
	s.Push(load{top: 3})
	s.Push(load{top: 5})
	if got := s.Upper(); got != 5 || s.Memory != 148 {
		t.Fatalf("bound %v, %d bytes", got, s.Memory)
	}
	if got := s.Empty(); len(got) != 2 || s.Len() != 0 || s.Memory != 100 || !math.IsInf(s.Upper(), -1) {
		t.Errorf("%v; %d open in %d bytes, bound %v", got, s.Len(), s.Memory, s.Upper())
	}
}
