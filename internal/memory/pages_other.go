//go:build !linux

package memory

// Populate does nothing here; on Linux it gives numbers that were not written to yet their memory.
func Populate(x []float64) {}

// Numbers returns n zeros; on Linux many are in large pages.
func Numbers(n int) []float64 {
	if n == 0 {
		return nil
	}
	return make([]float64, n)
}
