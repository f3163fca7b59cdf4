package kernel

import (
	"math/rand/v2"
	"testing"
)

// TestBuffersAreSeparate: what two hold at once never overlaps, whatever they held and gave back, and a
// small request gets no large room.
func TestBuffersAreSeparate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 77))
	held := map[*Buffer][]float64{}
	for step := range 2000 {
		if len(held) < 8 {
			b, n := Borrow(), 1<<rng.IntN(14)+rng.IntN(100)
			before := 0
			if rng.IntN(2) == 0 {
				before = 1 + rng.IntN(n)
				b.Floats(before)
			}
			x := b.Floats(n)
			if len(x) != n || misalignment(x) != 0 || cap(b.data) > 2*(n+line) && cap(b.data) > 2*before {
				t.Fatalf("room of %d for %d numbers, %d from a line", cap(b.data), n, misalignment(x))
			}
			for i := range x {
				x[i] = float64(step)
			}
			held[b] = x
			continue
		}
		for b, x := range held {
			for _, v := range x {
				if v != x[0] {
					t.Fatalf("step %d: %v and %v in one buffer", step, x[0], v)
				}
			}
			delete(held, b)
			b.Release()
			break
		}
	}
}

// TestClasses: room is at least what is asked for and little more, and belongs to one class.
func TestClasses(t *testing.T) {
	last := 0
	for n := range 1 << 17 {
		at, room := class(n)
		again, same := class(room)
		if room < n || room > n+n/16+1 || again != at || same != room || at < last || at > last+1 {
			t.Fatalf("%d numbers: class %d, room %d; that is of class %d, room %d", n, at, room, again, same)
		}
		last = at
	}
	if at, room := class(1 << 23); at != mostClasses-1 || room != 1<<23 {
		t.Errorf("the largest class is %d with room for %d, want %d", at, room, mostClasses-1)
	}
}

// TestReleasedPasses: a pass that gave its room back works again, and in room with any content.
func TestReleasedPasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 78))
	for _, shape := range [][2]int{{40, 30}, {700, 50}, {300, 2000}} {
		x, mean := randomMatrix(rng, shape[0], shape[1]), make([]float64, shape[1])
		Moments(mean, nil, x)
		q := randomMatrix(rng, shape[1], 5)
		support := []int{1, 7, 20}
		v, w := View{X: x, Columns: support, Mean: []float64{mean[1], mean[7], mean[20]}}, randomMatrix(rng, 3, 5)
		fresh := NewPass(x, mean, 16)
		fused, left := NewMatrix(shape[1], 5), NewMatrix(shape[1], 5)
		fresh.Fused(fused, q)
		fresh.LeftOf(left, v, w)
		again := NewPass(x, mean, 16)
		for range 3 {
			for _, n := range []int{100, 3000, 50000} {
				b := Borrow()
				for i := range b.Floats(n) {
					b.Floats(n)[i] = 1e300
				}
				b.Release()
			}
			y := NewMatrix(shape[1], 5)
			again.Fused(y, q)
			mustEqual(t, "Fused", y.Data, fused.Data, shape)
			again.Release()
			again.LeftOf(y, v, w)
			mustEqual(t, "LeftOf", y.Data, left.Data, shape)
			again.Release()
		}
	}
}
