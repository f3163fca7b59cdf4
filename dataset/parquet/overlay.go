package parquet

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go/format"
)

// overlay is a file as the library is to see it. Its decoder of LZ4 (v0.32, Column.decompress) leaves a page
// as it was, unless the memory for it is three times what is packed. It does not where a
// page says that it has no bytes unpacked, so that this is what pages of LZ4 say here.
type overlay struct {
	io.ReaderAt
	mu      sync.Mutex
	patches []patch
}

// patch is a number in the header of a page that is read as 0.
type patch struct {
	at    int64
	bytes int
}

// ReadAt reads as the file does, with 0 in place of the numbers that are patched.
func (o *overlay) ReadAt(p []byte, off int64) (int, error) {
	n, err := o.ReaderAt.ReadAt(p, off)
	o.mu.Lock()
	defer o.mu.Unlock()
	first, _ := slices.BinarySearchFunc(o.patches, off-maxVarint, func(a patch, at int64) int { return cmp.Compare(a.at, at) })
	for _, a := range o.patches[first:] {
		if a.at >= off+int64(n) {
			break
		}
		for i := range a.bytes {
			if at := a.at + int64(i) - off; at >= 0 && at < int64(n) {
				p[at] = 0x80 // 7 bits of 0, and more to come
				if i == a.bytes-1 {
					p[at] = 0
				}
			}
		}
	}
	return n, err
}

const maxVarint = 10

// sort is called when all patches are there.
func (o *overlay) sort() {
	o.mu.Lock()
	defer o.mu.Unlock()
	slices.SortFunc(o.patches, func(a, b patch) int { return cmp.Compare(a.at, b.at) })
	o.patches = slices.Compact(o.patches)
}

// hide patches the unpacked size of a page of LZ4, whose header starts at a place.
func (o *overlay) hide(codec format.CompressionCodec, header int64) error {
	if codec != format.Lz4Raw {
		return nil
	}
	var b [2 + 2*maxVarint]byte
	n, err := o.ReaderAt.ReadAt(b[:], header)
	if err != nil && err != io.EOF {
		return err
	}
	const integer = 0x15 // the next field, an integer
	at := 1 + varint(b[1:n])
	if b[0] != integer || at >= n || b[at] != integer || varint(b[at+1:n]) == 0 {
		return errHeader
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.patches = append(o.patches, patch{header + int64(at) + 1, varint(b[at+1 : n])})
	return nil
}

var errHeader = errors.New("the header of a page has a form that is not known: write the file again, with Snappy or zstd")

// varint returns how many bytes the number takes that b starts with; 0 if it has no end.
func varint(b []byte) int {
	return 1 + slices.IndexFunc(b, func(c byte) bool { return c < 0x80 })
}
