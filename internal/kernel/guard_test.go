//go:build linux

package kernel

import (
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n numbers that end where memory does: reading or writing one
// more is a fault.
func guarded(t *testing.T, n int) []float64 {
	if n == 0 {
		return nil
	}
	page := os.Getpagesize()
	bytes := roundUp(8*n, page)
	m, err := syscall.Mmap(-1, 0, bytes+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(m[bytes:], syscall.PROT_NONE); err != nil {
		t.Skip(err)
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&m[bytes-8*n])), n)
}

// TestGuarded runs everything on operands that end where memory does.
func TestGuarded(t *testing.T) {
	defer func(old func(int) []float64) { allocate = old }(allocate)
	rng := rand.New(rand.NewPCG(13, 14))
	for i := range 300 {
		t.Run("", func(t *testing.T) {
			allocate = func(n int) []float64 { return guarded(t, n) }
			samePaths(t, randomTileCase(rng), rng.Uint64())
			if i%3 == 0 {
				randomProduct(t, rng.Uint64(), randomSize(rng, 300), randomSize(rng, 100), randomSize(rng, 40), i/3, []int{1, 2, 5})
			}
		})
	}
}
