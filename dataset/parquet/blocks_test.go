package parquet

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
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
			rows := lists.Make(min(size, n-from), func(i int) int { return from + i })
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

// TestNarrowMarkers: a marker of missing cells is found in floats of 16 and 32 bits, which store another
// number than the text says, as features and as categories, in memory and in blocks.
func TestNarrowMarkers(t *testing.T) {
	type row struct {
		Float  float32 `parquet:"float"`
		Double float64 `parquet:"double"`
		Code   float32 `parquet:"code"`
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	must.OK(t, parquet.WriteFile(path, []row{{-999.9, 1, 7}, {2, -999.9, -999.9}, {3, 4, 7}}))
	opt := dataset.ReadOptions{Missing: []string{"-999.9"}, Categorical: []string{"code"}}
	whole := must.Get(dataset.Read(path, opt))(t)
	f := must.Get(dataset.Open(path, ""))(t)
	defer f.Close()
	b := must.Get(f.Blocks(opt))(t)
	defer b.Close()
	part := must.Get(b.Frame(context.Background(), 0, 3))(t)
	for what, got := range map[string]*dataset.Frame{"in memory": whole, "in blocks": part} {
		x := got.Numeric()
		if !math.IsNaN(x.At(0, 0)) || !math.IsNaN(x.At(1, 1)) || x.At(2, 0) != 3 || got.Columns()[2].Factor.Codes[1] != dataset.Missing {
			t.Errorf("%s: %v, codes %v", what, mat.Formatted(x), got.Columns()[2].Factor.Codes)
		}
	}
	if len(whole.Notes())+len(b.Notes()) > 0 {
		t.Errorf("notes %v, %v", whole.Notes(), b.Notes())
	}
}
