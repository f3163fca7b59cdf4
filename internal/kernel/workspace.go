package kernel

import (
	"math/bits"
	"sync"
	"unsafe"
)

// Buffer is scratch space that is reused between calls.
type Buffer struct{ data []float64 }

// kept holds buffers that are not in use, by their room; those of the first have none. A
// request is given one of about as much room as it needs: if it got any, all would grow to
// the size of the largest.
var kept [mostClasses]sync.Pool

// mostClasses bounds the room (64 MiB) of scratch space that is reused. To make pages of
// memory takes as long as a few products with them. But beside what is computed with more
// it is nothing, and that would stay in use between calls.
const mostClasses = 321

// class returns the class of room for n numbers, and the numbers of that room: n rounded
// up to five binary digits.
func class(n int) (at, room int) {
	if n == 0 {
		return 0, 0
	}
	shift := max(0, bits.Len(uint(n-1))-5)
	digits := (n-1)>>shift + 1
	return 16*shift + digits, digits << shift
}

// Borrow returns scratch space; give it back with Release.
func Borrow() *Buffer {
	if b, ok := kept[0].Get().(*Buffer); ok {
		return b
	}
	return new(Buffer)
}

// Release gives the scratch space back: what Floats returned is void.
func (b *Buffer) Release() {
	if at, _ := class(cap(b.data)); at < mostClasses {
		kept[at].Put(b)
	}
}

// line is the number of float64 in a cache line, and in a 512-bit vector.
const line = 8

// Floats returns n numbers that start at a cache line, with any content. It
// voids what an earlier call returned.
func (b *Buffer) Floats(n int) []float64 {
	if cap(b.data) < n+line {
		b.grow(n + line)
	}
	b.data = b.data[:cap(b.data)]
	at := misalignment(b.data)
	return b.data[at : at+n : at+n]
}

// grow makes room for n numbers: that of a buffer that is kept, or a new one. Its own is
// kept.
func (b *Buffer) grow(n int) {
	at, room := class(n)
	if at >= mostClasses {
		b.data = make([]float64, n)
		return
	}
	other, ok := kept[at].Get().(*Buffer)
	if !ok {
		other = &Buffer{make([]float64, room)}
	}
	b.data, other.data = other.data, b.data
	other.Release()
}

// Matrix returns an r×c matrix with any content. It voids what an earlier call of Floats
// or Matrix returned.
func (b *Buffer) Matrix(r, c int) Matrix {
	return Matrix{Rows: r, Cols: c, Data: b.Floats(r * c), Stride: c}
}

// aligned returns n zeros that start at a cache line.
func aligned(n int) []float64 {
	b := Buffer{make([]float64, n+line)}
	return b.Floats(n)
}

// misalignment returns the index of the first element of x at a cache line.
func misalignment(x []float64) int {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(x))) / unsafe.Sizeof(float64(0)) % line
	return int((line - at) % line)
}

// roundUp returns the smallest multiple of unit that is at least n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
