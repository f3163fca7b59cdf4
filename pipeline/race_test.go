//go:build race

package pipeline

// The race detector makes sync.Pool drop some of what it is given.
func init() { poolsForget = true }
