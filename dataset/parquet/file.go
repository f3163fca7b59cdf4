package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// file is an open Parquet file.
type file struct {
	in      *parquet.File
	r       io.ReaderAt
	size    int64
	columns []column
	rows    int
	starts  []int // the first row of each row group, and the number of rows
	own     ownPages
	seen    *overlay
}

// open reads the footer of a file.
func open(r io.ReaderAt, size int64) (f *file, err error) {
	defer guard(&err)
	if err := verifyEnds(r, size); err != nil {
		return nil, err
	}
	seen := &overlay{ReaderAt: r}
	in, err := parquet.OpenFile(seen, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil && strings.Contains(err.Error(), "DecryptionConfig") { // some columns are encrypted, the footer is not
		return nil, errEncrypted
	}
	if err != nil {
		return nil, fmt.Errorf("the file is not whole Parquet: it is cut short or damaged: %w", err)
	}
	f = &file{in: in, r: r, size: size, seen: seen}
	meta := in.Metadata()
	if f.columns, err = readSchema(meta.Schema); err != nil {
		return nil, err
	}
	f.starts = make([]int, 1, len(meta.RowGroups)+1)
	for g := range meta.RowGroups {
		n := meta.RowGroups[g].NumRows
		if n < 0 || n > maxRows || int64(f.rows)+n > maxRows {
			return nil, fmt.Errorf("the file is damaged: row group %d has %d rows", g+1, n)
		}
		f.rows += int(n)
		f.starts = append(f.starts, f.rows)
	}
	return f, nil
}

var errEncrypted = errors.New("the Parquet file is encrypted: write it without encryption")

// verifyEnds checks that the footer, whose length stands at the end, is in the file: the library
// makes room for it before it reads.
func verifyEnds(r io.ReaderAt, size int64) error {
	var start [4]byte
	var end [8]byte
	if size < int64(len(start)+len(end)) {
		return fmt.Errorf("the file is not whole Parquet: it is cut short after %d bytes", size)
	}
	if _, err := r.ReadAt(start[:], 0); err != nil && err != io.EOF {
		return err
	}
	if _, err := r.ReadAt(end[:], size-int64(len(end))); err != nil && err != io.EOF {
		return err
	}
	if string(start[:]) == encrypted || string(end[4:]) == encrypted {
		return errEncrypted
	}
	if string(end[4:]) != magic {
		return errors.New("the file is not whole Parquet: it is cut short or damaged, since it does not end with PAR1")
	}
	if footer := int64(binary.LittleEndian.Uint32(end[:])); footer > size-int64(len(start)+len(end)) {
		return fmt.Errorf("the file is not whole Parquet: it is cut short or damaged, since a footer of %d bytes cannot be in %d", footer, size)
	}
	return nil
}

// maxRows is the most rows that are believed.
const maxRows = min(1<<40, math.MaxInt)

// guard makes a panic of the library an error: it trusts what the file says in places.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the file is damaged: reading it as Parquet failed: %v", p)
	}
}

// Rows returns the number of rows.
func (f *file) Rows() int { return f.rows }

// Columns lists the columns.
func (f *file) Columns() []dataset.ColumnInfo {
	return lists.Make(len(f.columns), func(j int) dataset.ColumnInfo { return f.columns[j].info() })
}

// Memory is bounded by what the file has: a table may take freeCells numbers, or as many as
// cellsPerByte for each byte of the file, which columns of equal values come to.
const (
	freeCells    = 1 << 25
	cellsPerByte = 1 << 6
)

// verify compares what the footer says of the wanted columns with the headers of their pages. So
// no number in the file can ask for memory for cells that are not there.
func (f *file) verify(wanted []int) error {
	hi, cells := bits.Mul64(uint64(f.rows), uint64(max(1, len(wanted))))
	if hi != 0 || cells > freeCells && cells/cellsPerByte > uint64(f.size) {
		return fmt.Errorf("the file declares %d rows, more than its %d bytes are taken to hold", f.rows, f.size)
	}
	meta := f.in.Metadata()
	var tasks []func() error
	packed, unpacked := int64(0), atomic.Int64{}
	for g := range meta.RowGroups {
		group := &meta.RowGroups[g]
		for _, j := range wanted {
			c := &f.columns[j]
			if c.leaf >= len(group.Columns) {
				return fmt.Errorf("the file is damaged: row group %d lacks the column %q", g+1, c.name)
			}
			chunk := &group.Columns[c.leaf].MetaData
			if packed += max(0, chunk.TotalCompressedSize); packed > f.size {
				return fmt.Errorf("the file is damaged: its columns have %d bytes up to row group %d, and the file has %d", packed, g+1, f.size)
			}
			tasks = append(tasks, func() error {
				if err := f.verifyChunk(c, chunk, f.starts[g], group.NumRows, &unpacked); err != nil {
					return &columnError{column: c.name, group: g + 1, err: err}
				}
				return nil
			})
		}
	}
	err := runAll(tasks)
	f.seen.sort()
	return err
}

// mostUnpacked is how many bytes the pages of a file of a size may have in all: twice what the numbers that
// are believed take.
func mostUnpacked(size int64) int64 { return 16 * max(freeCells, cellsPerByte*size) }

var verifiers = sync.Pool{New: func() any { return new(verifier) }}

// verifyChunk goes through the headers of the pages of a column in a row group, whose first row is given.
func (f *file) verifyChunk(c *column, meta *format.ColumnMetaData, first int, rows int64, unpacked *atomic.Int64) error {
	if meta.Codec == format.Lz4 || meta.Codec == format.LZO {
		return fmt.Errorf("the column is compressed by %s with Hadoop's framing, which is not supported: write the file again with Snappy, zstd or LZ4_RAW, as pandas' to_parquet does", meta.Codec)
	}
	start := meta.DataPageOffset
	if d := meta.DictionaryPageOffset; d > 0 && d < start {
		start = d
	}
	if start < 0 || meta.TotalCompressedSize < 0 || start > f.size || meta.TotalCompressedSize > f.size-start {
		return errors.New("the file is cut short or damaged: the column goes beyond its end")
	}
	v := verifiers.Get().(*verifier)
	defer verifiers.Put(v)
	v.f, v.column, v.codec = f, c, meta.Codec
	p := &chunkPages{r: f.r, end: start + meta.TotalCompressedSize, in: new(bufio.Reader)}
	p.seek(start)
	for seen := int64(0); seen < rows; {
		n, err := f.verifyPage(v, p, first, seen, rows, unpacked)
		if err != nil {
			return err
		}
		seen += n
	}
	return nil
}

// chunkPages goes through the pages of a column in a row group.
type chunkPages struct {
	r       io.ReaderAt
	end     int64
	from    int64 // where reading began
	in      *bufio.Reader
	counter *counted // what in has read since
}

// place is where the next byte comes from.
func (p *chunkPages) place() int64 { return p.from + p.counter.n - int64(p.in.Buffered()) }

// seek goes to a place without reading what is before.
func (p *chunkPages) seek(to int64) {
	p.from, p.counter = to, &counted{r: io.NewSectionReader(p.r, to, p.end-to)}
	p.in.Reset(p.counter)
}

// verifyPage verifies the next page of a chunk, of whose rows, from first on, some were seen. It returns how many
// values the page has.
func (f *file) verifyPage(v *verifier, p *chunkPages, first int, seen, rows int64, unpacked *atomic.Int64) (int64, error) {
	header := p.place()
	var h format.PageHeader
	if err := thrift.NewDecoder((&thrift.CompactProtocol{}).NewReader(p.in)).Decode(&h); err != nil {
		return 0, fmt.Errorf("the file is damaged: its pages have %d values of %d: %w", seen, rows, err)
	}
	at := p.place()
	packed, size := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	if packed < 0 || packed > p.end-at || size < 0 || size > maxPage+packed<<14 {
		return 0, fmt.Errorf("the file is damaged: a page of %d bytes, %d uncompressed, where %d bytes are left", packed, size, p.end-at)
	}
	n := pageValues(&h)
	if n < 0 || n > rows-seen {
		return 0, fmt.Errorf("the file is damaged: a page of %d values, where %d are left", n, rows-seen)
	}
	if unpacked.Add(size) > mostUnpacked(f.size) {
		return 0, fmt.Errorf("the pages of the file hold over %d times its size, more than tables do: if the file is right, write it again without compression", unpacked.Load()/f.size)
	}
	if err := v.verify(&h, at, n); err != nil {
		return 0, err
	}
	if err := f.seen.hide(v.codec, header); err != nil {
		return 0, err
	}
	if v.own && n > 0 {
		f.own.add(ownPage{v.column.leaf, first + int(seen)}, ownPlace{v.codec, h, at, n})
	}
	if packed > int64(p.in.Buffered()) {
		p.seek(at + packed)
		return n, nil
	}
	_, err := p.in.Discard(int(packed))
	return n, err
}

// maxPage is the size of a page that needs no compressed bytes to be believed.
const maxPage = 1 << 22

// pageValues returns how many rows a page holds; a dictionary holds none.
func pageValues(h *format.PageHeader) int64 {
	switch {
	case h.DataPageHeader.Valid:
		return int64(h.DataPageHeader.V.NumValues)
	case h.DataPageHeaderV2.Valid:
		return int64(h.DataPageHeaderV2.V.NumValues)
	case h.DictionaryPageHeader.Valid && int64(h.DictionaryPageHeader.V.NumValues) > 8*int64(h.UncompressedPageSize)+8:
		return -1
	}
	return 0
}

// counted counts the bytes that are read.
type counted struct {
	r io.Reader
	n int64
}

// Read reads from the file and adds what it read to n.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
