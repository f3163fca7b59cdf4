package bestfirst

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"testing"
)

type waiting struct {
	bound  float64
	number int
}

func (w waiting) Rank() (float64, int) { return w.bound, w.number }

// What comes out is sorted by bound, and by the latest among equals, in whatever order it went in.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []waiting
	for i := range 200 {
		all = append(all, waiting{float64(random.IntN(9)), i})
	}
	want := slices.Clone(all)
	slices.SortFunc(want, func(a, b waiting) int {
		if a.bound != b.bound {
			return int(b.bound - a.bound)
		}
		return b.number - a.number
	})
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var q Queue[waiting]
	for _, w := range all {
		heap.Push(&q, w)
	}
	for _, w := range want {
		if q[0] != w {
			t.Fatalf("the first is %v, want %v", q[0], w)
		}
		if got := heap.Pop(&q).(waiting); got != w {
			t.Fatalf("got %v, want %v", got, w)
		}
	}
	if q.Len() != 0 {
		t.Errorf("%d are left", q.Len())
	}
}
