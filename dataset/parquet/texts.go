package parquet

import (
	"errors"

	"github.com/parquet-go/parquet-go"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
)

// readTexts reads a column as texts, whose levels are in the order in which they occur.
func (f *file) readTexts(j int) (*dataset.Factor, error) {
	t := &textColumn{column: &f.columns[j], codes: make(map[string]int32), out: &dataset.Factor{Codes: make([]int32, 0, f.rows)}}
	for g := range len(f.starts) - 1 {
		if err := t.readGroup(f.cursor(g, t.column), f.starts[g+1]); err != nil {
			var placed *columnError
			if !errors.As(err, &placed) {
				err = &columnError{column: t.column.name, err: err}
			}
			return nil, err
		}
	}
	return t.out, nil
}

// textColumn is a column on its way to a factor.
type textColumn struct {
	column *column
	codes  map[string]int32
	out    *dataset.Factor
}

// readGroup reads the pages of a row group, which ends before row end.
func (t *textColumn) readGroup(c *cursor, end int) error {
	defer c.close()
	var table parquet.Dictionary
	var entries []int32 // codes of the dictionary's
	for len(t.out.Codes) < end {
		c.row = len(t.out.Codes)
		if err := c.nextPage(); err != nil {
			return err
		}
		if d := c.page.Dictionary(); d != nil && d != table {
			data := d.Page().Data()
			list, err := t.column.words(&data, d.Len())
			if err != nil {
				return err
			}
			table, entries = d, entries[:0]
			for _, s := range list {
				entries = append(entries, t.code(s))
			}
		}
		codes, err := t.present(c, entries)
		if err != nil {
			return err
		}
		cells, err := spread(codes, c.page, dataset.Missing)
		if err != nil {
			return err
		}
		if t.out.Codes = append(t.out.Codes, cells...); len(t.out.Codes) > end {
			return errLevels
		}
	}
	return nil
}

// code returns the code of a text, which is a new level if it was not there before.
func (t *textColumn) code(s string) int32 {
	code, ok := t.codes[s]
	if !ok {
		code = int32(len(t.out.Levels))
		t.codes[s] = code
		t.out.Levels = append(t.out.Levels, s)
	}
	return code
}

// present returns the codes of the values of a page that are there.
func (t *textColumn) present(c *cursor, entries []int32) ([]int32, error) {
	page := c.page
	count := int(page.NumValues() - page.NumNulls())
	if count == 0 {
		return nil, nil
	}
	data := page.Data()
	if page.Dictionary() == nil {
		list, err := t.column.words(&data, count)
		codes := lists.Map(list, t.code)
		return codes, err
	}
	indices := data.Int32()
	codes := make([]int32, len(indices))
	return codes, lookUp(codes, indices, entries)
}
