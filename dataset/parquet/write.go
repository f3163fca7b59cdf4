package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"

	"github.com/fspca/fspca/dataset"
)

// rowsPerGroup is how many rows a row group has: readers share the work by it.
const rowsPerGroup = 1 << 17

// Write writes a frame as Parquet, packed by Snappy: the names of the rows first, numbers as DOUBLE,
// categories and the class as strings with a dictionary. A missing cell is null. What is read back is
// the same frame.
func Write(w io.Writer, f *dataset.Frame) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("writing Parquet failed: %v", p)
		}
	}()
	if f == nil {
		return errors.New("there is no frame to write")
	}
	columns := outputs(f)
	if len(columns) == 0 {
		return errors.New("the frame has no columns to write")
	}
	out := parquet.NewGenericWriter[any](w, schemaOf(columns), parquet.Compression(&snappy.Codec{}), parquet.MaxRowsPerRowGroup(rowsPerGroup))
	if err := writeRows(out, f.Rows(), columns); err != nil {
		return err
	}
	return out.Close()
}

// writeRows writes blocks of rows.
func writeRows(out *parquet.GenericWriter[any], n int, columns []output) error {
	const block = 256
	rows := make([]parquet.Row, 0, block)
	values := make([]parquet.Value, block*len(columns))
	for i := 0; i < n; i += block {
		rows = rows[:0]
		for r := i; r < min(i+block, n); r++ {
			row := values[(r-i)*len(columns):][:len(columns):len(columns)]
			for j := range columns {
				row[j] = columns[j].value(r, j)
			}
			rows = append(rows, row)
		}
		if _, err := out.WriteRows(rows); err != nil {
			return err
		}
	}
	return nil
}

// output is a column that is written.
type output struct {
	name   string
	number func(row int) float64 // nil for text
	texts  func(row int) (string, bool)
}

func (o *output) value(row, column int) parquet.Value {
	if o.number != nil {
		if v := o.number(row); !math.IsNaN(v) {
			return parquet.DoubleValue(v).Level(0, 1, column)
		}
		return parquet.NullValue().Level(0, 0, column)
	}
	if s, ok := o.texts(row); ok {
		return parquet.ByteArrayValue([]byte(s)).Level(0, 1, column)
	}
	return parquet.NullValue().Level(0, 0, column)
}

// outputs lists the columns of a frame: the names of the rows, the features, the class.
func outputs(f *dataset.Frame) []output {
	var list []output
	if name, ids := f.ID(); ids != nil {
		list = append(list, output{name: name, texts: func(row int) (string, bool) { return ids[row], ids[row] != "" }})
	}
	x, place := f.Numeric(), 0
	for _, c := range f.Columns() {
		if c.Factor != nil {
			list = append(list, output{name: c.Name, texts: textsOf(c.Factor)})
			continue
		}
		at := place
		place++
		list = append(list, output{name: c.Name, number: func(row int) float64 { return x.At(row, at) }})
	}
	if class := f.Class(); class != nil {
		list = append(list, output{name: f.ClassName(), texts: textsOf(class)})
	}
	return list
}

func textsOf(c *dataset.Factor) func(int) (string, bool) {
	return func(row int) (string, bool) { return c.Text(row), c.Codes[row] != dataset.Missing }
}

// schemaOf returns the schema, in the order of the columns; the library's own groups are in that of
// the names.
func schemaOf(columns []output) *parquet.Schema {
	group, order := parquet.Group{}, make(map[string]int, len(columns))
	for j, c := range columns {
		node := parquet.Optional(parquet.Leaf(parquet.DoubleType))
		if c.number == nil {
			node = parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
		}
		group[c.name], order[c.name] = node, j
	}
	fields := group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return order[a.Name()] - order[b.Name()] })
	return parquet.NewSchema("table", ordered{group, fields})
}

// ordered is a group whose fields are in the order given.
type ordered struct {
	parquet.Group
	fields []parquet.Field
}

// Fields returns the fields in their order.
func (o ordered) Fields() []parquet.Field { return o.fields }

// GoType is that of the group.
func (o ordered) GoType() reflect.Type { return o.Group.GoType() }
