package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// maxNPYHeader is the longest header that is read, in bytes. numpy itself
// refuses to read more than 10,000 unless told to.
const maxNPYHeader = 1 << 16

// npyMagic is what an .npy file starts with.
const npyMagic = "\x93NUMPY"

// npyHeader is what the header of an .npy file says about the array (NumPy
// enhancement proposal 1).
type npyHeader struct {
	rows, columns int
	vector        bool // 1-D: one column
	columnMajor   bool // Fortran order
	order         binary.ByteOrder
	kind          byte // 'f', 'i', 'u', 'b'
	size          int  // bytes of a number
}

// bytes returns the length of the array's numbers in the file.
func (h *npyHeader) bytes() int64 { return int64(h.rows) * int64(h.columns) * int64(h.size) }

// checkLength returns an error unless got bytes are as many as the numbers need.
func (h *npyHeader) checkLength(got int64) error {
	want := h.bytes()
	if got < want {
		return fmt.Errorf("the file is cut short: %d×%d numbers of %d bytes need %d bytes, got %d", h.rows, h.columns, h.size, want, got)
	} else if got > want {
		return fmt.Errorf("the file is too long: %d×%d numbers of %d bytes are %d bytes, got more", h.rows, h.columns, h.size, want)
	}
	return nil
}

// readNPYHeader reads the part before the numbers.
func readNPYHeader(r io.Reader) (*npyHeader, error) {
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:6]) != npyMagic {
		return nil, errors.New("this is not an .npy file: it does not start with \\x93NUMPY")
	}
	length, err := headerLength(r, start[6])
	if err != nil {
		return nil, err
	}
	if length > maxNPYHeader {
		return nil, fmt.Errorf("the header has %d bytes: want at most %d", length, maxNPYHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, errors.New("the file is cut short in the header")
	}
	h, err := parseNPYHeader(string(text))
	if err != nil {
		return nil, fmt.Errorf("header %q: %w", clip(strings.TrimSpace(string(text))), err)
	}
	return h, nil
}

// headerLength reads how long the header of a version is.
func headerLength(r io.Reader, version byte) (length uint32, err error) {
	switch version {
	case 1:
		var short uint16
		err = binary.Read(r, binary.LittleEndian, &short)
		length = uint32(short)
	case 2, 3:
		err = binary.Read(r, binary.LittleEndian, &length)
	default:
		return 0, fmt.Errorf("version %d of the .npy format: want 1, 2 or 3", version)
	}
	if err != nil {
		return 0, errors.New("the file is cut short in the header")
	}
	return length, nil
}

// parseNPYHeader reads the Python dictionary that the header is.
func parseNPYHeader(text string) (*npyHeader, error) {
	h := new(npyHeader)
	p := &pythonText{rest: text}
	seen := h.readKeys(p)
	if p.err == nil && p.trim() != "" {
		p.fail("there is more after it")
	}
	if p.err == nil && len(seen) != 3 {
		p.fail("want the keys descr, fortran_order and shape")
	}
	if p.err != nil {
		return nil, p.err
	}
	if hi, lo := bits.Mul64(uint64(h.rows), uint64(h.columns)); hi != 0 || lo > math.MaxInt/8 {
		return nil, fmt.Errorf("%d×%d numbers are too many", h.rows, h.columns)
	}
	return h, nil
}

// readKeys reads the dictionary, and returns its keys.
func (h *npyHeader) readKeys(p *pythonText) map[string]bool {
	seen := make(map[string]bool, 3)
	p.want("{")
	for p.err == nil && !p.accept("}") {
		key := p.quoted()
		p.want(":")
		if seen[key] {
			p.fail("the key %q occurs twice", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			p.check(h.setType(p.typeText()))
		case "fortran_order":
			h.columnMajor = p.boolean()
		case "shape":
			p.check(h.setShape(p.tuple()))
		default:
			p.fail("the key %q is not known", key)
		}
		if !p.accept(",") {
			p.want("}")
			break
		}
	}
	return seen
}

// setType takes over a type as "<f8".
func (h *npyHeader) setType(s string) error {
	h.order = binary.LittleEndian
	code := s
	switch {
	case strings.HasPrefix(s, ">"):
		h.order, code = binary.BigEndian, s[1:]
	case s != "" && strings.Contains("<|=", s[:1]):
		code = s[1:]
	}
	switch code {
	case "f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1":
		h.kind, h.size = code[0], int(code[1]-'0')
		return nil
	}
	return fmt.Errorf("numbers of type %q: want float64, float32, float16, an integer type or bool", s)
}

// setShape takes over a shape as (rows, columns) or (rows,).
func (h *npyHeader) setShape(shape []int) error {
	switch len(shape) {
	case 1:
		h.rows, h.columns, h.vector = shape[0], 1, true
	case 2:
		h.rows, h.columns = shape[0], shape[1]
	default:
		return fmt.Errorf("the array has %d dimensions: want 2, rows and columns (or 1, one column)", len(shape))
	}
	if h.rows == 0 || h.columns == 0 {
		return fmt.Errorf("the array is empty: %s, %s", words.Count(h.rows, "row"), words.Count(h.columns, "column"))
	}
	return nil
}

// pythonText reads the few Python literals of a header. After an error it reads
// nothing more.
type pythonText struct {
	rest string
	err  error
}

func (p *pythonText) fail(format string, args ...any) { p.check(fmt.Errorf(format, args...)) }

func (p *pythonText) check(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *pythonText) trim() string {
	p.rest = strings.TrimLeft(p.rest, " \t\n\r\f\v")
	return p.rest
}

func (p *pythonText) accept(s string) bool {
	if p.err != nil || !strings.HasPrefix(p.trim(), s) {
		return false
	}
	p.rest = p.rest[len(s):]
	return true
}

func (p *pythonText) want(s string) {
	if !p.accept(s) {
		p.fail("want %q before %q", s, clip(p.rest))
	}
}

// quoted reads a string; the ones in a header have no escapes.
func (p *pythonText) quoted() string {
	for _, quote := range []string{"'", `"`} {
		if p.accept(quote) {
			s, rest, ok := strings.Cut(p.rest, quote)
			if !ok {
				break
			}
			p.rest = rest
			return s
		}
	}
	p.fail("want a string before %q", clip(p.rest))
	return ""
}

// typeText reads a type; a list of named fields is an array of records.
func (p *pythonText) typeText() string {
	if strings.HasPrefix(p.trim(), "[") {
		p.fail("the array holds records of several fields: want plain numbers")
		return ""
	}
	return p.quoted()
}

func (p *pythonText) boolean() bool {
	if p.accept("True") {
		return true
	}
	if !p.accept("False") {
		p.fail("want True or False before %q", clip(p.rest))
	}
	return false
}

// tuple reads a tuple of numbers of which each fits an int.
func (p *pythonText) tuple() []int {
	var numbers []int
	p.want("(")
	for p.err == nil && !p.accept(")") {
		p.trim()
		digits := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil {
			p.fail("want a number before %q", clip(p.rest))
			return nil
		}
		p.rest = p.rest[len(digits):]
		p.accept("L") // of Python 2
		numbers = append(numbers, n)
		if !p.accept(",") {
			p.want(")")
			break
		}
	}
	return numbers
}
