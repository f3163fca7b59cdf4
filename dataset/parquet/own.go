package parquet

import (
	"bytes"
	"encoding/binary"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"

	"github.com/fspca/fspca/internal/lists"
)

// Two codings are decoded here, since the library takes others for them (v0.32). Pages of version 2 have runs
// of booleans. Integers of 32 bits may have differences of more, as arrow-go writes them. Without a sign, the
// first of them may have more as well, as DuckDB writes it. Pages without a value may have no byte for them.

// ownPage names a page by its column and its first row, ownPlace says where it is.
type (
	ownPage struct{ leaf, row int }

	ownPlace struct {
		codec  format.CompressionCodec
		header format.PageHeader
		at     int64
		values int64
	}
)

// ownPages are those that are decoded here.
type ownPages struct {
	mu     sync.Mutex
	places map[ownPage]ownPlace
}

func (o *ownPages) add(page ownPage, place ownPlace) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.places == nil {
		o.places = make(map[ownPage]ownPlace)
	}
	o.places[page] = place
}

func (o *ownPages) find(page ownPage) (ownPlace, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	place, ok := o.places[page]
	return place, ok
}

// isOwn reports whether a page of the encoding is decoded here.
func (v *verifier) isOwn(e format.Encoding, widest byte) bool {
	switch v.column.kind {
	case boolean:
		return e == format.RLE
	case int32s, uint32s:
		return e == format.DeltaBinaryPacked && widest > 32
	}
	return false
}

// ownData is a page that was decoded here.
type ownData struct {
	parquet.Page
	levels []byte
	cells  int64
	values encoding.Values
}

// Dictionary returns nil: the values are in the page.
func (p *ownData) Dictionary() parquet.Dictionary { return nil }

// DefinitionLevels returns 1 for each cell that is there and 0 for others, or nil if all are.
func (p *ownData) DefinitionLevels() []byte { return p.levels }

// NumValues returns the number of cells.
func (p *ownData) NumValues() int64 { return p.cells }

// NumNulls returns the number of cells that are not there.
func (p *ownData) NumNulls() int64 { return int64(bytes.Count(p.levels, []byte{0})) }

// Data returns the values of the cells that are there.
func (p *ownData) Data() encoding.Values { return p.values }

// ownPage returns the page whose first row is the next one, if it is decoded here; nil if it is not.
func (c *cursor) ownPage() (parquet.Page, error) {
	place, ok := c.file.own.find(ownPage{c.column.leaf, c.row})
	if !ok {
		return nil, nil
	}
	v := verifiers.Get().(*verifier)
	defer verifiers.Put(v)
	v.f, v.column, v.codec = c.file, c.column, place.codec
	if err := v.verify(&place.header, place.at, place.values); err != nil {
		return nil, err
	}
	p := &ownData{cells: place.values}
	if c.column.optional {
		bits, ok := unpackedRuns(v.levels, int(place.values))
		if !ok {
			return nil, errLevels
		}
		p.levels = lists.Make(int(place.values), func(i int) byte { return bits[i/8] >> (i % 8) & 1 })
	}
	count := int(p.NumValues() - p.NumNulls())
	switch {
	case count == 0:
		return p, nil
	case len(v.values) == 0:
		return nil, errShort
	}
	var err error
	p.values, err = v.decodeOwn(count)
	return p, err
}

// decodeOwn decodes so many values of the page that was verified last.
func (v *verifier) decodeOwn(count int) (encoding.Values, error) {
	if v.column.kind == boolean {
		bits, ok := unpackedRuns(v.values[4:], count)
		if !ok {
			return encoding.Values{}, errShort
		}
		return encoding.BooleanValues(bits), nil
	}
	wide, err := new(delta.BinaryPackedEncoding).DecodeInt64(nil, v.values)
	values := lists.Map(wide, func(x int64) int32 { return int32(x) })
	return encoding.Int32Values(values), err
}

// unpackedRuns returns the first count bits of runs and packed groups of bits, the lowest of each byte first;
// false if there are fewer.
func unpackedRuns(b []byte, count int) (bits []byte, ok bool) {
	bits = make([]byte, (count+7)/8)
	for at := 0; at < count; {
		u, n := binary.Uvarint(b)
		if n <= 0 || len(b) == n || u>>1 == 0 {
			return nil, false
		}
		b = b[n:]
		size := 1
		run := int(min(u>>1, uint64(count)))
		if u&1 == 1 {
			size, run = min(run, len(b)), 8*run
		}
		for i := range min(run, 8*count, count-at) {
			bit := b[0] & 1
			if u&1 == 1 {
				if i/8 >= size {
					return nil, false
				}
				bit = b[i/8] >> (i % 8) & 1
			}
			bits[at/8] |= bit << (at % 8)
			at++
		}
		b = b[size:]
	}
	return bits, true
}
