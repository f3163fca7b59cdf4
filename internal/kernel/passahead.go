package kernel

import "unsafe"

// A block of rows that fits the second-level cache beside Q and Y is asked for
// while the block before it is multiplied: with Q, from half a block on, at the
// speed at which it is used up, or with T where that product is alone. Larger ones
// are asked for during the second product, which needs nothing else from memory;
// the largest not at all, as they would drive Q and Y out.
const (
	smallBlock = 512 << 10
	largeBlock = 4 << 20
)

// blockSize returns the bytes of a block of rows.
func (p *Pass) blockSize() int { return size * p.rows * p.x.Stride }

func (p *Pass) aheadRight(i0 int) fetch {
	if !p.x.dense() || p.blockSize() > smallBlock {
		return fetch{}
	}
	return fetch{from: p.x.address(i0 + p.rows/2), step: 96}
}

func (p *Pass) aheadLeft(i0 int, alone bool) fetch {
	bytes, rate := p.blockSize(), 64
	if bytes <= smallBlock && alone {
		rate = 96
	} else if bytes <= smallBlock || bytes > largeBlock {
		return fetch{}
	}
	if !p.x.dense() {
		return fetch{}
	}
	return fetch{from: p.x.address(i0 + p.rows), step: rate}
}

// dense reports whether little lies between the rows of m: what is asked for
// ahead runs over it.
func (m Matrix) dense() bool { return m.Stride <= m.Cols+m.Cols/8 }

// address returns where row i starts, or would.
func (m Matrix) address(i int) uintptr {
	return addressOf(m.Data) + uintptr(8*i*m.Stride)
}

func addressOf(x []float64) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x))) }
