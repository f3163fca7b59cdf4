package dataset

import (
	"fmt"
	"github.com/fspca/fspca/internal/words"
	"slices"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/lists"
)

// ID returns the name and the values of the column with the names of the rows, "" and nil without
// one. It is no feature and no class: it goes along with the rows ([Frame.Subset], [Frame.Pick]) and
// is written before the other columns. A value may be empty, and values may repeat. Shared: read
// only.
func (f *Frame) ID() (name string, values []string) { return f.idName, f.ids }

// WithID returns the frame with these names of its rows; nil for none. Errors: another number of
// names than rows, and a column name that is empty, not UTF-8, or that of another column.
func (f *Frame) WithID(name string, values []string) (*Frame, error) {
	g := f.copied()
	if g.idName, g.ids = "", nil; values == nil {
		return g, nil
	}
	if err := checkName(name); err != nil {
		return nil, fmt.Errorf("id: %w", err)
	}
	if len(values) != f.rows {
		return nil, fmt.Errorf("id: got %s for %s", words.Count(len(values), "name"), words.Count(f.rows, "row"))
	}
	if _, taken := f.named(name); taken || f.class != nil && nameKey(f.className) == nameKey(name) {
		return nil, fmt.Errorf("id: another column is called %q", name)
	}
	for i, v := range values {
		if !utf8.ValidString(v) {
			return nil, fmt.Errorf("id: the name %q of row %d is not UTF-8", v, i+1)
		}
	}
	g.idName, g.ids = name, values
	return g, nil
}

// takeID makes a categorical column that was read the names of the rows.
func (f *Frame) takeID(name string) (*Frame, error) {
	if name == "" {
		return f, nil
	}
	j, ok := f.named(name)
	if !ok || f.cols[j].Factor == nil {
		return nil, fmt.Errorf("id: no column %q was read", name)
	}
	column := f.cols[j].Factor
	values := lists.Make(f.rows, column.Text)
	g, err := f.Pick(slices.Delete(f.Names(), j, j+1))
	if err != nil {
		return nil, err
	}
	return g.WithID(name, values)
}

// freeName returns name, or the first of name_, name__, … that no column has.
func (f *Frame) freeName(name string) string {
	for {
		if _, taken := f.named(name); !taken && nameKey(name) != nameKey(f.className) {
			return name
		}
		name += "_"
	}
}
