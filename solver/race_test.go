//go:build race

package solver

// raceDetector: it makes every access to memory ten times as slow, and looks at threads, not at numbers.
const raceDetector = true
