package solver

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/fspca/fspca/internal/kernel"
)

var (
	_ encoding.BinaryMarshaler   = (*Sums)(nil)
	_ encoding.BinaryUnmarshaler = (*Sums)(nil)
)

// Sums as bytes: the name, d, the rows, flags; means, squares, least and largest
// numbers, units if there are any, and the lower triangle of the products if they were
// formed, all little-endian; a CRC-32C of what is before it.
const sumsName = "fspca sums 1\n"

const (
	sumsUncentered = 1 << iota
	sumsForm
	sumsUnits
)

var sumsTable = crc32.MakeTable(crc32.Castagnoli)

// MarshalBinary returns the sums as bytes that other machines can read: about 4·d²
// bytes if A is formed.
func (s *Sums) MarshalBinary() ([]byte, error) {
	if s == nil {
		return nil, errors.New("there are no sums to write")
	}
	d, flags := s.Order(), 0
	if s.opt.Uncentered {
		flags |= sumsUncentered
	}
	if s.opt.Form {
		flags |= sumsForm
	}
	if s.opt.Units != nil {
		flags |= sumsUnits
	}
	b := make([]byte, 0, len(sumsName)+24+sumsNumbers(d, flags)*8+4)
	b = append(b, sumsName...)
	for _, v := range []int{d, s.Rows(), flags} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	if d > 0 {
		m := s.measured
		for _, list := range [][]float64{m.mean, m.squares, m.lo, m.hi, s.opt.Units} {
			b = appendNumbers(b, list)
		}
		for i := range s.scatter.Rows {
			b = appendNumbers(b, s.scatter.Row(i)[:i+1])
		}
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, sumsTable)), nil
}

func appendNumbers(b []byte, list []float64) []byte {
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// sumsNumbers returns how many numbers sums of d columns are.
func sumsNumbers(d, flags int) int {
	n := 4 * d
	if flags&sumsUnits != 0 {
		n += d
	}
	if flags&sumsForm != 0 {
		n += d * (d + 1) / 2
	}
	return n
}

// UnmarshalBinary replaces the sums by those that MarshalBinary wrote. It is an
// error if the bytes are not from MarshalBinary or are damaged; s is then
// unchanged.
func (s *Sums) UnmarshalBinary(b []byte) error {
	const head = len(sumsName) + 24
	if s == nil {
		return errors.New("there are no sums to read into: the receiver is nil")
	}
	if len(b) < head+4 || string(b[:len(sumsName)]) != sumsName {
		return errors.New("these bytes are no sums of rows, or of another version")
	}
	body := b[:len(b)-4]
	if crc32.Checksum(body, sumsTable) != binary.LittleEndian.Uint32(b[len(body):]) {
		return fmt.Errorf("the sums are damaged: %d bytes have another checksum", len(b))
	}
	var fields [3]int
	for i := range fields {
		fields[i] = int(binary.LittleEndian.Uint64(b[len(sumsName)+8*i:]))
	}
	d, rows, flags := fields[0], fields[1], fields[2]
	body = body[head:]
	if d < 0 || d > 1<<30 || rows < 0 || (d == 0) != (rows == 0) || flags>>3 != 0 ||
		flags&sumsForm != 0 && d > MaxEntriesOrder || len(body) != 8*sumsNumbers(d, flags) {
		return errors.New("the sums are damaged: their sizes contradict each other")
	}
	t, err := readSums(body, rows, d, flags)
	if err != nil {
		return err
	}
	*s = t
	return nil
}

// readSums reads the numbers of sums.
func readSums(b sumsBody, rows, d, flags int) (Sums, error) {
	t := Sums{opt: SumOptions{Uncentered: flags&sumsUncentered != 0, Form: flags&sumsForm != 0}}
	if d > 0 {
		m := newBlockMoments(rows, d)
		m.rows, m.mean, m.squares, m.lo, m.hi = rows, b.next(d), b.next(d), b.next(d), b.next(d)
		t.measured = m
	}
	if flags&sumsUnits != 0 {
		t.opt.Units = b.next(d)
		if slices.ContainsFunc(t.opt.Units, func(u float64) bool { f, _ := math.Frexp(u); return f != 0.5 }) {
			return Sums{}, errors.New("the sums are damaged: their units are no powers of two")
		}
	}
	if t.opt.Form {
		t.scatter = kernel.NewMatrix(d, d)
		for i := range d {
			b.read(t.scatter.Row(i)[:i+1])
		}
	}
	return t, nil
}

// sumsBody is what is left of the numbers of sums.
type sumsBody []byte

func (b *sumsBody) read(list []float64) {
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64((*b)[8*i:]))
	}
	*b = (*b)[8*len(list):]
}

func (b *sumsBody) next(n int) []float64 {
	list := make([]float64, n)
	b.read(list)
	return list
}
