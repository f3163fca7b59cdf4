package kernel

import (
	"math/rand/v2"
	"testing"
)

// FuzzTile holds the tiles of every path to the plain one on any shape, stride
// and start.
func FuzzTile(f *testing.F) {
	for _, s := range [][3]uint8{{0, 0, 0}, {1, 1, 1}, {12, 16, 9}, {13, 17, 40}, {5, 25, 0}, {31, 33, 7}} {
		f.Add(s[0], s[1], s[2], uint8(s[0]), uint8(7), uint8(3), uint64(s[1]))
	}
	f.Fuzz(func(t *testing.T, m, n, k, strides, offset, start uint8, seed uint64) {
		c := tileCase{m: int(m % 64), n: int(n % 80), k: int(k), offset: int(offset % 9)}
		c.sk, c.sp = 1, c.k+int(strides%4)
		if strides&4 != 0 {
			c.sp, c.sk = 1, c.m+int(strides%4)
		}
		c.sb, c.sc, c.ss = c.n+int(strides>>3%4), c.n+int(strides>>5%4), c.n+int(strides>>6)
		c.start = []string{"zero", "own", "row", "other"}[start%4]
		samePaths(t, c, seed)
	})
}

// FuzzProducts does so with everything that is made of tiles, for any number
// of threads.
func FuzzProducts(f *testing.F) {
	f.Add(uint16(7), uint16(9), uint8(3), uint8(0), uint64(1))
	f.Add(uint16(200), uint16(30), uint8(16), uint8(1), uint64(2))
	f.Add(uint16(30), uint16(300), uint8(33), uint8(2), uint64(3))
	f.Fuzz(func(t *testing.T, n, d uint16, c, what uint8, seed uint64) {
		// Small, and on one number of threads: many shapes in little time.
		randomProduct(t, seed, int(n%27), int(d%34), int(c%11), int(what), []int{1 + int(seed%5)})
	})
}

// randomProduct holds a product, one of eight, to the plain path, for some numbers of threads.
func randomProduct(t *testing.T, seed uint64, rows, cols, width, what int, threads []int) {
	t.Helper()
	everywhereOn(t, seed, threads, func(rng *rand.Rand) []float64 {
		x, q := randomMatrix(rng, rows, cols), randomMatrix(rng, cols, width)
		v, _ := randomView(rng, rows%150, cols%150)
		var out Matrix
		switch what % 8 {
		case 0:
			out = randomMatrix(rng, cols, width)
			NewPass(x, randomVector(rng, cols), width).Fused(out, q)
		case 1:
			out = randomMatrix(rng, rows, width)
			Gemm(false, false, 1.5, x, q, 1, out)
		case 2:
			out = randomMatrix(rng, cols, cols)
			Gemm(true, false, 1, x, x, 0, out)
		case 3:
			out = randomMatrix(rng, v.Cols(), v.Cols())
			Cross(out, v)
		case 4:
			out = randomMatrix(rng, v.Rows(), v.Rows())
			Gram(out, v)
		case 5:
			out = randomMatrix(rng, rows, width)
			NewProjection(q, randomVector(rng, cols)).Project(out, x)
		case 6:
			out = randomMatrix(rng, 2, cols)
			Moments(out.Row(0), out.Row(1), x)
		case 7:
			out = randomMatrix(rng, cols, width)
			NewSparsePass(sparseOf(x), randomVector(rng, cols), width).Fused(out, q)
		}
		return compact(out)
	})
}
