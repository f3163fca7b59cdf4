package dataset

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// recode makes text of UTF-16 and UTF-32 that of UTF-8. It is known by its byte order mark, and
// UTF-16 without one by the zero bytes beside the first letters.
func (f *File) recode() error {
	start, _ := f.text.Peek(4)
	order, size, mark := unicodeOf(start)
	if order == nil {
		return nil
	}
	if mark {
		if _, err := f.text.Discard(size); err != nil {
			return err
		}
	}
	f.recoded = true
	f.text = bufio.NewReaderSize(&recoder{r: f.text, order: order, size: size}, 1<<16)
	_, err := f.text.Peek(1)
	if err == io.EOF {
		err = nil
	}
	return err
}

// unicodeOf returns the byte order of text that starts so, the bytes of a unit, and whether a mark
// says it; nil for other text.
func unicodeOf(start []byte) (order binary.ByteOrder, size int, mark bool) {
	size, mark = 2, true
	switch {
	case len(start) == 4 && string(start) == "\xff\xfe\x00\x00":
		order, size = binary.LittleEndian, 4
	case len(start) == 4 && string(start) == "\x00\x00\xfe\xff":
		order, size = binary.BigEndian, 4
	case len(start) >= 2 && string(start[:2]) == "\xff\xfe":
		order = binary.LittleEndian
	case len(start) >= 2 && string(start[:2]) == "\xfe\xff":
		order = binary.BigEndian
	case len(start) == 4 && isGraphic(start[0]) && start[1] == 0 && start[2] == 0 && start[3] == 0:
		order, size, mark = binary.LittleEndian, 4, false
	case len(start) == 4 && start[0] == 0 && start[1] == 0 && start[2] == 0 && isGraphic(start[3]):
		order, size, mark = binary.BigEndian, 4, false
	case len(start) == 4 && isGraphic(start[0]) && start[1] == 0 && isGraphic(start[2]) && start[3] == 0:
		order, mark = binary.LittleEndian, false
	case len(start) == 4 && start[0] == 0 && isGraphic(start[1]) && start[2] == 0 && isGraphic(start[3]):
		order, mark = binary.BigEndian, false
	default:
		return nil, 0, false
	}
	return order, size, mark
}

func isGraphic(c byte) bool { return c >= ' ' && c < 0x7f }

// recoder reads UTF-16 or UTF-32 and gives UTF-8.
type recoder struct {
	r     *bufio.Reader
	order binary.ByteOrder
	size  int   // bytes of a unit
	at    int64 // units read
	rest  []byte
	err   error
}

// Read gives the text in UTF-8; its errors are those of the reader below and of bad characters.
func (c *recoder) Read(p []byte) (int, error) {
	for len(c.rest) == 0 && c.err == nil {
		c.fill()
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	if n == 0 && len(p) > 0 {
		return 0, c.err
	}
	return n, nil
}

// fill recodes some characters.
func (c *recoder) fill() {
	c.rest = c.rest[:0]
	for len(c.rest) < 4096 && c.err == nil {
		u, err := c.unit()
		if err != nil {
			c.err = err
			return
		}
		r := rune(u)
		if c.size == 2 && utf16.IsSurrogate(r) {
			next, err := c.unit()
			if r = utf16.DecodeRune(r, rune(next)); err != nil || r == utf8.RuneError {
				c.err = c.wrong()
				return
			}
		}
		if u > utf8.MaxRune || !utf8.ValidRune(r) {
			c.err = c.wrong()
			return
		}
		c.rest = utf8.AppendRune(c.rest, r)
	}
}

func (c *recoder) unit() (uint32, error) {
	var b [4]byte
	if _, err := io.ReadFull(c.r, b[:c.size]); err != nil {
		if err == io.ErrUnexpectedEOF {
			err = c.wrong()
		}
		return 0, err
	}
	c.at++
	if c.size == 2 {
		return uint32(c.order.Uint16(b[:])), nil
	}
	return c.order.Uint32(b[:]), nil
}

func (c *recoder) wrong() error {
	return fmt.Errorf("the text is UTF-%d by its first bytes, but there is an invalid character near byte %d: convert the file to UTF-8", 8*c.size, c.at*int64(c.size))
}
