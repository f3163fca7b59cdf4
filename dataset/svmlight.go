package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"unsafe"
)

// ReadSVMLight reads sparse rows in the format of SVMlight and LIBSVM from r,
// which is decompressed if it starts as gzip does; name is its name in errors.
// A line is a row:
//
//	label index:value index:value … # comment
//
// The label is any text without a colon, kept as it is written: a class, a number,
// or several separated by commas. It is read if Label is "label"
// ([SVMLightLabel]); every row must then have one. Otherwise it may be absent.
// qid:number after the label is skipped, and so are blank lines and comments.
// Indices may come in any order. Index 1 is column x1; if there is an index 0 in
// the file, that is x1 (see [IndexBase]). There are as many columns as the largest
// index says.
//
// Errors are *[ParseError] values with file, line and field (the label is field
// 1). All that are found come at once (20 at most, then a count):
//
//   - an entry that is not index:value, or a value that is not a finite decimal
//     number;
//   - an index that is negative, above 2147483646, repeated in a row, or 0 in a
//     file that starts at 1;
//   - a missing label, or a file without rows or entries.
//
// Memory grows with the entries that are read; no number in the file increases it.
func ReadSVMLight(r io.Reader, name string, opt ReadOptions) (*Sparse, error) {
	if err := checkOptions(indexReader, "svmlight", name, opt); err != nil {
		return nil, err
	}
	opt = opt.asRead(indexReader, "svmlight")
	if opt.Label != "" && opt.Label != SVMLightLabel {
		return nil, &ParseError{File: name, Err: fmt.Errorf("label: the class of an svmlight file is called %q, not %q", SVMLightLabel, opt.Label)}
	}
	names, as, err := svmNames(name, opt)
	if err != nil {
		return nil, err
	}
	filter, err := newColumnFilter(opt, len(names), names == nil, names)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	lines, size, err := openText(r, opt)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	t := &svmTable{opt: opt, as: as, names: names, filter: filter, lines: lines, size: size, least: math.MaxInt32, most: -1, offsets: []int64{0}, labels: newFactorBuilder()}
	t.bad.file = name
	t.readRows()
	return t.table()
}

// svmNames returns the names of the columns, nil for none, and how the data were read that these are to be like.
func svmNames(file string, opt ReadOptions) (names []string, as *Reading, err error) {
	if opt.Names != "" {
		if names, err = readNames(opt.Names, opt); err == nil {
			err = checkNames(names)
		}
		if err != nil {
			return nil, nil, &ParseError{File: file, Err: fmt.Errorf("names: %w", err)}
		}
	}
	as = opt.As
	if as != nil && (as.Columns == 0 || as.IndexBase != nil || opt.Names != "") { // the columns before had names, or no number
		as = nil
	}
	if as != nil && as.Label > 0 { // which stands apart here
		names = as.unlabelledNames()
	}
	return names, as, nil
}

// svmTable is a file of index:value on its way to a Sparse. The indices are
// those of the file until the end tells from which number they count.
type svmTable struct {
	opt    ReadOptions
	as     *Reading // how the data before were read, if their columns are matched by position
	names  []string // of the columns; nil: x1, x2, …
	filter *columnFilter
	lines  *lineReader
	size   int64 // bytes of text, 0 when not known
	bad    mistakes

	offsets     []int64
	indices     []int32
	values      []float64
	least, most int32 // index in the file
	labels      *factorBuilder
	twice       csvCells // lines in which an index stands twice
	repeated    int32    // the first of these
}

// readRows reads the lines and notes what is wrong with them.
func (t *svmTable) readRows() {
	if err := t.lines.each(t.readRow); err != nil {
		t.bad.add(t.lines.line, 0, "", err)
	}
}

// readRow takes over a line. Its error ends the reading.
func (t *svmTable) readRow(line []byte) error {
	if t.lines.line == 1 {
		if err := foreignText([]string{string(line[:min(len(line), 1<<12)])}); err != nil {
			return err
		}
	}
	line, _, _ = bytes.Cut(line, []byte("#"))
	if field, rest := cutField(line); len(field) > 0 {
		t.addRow(field, rest)
	}
	if len(t.offsets) == 1024 {
		t.reserve()
	}
	return errors.Join(roomFor(&t.indices), roomFor(&t.values), roomFor(&t.offsets))
}

// reserve allocates the entries of the whole file by the length of the rows so
// far.
func (t *svmTable) reserve() {
	if at := t.lines.offset; t.size > at && t.filter.only == nil {
		share := 1.02 * float64(t.size-at) / float64(at)
		t.indices = slices.Grow(t.indices, int(float64(len(t.indices))*share)+64)
		t.values = slices.Grow(t.values, int(float64(len(t.values))*share)+64)
		t.offsets = slices.Grow(t.offsets, int(float64(len(t.offsets))*share)+64)
	}
}

// addRow takes over a line whose first field is given.
func (t *svmTable) addRow(field, rest []byte) {
	number := 1
	if bytes.IndexByte(field, ':') < 0 {
		t.addLabel(field)
		field, rest = cutField(rest)
		number++
	} else if t.opt.Label != "" && t.opt.LabelOptional {
		t.labels.addMissing()
	} else if t.opt.Label != "" {
		t.bad.add(t.lines.line, 1, "", fmt.Errorf("%q is an entry, so the line has no label: add one, or read the file without the class", clip(string(field))))
	}
	if query, ok := bytes.CutPrefix(field, []byte("qid:")); ok {
		if _, err := strconv.ParseInt(string(query), 10, 64); err != nil {
			t.bad.add(t.lines.line, number, "", fmt.Errorf("%q: what follows qid: is not an integer", clip(string(field))))
		}
		field, rest = cutField(rest)
		number++
	}
	for ; len(field) > 0; number++ {
		t.addEntry(field, number)
		field, rest = cutField(rest)
	}
	t.endRow()
}

func (t *svmTable) addLabel(label []byte) {
	if t.opt.Label == "" {
		return
	}
	if t.labels.add(unsafe.String(&label[0], len(label))) {
		if err := foreignText([]string{string(label)}); err != nil {
			t.bad.add(t.lines.line, 1, SVMLightLabel, err)
		}
	}
}

// addEntry takes over index:value.
func (t *svmTable) addEntry(field []byte, number int) {
	index, value, err := parseEntry(field)
	if err == nil && index == 0 && t.opt.Base == OneBased {
		err = fmt.Errorf("%q: the index is 0, and the first column is said to be 1 (option index_base)", clip(string(field)))
	}
	if err != nil {
		t.bad.add(t.lines.line, number, "", err)
		return
	}
	t.least, t.most = min(t.least, index), max(t.most, index)
	if t.wanted(index) {
		t.indices, t.values = append(t.indices, index), append(t.values, value)
	}
}

// wanted reports whether an index may be that of a column that is kept: as long
// as their start is not known, one of two.
func (t *svmTable) wanted(index int32) bool {
	if t.filter.only == nil {
		return true
	}
	if _, ok := t.filter.place(index); ok && t.opt.Base != OneBased {
		return true
	}
	_, ok := t.filter.place(index - 1)
	return ok && t.opt.Base != ZeroBased
}

// parseEntry reads index:value.
func parseEntry(field []byte) (index int32, value float64, err error) {
	i := bytes.IndexByte(field, ':')
	if i < 1 {
		return 0, 0, fmt.Errorf("%q is not index:value", clip(string(field)))
	}
	n := int64(0)
	for _, c := range field[:i] {
		if c < '0' || c > '9' {
			return 0, 0, fmt.Errorf("%q: the index is not a whole number, 0 or more", clip(string(field)))
		}
		if n = 10*n + int64(c-'0'); n >= math.MaxInt32 {
			return 0, 0, fmt.Errorf("%q: the index is above %d", clip(string(field)), math.MaxInt32-1)
		}
	}
	text := field[i+1:]
	v, kind := parseCell(unsafe.String(unsafe.SliceData(text), len(text)))
	switch kind {
	case textCell:
		return 0, 0, fmt.Errorf("%q: the value %s", clip(string(field)), notNumber(string(text)))
	case nonFiniteCell:
		return 0, 0, fmt.Errorf("%q: the value is not a finite number", clip(string(field)))
	}
	return int32(n), v, nil
}

// endRow puts the entries of the row in order, looks for an index that is there
// twice, and drops zeros.
func (t *svmTable) endRow() {
	from := int(t.offsets[len(t.offsets)-1])
	row := rowEntries{t.indices[from:], t.values[from:]}
	if !slices.IsSorted(row.indices) {
		sort.Stable(row)
	}
	to, before, twice := 0, int32(-1), false
	for p, j := range row.indices {
		if j == before && !twice {
			if t.twice.count == 0 {
				t.repeated = j
			}
			t.twice.add(t.lines.line)
		}
		twice, before = j == before, j
		if v := row.values[p]; v != 0 {
			row.indices[to], row.values[to] = j, v
			to++
		}
	}
	t.indices, t.values = t.indices[:from+to], t.values[:from+to]
	t.offsets = append(t.offsets, int64(from+to))
}

// noteTwice notes an index that stands twice in a line, once for all lines.
func (t *svmTable) noteTwice() {
	lines := ""
	if t.twice.count > 1 {
		lines = fmt.Sprintf(" (%d lines like it up to %d)", t.twice.count, t.twice.last)
	}
	if t.twice.count > 0 {
		t.bad.add(t.twice.first, 0, "", fmt.Errorf("index %d occurs twice%s", t.repeated, lines))
	}
}

// readIndexed reads an svmlight file.
func (f *File) readIndexed(opt ReadOptions) (*Sparse, error) {
	return ReadSVMLight(f.rawText(), f.name, opt)
}
