//go:build race

package kernel

// raceDetector: sync.Pool forgets at random under it, so allocations say nothing.
const raceDetector = true
