package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"unsafe"

	"github.com/fspca/fspca/internal/memory"
)

// readEntries reads the entries and notes what is wrong with them.
func (m *market) readEntries() {
	if !m.reserve() {
		return
	}
	m.i = m.firstRow(0)
	if err := m.lines.each(m.readEntry); err != nil {
		m.bad.add(m.lines.line, 0, "", err)
		return
	}
	if m.above > 0 && m.below && m.symmetry != "general" {
		m.bad.add(m.above, 0, "", fmt.Errorf("the entry is above the diagonal, and others are below it: a %s file holds one half, whose mirror image is the other", m.symmetry))
	}
	if m.found != m.entries {
		m.bad.add(0, 0, "", fmt.Errorf("the sizes declare %d entries, the file has %d", m.entries, m.found))
	}
}

// readEntry takes the entry of a line. Its error ends the reading.
func (m *market) readEntry(line []byte) error {
	if isRemark(line) {
		return nil
	}
	if m.found++; m.found > m.entries {
		return nil
	}
	if err := errors.Join(roomFor(&m.row), roomFor(&m.column), roomFor(&m.values)); err != nil {
		return err
	}
	if m.array {
		m.addCell(line)
	} else {
		m.addEntry(line)
	}
	return nil
}

// reserve takes the memory of the entries at once, if they are known to fit the file, and reports whether there is
// enough.
func (m *market) reserve() bool {
	if m.size > 0 && m.filter.all() { // the entries are known to fit the file
		room := m.entries
		if m.symmetry != "general" {
			room *= 2
		}
		err := memory.Check("the matrix", 28*room)
		if err == nil && room > math.MaxInt {
			err = fmt.Errorf("%d entries are too many for a program of 32 bits", room)
		}
		if err != nil {
			m.bad.add(0, 0, "", err)
			return false
		}
		m.row, m.column, m.values = make([]int32, 0, room), make([]int32, 0, room), make([]float64, 0, room)
	}
	return true
}

// firstRow returns the first row of column j that an array stores.
func (m *market) firstRow(j int) int {
	switch m.symmetry {
	case "symmetric":
		return j
	case "skew-symmetric":
		return j + 1
	}
	return 0
}

// addCell takes over the next number of an array.
func (m *market) addCell(line []byte) {
	field, rest := cutField(line)
	v, err := m.number(field)
	if extra, _ := cutField(rest); err == nil && len(extra) > 0 {
		err = fmt.Errorf("%q: want one number in a line of an array", clip(string(line)))
	}
	if err != nil {
		m.bad.add(m.lines.line, 1, "", err)
	}
	m.put(int32(m.i), int32(m.j), v)
	if m.i++; m.i == m.rows {
		m.j++
		m.i = m.firstRow(m.j)
	}
}

// addEntry takes over row, column and value.
func (m *market) addEntry(line []byte) {
	first, rest := cutField(line)
	second, rest := cutField(rest)
	i, err1 := position(first, "row", m.rows)
	j, err2 := position(second, "column", m.columns)
	v, err3 := 1.0, error(nil)
	if m.field != "pattern" {
		var third []byte
		third, rest = cutField(rest)
		v, err3 = m.number(third)
	}
	for field, err := range []error{err1, err2, err3} {
		if err != nil {
			m.bad.add(m.lines.line, field+1, "", err)
			return
		}
	}
	if extra, _ := cutField(rest); len(extra) > 0 {
		m.bad.add(m.lines.line, 0, "", fmt.Errorf("%q: there is more in the line than an entry of a %s matrix has", clip(string(line)), m.field))
		return
	}
	if m.symmetry == "skew-symmetric" && i == j && v != 0 {
		m.bad.add(m.lines.line, 0, "", errors.New("a skew-symmetric matrix has no entries but 0 on the diagonal"))
		return
	}
	if i < j && m.above == 0 {
		m.above = m.lines.line
	}
	m.below = m.below || i > j
	m.put(i, j, v)
}

// position reads a row or a column, which count from 1 in the file.
func position(field []byte, what string, limit int) (int32, error) {
	n, err := strconv.ParseInt(unsafe.String(unsafe.SliceData(field), len(field)), 10, 64)
	if err != nil || n < 1 || n > int64(limit) {
		return 0, fmt.Errorf("%q is not a %s from 1 to %d", clip(string(field)), what, limit)
	}
	return int32(n - 1), nil
}

// number reads a value.
func (m *market) number(field []byte) (float64, error) {
	v, kind := parseCell(unsafe.String(unsafe.SliceData(field), len(field)))
	switch {
	case len(field) == 0:
		return 0, fmt.Errorf("the value is missing, want one of field %s", m.field)
	case kind == nonFiniteCell:
		return 0, fmt.Errorf("%q is not a finite number", clip(string(field)))
	case kind == textCell:
		return 0, fmt.Errorf("%q %s", clip(string(field)), notNumber(string(field)))
	case m.field == "integer" && (v != math.Trunc(v) || math.Abs(v) > 1<<53):
		return 0, fmt.Errorf("%q is not an integer that float64 holds exactly", clip(string(field)))
	}
	return v, nil
}

// put adds an entry and its mirror image.
func (m *market) put(i, j int32, v float64) {
	m.putHalf(i, j, v)
	switch {
	case i == j:
	case m.symmetry == "symmetric":
		m.putHalf(j, i, v)
	case m.symmetry == "skew-symmetric":
		m.putHalf(j, i, -v)
	}
}

func (m *market) putHalf(i, j int32, v float64) {
	if v == 0 {
		return
	}
	if m.transpose {
		i, j = j, i
	}
	if at, ok := m.filter.place(j); ok {
		m.row, m.column, m.values = append(m.row, i), append(m.column, at), append(m.values, v)
	}
}

// table makes the table: it counts the entries of each row, and then puts each
// in its place.
func (m *market) table() (*Sparse, error) {
	if len(m.bad.list) == 0 && m.n > 1<<20 && int64(m.n/16) > m.entries {
		m.bad.add(0, 0, "", fmt.Errorf("%d rows have %d entries in all: more than 16 rows for each entry are taken for a mistake in the line of the sizes", m.n, m.entries))
	}
	if err := m.bad.err(); err != nil {
		return nil, err
	}
	s := &Sparse{rows: m.n, columns: m.d, total: m.d, names: m.names, idName: "id", ids: m.ids}
	if kept := m.filter.columns(m.d); kept != nil {
		s.columns, s.origin = len(kept), kept
		s.renameKept()
	}
	if s.columns == 0 {
		return nil, &ParseError{File: m.bad.file, Err: fmt.Errorf("no column is left as a feature of the %d there are", m.d)}
	}
	starts := m.place(s)
	m.order(s, starts)
	if err := m.bad.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// place sorts the entries by their row, and returns where each row starts.
func (m *market) place(s *Sparse) []int64 {
	starts := make([]int64, m.n+1)
	for _, i := range m.row {
		starts[i+1]++
	}
	for i := range m.n {
		starts[i+1] += starts[i]
	}
	s.indices, s.values = make([]int32, len(m.row)), make([]float64, len(m.row))
	next := slices.Clone(starts[:m.n])
	for p, i := range m.row {
		s.indices[next[i]], s.values[next[i]] = m.column[p], m.values[p]
		next[i]++
	}
	m.row, m.column, m.values = nil, nil, nil
	return starts
}

// order sorts the rows, which begin at starts, adds entries at the same place and drops zeros.
func (m *market) order(s *Sparse, starts []int64) {
	to := int64(0)
	s.offsets = starts
	for i := range s.rows {
		lo, hi := starts[i], starts[i+1]
		row := rowEntries{s.indices[lo:hi], s.values[lo:hi]}
		if !slices.IsSorted(row.indices) {
			sort.Stable(row)
		}
		s.offsets[i] = to
		for p := 0; p < len(row.indices); {
			j, v := row.indices[p], 0.0
			for ; p < len(row.indices) && row.indices[p] == j; p++ {
				v += row.values[p]
			}
			if v-v != 0 {
				m.bad.add(0, 0, s.Name(int(j)), fmt.Errorf("the entries of row %d add up to %v", i+1, v))
			}
			if v != 0 {
				s.indices[to], s.values[to] = j, v
				to++
			}
		}
	}
	s.offsets[s.rows] = to
	s.indices, s.values = s.indices[:to], s.values[:to]
}
