package classifier

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// treeColumn is a training column as trees read it: whole numbers that stand in
// the order of the values. Splits compare these; only the thresholds of the
// finished tree are values again.
type treeColumn struct {
	ranks  []uint32  // by row: index into values, or code of the level
	values []float64 // distinct, ascending; nil for a categorical column
	levels int       // of a categorical column
}

// treeColumns ranks the columns of f, in their order. f has no missing cell.
func treeColumns(f *dataset.Frame) []treeColumn {
	have := f.Columns()
	columns := make([]treeColumn, len(have))
	place := make([]int, len(columns))
	numeric := 0
	for j, column := range have {
		if column.Factor == nil {
			place[j] = numeric
			numeric++
		}
	}
	scratch := make([]rankScratch, kernel.Workers(len(columns)))
	kernel.Parallel(len(columns), func(worker, j int) {
		if factor := have[j].Factor; factor != nil {
			columns[j] = treeColumn{ranks: lists.Map(factor.Codes, func(code int32) uint32 { return uint32(code) }), levels: len(factor.Levels)}
			return
		}
		columns[j] = scratch[worker].rank(f.Numeric(), place[j])
	})
	return columns
}

// rankScratch is the space for ranking one column after the other.
type rankScratch struct {
	keys, spareKeys []uint64
	rows, spareRows []uint32
}

// rank sorts column j of x by radix and numbers its distinct values.
func (s *rankScratch) rank(x *mat.Dense, j int) treeColumn {
	n, _ := x.Dims()
	if len(s.keys) < n {
		s.keys, s.spareKeys = make([]uint64, n), make([]uint64, n)
		s.rows, s.spareRows = make([]uint32, n), make([]uint32, n)
	}
	raw := x.RawMatrix()
	differ := uint64(0)
	for i := range n {
		s.keys[i] = orderedBits(raw.Data[i*raw.Stride+j])
		s.rows[i] = uint32(i)
		differ |= s.keys[i] ^ s.keys[0]
	}
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&255 != 0 {
			s.pass(n, shift)
		}
	}
	c := treeColumn{ranks: make([]uint32, n)}
	for at, row := range s.rows[:n] {
		if at == 0 || s.keys[at] != s.keys[at-1] {
			c.values = append(c.values, raw.Data[int(row)*raw.Stride+j]+0)
		}
		c.ranks[row] = uint32(len(c.values) - 1)
	}
	c.values = slices.Clip(c.values)
	return c
}

// pass sorts stably by one byte of the keys.
func (s *rankScratch) pass(n, shift int) {
	var start [257]int
	for _, key := range s.keys[:n] {
		start[key>>shift&255+1]++
	}
	for b := range 256 {
		start[b+1] += start[b]
	}
	for i, key := range s.keys[:n] {
		to := start[key>>shift&255]
		start[key>>shift&255]++
		s.spareKeys[to], s.spareRows[to] = key, s.rows[i]
	}
	s.keys, s.spareKeys = s.spareKeys, s.keys
	s.rows, s.spareRows = s.spareRows, s.rows
}

// orderedBits maps numbers to bits that compare as they do; −0 and 0 are equal.
func orderedBits(v float64) uint64 {
	b := math.Float64bits(v + 0)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// sortRanks sorts keys by their bits from 32 up, which lie in 0…highest. Keys
// with equal upper bits come in any order. It returns the sorted slice, keys or
// spare.
func sortRanks(keys, spare []uint64, highest uint32) []uint64 {
	if len(keys) < 64 {
		slices.Sort(keys)
		return keys
	}
	for shift := 32; shift < 32+bits.Len32(highest); shift += 8 {
		var start [256]uint32
		for _, key := range keys {
			start[uint8(key>>shift)]++
		}
		sum := uint32(0)
		for b, count := range start {
			start[b] = sum
			sum += count
		}
		for _, key := range keys {
			b := uint8(key >> shift)
			spare[start[b]] = key
			start[b]++
		}
		keys, spare = spare, keys
	}
	return keys
}
