package dataset

import (
	"encoding/json"
	"slices"
	"sync"
	"unsafe"

	"github.com/sjwhitworth/golearn/base"
)

// exactPrecision is the number of decimals after which golearn's text of a
// float gives back the float itself, from 0.1 upwards. golearn's own default, 2,
// would round what it exports.
const exactPrecision = 17

// An attributePool holds golearn's attributes of numeric columns by name.
// Frames made from one another share it, since golearn's filters know
// attributes by their address.
type attributePool struct {
	mu     sync.Mutex
	byName map[string]base.Attribute
}

// keep makes a the attribute of its name.
func (p *attributePool) keep(a base.Attribute) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byName == nil {
		p.byName = make(map[string]base.Attribute)
	}
	p.byName[a.GetName()] = a
}

// attribute returns the attribute of a name, which is a new FloatAttribute if
// none was kept.
func (p *attributePool) attribute(name string) base.Attribute {
	p.mu.Lock()
	a := p.byName[name]
	p.mu.Unlock()
	if a == nil {
		a = &base.FloatAttribute{Name: name, Precision: exactPrecision}
		p.keep(a)
	}
	return a
}

// An origin is the golearn attribute of a factor and the bytes by which it knows
// each level.
type origin struct {
	name    string
	levels  []string
	missing bool // whether there are bytes for a missing cell

	once  sync.Once
	attr  base.Attribute
	bytes []byte // 8 for each level, then 8 for a missing cell
}

// attached returns c, or a copy of it, with an origin that fits the name, the
// levels and the codes.
func (c *Factor) attached(name string) *Factor {
	missing := slices.Contains(c.Codes, Missing)
	if o := c.origin; o != nil && o.name == name && (o.missing || !missing) && slices.Equal(o.levels, c.Levels) {
		return c
	}
	return &Factor{Levels: c.Levels, Codes: c.Codes, Numbers: c.Numbers, origin: &origin{name: name, levels: c.Levels, missing: missing}}
}

// attribute returns the golearn attribute, which is made on first use: a
// CategoricalAttribute of the levels, and of "" if a cell may be missing.
func (o *origin) attribute() base.Attribute {
	o.once.Do(func() {
		if o.attr != nil {
			return
		}
		values := slices.Clone(o.levels)
		if o.missing {
			values = append(values, "")
		}
		// GetSysValFromString would compare each level with all before it.
		text, err := json.Marshal(map[string][]string{"values": values})
		if err != nil {
			panic(err) // cannot be: strings only
		}
		a := base.NewCategoricalAttribute()
		if err := a.UnmarshalJSON(text); err != nil {
			panic(err) // cannot be: just marshalled
		}
		a.SetName(o.name)
		o.attr = a
		o.bytes = make([]byte, 8*len(values))
		for i := range values {
			base.PackU64ToBytesInline(uint64(i), o.bytes[8*i:])
		}
	})
	return o.attr
}

// columnBytes gives the cells of one column as golearn's bytes, without
// allocating.
type columnBytes struct {
	cells  []byte  // numbers: row-major matrix
	stride int     // numbers: bytes from row to row
	offset int     // numbers: bytes before the column
	codes  []int32 // categories
	table  []byte  // categories: bytes for each code, then for a missing cell
	binary bool    // a BinaryAttribute's number: one byte
}

var binaryBytes = [2][]byte{{0}, {1}}

// bytesOf returns the bytes of the j-th column, the class being the last.
func (f *Frame) bytesOf(j int, attr base.Attribute) columnBytes {
	factor := f.class
	if j < len(f.cols) {
		factor = f.cols[j].Factor
	}
	if factor != nil {
		return columnBytes{codes: factor.Codes, table: factor.origin.bytes}
	}
	raw := f.x.RawMatrix()
	if len(raw.Data) == 0 {
		return columnBytes{}
	}
	_, binary := attr.(*base.BinaryAttribute)
	// golearn reads a float with the machine's own byte order (it casts), so the
	// matrix is what it wants as it stands.
	cells := unsafe.Slice((*byte)(unsafe.Pointer(&raw.Data[0])), 8*len(raw.Data))
	return columnBytes{cells: cells, stride: 8 * raw.Stride, offset: 8 * f.place(j), binary: binary}
}

func (c *columnBytes) at(row int) []byte {
	if c.codes != nil {
		i := 8 * int(c.codes[row])
		if i < 0 {
			i = len(c.table) - 8
		}
		return c.table[i : i+8 : i+8]
	}
	i := row*c.stride + c.offset
	b := c.cells[i : i+8 : i+8]
	if !c.binary {
		return b
	}
	if base.UnpackBytesToFloat(b) != 0 {
		return binaryBytes[1]
	}
	return binaryBytes[0]
}
