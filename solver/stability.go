package solver

import "math/rand/v2"

// BootstrapRows returns n row indices drawn from 0..n−1 with replacement, the
// resample number index of the experiment seed. It depends on its arguments
// alone.
func BootstrapRows(n int, seed, index uint64) []int {
	rng := rand.New(rand.NewPCG(seed, index))
	rows := make([]int, n)
	for i := range rows {
		rows[i] = rng.IntN(n)
	}
	return rows
}

// Frequencies returns, for each of d columns, the share of the supports that
// hold it.
func Frequencies(d int, supports [][]int) []float64 {
	f := make([]float64, d)
	for _, s := range supports {
		for _, j := range s {
			f[j]++
		}
	}
	for j := range f {
		f[j] /= float64(max(1, len(supports)))
	}
	return f
}
