package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// manyColumns writes an array in the order of Fortran, in float32, with one cell that is bad.
func manyColumns(t *testing.T, path string, rows, columns int, bad float64) {
	t.Helper()
	var b bytes.Buffer
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': True, 'shape': (%d, %d), }", rows, columns)
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	b.WriteString(npyMagic + "\x01\x00" + string([]byte{byte(len(head)), 0}) + head)
	cells := make([]float32, rows*columns)
	for i := range cells {
		cells[i] = float32(i%9973) / 8
	}
	cells[(columns-2)*rows+rows-3] = float32(bad)
	must.OK(t, binary.Write(&b, binary.LittleEndian, cells))
	must.OK(t, os.WriteFile(path, b.Bytes(), 0o600))
}

// TestManyColumnsAreTurned: very many columns that lie one after another give what Read gives, from a copy row by
// row, and where there is no room for one.
func TestManyColumnsAreTurned(t *testing.T) {
	ctx, rows, columns := context.Background(), turnedRows+70, mostPieces+turnedColumns/2
	path := filepath.Join(t.TempDir(), "f.npy")
	for _, test := range []struct {
		bad     float64
		missing []string
		drop    []string
		temp    string
		turned  bool
	}{
		{temp: t.TempDir(), turned: true},
		{temp: t.TempDir(), turned: true, drop: []string{"x1", "x700"}, bad: math.NaN(), missing: []string{"nan", "0.125"}},
		{temp: t.TempDir(), bad: math.Inf(1)},
		{temp: filepath.Join(t.TempDir(), "absent")},
	} {
		t.Setenv("TMPDIR", test.temp)
		manyColumns(t, path, rows, columns, test.bad)
		opt := ReadOptions{Missing: test.missing, Drop: test.drop}
		want, wrong := Read(path, opt)
		f := must.Get(Open(path, ""))(t)
		b, err := f.Blocks(opt)
		if err == nil {
			if turned := !b.numbers.header.columnMajor; turned != test.turned {
				t.Errorf("%+v: turned: %v", test, turned)
			}
			_, d := b.Dims()
			x := mat.NewDense(rows, d, nil)
			if _, err = b.Read(ctx, 0, x); err == nil {
				for i, v := range x.RawMatrix().Data {
					if w := want.Numeric().RawMatrix().Data[i]; v != w && (v == v || w == w) {
						t.Fatalf("%+v: cell %d is %v, want %v", test, i, v, w)
					}
				}
			}
			err = errors.Join(err, b.Close())
		}
		if fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Errorf("%+v: got %v, want %v", test, err, wrong)
		}
		must.OK(t, f.Close())
		if left, _ := filepath.Glob(filepath.Join(test.temp, "*")); left != nil {
			t.Errorf("%+v: %v is left", test, left)
		}
	}
}

// TestRowsLeftOut: blocks of any size give the rows that are whole, however many are left out.
func TestRowsLeftOut(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(2, 6))
	for _, share := range []float64{0.02, 0.5, 0.97} {
		x := mat.NewDense(200, 3, nil)
		for i := range 200 {
			x.SetRow(i, []float64{float64(i), -float64(i), 1})
			if rng.Float64() < share {
				x.Set(i, rng.IntN(3), math.NaN())
			}
		}
		path := filepath.Join(t.TempDir(), "m.npy")
		var b bytes.Buffer
		must.OK(t, WriteAs(&b, path, must.Get(New(nil, x))(t)))
		must.OK(t, os.WriteFile(path, b.Bytes(), 0o600))
		f := must.Get(Open(path, ""))(t)
		blocks := must.Get(f.Blocks(ReadOptions{Missing: []string{"nan"}}))(t)
		left := must.Get(blocks.OmitMissing(ctx))(t)
		n, _ := blocks.Dims()
		var want []float64
		for i := range 200 {
			if !slices.ContainsFunc(x.RawRowView(i), math.IsNaN) {
				want = append(want, x.RawRowView(i)...)
			}
		}
		if 3*n != len(want) || left != 200-n {
			t.Fatalf("%v: %d rows, %d left out", share, n, left)
		}
		for _, size := range []int{1, 2, 7, 64, 200} {
			var got []float64
			for from := 0; from < n; from += size {
				part := mat.NewDense(size, 3, nil)
				rows := must.Get(blocks.Read(ctx, from, part))(t)
				got = append(got, part.RawMatrix().Data[:3*rows]...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v, %d at a time: %v, want %v", share, size, got, want)
			}
		}
		must.OK(t, errors.Join(blocks.Close(), f.Close()))
	}
}
