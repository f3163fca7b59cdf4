package kernel

import (
	"sync"
	"unsafe"
)

// Buffer is scratch space that is reused between calls.
type Buffer struct{ data []float64 }

var buffers = sync.Pool{New: func() any { return new(Buffer) }}

// Borrow returns scratch space; give it back with Release.
func Borrow() *Buffer { return buffers.Get().(*Buffer) }

// Release gives the scratch space back: what Floats returned is void.
func (b *Buffer) Release() { buffers.Put(b) }

// line is the number of float64 in a cache line, and in a 512-bit vector.
const line = 8

// Floats returns n numbers that start at a cache line, with any content. It
// voids what an earlier call returned.
func (b *Buffer) Floats(n int) []float64 {
	if cap(b.data) < n+line {
		b.data = alignedFloats(n)
	}
	b.data = b.data[:cap(b.data)]
	at := misalignment(b.data)
	return b.data[at : at+n : at+n]
}

// alignedFloats allocates n numbers and room to align them.
func alignedFloats(n int) []float64 { return make([]float64, n+line) }

// misalignment returns the index of the first element of x at a cache line.
func misalignment(x []float64) int {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(x))) / unsafe.Sizeof(float64(0)) % line
	return int((line - at) % line)
}

// roundUp returns the smallest multiple of unit that is at least n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
