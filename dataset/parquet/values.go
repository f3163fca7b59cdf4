package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go/encoding"

	"github.com/fspca/fspca/internal/half"
	"github.com/fspca/fspca/internal/lists"
)

// present returns the values of the page that are there, nulls left out.
func (c *cursor) present() ([]float64, error) {
	dictionary := c.page.Dictionary()
	if dictionary == nil {
		count := int(c.page.NumValues() - c.page.NumNulls())
		if count == 0 {
			return nil, nil
		}
		data := c.page.Data()
		return c.numbers(&data, count, &c.buffer)
	}
	if dictionary != c.table {
		var words []float64
		data := dictionary.Page().Data()
		values, err := c.numbers(&data, dictionary.Len(), &words)
		if err != nil {
			return nil, err
		}
		c.table, c.words = dictionary, slices.Clone(values)
	}
	data := c.page.Data()
	codes := data.Int32()
	out := resized(&c.buffer, len(codes))
	return out, lookUp(out, codes, c.words)
}

// lookUp stores the entries of a dictionary that codes stand for.
func lookUp[T any](out []T, codes []int32, entries []T) error {
	for i, code := range codes {
		if uint(code) >= uint(len(entries)) {
			return errDictionary
		}
		out[i] = entries[code]
	}
	return nil
}

var errDictionary = errors.New("the file is damaged: a cell refers to an entry that its dictionary does not have")

func resized(buffer *[]float64, n int) []float64 {
	*buffer = slices.Grow((*buffer)[:0], n)[:n]
	return *buffer
}

// numbers returns the first count values as float64; doubles as they are, others in the buffer.
func (c *cursor) numbers(values *encoding.Values, count int, buffer *[]float64) ([]float64, error) {
	switch c.column.kind {
	case doubles:
		return firstOf(values.Double(), count)
	case floats:
		return widen(values.Float(), count, buffer, nil)
	case int32s:
		if c.column.scale > 0 {
			return scaled(values.Int32(), count, buffer, c.column.scale)
		}
		return widen(values.Int32(), count, buffer, nil)
	case uint32s:
		return widen(values.Uint32(), count, buffer, nil)
	case int64s:
		if c.column.scale > 0 {
			return scaled(values.Int64(), count, buffer, c.column.scale)
		}
		return widen(values.Int64(), count, buffer, c.exact)
	case uint64s:
		return widen(values.Uint64(), count, buffer, c.exactUnsigned)
	case decimals:
		return c.fromBytes(values, count, buffer)
	case boolean:
		return booleans(values.Boolean(), count, buffer)
	case halves:
		raw, size := values.FixedLenByteArray()
		if size != 2 || len(raw) < 2*count {
			return nil, errShort
		}
		out := resized(buffer, count)
		for i := range out {
			out[i] = half.Value(binary.LittleEndian.Uint16(raw[2*i:]))
		}
		return out, nil
	}
	return nil, errors.New("it holds text")
}

var errShort = errors.New("the file is damaged: a page has fewer values than it says")

func firstOf[T any](values []T, count int) ([]T, error) {
	if count < 0 || len(values) < count {
		return nil, errShort
	}
	return values[:count], nil
}

// widen converts numbers; check, unless nil, reports one that float64 does not hold.
func widen[T int32 | uint32 | int64 | uint64 | float32](values []T, count int, buffer *[]float64, check func(T) error) ([]float64, error) {
	values, err := firstOf(values, count)
	if err != nil {
		return nil, err
	}
	out := resized(buffer, count)
	for i, v := range values {
		out[i] = float64(v)
	}
	if check != nil {
		for _, v := range values {
			if err := check(v); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// exact returns an error for an integer that float64 does not hold.
func (c *cursor) exact(v int64) error {
	if v <= 1<<53 && v >= -1<<53 || float64(v) < 1<<63 && int64(float64(v)) == v {
		return nil
	}
	return c.inexact(strconv.FormatInt(v, 10))
}

func (c *cursor) exactUnsigned(v uint64) error {
	if v <= 1<<53 || float64(v) < 1<<64 && uint64(float64(v)) == v {
		return nil
	}
	return c.inexact(strconv.FormatUint(v, 10))
}

func (c *cursor) inexact(text string) error {
	return fmt.Errorf("the integer %s, from row %d on, is not exact in float64 (more than 53 bits): leave the column out, or declare it categorical if it names something (options drop, categorical, id)", text, c.row+1)
}

// booleans unpacks bits, the lowest of each byte first.
func booleans(bits []byte, count int, buffer *[]float64) ([]float64, error) {
	if count < 0 || len(bits) < (count+7)/8 {
		return nil, errShort
	}
	out := resized(buffer, count)
	for i := range out {
		out[i] = float64(bits[i/8] >> (i % 8) & 1)
	}
	return out, nil
}

// words returns the values of text, or of integers and times as text.
func (c *column) words(values *encoding.Values, count int) ([]string, error) {
	write := func(v int64) string { return strconv.FormatInt(v, 10) }
	if c.layout != "" {
		write = c.timeText
	}
	switch c.kind {
	case texts:
		return stringsOf(values, count)
	case int32s:
		return asTexts(values.Int32(), count, write)
	case int64s:
		return asTexts(values.Int64(), count, write)
	case uint32s:
		return asTexts(values.Uint32(), count, write)
	case int96s:
		list, err := firstOf(values.Int96(), count)
		return lists.Map(list, int96Text), err
	case uint64s:
		list, err := firstOf(values.Uint64(), count)
		return lists.Map(list, func(v uint64) string { return strconv.FormatUint(v, 10) }), err
	case decimals:
		out := make([]string, 0, min(count, 1<<16))
		err := eachDecimal(values, count, func(b []byte) error {
			out = append(out, integer(b).String())
			return nil
		})
		return out, err
	}
	return nil, errors.New("it holds numbers that are not integers")
}

// stringsOf returns the first count texts.
func stringsOf(values *encoding.Values, count int) ([]string, error) {
	data, offsets := values.ByteArray()
	if count < 0 || len(offsets) < count+1 && count > 0 {
		return nil, errShort
	}
	out := make([]string, 0, min(count, 1<<16))
	for i := range count {
		lo, hi := offsets[i], offsets[i+1]
		if lo > hi || int(hi) > len(data) {
			return nil, errShort
		}
		out = append(out, string(data[lo:hi]))
	}
	return out, nil
}

func asTexts[T int32 | int64 | uint32](values []T, count int, write func(int64) string) ([]string, error) {
	values, err := firstOf(values, count)
	return lists.Map(values, func(v T) string { return write(int64(v)) }), err
}
