package kernel

import "time"

// Peak returns the multiply-adds that one core does in registers, in GFLOP/s
// (2 flop each), with the widest vectors of the path in use: the best of
// several runs of n rounds each. It is what the products can reach at most.
func Peak(n int) float64 {
	best := time.Duration(1 << 62)
	flop := 0.0
	for range 5 {
		at := time.Now()
		flop = peak(n)
		best = min(best, max(1, time.Since(at)))
	}
	return flop / float64(best.Nanoseconds())
}

// plainPeak does n·12 multiply-adds and returns the flop.
func plainPeak(n int) float64 {
	var s [12]float64
	for range n {
		for i := range s {
			s[i] = fma(s[i], 0.5, 1)
		}
	}
	if s[0] < 0 {
		return 0
	}
	return 24 * float64(n)
}

// ReadBandwidth returns the rate in GB/s at which Workers threads read x, once,
// and do as good as nothing else.
func ReadBandwidth(x []float64) float64 {
	const piece = 1 << 15
	tasks := len(x) / piece
	at := time.Now()
	Parallel(tasks, func(_, t int) { read(x[t*piece : (t+1)*piece]) })
	return float64(8*piece*tasks) / float64(max(1, time.Since(at).Nanoseconds()))
}

// plainRead adds the numbers of x.
func plainRead(x []float64) float64 {
	var s [8]float64
	for len(x) >= 8 {
		for i := range s {
			s[i] += x[i]
		}
		x = x[8:]
	}
	return s[0]
}
