package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
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
