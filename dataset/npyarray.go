package dataset

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"
	"unsafe"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/half"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/memory"
)

// npyArray is the numbers of an .npy file on their way to a row-major matrix.
type npyArray struct {
	*npyHeader
	ctx   context.Context // nil: none
	data  []float64
	wrong atomic.Bool // some number is not finite
}

// npyChunk is how many numbers are read at a time: few enough to stay in the cache until they are
// looked at.
const npyChunk = 1 << 15

// native reports whether the file holds the matrix as memory does.
func (a *npyArray) native() bool { return !a.columnMajor && a.nativeNumbers() }

// nativeNumbers reports whether the file holds each number as memory does.
func (h *npyHeader) nativeNumbers() bool {
	return h.kind == 'f' && h.size == 8 && h.order.Uint16([]byte{1, 0}) == binary.NativeEndian.Uint16([]byte{1, 0})
}

// readFile reads the numbers of a file from its present place on, as blocks of it are read.
func (a *npyArray) readFile(file *os.File) error {
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	x := mat.NewDense(a.rows, a.columns, memory.Numbers(a.rows*a.columns))
	s := numberFile{file: file, start: start, header: a.npyHeader, fresh: true}
	wrong, err := s.loadAny(a.ctx, 0, a.rows, x, new(kernel.Digest))
	a.data = x.RawMatrix().Data
	a.wrong.Store(wrong)
	if errors.Is(err, io.EOF) {
		err = errors.New("the file became shorter while it was read")
	}
	return err
}

// bytesOf returns the memory of numbers.
func bytesOf(x []float64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
}

// look notes whether a number is not finite.
func (a *npyArray) look(x []float64) {
	var d kernel.Digest
	d.Add(x)
	a.note(&d)
}

// note takes the marks of numbers that were looked at.
func (a *npyArray) note(d *kernel.Digest) {
	if !d.Finite() {
		a.wrong.Store(true)
	}
}

// streamShare is the share of the numbers of a stream that must have come before there is room for all of them.
const streamShare = 32

// readStream reads numbers of which nobody knows how many there are. The header is believed when a
// share of them has come. So the matrix is in memory once and not copied as it grows.
func (a *npyArray) readStream(r io.Reader) error {
	text := &bounded.Counter{R: bufio.NewReaderSize(bounded.Reader(a.ctx, r), 1<<17)}
	all := a.rows * a.columns
	var first bytes.Buffer
	_, err := io.CopyN(&first, text, int64((all+streamShare-1)/streamShare*a.size))
	if err == nil {
		if err := memory.Check("the array", 8*int64(all)); err != nil {
			return err
		}
		a.data = memory.Numbers(all)
		err = a.readChunks(io.MultiReader(&first, text))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return a.checkLength(text.Count())
	} else if err != nil {
		return err
	}
	if n, err := io.ReadFull(text, make([]byte, 1)); n == 1 {
		return a.checkLength(a.bytes() + 1)
	} else if err != io.EOF {
		return cutShort(err)
	}
	return nil
}

// readChunks reads the numbers in the order of the file to their places.
func (a *npyArray) readChunks(r io.Reader) error {
	r = bounded.Reader(a.ctx, r)
	raw := make([]byte, npyChunk*a.size)
	numbers := make([]float64, npyChunk)
	for at := 0; at < len(a.data); at += npyChunk {
		part := a.data[at:min(at+npyChunk, len(a.data))]
		if a.columnMajor {
			part = numbers[:len(part)]
		}
		if _, err := io.ReadFull(r, raw[:len(part)*a.size]); err != nil {
			return cutShort(err)
		}
		if err := a.widen(part, raw, at); err != nil {
			return err
		}
		if !a.columnMajor {
			continue
		}
		row, column := a.position(at)
		for _, v := range part {
			a.data[row*a.columns+column] = v
			if row++; row == a.rows {
				row, column = 0, column+1
			}
		}
	}
	return nil
}

// widen converts numbers of the file, of which the first is number at, and looks at them.
func (a *npyArray) widen(dst []float64, raw []byte, at int) error {
	if i := a.convert(dst, raw); i >= 0 {
		row, column := a.position(at + i)
		return fmt.Errorf("row %d, column %d: the integer is not exact in float64 (more than 53 bits)", row+1, column+1)
	}
	a.look(dst)
	return nil
}

// position returns the place of the i-th number of the file.
func (h *npyHeader) position(i int) (row, column int) {
	if h.columnMajor {
		return i % h.rows, i / h.rows
	}
	return i / h.columns, i % h.columns
}

// bits returns the width of floats that are narrower than float64, else 64.
func (h *npyHeader) bits() int {
	if h.kind == 'f' {
		return 8 * h.size
	}
	return 64
}

// convert widens numbers to float64. It returns the index of the first that is
// not exact, −1 if all are.
func (h *npyHeader) convert(dst []float64, raw []byte) int {
	order := h.order
	switch {
	case h.kind == 'f' && h.size == 8:
		for i := range dst {
			dst[i] = math.Float64frombits(order.Uint64(raw[8*i:]))
		}
	case h.kind == 'f' && h.size == 4:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(order.Uint32(raw[4*i:])))
		}
	case h.kind == 'f':
		for i := range dst {
			dst[i] = half.Value(order.Uint16(raw[2*i:]))
		}
	case h.kind == 'b':
		for i := range dst {
			dst[i] = 0
			if raw[i] != 0 {
				dst[i] = 1
			}
		}
	default:
		return h.convertIntegers(dst, raw)
	}
	return -1
}

func (h *npyHeader) convertIntegers(dst []float64, raw []byte) int {
	shift := 64 - 8*h.size
	for i := range dst {
		u := unsigned(h.order, raw[i*h.size:], h.size)
		exact := true
		if h.kind == 'u' {
			dst[i] = float64(u)
			exact = u <= 1<<53 || dst[i] < 1<<64 && uint64(dst[i]) == u
		} else {
			s := int64(u<<shift) >> shift
			dst[i] = float64(s)
			exact = s <= 1<<53 && s >= -1<<53 || dst[i] < 1<<63 && int64(dst[i]) == s
		}
		if !exact {
			return i
		}
	}
	return -1
}

// unsigned returns the integer of size bytes at the start of b.
func unsigned(order binary.ByteOrder, b []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}
