package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// The files in testdata/npy are NumPy's own; make.py there writes them.

func TestReadNPYTypes(t *testing.T) {
	files, err := filepath.Glob("testdata/npy/*.npy")
	if err != nil || len(files) < 20 {
		t.Fatalf("testdata/npy has %d files (%v)", len(files), err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "bad_") || name == "vector.npy" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			value := func(i int) float64 { return -float64(i) }
			if name[0] == 'u' {
				value = func(i int) float64 { return float64(i) }
			} else if name == "bool_c.npy" {
				value = func(i int) float64 { return float64(i % 2) }
			}
			for _, known := range []bool{true, false} {
				x := must.Get(readNPYPath(path, known))(t)
				if r, c := x.Dims(); r != 3 || c != 4 {
					t.Fatalf("got %d×%d, want 3×4", r, c)
				}
				for i := range 12 {
					if got := x.At(i/4, i%4); got != value(i) {
						t.Errorf("length known %v: (%d,%d) = %v, want %v", known, i/4, i%4, got, value(i))
					}
				}
			}
		})
	}
}

// readNPYPath reads a file whose length is known to the reader, or not.
func readNPYPath(path string, known bool) (interface {
	Dims() (int, int)
	At(i, j int) float64
}, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if known {
		return ReadNPY(f, path)
	}
	return ReadNPY(io.MultiReader(f), path)
}

func TestReadNPYVector(t *testing.T) {
	x := must.Get(readNPYPath("testdata/npy/vector.npy", true))(t)
	if r, c := x.Dims(); r != 5 || c != 1 || x.At(4, 0) != 4 {
		t.Errorf("got %d×%d ending in %v, want 5×1 ending in 4", r, c, x.At(r-1, 0))
	}
}

func TestReadNPYErrors(t *testing.T) {
	for name, want := range map[string]string{
		"bad_scalar":  "the array has 0 dimensions: want 2, rows and columns (or 1, one column)",
		"bad_cube":    "the array has 3 dimensions: want 2",
		"bad_complex": `numbers of type "<c16": want float64, float32, float16, an integer type or bool`,
		"bad_text":    `numbers of type "<U1": want`,
		"bad_object":  `numbers of type "|O": want`,
		"bad_records": "the array holds records of several fields: want plain numbers",
		"bad_empty":   "the array is empty: 0 rows, 3 columns",
		"bad_nan":     "bad_nan.npy: row 2 of 2, column 1 of 2: NaN is not a finite number (2 cells like it); in a table, NaN can count as missing (option missing)",
		"bad_int":     "row 1, column 2: the integer is not exact in float64 (more than 53 bits)",
		"bad_uint":    "row 2, column 1: the integer is not exact in float64",
	} {
		_, err := readNPYPath("testdata/npy/"+name+".npy", true)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", name, err, want)
		}
	}
}

// npyText returns an .npy file of version 1.
func npyText(header string, numbers []byte) []byte {
	b := []byte("\x93NUMPY\x01\x00")
	b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	return append(append(b, header...), numbers...)
}

func TestReadNPYDamaged(t *testing.T) {
	const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n"
	whole := npyText(header, make([]byte, 32))
	for _, known := range []bool{true, false} {
		read := func(b []byte) error {
			var r io.Reader = bytes.NewReader(b)
			if !known {
				r = io.MultiReader(r)
			}
			_, err := ReadNPY(r, "x.npy")
			return err
		}
		must.OK(t, read(whole))
		for n := range whole {
			if err := read(whole[:n]); err == nil {
				t.Errorf("length known %v: the first %d bytes of %d are accepted", known, n, len(whole))
			}
		}
		if err := read(append(whole[:len(whole):len(whole)], 0)); err == nil || !strings.Contains(err.Error(), "too long") {
			t.Errorf("length known %v: one byte too many: got %v", known, err)
		}
	}
	for header, want := range map[string]string{
		"": "want \"{\" before \"\"",
		"{'descr': '<f8', 'fortran_order': False}":                                   "want the keys descr, fortran_order and shape",
		"{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}":                        "want True or False before",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}":                   "want a number before",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (2 3)}":                   "want \")\" before",
		"{'descr': '<f8', 'descr': '<f8', 'shape': (1,)}":                            "the key \"descr\" occurs twice",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'z': 1}":            "the key \"z\" is not known",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x":                  "there is more after it",
		"{'descr': 'f8', 'fortran_order': False, 'shape': (99999999999999999999,)}":  "want a number before",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296,4294967296)}": "4294967296×4294967296 numbers are too many",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000,1000000)}":       "the file is cut short: 1000000×1000000 numbers of 8 bytes need 8000000000000 bytes, got 8",
	} {
		if strconv.IntSize == 32 && (strings.Contains(header, "0000") || strings.Contains(header, "4294967296")) {
			want = "number" // either no int, or too many
		}
		_, err := ReadNPY(bytes.NewReader(npyText(header, make([]byte, 8))), "x.npy")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", header, err, want)
		}
	}
	for _, b := range [][]byte{nil, []byte("1,2,3\n"), []byte("\x93NUMPY\x09\x00\x00\x00"), []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff")} {
		if _, err := ReadNPY(bytes.NewReader(b), "x.npy"); err == nil {
			t.Errorf("%q is accepted", b)
		}
	}
}

// A header of a few bytes must not make the reader allocate what it claims.
func TestReadNPYClaimsMuch(t *testing.T) {
	text := npyText("{'descr': '<f8', 'fortran_order': False, 'shape': (100000,10000)}", make([]byte, 80))
	for _, r := range []io.Reader{bytes.NewReader(text), io.MultiReader(bytes.NewReader(text))} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := ReadNPY(r, "x.npy"); err == nil {
			t.Error("accepted")
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("allocated %d bytes", got)
		}
	}
}

// A stream takes hardly more memory than the array that it holds, in both orders: a limit that the table fits
// into holds for .npy.gz and standard input too.
func TestReadNPYStreamTakesTheArray(t *testing.T) {
	const rows, columns = 4096, 256
	for _, fortran := range []string{"False", "True"} {
		text := npyText("{'descr': '<f8', 'fortran_order': "+fortran+", 'shape': (4096,256)}", make([]byte, 8*rows*columns))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		must.Get(ReadNPY(io.MultiReader(bytes.NewReader(text)), "x.npy"))(t)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 8*rows*columns*7/4 { // the race detector makes pools forget some blocks
			t.Errorf("fortran_order %s: allocated %d bytes for an array of %d", fortran, got, 8*rows*columns)
		}
	}
}

// Several chunks, in both orders, and integers at the edge of what is exact.
func TestReadNPYLarge(t *testing.T) {
	const rows, columns = 317, 89
	for _, fortran := range []string{"False", "True"} {
		var numbers []byte
		for i := range rows * columns {
			v := int64(i)
			if i == rows*columns-1 {
				v = -1 << 53
			}
			numbers = binary.BigEndian.AppendUint64(numbers, uint64(v))
		}
		header := fmt.Sprintf("{'descr': '>i8', 'fortran_order': %s, 'shape': (%d, %d)}", fortran, rows, columns)
		x := must.Get(ReadNPY(bytes.NewReader(npyText(header, numbers)), "x.npy"))(t)
		for i := range rows {
			for j := range columns {
				at := i*columns + j
				if fortran == "True" {
					at = j*rows + i
				}
				want := float64(at)
				if at == rows*columns-1 {
					want = -1 << 53
				}
				if got := x.At(i, j); got != want {
					t.Fatalf("order %s: (%d,%d) = %v, want %v", fortran, i, j, got, want)
				}
			}
		}
	}
}

func TestReadNPYAsFrame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.NPY")
	var numbers []byte
	for _, v := range []float64{1, 10, 0.5, 2, math.NaN(), 0.5, 1, 10, -3} {
		numbers = binary.LittleEndian.AppendUint64(numbers, math.Float64bits(v))
	}
	must.OK(t, os.WriteFile(path, npyText("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3)}", numbers), 0o600))
	f, err := Read(path, ReadOptions{Label: "x1", Categorical: []string{"x2"}, Missing: []string{"nan"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Names(), f.Factor("x2").Levels, f.Factor("x2").Codes, f.Class().Levels, f.Class().Codes, f.Numeric().RawMatrix().Data); got != "[x2 x3] [10] [0 -1 0] [1 2] [0 1 0] [0.5 0.5 -3]" {
		t.Errorf("got %s", got)
	}
	_, err = Read(path, ReadOptions{Label: "x2", Drop: []string{"x9"}, Missing: []string{"nan"}})
	if want := path + `: drop: no column "x9"; the columns are "x1", "x2", "x3"` + "\n" + path + `: column "x2": row 2 of 3: the label is missing: remove the row, or give it a label`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if _, err = Read(path, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "row 2 of 3, column 2 of 3: NaN is not a finite number") {
		t.Errorf("got %v", err)
	}
}
