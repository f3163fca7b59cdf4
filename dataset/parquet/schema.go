package parquet

import (
	"fmt"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/fspca/fspca/dataset"
)

// kind is how the values of a column are stored.
type kind int

const (
	boolean kind = iota
	int32s
	int64s
	uint32s
	uint64s
	floats
	doubles
	halves
	decimals // stored as bytes
	texts
	int96s  // moments
	nothing // every cell is missing
)

// column is a column at the top of the schema.
type column struct {
	name    string
	leaf    int // its place among the column chunks of a row group
	kind    kind
	scale   int    // decimal digits of an integer or a decimal that stand after the point
	problem string // why it cannot be read
	layout  string // how its dates or times are written; "" if it holds none
	unit    time.Duration

	optional bool // cells may be missing, as levels say
}

func (c *column) info() dataset.ColumnInfo {
	return dataset.ColumnInfo{Name: c.name, Text: c.isText(), Problem: c.problem,
		Integer: c.isInteger(), Bits: c.bits()}
}

// bits returns how many bits a float is stored in, if that is fewer than 64.
func (c *column) bits() int {
	switch c.kind {
	case halves:
		return 16
	case floats:
		return 32
	}
	return 0
}

func (c *column) isText() bool { return c.kind == texts || c.kind == int96s || c.layout != "" }

func (c *column) isInteger() bool {
	return !c.isText() && c.scale == 0 && (c.kind >= int32s && c.kind <= uint64s || c.kind == decimals)
}

// readSchema returns the columns at the top of a schema, which lists its elements depth first.
func readSchema(elements []format.SchemaElement) ([]column, error) {
	if len(elements) == 0 || !elements[0].NumChildren.Valid {
		return nil, fmt.Errorf("the file is damaged: it has no schema")
	}
	var columns []column
	next, leaf := 1, 0
	for range elements[0].NumChildren.V {
		if next >= len(elements) {
			return nil, fmt.Errorf("the file is damaged: its schema is cut short")
		}
		e := &elements[next]
		c := column{name: e.Name, leaf: leaf}
		if after, leaves, err := skip(elements, next, 0); err != nil {
			return nil, err
		} else if next, leaf = after, leaf+leaves; after > 0 {
			c.classify(e)
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// maxDepth bounds the nesting of schemas.
const maxDepth = 100

// skip returns the place after an element and those below it, and how many of them are leaves.
func skip(elements []format.SchemaElement, at, depth int) (after, leaves int, err error) {
	if at >= len(elements) || depth > maxDepth {
		return 0, 0, fmt.Errorf("the file is damaged: its schema is cut short or without end")
	}
	e := &elements[at]
	after = at + 1
	if !e.NumChildren.Valid || e.NumChildren.V == 0 {
		return after, 1, nil
	}
	for range e.NumChildren.V {
		var n int
		if after, n, err = skip(elements, after, depth+1); err != nil {
			return 0, 0, err
		}
		leaves += n
	}
	return after, leaves, nil
}

// classify finds out what a column holds.
func (c *column) classify(e *format.SchemaElement) {
	switch {
	case e.NumChildren.Valid && e.NumChildren.V > 0:
		c.problem = "holds records or lists"
		return
	case e.RepetitionType.Valid && e.RepetitionType.V == format.Repeated:
		c.problem = "holds lists"
		return
	case !e.Type.Valid:
		c.problem = "is of no type"
		return
	}
	c.optional = e.RepetitionType.Valid && e.RepetitionType.V == format.Optional
	c.setPhysical(e)
	c.setLogical(e)
}

// setPhysical takes over the type of the values.
func (c *column) setPhysical(e *format.SchemaElement) {
	kind, known := physical[e.Type.V]
	if _, ok := e.LogicalType.Value.(*format.Float16Type); !known && ok && e.TypeLength.V == 2 {
		kind, known = halves, true
	}
	if c.kind = kind; !known {
		c.problem = "holds binary data"
	}
}

// physical are the kinds of values by the type that is stored.
var physical = map[format.Type]kind{
	format.Boolean: boolean, format.Int32: int32s, format.Int64: int64s, format.Float: floats, format.Double: doubles,
	format.ByteArray: texts, format.Int96: int96s,
}

// setLogical takes over what the values stand for, by the newer or the older way of saying so.
func (c *column) setLogical(e *format.SchemaElement) {
	logical := any(e.LogicalType.Value)
	if e.LogicalType.Value == nil && e.ConvertedType.Valid {
		logical = olderTypes[e.ConvertedType.V]
	}
	switch t := logical.(type) {
	case *format.DateType:
		c.setTime(dayLayout, day, false)
	case *format.TimeType:
		c.setTime(clockLayout, unitOf(t.Unit), t.IsAdjustedToUTC)
	case *format.TimestampType:
		c.setTime(momentLayout, unitOf(t.Unit), t.IsAdjustedToUTC)
	case *format.DecimalType:
		c.setDecimal(e, int(t.Scale))
	case olderDecimal:
		c.setDecimal(e, int(e.Scale.V))
	case *format.NullType:
		c.kind, c.problem = nothing, ""
	case *format.IntType:
		c.setUnsigned(!t.IsSigned)
	case *format.BsonType, *format.VariantType, *format.GeometryType, *format.GeographyType:
		c.problem = "holds binary data"
	case olderSpan:
		c.problem = "holds spans of time"
	}
}

// olderTypes are what the older way of saying so names, mostly in the newer way.
var olderTypes = map[deprecated.ConvertedType]any{
	deprecated.Date:            &format.DateType{},
	deprecated.TimeMillis:      &format.TimeType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MilliSeconds{}}},
	deprecated.TimeMicros:      &format.TimeType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MicroSeconds{}}},
	deprecated.TimestampMillis: &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MilliSeconds{}}},
	deprecated.TimestampMicros: &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MicroSeconds{}}},
	deprecated.Interval:        olderSpan{},
	deprecated.Decimal:         olderDecimal{}, // whose digits are counted in the element
	deprecated.Uint8:           &format.IntType{}, deprecated.Uint16: &format.IntType{}, deprecated.Uint32: &format.IntType{}, deprecated.Uint64: &format.IntType{},
	deprecated.Bson: &format.BsonType{},
}

type (
	olderDecimal struct{}
	olderSpan    struct{}
)

func (c *column) setUnsigned(unsigned bool) {
	switch {
	case unsigned && c.kind == int32s:
		c.kind = uint32s
	case unsigned && c.kind == int64s:
		c.kind = uint64s
	}
}

// setDecimal takes over a decimal, which is stored as an integer or as the bytes of one.
func (c *column) setDecimal(e *format.SchemaElement, scale int) {
	switch {
	case scale < 0 || scale > maxDigits || e.Type.V == format.FixedLenByteArray && (e.TypeLength.V < 1 || e.TypeLength.V > maxDecimal):
		c.problem = "holds decimals of more than 38 digits"
		return
	case e.Type.V == format.FixedLenByteArray || e.Type.V == format.ByteArray:
		c.kind, c.problem = decimals, ""
	}
	c.scale = scale
}

// Decimals have at most maxDigits digits, which are in maxDecimal bytes.
const (
	maxDigits  = 38
	maxDecimal = 16
)
