package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Hash returns the SHA-256 of the content of a frame, in hexadecimal: names,
// kinds, numbers bit for bit (all NaN are equal), levels, codes and class, in
// order. It does not depend on the format of the file. A nil frame has the hash of
// an empty one.
func Hash(f *Frame) string {
	if f == nil {
		f = new(Frame)
	}
	sum := sha256.New()
	h := hashWriter{bufio.NewWriterSize(sum, 1<<16)}
	h.text("fspca frame 1")
	h.number(uint64(f.rows))
	h.number(uint64(len(f.cols)))
	for _, c := range f.cols {
		h.text(c.Name)
		h.factor(c.Factor)
	}
	h.text(f.className)
	h.factor(f.class)
	if f.x != nil && !f.x.IsEmpty() {
		for i := range f.rows {
			for _, v := range f.x.RawRowView(i) {
				if math.IsNaN(v) {
					v = math.NaN()
				}
				h.number(math.Float64bits(v))
			}
		}
	}
	h.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}

// hashWriter writes such that no two contents give the same bytes: a text and a
// list come after their length. A hash cannot fail to be written to.
type hashWriter struct{ *bufio.Writer }

func (h hashWriter) number(v uint64) {
	h.Write(binary.LittleEndian.AppendUint64(h.AvailableBuffer(), v))
}

func (h hashWriter) text(s string) {
	h.number(uint64(len(s)))
	h.WriteString(s)
}

// factor writes a factor, or that a column has none.
func (h hashWriter) factor(c *Factor) {
	if c == nil {
		h.number(0)
		return
	}
	h.number(uint64(len(c.Levels)) + 1)
	for _, level := range c.Levels {
		h.text(level)
	}
	for _, code := range c.Codes {
		h.number(uint64(int64(code)))
	}
}
