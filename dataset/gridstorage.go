package dataset

import (
	"unsafe"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"
)

// readStorage reads DenseInstances through the memory of their groups, and
// reports whether it could: not if a group has cells of another size than
// golearn makes them by itself, or an attribute is there twice.
func (t *gridTable) readStorage(g *base.DenseInstances) (bool, error) {
	columns := make(map[base.Attribute]*gridColumn)
	for _, c := range t.columns() {
		columns[c.attr] = c
	}
	groups := g.AllAttributeGroups()
	runs, ok := t.runsOf(groups, columns)
	if !ok {
		return false, nil
	}
	runs = t.adopt(runs)
	t.allocate()
	for _, r := range runs {
		for row := range t.rows {
			copy(t.x.RawRowView(row)[r.place:], r.floats[row*r.width+r.first:][:r.columns])
		}
	}
	for _, group := range groups {
		if err := t.copyOthers(group, columns); err != nil {
			return false, err
		}
	}
	return true, nil
}

// runsOf returns the runs of numbers in the groups, and whether all is laid out as usual.
func (t *gridTable) runsOf(groups map[string]base.AttributeGroup, columns map[base.Attribute]*gridColumn) (runs []run, ok bool) {
	found := 0
	for _, group := range groups {
		if !usualLayout(group, t.rows) {
			return nil, false
		}
		found += len(group.Attributes())
		runs = append(runs, numericRuns(group, columns)...)
	}
	if found != len(columns) || found != len(t.columns()) {
		return nil, false
	}
	return runs, true
}

// adopt takes the memory of one run that is all the numbers, and returns what is left to copy.
func (t *gridTable) adopt(runs []run) []run {
	if len(runs) == 1 && runs[0].columns == t.p {
		r := runs[0]
		all := mat.NewDense(t.rows, r.width, r.floats[:t.rows*r.width])
		t.x = all.Slice(0, t.rows, r.first, r.first+r.columns).(*mat.Dense)
		runs = nil
	}
	return runs
}

// usualLayout reports whether the group holds its cells as golearn's default
// groups do: 8 bytes for a float or a category, one bit for a binary.
func usualLayout(group base.AttributeGroup, rows int) bool {
	attrs := group.Attributes()
	size := 8 * len(attrs)
	_, bits := group.(*base.BinaryAttributeGroup)
	if bits {
		size = (len(attrs) + 7) / 8
	}
	for _, a := range attrs {
		if _, binary := a.(*base.BinaryAttribute); binary != bits {
			return false
		}
	}
	return group.RowSizeInBytes() == size && len(group.Storage()) >= size*rows
}

// A run is a sequence of numeric columns that stand side by side in a group as
// well as in the matrix.
type run struct {
	floats  []float64 // the memory of the group, row-major
	width   int       // columns of the group
	first   int       // first column of the run in the group
	place   int       // first column of the run in the matrix
	columns int
}

// numericRuns returns the runs of a group of floats; none if its memory is not
// aligned for them.
func numericRuns(group base.AttributeGroup, columns map[base.Attribute]*gridColumn) []run {
	floats := floatsOf(group)
	if floats == nil {
		return nil
	}
	attrs := group.Attributes()
	var runs []run
	for j, a := range attrs {
		c := columns[a]
		if c == nil || c.place < 0 {
			continue
		}
		if last := len(runs) - 1; last >= 0 && j == runs[last].first+runs[last].columns && c.place == runs[last].place+runs[last].columns {
			runs[last].columns++
			continue
		}
		runs = append(runs, run{floats: floats, width: len(attrs), first: j, place: c.place, columns: 1})
	}
	return runs
}

// floatsOf returns the memory of a group as floats, nil if it cannot be seen so.
func floatsOf(group base.AttributeGroup) []float64 {
	storage := group.Storage()
	if _, fixed := group.(*base.FixedAttributeGroup); !fixed || len(storage) < 8 {
		return nil
	}
	if uintptr(unsafe.Pointer(&storage[0]))%unsafe.Alignof(float64(0)) != 0 {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&storage[0])), len(storage)/8)
}

// copyOthers copies those cells of a group that are in no run.
func (t *gridTable) copyOthers(group base.AttributeGroup, columns map[base.Attribute]*gridColumn) error {
	storage, size := group.Storage(), group.RowSizeInBytes()
	_, bits := group.(*base.BinaryAttributeGroup)
	inRuns := floatsOf(group) != nil
	bit := make([]byte, 1)
	for j, a := range group.Attributes() {
		c := columns[a]
		if c.place >= 0 && inRuns {
			continue
		}
		for row := range t.rows {
			cell := bit
			if bits {
				bit[0] = storage[row*size+j/8] >> (j % 8) & 1
			} else {
				cell = storage[row*size+8*j:][:8]
			}
			if err := t.put(c, row, cell); err != nil {
				return err
			}
		}
	}
	return nil
}
