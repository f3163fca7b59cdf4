package memory

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Populate gives numbers that were not written to yet their memory, all at once: much less work for the
// system than one page after another, when each is first written. Where the system cannot, it does nothing.
func Populate(x []float64) {
	if len(x) == 0 {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
	page := os.Getpagesize()
	first := -int(uintptr(unsafe.Pointer(&b[0]))) & (page - 1) // of the first whole page
	if whole := (len(b) - first) / page * page; whole > 0 {
		_ = unix.Madvise(b[first:first+whole], unix.MADV_POPULATE_WRITE)
	}
}
