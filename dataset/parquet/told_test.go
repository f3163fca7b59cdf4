package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestTold: a column is told once, a cause once with the number of its columns, and no more than some of them.
func TestTold(t *testing.T) {
	plain, same := errors.New("plain"), errors.New("the same")
	of := func(column string, group int, err error) error {
		return &columnError{column: column, group: group, err: err}
	}
	for want, errs := range map[string][]error{
		"":                     {nil, nil},
		"plain":                {nil, plain},
		`column "a": the same`: {of("a", 0, same), of("a", 0, plain)},
		`column "a" (1 more column like it): the same`:                                             {of("a", 0, same), of("b", 0, same)},
		"column \"a\", row group 1 (2 more columns like it): the same\nplain\ncolumn \"d\": plain": {of("a", 1, same), of("b", 1, same), of("a", 2, same), of("b", 2, same), plain, of("c", 7, same), of("d", 0, plain)},
	} {
		if got := told(errs); got == nil && want != "" || got != nil && got.Error() != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	var many []error
	for i := range 50 {
		many = append(many, of(fmt.Sprint(i), 0, fmt.Errorf("cause %d", i)))
	}
	if got := told(many).Error(); !strings.HasSuffix(got, "column \"19\": cause 19\nand 30 more") {
		t.Error(got)
	}
	if err := told([]error{of("a", 1, same)}); !errors.Is(err, same) {
		t.Errorf("%v does not wrap its cause", err)
	}
}

// TestNothing: a column of the type of nothing, as Arrow writes one without a value, has only missing cells.
func TestNothing(t *testing.T) {
	const rows = 3000
	leaf := format.SchemaElement{Name: "a"}
	leaf.Type = thrift.Null[format.Type]{Valid: true, V: format.Int32}
	leaf.RepetitionType = thrift.Null[format.FieldRepetitionType]{Valid: true, V: format.Optional}
	leaf.LogicalType = format.LogicalType{Value: &format.NullType{}}
	body := []byte{3, 0, 0, 0, 0xf0, 0x2e, 0} // a run of 3000 levels that are 0
	file := craftedColumn(t, leaf, format.Uncompressed, rows, 2, data(format.Plain, rows, len(body), body))
	f := columnOf(t, file, dataset.ReadOptions{})
	for i := range 2 * rows {
		if !math.IsNaN(f.Numeric().At(i, 0)) {
			t.Fatalf("row %d is %g", i+1, f.Numeric().At(i, 0))
		}
	}
	if c := columnOf(t, file, dataset.ReadOptions{Categorical: []string{"a"}}).Columns()[0].Factor; len(c.Levels) != 0 || len(c.Codes) != 2*rows || c.Codes[rows] != dataset.Missing {
		t.Errorf("levels %q, %d codes", c.Levels, len(c.Codes))
	}
	in := must.Get(dataset.OpenReader(bytes.NewReader(file), "t.parquet", ""))(t)
	defer in.Close()
	b := must.Get(in.Blocks(dataset.ReadOptions{}))(t)
	defer b.Close()
	if x := must.Get(b.Frame(t.Context(), rows-1, 2))(t).Numeric(); !math.IsNaN(x.At(0, 0)) || !math.IsNaN(x.At(1, 0)) {
		t.Errorf("in blocks %v", x)
	}
}

// TestBinary: bytes that are no text are told with what to do.
func TestBinary(t *testing.T) {
	body := []byte{2, 0, 0, 0, 'o', 'k', 2, 0, 0, 0, 0xff, 0xfe}
	file := crafted(t, format.ByteArray, format.Required, format.Uncompressed, 2, 1, data(format.Plain, 2, len(body), body))
	in := must.Get(dataset.OpenReader(bytes.NewReader(file), "t.parquet", ""))(t)
	defer in.Close()
	_, err := in.Read(dataset.ReadOptions{})
	if want := `t.parquet: column "a": it holds binary data ("\xff\xfe" is not UTF-8): leave it out (option drop)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
