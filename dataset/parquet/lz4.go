package parquet

import (
	"encoding/binary"
	"errors"
)

// errLZ4 is a page that no LZ4 writes, or of another size. The library's decoder doubles its memory for as
// long as a page does not fit, so that a damaged one would take all there is.
var errLZ4 = errors.New("the file is damaged: a page is not valid LZ4")

// lz4Length returns how many bytes an LZ4 block is unpacked; false if it is damaged. A block is
// sequences of literals and a copy of what stands offset bytes before; the last one has no copy
// (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md).
func lz4Length(b []byte) (n int, ok bool) {
	for len(b) > 0 {
		token := b[0]
		literals, rest, ok := lz4Count(b[1:], int(token>>4))
		if !ok || literals > len(rest) {
			return 0, false
		}
		n += literals
		if b = rest[literals:]; len(b) == 0 {
			return n, token&15 == 0
		}
		if len(b) < 2 {
			return 0, false
		}
		if offset := int(binary.LittleEndian.Uint16(b)); offset == 0 || offset > n {
			return 0, false
		}
		copied, rest, ok := lz4Count(b[2:], int(token&15))
		if !ok {
			return 0, false
		}
		n, b = n+copied+4, rest
	}
	return n, n == 0
}

// lz4Count reads the rest of a count, of which four bits stand in the token.
func lz4Count(b []byte, count int) (int, []byte, bool) {
	if count < 15 {
		return count, b, true
	}
	for i, c := range b {
		count += int(c)
		if c < 255 {
			return count, b[i+1:], true
		}
	}
	return 0, nil, false
}
