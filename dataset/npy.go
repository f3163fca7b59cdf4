package dataset

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unsafe"

	"gonum.org/v1/gonum/mat"
)

// ReadNPY reads a matrix from NumPy's .npy format, versions 1 to 3; name is its
// name in errors. The array has two dimensions (or one: a single column), in C
// or Fortran order, of float64, float32, signed or unsigned integers of 1 to 8
// bytes or bool, of either byte order. All become float64, without a copy of the
// whole in the type of the file.
//
// Errors, each a *[ParseError]: a file that is no .npy or of another type or
// shape; fewer or more bytes than the shape needs (if the length of r is known,
// as of a file, this is found before anything is allocated); a number that is
// not finite; an integer that float64 does not hold exactly.
func ReadNPY(r io.Reader, name string) (*mat.Dense, error) {
	x, err := readNPY(r, false)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	return x, nil
}

// readNPY reads a matrix; NaN is an error unless it is a missing cell.
func readNPY(r io.Reader, missing bool) (*mat.Dense, error) {
	size, known := sizeLeft(r)
	head := &countingReader{r: r}
	h, err := readNPYHeader(head)
	if err != nil {
		return nil, err
	}
	want := h.bytes()
	if !known {
		// A shape alone must not make us allocate: read what there is.
		text, err := io.ReadAll(io.LimitReader(r, want+1))
		if err != nil {
			return nil, err
		}
		r, size = bytes.NewReader(text), int64(len(text))+head.n
	}
	if got := size - head.n; got < want {
		return nil, fmt.Errorf("the file is cut short: %d×%d numbers of %d bytes need %d bytes, got %d", h.rows, h.columns, h.size, want, got)
	} else if got > want {
		return nil, fmt.Errorf("the file is too long: %d×%d numbers of %d bytes are %d bytes, got more", h.rows, h.columns, h.size, want)
	}
	x := mat.NewDense(h.rows, h.columns, nil)
	if err := h.readNumbers(r, x.RawMatrix().Data); err != nil {
		return nil, err
	}
	return x, checkFinite(x, missing)
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// readNumbers reads the numbers in the order of the file to row-major dst.
func (h *npyHeader) readNumbers(r io.Reader, dst []float64) error {
	if h.kind == 'f' && h.size == 8 && !h.columnMajor && h.order.Uint16([]byte{1, 0}) == binary.NativeEndian.Uint16([]byte{1, 0}) {
		_, err := io.ReadFull(r, unsafe.Slice((*byte)(unsafe.Pointer(&dst[0])), 8*len(dst)))
		return err
	}
	const chunk = 1 << 13 // numbers
	buffer := make([]byte, chunk*h.size)
	numbers := make([]float64, chunk)
	text := bufio.NewReaderSize(r, 1<<17)
	for at := 0; at < len(dst); at += chunk {
		part := numbers[:min(chunk, len(dst)-at)]
		raw := buffer[:len(part)*h.size]
		if _, err := io.ReadFull(text, raw); err != nil {
			return err
		}
		if i := h.convert(part, raw); i >= 0 {
			row, column := h.position(at + i)
			return fmt.Errorf("row %d, column %d: the integer is not exact in float64 (more than 53 bits)", row+1, column+1)
		}
		if !h.columnMajor {
			copy(dst[at:], part)
			continue
		}
		row, column := h.position(at)
		for _, v := range part {
			dst[row*h.columns+column] = v
			if row++; row == h.rows {
				row, column = 0, column+1
			}
		}
	}
	return nil
}

// position returns the place of the i-th number of the file.
func (h *npyHeader) position(i int) (row, column int) {
	if h.columnMajor {
		return i % h.rows, i / h.rows
	}
	return i / h.columns, i % h.columns
}

// convert widens numbers to float64. It returns the index of the first that is
// not exact, −1 if all are.
func (h *npyHeader) convert(dst []float64, raw []byte) int {
	order := h.order
	inexact := -1
	for i := range dst {
		b := raw[i*h.size:]
		switch h.kind {
		case 'f':
			if h.size == 4 {
				dst[i] = float64(math.Float32frombits(order.Uint32(b)))
			} else {
				dst[i] = math.Float64frombits(order.Uint64(b))
			}
		case 'b':
			dst[i] = 0
			if b[0] != 0 {
				dst[i] = 1
			}
		case 'u':
			u := unsigned(order, b, h.size)
			dst[i] = float64(u)
			if inexact < 0 && u > 1<<53 && (dst[i] == 1<<64 || uint64(dst[i]) != u) {
				inexact = i
			}
		default:
			shift := 64 - 8*h.size
			s := int64(unsigned(order, b, h.size)<<shift) >> shift
			dst[i] = float64(s)
			if inexact < 0 && (s > 1<<53 || s < -1<<53) && (dst[i] == 1<<63 || int64(dst[i]) != s) {
				inexact = i
			}
		}
	}
	return inexact
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

// checkFinite reports the first number that is not finite, and how many are
// not.
func checkFinite(x *mat.Dense, missing bool) error {
	at := findNonFinite(x, missing)
	if at.count == 0 {
		return nil
	}
	n, d := x.Dims()
	err := fmt.Errorf("row %d of %d, column %d of %d: %v is not a finite number (%s like it)",
		at.row+1, n, at.column+1, d, at.value, counted(at.count, "cell"))
	if math.IsNaN(at.value) && !missing {
		return fmt.Errorf("%w; in a table, NaN can count as missing (option missing)", err)
	}
	return err
}

// readNPYFrame reads a table without names; see ReadOptions.
func readNPYFrame(r io.Reader, path string, opt ReadOptions) (*Frame, error) {
	missing := slices.ContainsFunc(opt.Missing, func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "nan") })
	x, err := readNPY(r, missing)
	if err != nil {
		return nil, &ParseError{File: path, Err: err}
	}
	n, d := x.Dims()
	bad := &mistakes{file: path}
	chosen := chooseColumns(numberedNames(d), opt, 0, bad)
	var cols []Column
	var class *Factor
	var numeric []int
	for _, c := range chosen {
		col := Column{Name: c.name}
		if c.declared {
			col.Factor = factorOf(x, c.field)
		} else {
			numeric = append(numeric, c.field)
		}
		if !c.label {
			cols = append(cols, col)
			continue
		}
		class = col.Factor
		if i := slices.Index(class.Codes, Missing); i >= 0 {
			bad.add(0, 0, c.name, fmt.Errorf("row %d of %d: the label is missing", i+1, n))
		}
	}
	if err := bad.err(); err != nil {
		return nil, err
	}
	f, err := Assemble(keepColumns(x.RawMatrix().Data, d, numeric), cols, opt.Label, class)
	if err != nil {
		return nil, &ParseError{File: path, Err: err}
	}
	return f, nil
}

// factorOf returns the numbers of a column as levels.
func factorOf(x *mat.Dense, column int) *Factor {
	n, _ := x.Dims()
	b := newFactorBuilder(0)
	for i := range n {
		if v := x.At(i, column); math.IsNaN(v) {
			b.addMissing()
		} else {
			b.add(string(formatNumber(nil, v)))
		}
	}
	return b.factor()
}
