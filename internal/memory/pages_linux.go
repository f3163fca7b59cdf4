package memory

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Numbers returns n zeros. Many are in large pages, where the system has these to give: each reading of them
// then waits less for the places of pages to be looked up.
func Numbers(n int) []float64 {
	if n == 0 {
		return nil
	}
	x := make([]float64, n)
	if n >= manyNumbers {
		_ = unix.Madvise(pagesOf(x, largePage), unix.MADV_HUGEPAGE)
	}
	return x
}

// manyNumbers are 8 MiB, beside which a page more or less is nothing.
const manyNumbers = 1 << 20

// largePage is the size of a large page on most systems, in bytes.
const largePage = 2 << 20

// pagesOf returns the whole pages in the memory of numbers.
func pagesOf(x []float64, page int) []byte {
	if len(x) == 0 {
		return nil
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
	first := min(len(b), -int(uintptr(unsafe.Pointer(&b[0])))&(page-1))
	return b[first : first+(len(b)-first)/page*page]
}

// Populate gives numbers that were not written to yet their memory, all at once: much less work for the
// system than one page after another, when each is first written. Where the system cannot, it does nothing.
func Populate(x []float64) {
	if whole := pagesOf(x, os.Getpagesize()); len(whole) > 0 {
		_ = unix.Madvise(whole, unix.MADV_POPULATE_WRITE)
	}
}
