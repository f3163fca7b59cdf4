package parquet

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// TestBlocks: blocks of a Parquet file are the rows that Read gives, with every kind
// of column, over several row groups.
func TestBlocks(t *testing.T) {
	n := rowsPerGroup + 700
	if testing.Short() {
		n = 3000
	}
	path := written(t, frame(t, n))
	text := func(f *dataset.Frame) string {
		var b bytes.Buffer
		must.OK(t, dataset.WriteCSV(&b, f))
		return b.String() + fmt.Sprintf("%+v %v", f.Reading(), f.RowPlace(0))
	}
	for _, opt := range []dataset.ReadOptions{
		{Label: "y", ID: "who"}, {Label: "y", Only: []string{"a", "x 3,"}}, {Drop: []string{"who"}, Categorical: []string{"x 1,"}, Missing: []string{"red"}},
		{Only: []string{"color"}, ID: "who"},
	} {
		whole := must.Get(dataset.Read(path, opt))(t)
		f := must.Get(dataset.Open(path, ""))(t)
		if rows, _, ok := f.Cells(opt); !ok || rows != n {
			t.Errorf("%d rows by the header, want %d", rows, n)
		}
		b, err := f.Blocks(opt)
		if err != nil {
			t.Fatalf("%+v: %v", opt, err)
		}
		if got, want := fmt.Sprint(b.Notes()), fmt.Sprint(whole.Notes()); got != want {
			t.Errorf("%+v: notes %s, want %s", opt, got, want)
		}
		const size = 499
		for from := 0; from < n; from += 7 * size {
			part := must.Get(b.Frame(context.Background(), from, size))(t)
			rows := make([]int, min(size, n-from))
			for i := range rows {
				rows[i] = from + i
			}
			if got, want := text(part), text(whole.Subset(rows)); got != want {
				t.Fatalf("%+v: rows from %d:\n%s\nwant\n%s", opt, from, got, want)
			}
		}
		got, want := b.CheckComplete(context.Background(), "it"), whole.CheckComplete("it")
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v: %v, want %v", opt, got, want)
		}
		b.Close()
		f.Close()
	}
}
