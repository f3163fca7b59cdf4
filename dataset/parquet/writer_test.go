package parquet_test

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	_ "github.com/fspca/fspca/dataset/parquet"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

// mixedFrame is a table with numbers, missing cells, categories and names of rows.
func mixedFrame(t *testing.T, n int, numbersOnly bool) *dataset.Frame {
	t.Helper()
	x := mat.NewDense(n, 3, nil)
	color := &dataset.Factor{Levels: []string{"blue", "re,d", "green"}, Codes: make([]int32, n)}
	ids := make([]string, n)
	for i := range n {
		x.SetRow(i, []float64{float64(i), math.Sin(float64(i)), -1e-9 * float64(i)})
		if i%7 == 3 {
			x.Set(i, 1, math.NaN())
		}
		color.Codes[i] = int32(i%4) - 1
		ids[i] = strings.Repeat("r", i%5)
	}
	columns := []dataset.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	if numbersOnly {
		return must.Get(dataset.Assemble(x, columns, "", nil))(t)
	}
	columns = append(columns[:1:1], dataset.Column{Name: "color", Factor: color}, columns[1], columns[2])
	f := must.Get(dataset.Assemble(x, columns, "", nil))(t)
	return must.Get(f.WithID("name", ids))(t)
}

// TestWriterIsWriteAs: a table that is written block by block has the bytes of the
// table that is written as a whole.
func TestWriterIsWriteAs(t *testing.T) {
	const n = 3000
	for _, name := range []string{"t.csv", "t.tsv", "t.npy", "t.parquet", "t.csv.gz", "t"} {
		f := mixedFrame(t, n, name == "t.npy")
		var want bytes.Buffer
		if err := dataset.WriteAs(&want, name, f); err != nil {
			t.Fatal(name, err)
		}
		for _, size := range []int{1, 100, 256, 1999, n} {
			var got bytes.Buffer
			w := must.Get(dataset.NewWriter(&got, name, n))(t)
			for from := 0; from < n; from += size {
				rows := lists.Make(min(size, n-from), func(i int) int { return from + i })
				must.OK(t, w.Write(f.Subset(rows)))
			}
			must.OK(t, w.Close())
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s in blocks of %d rows: %d bytes, want %d", name, size, got.Len(), want.Len())
			}
		}
	}
}

// TestWriterErrors: other columns, more or fewer rows, and no writer are errors.
func TestWriterErrors(t *testing.T) {
	f, numbers := mixedFrame(t, 5, false), mixedFrame(t, 5, true)
	for _, name := range []string{"t.csv", "t.npy", "t.parquet", "t.csv.gz"} {
		f := f
		if name == "t.npy" {
			f = numbers
		}
		w := must.Get(dataset.NewWriter(io.Discard, name, 8))(t)
		if err := w.Write(f); err != nil {
			t.Error(name, err)
		}
		if err := w.Write(f); err == nil || !strings.Contains(err.Error(), "more rows than the 8") {
			t.Errorf("%s: %v", name, err)
		}
		w = must.Get(dataset.NewWriter(io.Discard, name, 8))(t)
		_ = w.Write(f)
		if err := w.Close(); err == nil || !strings.Contains(err.Error(), "5 rows were written, but 8 were announced") {
			t.Errorf("%s: %v", name, err)
		}
		w = must.Get(dataset.NewWriter(io.Discard, name, 10))(t)
		_ = w.Write(f)
		other := must.Get(f.Pick([]string{"a"}))(t)
		if err := w.Write(other); err == nil || !strings.Contains(err.Error(), "other columns") {
			t.Errorf("%s: %v", name, err)
		}
		_ = w.Close()
	}
	if _, err := dataset.NewWriter(nil, "t.csv", 1); err == nil {
		t.Error("no writer, no error")
	}
	if _, err := dataset.NewWriter(io.Discard, "t.xz", -1); err == nil {
		t.Error("−1 rows, no error")
	}
}
