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
func Write(w io.Writer, f *dataset.Frame) error {
	return dataset.WriteAs(w, "table.parquet", f)
}

// writer writes the rows of one frame after another. The pages that the library makes depend on how
// many rows it is handed at a time: always as many, whatever the frames.
type writer struct {
	to   io.Writer
	out  *parquet.GenericWriter[any]
	made []output // of the first frame
	rows []parquet.Row
	room []parquet.Value
}

// handed is how many rows the library is handed at a time.
const handed = 256

func newWriter(w io.Writer, _ int) (dataset.FrameWriter, error) {
	return &writer{to: w}, nil
}

// recovered makes a panic of the library an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("writing Parquet failed: %v", p)
	}
}

// Write writes the rows of f.
func (w *writer) Write(f *dataset.Frame) (err error) {
	defer recovered(&err)
	columns := outputs(f)
	if len(columns) == 0 {
		return errors.New("the frame has no columns to write")
	}
	if w.out == nil {
		w.made = columns
		w.out = parquet.NewGenericWriter[any](w.to, schemaOf(columns), parquet.Compression(&snappy.Codec{}), parquet.MaxRowsPerRowGroup(rowsPerGroup))
		w.room = make([]parquet.Value, handed*len(columns))
	} else if !slices.EqualFunc(columns, w.made, func(a, b output) bool { return a.name == b.name && (a.number == nil) == (b.number == nil) }) {
		return errors.New("the frame has other columns than those before it")
	}
	for i := range f.Rows() {
		row := w.room[len(w.rows)*len(columns):][:len(columns):len(columns)]
		for j := range columns {
			row[j] = columns[j].value(i, j)
		}
		if w.rows = append(w.rows, row); len(w.rows) == handed {
			if err := w.hand(); err != nil {
				return err
			}
		}
	}
	return nil
}

// hand hands over the rows at hand.
func (w *writer) hand() error {
	_, err := w.out.WriteRows(w.rows)
	w.rows = w.rows[:0]
	return err
}

// Close writes what is left, and the footer.
func (w *writer) Close() (err error) {
	defer recovered(&err)
	if w.out == nil {
		return errors.New("there are no rows to write")
	}
	if err := w.hand(); err != nil {
		return err
	}
	return w.out.Close()
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
