package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// columnOf returns the cells of a file's only column.
func columnOf(t *testing.T, file []byte, opt dataset.ReadOptions) *dataset.Frame {
	t.Helper()
	in := must.Get(dataset.OpenReader(bytes.NewReader(file), "t.parquet", ""))(t)
	defer in.Close()
	return must.Get(in.Read(opt))(t)
}

// TestRunsOfBooleans: booleans in runs and packed groups, in turn and of any length, are read as they are
// meant, in several pages.
func TestRunsOfBooleans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var want []float64
		var pages []craftedPage
		for range 1 + rng.IntN(3) {
			var body []byte
			first := len(want)
			for range 1 + rng.IntN(5) {
				if rng.IntN(2) == 0 {
					n, bit := 1+rng.IntN(20), byte(rng.IntN(2))
					body = append(binary.AppendUvarint(body, uint64(n)<<1), bit)
					for range n {
						want = append(want, float64(bit))
					}
					continue
				}
				n := 1 + rng.IntN(3)
				body = binary.AppendUvarint(body, uint64(n)<<1|1)
				for range n {
					b := byte(rng.Uint32())
					body = append(body, b)
					for i := range 8 {
						want = append(want, float64(b>>i&1))
					}
				}
			}
			body = append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...)
			pages = append(pages, data(format.RLE, len(want)-first, len(body), body))
		}
		f := columnOf(t, crafted(t, format.Boolean, format.Required, format.Uncompressed, int64(len(want)), 1, pages...), dataset.ReadOptions{})
		for i, v := range want {
			if got := f.Numeric().At(i, 0); got != v {
				t.Fatalf("row %d of %d: %g, want %g", i+1, len(want), got, v)
			}
		}
	}
}

// TestWideDifferences: integers of 32 bits are right too if their differences have more than 32 bits, as
// numbers and as texts.
func TestWideDifferences(t *testing.T) {
	values := []int64{math.MaxInt32, math.MinInt32, 0, math.MinInt32, 7, math.MaxInt32, -1}
	body := must.Get(new(delta.BinaryPackedEncoding).EncodeInt64(nil, values))(t)
	file := crafted(t, format.Int32, format.Required, format.Uncompressed, int64(len(values)), 1, data(format.DeltaBinaryPacked, len(values), len(body), body))
	numbers, class := columnOf(t, file, dataset.ReadOptions{}), columnOf(t, file, dataset.ReadOptions{Categorical: []string{"a"}})
	for i, v := range values {
		if got := numbers.Numeric().At(i, 0); got != float64(v) {
			t.Errorf("row %d: %g, want %d", i+1, got, v)
		}
	}
	if levels := class.Columns()[0].Factor.Levels; len(levels) != 5 {
		t.Errorf("levels %q", levels)
	}
}

// TestWideFirst: integers of 32 bits without a sign are right too if the first is written as one of 64 bits,
// in several pages and among cells that are missing.
func TestWideFirst(t *testing.T) {
	const none = -1
	pages := [][]int64{{math.MaxUint32, 0, math.MaxInt32 + 1, 7}, {1 << 31}, {}, {5, math.MaxUint32, 1 << 31}, {none, 1 << 31, none, 3}, {1, 2}}
	for _, repetition := range []format.FieldRepetitionType{format.Required, format.Optional} {
		var crafted []craftedPage
		var want []int64
		for _, cells := range pages {
			values := slices.DeleteFunc(slices.Clone(cells), func(v int64) bool { return v == none })
			if repetition == format.Required {
				cells = values
			}
			body := must.Get(new(delta.BinaryPackedEncoding).EncodeInt64(nil, values))(t)
			if repetition == format.Optional {
				levels := []byte{1<<1 | 1, 0} // a group of eight
				for i, v := range cells {
					if v != none {
						levels[1] |= 1 << i
					}
				}
				body = slices.Concat([]byte{2, 0, 0, 0}, levels, body)
			}
			crafted, want = append(crafted, data(format.DeltaBinaryPacked, len(cells), len(body), body)), append(want, cells...)
		}
		leaf := format.SchemaElement{Name: "a"}
		leaf.Type = thrift.Null[format.Type]{Valid: true, V: format.Int32}
		leaf.RepetitionType = thrift.Null[format.FieldRepetitionType]{Valid: true, V: repetition}
		leaf.ConvertedType = thrift.Null[deprecated.ConvertedType]{Valid: true, V: deprecated.Uint32}
		file := craftedColumn(t, leaf, format.Uncompressed, int64(len(want)), 1, crafted...)
		numbers, class := columnOf(t, file, dataset.ReadOptions{}), columnOf(t, file, dataset.ReadOptions{Categorical: []string{"a"}})
		for i, v := range want {
			number, text := float64(v), strconv.FormatInt(v, 10)
			if v == none {
				number, text = math.NaN(), ""
			}
			if got, word := numbers.Numeric().At(i, 0), class.Columns()[0].Factor.Text(i); math.Float64bits(got) != math.Float64bits(number) || word != text {
				t.Errorf("%v, row %d: %g and %q, want %d", repetition, i+1, got, word, v)
			}
		}
	}
}

// TestEmptyPages: a page of version 2 whose cells are all missing may have not one byte of values, whatever it is
// coded and compressed by, and no page that has values may.
func TestEmptyPages(t *testing.T) {
	levels := func(bits byte, n int) []byte { return []byte{byte(n << 1), bits} } // a run
	page := func(encoding format.Encoding, cells, nulls int, levels, body []byte, size int) craftedPage {
		h := format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: int32(len(levels) + size), CompressedPageSize: int32(len(levels) + len(body))}
		h.DataPageHeaderV2 = thrift.Null[format.DataPageHeaderV2]{Valid: true, V: format.DataPageHeaderV2{NumValues: int32(cells), NumNulls: int32(nulls), NumRows: int32(cells),
			Encoding: encoding, DefinitionLevelsByteLength: int32(len(levels)), IsCompressed: thrift.Null[bool]{Valid: true, V: true}}}
		return craftedPage{h, append(levels, body...)}
	}
	for _, codec := range []format.CompressionCodec{format.Snappy, format.Zstd, format.Gzip, format.Brotli, format.Lz4Raw, format.Uncompressed} {
		three := binary.LittleEndian.AppendUint64(nil, math.Float64bits(3))
		packed := three
		if codec != format.Uncompressed {
			packed = must.Get(codecs[codec].Encode(nil, three))(t)
		}
		for _, encoding := range []format.Encoding{format.Plain, format.ByteStreamSplit, format.DeltaBinaryPacked} {
			pages := []craftedPage{page(encoding, 5, 5, levels(0, 5), nil, 0), page(format.Plain, 1, 0, levels(1, 1), packed, 8), page(encoding, 2, 2, levels(0, 2), nil, 0)}
			f := columnOf(t, crafted(t, format.Double, format.Optional, codec, 8, 1, pages...), dataset.ReadOptions{})
			for i := range 8 {
				if got := f.Numeric().At(i, 0); i == 5 && got != 3 || i != 5 && !math.IsNaN(got) {
					t.Errorf("%v, %v: row %d is %g", codec, encoding, i+1, got)
				}
			}
			texts := columnOf(t, crafted(t, format.ByteArray, format.Optional, codec, 5, 1, pages[0]), dataset.ReadOptions{})
			if c := texts.Columns()[0].Factor; len(c.Codes) != 5 || len(c.Levels) != 0 {
				t.Errorf("%v, %v: levels %q", codec, encoding, c.Levels)
			}
			lying := crafted(t, format.Double, format.Optional, codec, 5, 1, page(encoding, 5, 4, levels(1, 5), nil, 0))
			in := must.Get(dataset.OpenReader(bytes.NewReader(lying), "t.parquet", ""))(t)
			if _, err := in.Read(dataset.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("%v, %v: values in no byte: %v", codec, encoding, err)
			}
			must.OK(t, in.Close())
		}
	}
}

// TestSignedFooter: a footer that is signed and can be read is that of an encrypted file.
func TestSignedFooter(t *testing.T) {
	file := crafted(t, format.Double, format.Required, format.Uncompressed, 1, 1, data(format.Plain, 1, 8, make([]byte, 8)))
	end := len(file) - 8
	footer := binary.LittleEndian.Uint32(file[end:])
	signed := binary.LittleEndian.AppendUint32(append(file[:end:end], make([]byte, 28)...), footer+28)
	if _, err := open(bytes.NewReader(append(signed, magic...)), int64(len(signed)+4)); !errors.Is(err, errEncrypted) {
		t.Errorf("%v", err)
	}
}
