package kernel

import (
	"math/rand/v2"
	"testing"
)

// tileCase is one call of tile on random numbers that begin off the cache
// lines, in slices that end with the last element.
type tileCase struct {
	m, n, k, sp, sk, sb, ss, sc, offset int
	start                               string // "zero", "own", "row", "other"
}

func randomTileCase(rng *rand.Rand) tileCase {
	c := tileCase{m: rng.IntN(30), n: rng.IntN(50), k: rng.IntN(40), offset: rng.IntN(9)}
	if rng.IntN(2) == 0 {
		c.sk, c.sp = 1, c.k+rng.IntN(4)
	} else {
		c.sp, c.sk = 1, c.m+rng.IntN(4)
	}
	c.sb, c.sc, c.ss = c.n+rng.IntN(9), c.n+rng.IntN(9), c.n+rng.IntN(9)
	c.start = []string{"zero", "own", "row", "other"}[rng.IntN(4)]
	return c
}

// run returns C, and room around it that must stay as it was.
func (c tileCase) run(seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	random := func(n int) []float64 {
		x := allocate(c.offset + max(0, n))
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x[c.offset:]
	}
	a := random((c.m-1)*c.sp + (c.k-1)*c.sk + 1)
	b := random((c.k-1)*c.sb + c.n)
	const guard = 16
	out := random(max(0, (c.m-1)*c.sc+c.n) + guard)
	start := random((c.m-1)*c.ss + c.n)
	ss := c.ss
	switch c.start {
	case "zero":
		start = nil
	case "own":
		start, ss = out, c.sc
	case "row":
		ss = 0
	}
	tile(c.m, c.n, c.k, a, c.sp, c.sk, b, c.sb, start, ss, out[:len(out)-guard], c.sc)
	return out
}

// TestTilePaths holds every path to the plain one, bit for bit, and to leaving
// what lies between and behind the rows of C alone.
func TestTilePaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		samePaths(t, randomTileCase(rng), rng.Uint64())
	}
}

// samePaths runs a case with every path.
func samePaths(t *testing.T, c tileCase, seed uint64) {
	t.Helper()
	defer use(plain)()
	want := c.run(seed)
	for p := plain + 1; p <= bestPath() && fusedInHardware; p++ {
		active = p
		mustEqual(t, p.String(), c.run(seed), want, c)
	}
}
