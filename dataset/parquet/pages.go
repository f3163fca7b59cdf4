package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// verifier looks into the pages of a column before the library does, which believes what they say of
// themselves: a run of a few bytes may stand for two thousand million values. Its memory is used again.
type verifier struct {
	f      *file
	column *column
	codec  format.CompressionCodec
	page   []byte
	body   []byte
	levels []byte // of the page that was verified last, if cells may be missing
	values []byte // of that page, if they are coded
	own    bool   // they are for decodeOwn: the library does not decode them as they are meant
}

var errPage = errors.New("the file is damaged: a page holds more than it says")

// verify returns an error if the page of the header, which starts at a place of the file, holds more than
// the header says. Values is how many it has.
func (v *verifier) verify(h *format.PageHeader, at, values int64) error {
	size := int64(h.UncompressedPageSize)
	v.values, v.own = nil, false
	if d := h.DictionaryPageHeader; d.Valid {
		values = int64(d.V.NumValues)
	}
	if v.column.kind != texts && size > mostWidth*values+freeWidth {
		return fmt.Errorf("the file is damaged: a page of %d numbers has %d bytes", values, size)
	}
	if v.codec == format.Uncompressed && !v.coded(h) && !v.column.optional {
		return nil
	}
	n := int64(h.CompressedPageSize)
	if v.codec == format.Snappy && !v.coded(h) { // its start tells the size and has the levels
		n = min(n, 64<<10+values/4)
	}
	v.page = resizedBytes(v.page, int(n))
	if _, err := io.ReadFull(io.NewSectionReader(v.f.r, at, int64(len(v.page))), v.page); err != nil {
		return fmt.Errorf("the file is cut short or damaged: %w", err)
	}
	levels, packed := []byte(nil), v.page
	compressed := v.codec != format.Uncompressed
	if h.DataPageHeaderV2.Valid {
		d := &h.DataPageHeaderV2.V
		repeated, defined := int64(d.RepetitionLevelsByteLength), int64(d.DefinitionLevelsByteLength)
		if repeated < 0 || defined < 0 || repeated+defined > min(size, int64(len(packed))) {
			return errPage
		}
		levels, packed, size = packed[repeated:repeated+defined], packed[repeated+defined:], size-repeated-defined
		compressed = compressed && (!d.IsCompressed.Valid || d.IsCompressed.V)
	}
	if compressed = compressed && (len(packed) > 0 || size > 0); compressed {
		if err := checkUnpacked(v.codec, packed, size); err != nil {
			return err
		}
	}
	return v.verifyBody(h, levels, packed, size, values, compressed)
}

// A number takes at most mostWidth bytes of a page, with its levels, and the page freeWidth.
const (
	mostWidth = 24 // a decimal in bytes, with its length
	freeWidth = 4 << 10
)

// coded reports whether the values of a data page are no plain ones.
func (v *verifier) coded(h *format.PageHeader) bool {
	switch encodingOf(h) {
	case format.Plain, format.ByteStreamSplit:
		return false
	}
	return !h.DictionaryPageHeader.Valid
}

func encodingOf(h *format.PageHeader) format.Encoding {
	switch {
	case h.DataPageHeader.Valid:
		return h.DataPageHeader.V.Encoding
	case h.DataPageHeaderV2.Valid:
		return h.DataPageHeaderV2.V.Encoding
	}
	return format.Plain
}

// verifyBody looks at the levels and at values that are coded. Pages of version 1 have their levels packed.
func (v *verifier) verifyBody(h *format.PageHeader, levels, packed []byte, size, values int64, compressed bool) error {
	inside := h.DataPageHeader.Valid && v.column.optional // levels are
	body, whole := packed, !compressed
	unpack := func(n int64) error {
		if whole || int64(len(body)) >= n && len(body) > 0 && &body[0] != &packed[0] {
			return nil
		}
		var err error
		body, whole, err = v.unpack(packed, n, size)
		return err
	}
	start := int64(0) // of the values
	if inside {
		if err := unpack(4); err != nil || len(body) < 4 {
			return errors.Join(err, errIf(len(body) < 4))
		}
		n := int64(binary.LittleEndian.Uint32(body))
		if start = 4 + n; start > size {
			return errPage
		}
		if err := unpack(start); err != nil || int64(len(body)) < start {
			return errors.Join(err, errIf(int64(len(body)) < start))
		}
		levels = body[4:start]
	}
	if v.levels = levels; v.column.optional && !runs(levels, 1, 2*values+freeRuns) {
		return errPage
	}
	if h.DataPageHeaderV2.Valid && size == 0 && len(packed) == 0 { // not even a compression of nothing
		v.own = true
		return nil
	}
	if !v.coded(h) {
		return nil
	}
	if err := unpack(size); err != nil || int64(len(body)) < start {
		return errors.Join(err, errIf(int64(len(body)) < start))
	}
	v.values = body[start:]
	widest, err := verifyCoded(encodingOf(h), v.values, values)
	v.own = v.isOwn(encodingOf(h), widest)
	return err
}

func errIf(damaged bool) error {
	if damaged {
		return errPage
	}
	return nil
}

// freeRuns is how many values more than said the runs of a page may have: the last is of eight, or some
// times that.
const freeRuns = 1 << 10

// plainDictionary is what older writers call RLEDictionary.
const plainDictionary format.Encoding = 2

// verifyCoded checks values that are coded. Widest is how many bits the first of integers or a difference has at most.
func verifyCoded(encoding format.Encoding, body []byte, values int64) (widest byte, err error) {
	ok := true
	switch most := 2*values + freeRuns; encoding {
	case plainDictionary, format.RLEDictionary:
		ok = len(body) == 0 || body[0] <= 32 && runs(body[1:], int64(body[0]), most)
	case format.RLE: // booleans, after their length
		ok = len(body) >= 4 && runs(body[4:], 1, most)
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray:
		_, widest, ok = deltaRest(body, most)
	case format.DeltaByteArray:
		ok = deltaTexts(body, most)
	}
	return widest, errIf(!ok)
}

// runs reports whether runs and packed groups of values of a width in bits are at most so many values
// (https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE).
func runs(b []byte, width, most int64) bool {
	for total := int64(0); len(b) > 0; {
		u, n := binary.Uvarint(b)
		if n <= 0 || u>>1 > uint64(most) {
			return false
		}
		b = b[n:]
		count, bytes := int64(u>>1), (width+7)/8
		if u&1 == 1 {
			count, bytes = 8*count, count*width
		}
		if total += count; total > most {
			return false
		}
		b = b[min(bytes, int64(len(b))):]
	}
	return true
}

// deltaRest returns what follows integers that are coded by their differences, and the bits of the widest
// difference or of the first integer; false if they are more than most or say nothing sensible.
func deltaRest(b []byte, most int64) (rest []byte, widest byte, ok bool) {
	var head [3]uint64 // the size of a block, its parts, and the values
	for i := range head {
		u, n := binary.Uvarint(b)
		if n <= 0 || u > max(uint64(most), 1<<16) {
			return nil, 0, false
		}
		head[i], b = u, b[n:]
	}
	first, n := binary.Varint(b)
	if n <= 0 {
		return nil, 0, false
	}
	b, widest = b[n:], byte(1+bits.Len64(uint64(first^first>>63)))
	if head[1] == 0 || head[0] < head[1] || head[0] > 1<<16 || head[2] > uint64(most) {
		return nil, 0, false
	}
	parts, each := int(head[1]), int(head[0]/head[1])
	for left := int(head[2]) - 1; left > 0; {
		_, n := binary.Varint(b)
		if n <= 0 || len(b) < n+parts {
			return nil, 0, false
		}
		widths := b[n : n+parts]
		b = b[n+parts:]
		for _, width := range widths {
			if left <= 0 {
				break
			}
			left, widest = left-each, max(widest, width)
			b = b[min(each*int(width)/8, len(b)):]
		}
	}
	return b, widest, true
}

// deltaTexts reports whether texts that start like the one before each are not many times as long as the
// page.
func deltaTexts(b []byte, most int64) bool {
	suffixes, _, ok := deltaRest(b, most)
	if !ok {
		return false
	}
	if _, _, ok := deltaRest(suffixes, most); !ok {
		return false
	}
	prefixes, err := new(delta.BinaryPackedEncoding).DecodeInt32(nil, b[:len(b)-len(suffixes)])
	if err != nil {
		return false
	}
	total := int64(0)
	for _, n := range prefixes {
		if total += int64(n); n < 0 || total > maxPage+cellsPerByte*int64(len(b)) {
			return false
		}
	}
	return true
}

func resizedBytes(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
