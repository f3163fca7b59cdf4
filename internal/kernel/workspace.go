package kernel

import (
	"math/bits"
	"sync"
	"unsafe"
)

// Buffer is scratch space that is reused between calls.
type Buffer struct{ data []float64 }

// kept holds buffers that are not in use, by the logarithm of what they have room for;
// those of the first have none. A request finds one that is about as large as it needs:
// if it got any, all would grow to the size of the largest.
var kept [mostReused + 1]sync.Pool

// mostReused is the logarithm of the number of float64 (up to 64 MiB) of scratch space
// that is reused. To make pages of memory takes as long as a few products with them. But
// beside what is computed with more it is nothing, and that would stay in use between
// calls.
const mostReused = 22

// Borrow returns scratch space; give it back with Release.
func Borrow() *Buffer {
	if b, ok := kept[0].Get().(*Buffer); ok {
		return b
	}
	return new(Buffer)
}

// Release gives the scratch space back: what Floats returned is void.
func (b *Buffer) Release() {
	if at := bits.Len(uint(cap(b.data))); at <= mostReused+1 {
		kept[max(0, at-1)].Put(b)
	}
}

// line is the number of float64 in a cache line, and in a 512-bit vector.
const line = 8

// Floats returns n numbers that start at a cache line, with any content. It
// voids what an earlier call returned.
func (b *Buffer) Floats(n int) []float64 {
	if cap(b.data) < n+line && !b.exchange(n+line) {
		b.data = alignedFloats(n)
	}
	b.data = b.data[:cap(b.data)]
	at := misalignment(b.data)
	return b.data[at : at+n : at+n]
}

// exchange takes the room of a buffer that has n numbers, if one is kept that is not
// much larger, and keeps its own.
func (b *Buffer) exchange(n int) bool {
	floor := bits.Len(uint(n)) - 1
	for at := floor; at <= min(floor+1, mostReused); at++ {
		other, ok := kept[at].Get().(*Buffer)
		if !ok {
			continue
		}
		fits := cap(other.data) >= n
		if fits {
			b.data, other.data = other.data, b.data
		}
		other.Release()
		if fits {
			return true
		}
	}
	return false
}

// Matrix returns an r×c matrix with any content. It voids what an earlier call of Floats
// or Matrix returned.
func (b *Buffer) Matrix(r, c int) Matrix {
	return Matrix{Rows: r, Cols: c, Data: b.Floats(r * c), Stride: c}
}

// alignedFloats allocates n numbers and room to align them.
func alignedFloats(n int) []float64 { return make([]float64, n+line) }

// aligned returns n zeros that start at a cache line.
func aligned(n int) []float64 {
	b := Buffer{alignedFloats(n)}
	return b.Floats(n)
}

// misalignment returns the index of the first element of x at a cache line.
func misalignment(x []float64) int {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(x))) / unsafe.Sizeof(float64(0)) % line
	return int((line - at) % line)
}

// roundUp returns the smallest multiple of unit that is at least n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
