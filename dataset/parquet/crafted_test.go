package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// craftedPage is a page as nobody should write it.
type craftedPage struct {
	header format.PageHeader
	body   []byte
}

// data returns a data page of version 1 that says it has so many values and bytes.
func data(encoding format.Encoding, values, size int, body []byte) craftedPage {
	h := format.PageHeader{Type: format.DataPage, UncompressedPageSize: int32(size), CompressedPageSize: int32(len(body))}
	h.DataPageHeader = thrift.Null[format.DataPageHeader]{Valid: true, V: format.DataPageHeader{NumValues: int32(values), Encoding: encoding,
		DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}}
	return craftedPage{h, body}
}

// numbers returns a dictionary of n numbers that are 0.
func numbers(n int) craftedPage {
	h := format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: int32(8 * n), CompressedPageSize: int32(8 * n)}
	h.DictionaryPageHeader = thrift.Null[format.DictionaryPageHeader]{Valid: true, V: format.DictionaryPageHeader{NumValues: int32(n), Encoding: format.Plain}}
	return craftedPage{h, make([]byte, 8*n)}
}

// crafted returns a Parquet file of one column of pages, in so many row groups that share them.
func crafted(t *testing.T, kind format.Type, repetition format.FieldRepetitionType, codec format.CompressionCodec, rows int64, groups int, pages ...craftedPage) []byte {
	t.Helper()
	leaf := format.SchemaElement{Name: "a"}
	leaf.Type = thrift.Null[format.Type]{Valid: true, V: kind}
	leaf.RepetitionType = thrift.Null[format.FieldRepetitionType]{Valid: true, V: repetition}
	if kind == format.ByteArray {
		leaf.ConvertedType = thrift.Null[deprecated.ConvertedType]{Valid: true, V: deprecated.UTF8}
	}
	return craftedColumn(t, leaf, codec, rows, groups, pages...)
}

// craftedColumn is crafted with a column of any type.
func craftedColumn(t *testing.T, leaf format.SchemaElement, codec format.CompressionCodec, rows int64, groups int, pages ...craftedPage) []byte {
	t.Helper()
	protocol := new(thrift.CompactProtocol)
	b := []byte(magic)
	dictionary, first := int64(0), int64(4)
	for i, p := range pages {
		if p.header.DictionaryPageHeader.Valid {
			dictionary = int64(len(b))
		} else if i == 0 || pages[i-1].header.DictionaryPageHeader.Valid {
			first = int64(len(b))
		}
		head := must.Get(thrift.Marshal(protocol, &p.header))(t)
		b = append(append(b, head...), p.body...)
	}
	meta := format.FileMetaData{Version: 1, NumRows: rows * int64(groups)}
	root := format.SchemaElement{Name: "root"}
	root.NumChildren = thrift.Null[int32]{Valid: true, V: 1}
	meta.Schema = []format.SchemaElement{root, leaf}
	chunk := format.ColumnMetaData{Type: leaf.Type.V, Encoding: []format.Encoding{format.Plain}, PathInSchema: []string{"a"}, Codec: codec, NumValues: rows,
		TotalUncompressedSize: int64(len(b) - 4), TotalCompressedSize: int64(len(b) - 4), DataPageOffset: first, DictionaryPageOffset: dictionary}
	for range groups {
		meta.RowGroups = append(meta.RowGroups, format.RowGroup{Columns: []format.ColumnChunk{{MetaData: chunk}}, TotalByteSize: int64(len(b) - 4), NumRows: rows})
	}
	footer := must.Get(thrift.Marshal(protocol, &meta))(t)
	b = append(b, footer...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	return append(b, magic...)
}

// run returns runs of n values of one width in bytes, each as long as one can be.
func run(runs, width int) (b []byte) {
	for range runs {
		b = append(binary.AppendUvarint(b, math.MaxInt32<<1), make([]byte, width)...)
	}
	return b
}

// TestBombs: files of a few kilobytes whose pages are said, or unpacked, or coded to hold gigabytes are
// refused in words, before memory is taken for it.
func TestBombs(t *testing.T) {
	packed := func(codec format.CompressionCodec, size int) []byte {
		return must.Get(codecs[codec].Encode(nil, make([]byte, size)))(t)
	}
	levels := func(b []byte) []byte { return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...) }
	delta := func(block, parts, count uint64, first int64) []byte {
		b := binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, block), parts), count)
		return binary.AppendVarint(b, first)
	}
	long := append(delta(128, 4, 100_000, math.MaxInt32>>8), bytes.Repeat([]byte{0, 0, 0, 0, 0}, 800)...) // 100,000 equal lengths
	none := append(delta(128, 4, 100_000, 0), bytes.Repeat([]byte{0, 0, 0, 0, 0}, 800)...)
	const huge = 256 << 20
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"runs of codes", crafted(t, format.Double, format.Required, format.Uncompressed, 10, 1, numbers(1), data(format.RLEDictionary, 10, 100, append([]byte{1}, run(8, 1)...))), "holds more than it says"},
		{"groups of codes", crafted(t, format.Double, format.Required, format.Uncompressed, 10, 1, numbers(1), data(format.RLEDictionary, 10, 100, append([]byte{0}, run(8, 0)...))), "holds more than it says"},
		{"runs of levels", crafted(t, format.Double, format.Optional, format.Uncompressed, 10, 1, data(format.Plain, 10, 150, append(levels(run(8, 1)), make([]byte, 80)...))), "holds more than it says"},
		{"packed runs of levels", crafted(t, format.Double, format.Optional, format.Snappy, 10, 1, data(format.Plain, 10, 150, must.Get(codecs[format.Snappy].Encode(nil, append(levels(run(8, 1)), make([]byte, 80)...)))(t))), "holds more than it says"},
		{"booleans", crafted(t, format.Boolean, format.Required, format.Uncompressed, 10, 1, data(format.RLE, 10, 100, levels(run(8, 1)))), "holds more than it says"},
		{"declared rows", crafted(t, format.Double, format.Required, format.Uncompressed, 1e9, 1, numbers(1), data(format.RLEDictionary, 1e9, 100, append([]byte{1}, binary.AppendUvarint(nil, 2e9)...))), "more than its"},
		{"snappy", crafted(t, format.Double, format.Required, format.Snappy, 10, 1, data(format.Plain, 10, 80, packed(format.Snappy, huge))), "holds more than it says"},
		{"zstd", crafted(t, format.Double, format.Required, format.Zstd, 10, 1, data(format.Plain, 10, 80, packed(format.Zstd, huge))), "holds more than it says"},
		{"gzip", crafted(t, format.Double, format.Required, format.Gzip, 10, 1, data(format.Plain, 10, 80, packed(format.Gzip, huge))), "holds more than it says"},
		{"brotli", crafted(t, format.Double, format.Required, format.Brotli, 10, 1, data(format.Plain, 10, 80, packed(format.Brotli, huge))), "holds more than it says"},
		{"lz4", crafted(t, format.Double, format.Required, format.Lz4Raw, 10, 1, data(format.Plain, 10, 80, packed(format.Lz4Raw, huge))), "damaged"},
		{"a large page of few numbers", crafted(t, format.Double, format.Required, format.Zstd, 10, 1, data(format.Plain, 10, huge, packed(format.Zstd, huge))), "a page of 10 numbers has"},
		{"a page of text", crafted(t, format.ByteArray, format.Required, format.Zstd, 10, 1, data(format.Plain, 10, 1<<30, packed(format.Zstd, 1<<20))), "damaged"},
		{"many pages of text", crafted(t, format.ByteArray, format.Required, format.Zstd, 1000, 1, slices.Repeat([]craftedPage{data(format.Plain, 1, 4<<20, packed(format.Zstd, 4<<20))}, 1000)...), "times its size"},
		{"integers", crafted(t, format.Int64, format.Required, format.Uncompressed, 10, 1, data(format.DeltaBinaryPacked, 10, 20, delta(128, 4, math.MaxInt32, 0))), "holds more than it says"},
		{"blocks of integers", crafted(t, format.Int64, format.Required, format.Uncompressed, 10, 1, data(format.DeltaBinaryPacked, 10, 20, append(delta(1<<40, 1, 10, 0), make([]byte, 9)...))), "holds more than it says"},
		{"texts that start alike", crafted(t, format.ByteArray, format.Required, format.Uncompressed, 100_000, 1, data(format.DeltaByteArray, 100_000, len(long)+len(none), slices.Concat(long, none))), "holds more than it says"},
		{"row groups over the same pages", crafted(t, format.Double, format.Required, format.Uncompressed, 10, 10_000, data(format.Plain, 10, 80, make([]byte, 80))), "its columns have"},
		{"Hadoop's LZ4", crafted(t, format.Double, format.Required, format.Lz4, 10, 1, data(format.Plain, 10, 80, append([]byte{0, 0, 0, 80, 0, 0, 0, 15}, packed(format.Lz4Raw, 80)...))), "compressed by LZ4 with Hadoop's framing, which is not supported: write the file again with Snappy, zstd or LZ4_RAW"},
		{"Hadoop's LZO", crafted(t, format.Double, format.Required, format.LZO, 10, 1, data(format.Plain, 10, 80, make([]byte, 80))), "compressed by LZO with Hadoop's framing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			in, err := dataset.OpenReader(bytes.NewReader(test.file), "bomb.parquet", "")
			if err == nil {
				_, err = in.Read(dataset.ReadOptions{})
				in.Close()
			}
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), test.want) && !strings.Contains(err.Error(), "are left") { // of memory
				t.Errorf("got %v, want %q", err, test.want)
			}
			if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 64 {
				t.Errorf("a file of %d bytes took %d MiB", len(test.file), took)
			}
		})
	}
}

// TestCrafted: what is crafted in the same way and holds what it says is read.
func TestCrafted(t *testing.T) {
	codes := append([]byte{1}, 20, 0) // a run of ten
	for name, file := range map[string][]byte{
		"plain":      crafted(t, format.Double, format.Required, format.Uncompressed, 10, 1, data(format.Plain, 10, 80, make([]byte, 80))),
		"dictionary": crafted(t, format.Double, format.Required, format.Uncompressed, 10, 1, numbers(1), data(format.RLEDictionary, 10, len(codes), codes)),
		"optional":   crafted(t, format.Double, format.Optional, format.Snappy, 10, 1, data(format.Plain, 10, 86, must.Get(codecs[format.Snappy].Encode(nil, append([]byte{2, 0, 0, 0, 20, 1}, make([]byte, 80)...)))(t))),
	} {
		in := must.Get(dataset.OpenReader(bytes.NewReader(file), "t.parquet", ""))(t)
		f, err := in.Read(dataset.ReadOptions{})
		if err != nil || f.Rows() != 10 || f.Numeric().At(9, 0) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
