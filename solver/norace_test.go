//go:build !race

package solver

const raceDetector = false
