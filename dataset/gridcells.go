package dataset

import (
	"bytes"
	"fmt"
	"math"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/memory"
)

// read fills the table from the grid by the fastest way that is right for it.
func (t *gridTable) read(g base.FixedDataGrid) error {
	if dense, ok := g.(*base.DenseInstances); ok {
		if done, err := t.readStorage(dense); done || err != nil {
			return err
		}
	}
	t.allocate()
	columns := t.columns()
	specs := make([]base.AttributeSpec, len(columns))
	for i, c := range columns {
		spec, err := g.GetAttribute(c.attr)
		if err != nil {
			return fmt.Errorf("attribute %q: %w", c.attr.GetName(), err)
		}
		specs[i] = spec
	}
	// MapOverRows of a view on rows leaves its row map out of account; Get does
	// not.
	if _, view := g.(*base.InstancesView); !view {
		if ok, err := t.readByRows(g, columns, specs); ok || err != nil {
			return err
		}
	}
	return t.readByCells(g, columns, specs)
}

// allocate makes the matrix unless it is there.
func (t *gridTable) allocate() {
	if t.x == nil && t.p > 0 {
		t.x = mat.NewDense(t.rows, t.p, memory.Numbers(t.rows*t.p))
	}
}

func (t *gridTable) columns() []*gridColumn {
	if t.class == nil {
		return t.features
	}
	return append(t.features[:len(t.features):len(t.features)], t.class)
}

// put stores golearn's bytes of one cell; nil is a missing cell.
func (t *gridTable) put(c *gridColumn, row int, b []byte) error {
	if c.codes != nil {
		return c.putCategory(row, b)
	}
	var v float64
	_, binary := c.attr.(*base.BinaryAttribute)
	switch {
	case len(b) == 0:
		v, c.missing = math.NaN(), true
	case binary:
		if b[0] > 0 {
			v = 1
		}
	case len(b) < 8:
		return fmt.Errorf("row %d, column %q: %d bytes for a number, want 8", row+1, c.attr.GetName(), len(b))
	default:
		v = base.UnpackBytesToFloat(b)
	}
	if c.values != nil {
		c.values[row] = v
	} else {
		t.x.Set(row, c.place, v)
	}
	return nil
}

// putCategory stores golearn's bytes of a category.
func (c *gridColumn) putCategory(row int, b []byte) error {
	c.codes[row] = Missing
	if len(b) == 0 {
		return nil
	}
	if len(b) < 8 {
		return fmt.Errorf("row %d, column %q: %d bytes for a category, want 8", row+1, c.attr.GetName(), len(b))
	}
	v := base.UnpackBytesToU64(b)
	if v >= uint64(len(c.code)) {
		return fmt.Errorf("row %d, column %q: value %d of an attribute that has %d values", row+1, c.attr.GetName(), v, len(c.code))
	}
	c.codes[row] = c.code[v]
	return nil
}

// readByCells reads every cell with Get.
func (t *gridTable) readByCells(g base.FixedDataGrid, columns []*gridColumn, specs []base.AttributeSpec) error {
	for row := range t.rows {
		for i, c := range columns {
			if err := t.put(c, row, g.Get(specs[i], row)); err != nil {
				return err
			}
		}
	}
	return nil
}

// readByRows reads the grid with MapOverRows, by the row index that it hands
// out, which need not ascend, and reports whether that was right. It is not for
// a grid over a view on rows. A lazily filtered grid also sends cells through
// its filter that the filter does not know; so each row and each column
// is compared at one place with what Get says. Get alone would do, but in a lazily
// filtered grid one call takes time in proportion to the number of columns.
func (t *gridTable) readByRows(g base.FixedDataGrid, columns []*gridColumn, specs []base.AttributeSpec) (ok bool, err error) {
	defer func() {
		if recover() != nil {
			ok, err = false, nil
		}
	}()
	seen, count := make([]bool, t.rows), 0
	var putErr error
	err = g.MapOverRows(specs, func(cells [][]byte, row int) (bool, error) {
		if row < 0 || row >= t.rows || seen[row] || len(cells) != len(columns) {
			return false, nil
		}
		for i, c := range columns {
			if i == row%len(columns) || row == i%t.rows {
				if !bytes.Equal(cells[i], g.Get(specs[i], row)) {
					return false, nil
				}
			}
			if putErr = t.put(c, row, cells[i]); putErr != nil {
				return false, nil
			}
		}
		seen[row] = true
		count++
		return true, nil
	})
	return count == t.rows && err == nil && putErr == nil, nil
}
