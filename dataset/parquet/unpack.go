package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
)

// codecs are those that are read.
var codecs = map[format.CompressionCodec]compress.Codec{
	format.Snappy: &parquet.Snappy, format.Gzip: &parquet.Gzip, format.Brotli: &parquet.Brotli,
	format.Zstd: &parquet.Zstd, format.Lz4Raw: &parquet.Lz4Raw,
}

// checkUnpacked returns an error unless packed bytes hold size bytes, or fewer: the library's decoders
// take memory for as many as there are.
func checkUnpacked(codec format.CompressionCodec, packed []byte, size int64) error {
	switch codec {
	case format.Snappy:
		n, k := binary.Uvarint(packed)
		if k <= 0 || n > uint64(size) {
			return errPage
		}
		return nil
	case format.Lz4Raw:
		if n, ok := lz4Length(packed); !ok || int64(n) != size {
			return errLZ4
		}
		return nil
	case format.Zstd:
		if most, ok := zstdMost(packed); ok && most <= size+zstdBlock {
			return nil
		}
		return counting(size, func() (io.Reader, error) {
			r, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
			if err != nil {
				return nil, err
			}
			return r.IOReadCloser(), nil
		})
	case format.Gzip:
		return counting(size, func() (io.Reader, error) { return gzip.NewReader(bytes.NewReader(packed)) })
	case format.Brotli:
		return counting(size, func() (io.Reader, error) { return brotli.NewReader(bytes.NewReader(packed)), nil })
	}
	return nil
}

const (
	zstdBlock = 128 << 10 // the most bytes of a block
	maxWindow = 128 << 20
)

// counting returns an error if a reader has more than size bytes.
func counting(size int64, open func() (io.Reader, error)) error {
	r, err := open()
	if err != nil {
		return fmt.Errorf("the file is damaged: %w", err)
	}
	if c, ok := r.(io.Closer); ok {
		defer c.Close()
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, size+1))
	if err != nil {
		return fmt.Errorf("the file is damaged: %w", err)
	}
	return errIf(n > size)
}

// zstdMost returns how many bytes frames of zstd hold at most, by the sizes of their blocks
// (https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1); false if they are damaged.
func zstdMost(b []byte) (most int64, ok bool) {
	for len(b) > 0 {
		var h zstd.Header
		rest, err := h.DecodeAndStrip(b)
		if err != nil {
			return 0, false
		}
		if h.Skippable {
			if uint64(h.SkippableSize) > uint64(len(rest)) {
				return 0, false
			}
			b = rest[h.SkippableSize:]
			continue
		}
		n, rest, ok := zstdBlocks(rest)
		if !ok {
			return 0, false
		}
		if h.HasCheckSum {
			rest = rest[min(4, len(rest)):]
		}
		if h.HasFCS {
			if h.FrameContentSize > uint64(n) {
				return 0, false
			}
			n = int64(h.FrameContentSize)
		}
		most, b = most+n, rest
	}
	return most, true
}

// zstdBlocks returns how many bytes the blocks of a frame hold at most, and what follows them.
func zstdBlocks(b []byte) (most int64, rest []byte, ok bool) {
	for last := false; !last; {
		if len(b) < 3 {
			return 0, nil, false
		}
		head := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
		last = head&1 == 1
		stored, holds := int64(head>>3), int64(head>>3)
		switch head >> 1 & 3 {
		case 1: // one byte, many times
			stored = 1
		case 2:
			holds = zstdBlock
		}
		if stored > int64(len(b)-3) {
			return 0, nil, false
		}
		most, b = most+holds, b[3+stored:]
	}
	return most, b, true
}

// unpack returns the first n bytes of what packed bytes hold, size, or all of it where that is as easy.
func (v *verifier) unpack(packed []byte, n, size int64) (body []byte, whole bool, err error) {
	if v.codec == format.Snappy && n < size {
		body, ok := snappyStart(v.body[:0], packed, int(n))
		v.body = body
		return body, false, errIf(!ok)
	}
	codec, ok := codecs[v.codec]
	if !ok {
		return nil, false, fmt.Errorf("it is compressed by %s, which is not supported: write the file again with Snappy, zstd or without compression", v.codec)
	}
	v.body = resizedBytes(v.body, int(size))
	if v.body, err = codec.Decode(v.body, packed); err != nil {
		return nil, false, fmt.Errorf("the file is damaged: %w", err)
	}
	return v.body, true, nil
}

// snappyStart appends the first n bytes that a block of snappy holds to dst, or fewer at its end
// (https://github.com/google/snappy/blob/main/format_description.txt).
func snappyStart(dst, b []byte, n int) ([]byte, bool) {
	_, k := binary.Uvarint(b)
	if k <= 0 {
		return dst, false
	}
	for b = b[k:]; len(dst) < n && len(b) > 0; {
		length, offset, rest, ok := snappyElement(b)
		if !ok || offset > len(dst) {
			return dst, false
		}
		b = rest
		if offset == 0 {
			dst = append(dst, b[:min(length, len(b), n-len(dst))]...)
			b = b[min(length, len(b)):]
			continue
		}
		for range min(length, n-len(dst)) {
			dst = append(dst, dst[len(dst)-offset])
		}
	}
	return dst, true
}

// snappyElement reads what an element of a block says: its length, and how far back it copies from, 0 for bytes
// that follow.
func snappyElement(b []byte) (length, offset int, rest []byte, ok bool) {
	tag := b[0]
	extra := [4]int{0, 1, 2, 4}[tag&3]
	if tag&3 == 0 && tag>>2 >= 60 {
		extra = int(tag>>2) - 59
	}
	if len(b) < 1+extra {
		return 0, 0, nil, false
	}
	word := 0
	for i, c := range b[1 : 1+extra] {
		word |= int(c) << (8 * i)
	}
	length, rest = int(tag>>2)+1, b[1+extra:]
	switch {
	case tag&3 == 0 && extra > 0:
		length = word + 1
	case tag&3 == 1:
		length, word = 4+int(tag>>2&7), int(tag&0xe0)<<3|word
	}
	if tag&3 == 0 {
		return length, 0, rest, length > 0
	}
	return length, word, rest, word > 0
}
