//go:build linux

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/fspca/fspca/internal/kernel"
)

// project measures the projection of a million rows of 100 columns on 10
// components against the rate at which the same memory can be read.
func project(w io.Writer) error {
	const n, k, m = 1_000_000, features, components
	rng := rand.New(rand.NewPCG(1, 1))
	x, v := kernel.NewMatrix(n, k), kernel.NewMatrix(k, m)
	for i := range x.Data {
		x.Data[i] = float64(i%1000) - 500
	}
	for i := range v.Data {
		v.Data[i] = rng.NormFloat64()
	}
	mean := make([]float64, k)
	p := kernel.NewProjection(v, mean)
	z := kernel.NewMatrix(n, m)
	for _, threads := range []int{1, 2} {
		old := runtime.GOMAXPROCS(threads)
		var times, rates []float64
		for range 9 {
			rates = append(rates, kernel.ReadBandwidth(x.Data))
			start := time.Now()
			p.Project(z, x)
			times = append(times, time.Since(start).Seconds())
		}
		runtime.GOMAXPROCS(old)
		t, rate := medianOf(times[1:]), medianOf(rates[1:])
		moved := 8 * float64(n*(k+m)) / t / 1e9
		fmt.Fprintf(w, "%d thread(s): %.1f ms, %.1f GB/s of rows and scores, memory reads %.1f GB/s: %.0f %%\n", threads, 1e3*t, moved, rate, 100*moved/rate)
	}
	return nil
}
