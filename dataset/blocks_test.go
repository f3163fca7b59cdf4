package dataset

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

// blockFiles are the same table in several formats.
func blockFiles(t *testing.T) (dir string, x *mat.Dense) {
	t.Helper()
	dir = t.TempDir()
	n, d := 53, 5
	x = mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, math.Sin(float64(i*d+j))*math.Pow(10, float64(j)))
		}
	}
	f := must.Get(New(nil, x))(t)
	for _, name := range []string{"a.npy", "a.csv", "a.tsv", "a.csv.gz", "a.npy.gz"} {
		var b bytes.Buffer
		must.OK(t, WriteAs(&b, name, f))
		must.OK(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600))
	}
	// In the order of Fortran, in float32.
	var b bytes.Buffer
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': True, 'shape': (%d, %d), }", n, d)
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	b.WriteString(npyMagic + "\x01\x00" + string([]byte{byte(len(head)), 0}) + head)
	for j := range d {
		for i := range n {
			v := math.Float32bits(float32(x.At(i, j)))
			b.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
		}
	}
	must.OK(t, os.WriteFile(filepath.Join(dir, "f.npy"), b.Bytes(), 0o600))
	var z bytes.Buffer
	archive := zip.NewWriter(&z)
	member, err := archive.Create("table.npy")
	if err == nil {
		_, err = member.Write(b.Bytes())
	}
	must.OK(t, errors.Join(err, archive.Close(), os.WriteFile(filepath.Join(dir, "z.npz"), z.Bytes(), 0o600)))
	return dir, x
}

// TestBlocksAreTheTable: blocks of any size give the numbers that Read gives.
func TestBlocksAreTheTable(t *testing.T) {
	dir, _ := blockFiles(t)
	for _, name := range []string{"a.npy", "a.csv", "a.tsv", "a.csv.gz", "f.npy", "a.npy.gz", "z.npz"} {
		for _, opt := range []ReadOptions{{}, {Drop: []string{"x2"}}, {Label: "x5"}, {Only: []string{"x4", "x1"}}, {Categorical: []string{"x3"}, Label: "x1"}} {
			want := must.Get(Read(filepath.Join(dir, name), opt))(t)
			for _, size := range []int{1, 7, 53, 100} {
				f := must.Get(Open(filepath.Join(dir, name), ""))(t)
				b, err := f.Blocks(opt)
				if err != nil {
					t.Fatal(name, err)
				}
				n, d := b.Dims()
				if n != want.Rows() || fmt.Sprint(b.Names()) != fmt.Sprint(want.NumericNames()) {
					t.Fatalf("%s: %d rows of %v, want %d of %v", name, n, b.Names(), want.Rows(), want.NumericNames())
				}
				if got := fmt.Sprintf("%+v", b.Reading()); got != fmt.Sprintf("%+v", want.Reading()) {
					t.Fatalf("%s: read as %s, want %+v", name, got, want.Reading())
				}
				for range 2 {
					for from := 0; from < n; from += size {
						x := mat.NewDense(size, d, nil)
						got, err := b.Read(context.Background(), from, x)
						if err != nil || got != min(size, n-from) {
							t.Fatal(name, got, err)
						}
						for i := range got {
							for j := range d {
								if x.At(i, j) != want.Numeric().At(from+i, j) {
									t.Fatalf("%s: cell (%d, %d) is %v, want %v", name, from+i, j, x.At(i, j), want.Numeric().At(from+i, j))
								}
							}
						}
					}
				}
				part, err := b.Frame(context.Background(), 5, 3)
				if err != nil {
					t.Fatal(name, err)
				}
				sameFrames(t, name, part, want.Subset([]int{5, 6, 7}))
				if err := errors.Join(b.Close(), f.Close()); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// sameFrames holds a frame against another, cell by cell, and where their rows are.
func sameFrames(t *testing.T, name string, got, want *Frame) {
	t.Helper()
	text := func(f *Frame) string {
		var b bytes.Buffer
		if err := WriteCSV(&b, f); err != nil {
			t.Fatal(name, err)
		}
		return b.String() + f.ClassName() + f.RowPlace(1)
	}
	if text(got) != text(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, text(got), text(want))
	}
}

// TestFramesOfBlocks: the frames of blocks are the rows of the whole: order of columns,
// names of rows, class, lines, and of very many levels those that occur.
func TestFramesOfBlocks(t *testing.T) {
	var text strings.Builder
	text.WriteString("x,kind,who,y,class\n")
	for i := range 200 {
		fmt.Fprintf(&text, "%d,k%d,r%d,%g,c%d\n", i, i*7%150, i, 0.5*float64(i), i%3)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	must.OK(t, os.WriteFile(path, []byte(text.String()), 0o600))
	for _, opt := range []ReadOptions{
		{Categorical: []string{"kind"}, ID: "who", Label: "class"},
		{Categorical: []string{"kind", "who"}, Label: "class", LabelOptional: true},
	} {
		whole := must.Get(Read(path, opt))(t)
		f := must.Get(Open(path, ""))(t)
		b := must.Get(f.Blocks(opt))(t)
		for from := 0; from < 200; from += 13 {
			rows := lists.Upto[int32](min(13, 200-from))
			at := lists.Make(len(rows), func(i int) int { return from + i })
			got := must.Get(b.Frame(context.Background(), from, 13))(t)
			sameFrames(t, "t.csv", got, whole.Subset(at))
		}
		if err := errors.Join(b.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestBlocksOfMissingCells: counted, filled and left out as in memory.
func TestBlocksOfMissingCells(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "m.csv"), context.Background()
	must.OK(t, os.WriteFile(path, []byte("a,b,c\n1,2,3\n4,,6\n7,8,NA\n-2,1,5\n"), 0o600))
	opt := ReadOptions{Missing: []string{"NA"}}
	whole := must.Get(Read(path, opt))(t)
	open := func() *Blocks {
		f := must.Get(Open(path, ""))(t)
		t.Cleanup(func() { f.Close() })
		b := must.Get(f.Blocks(opt))(t)
		t.Cleanup(func() { b.Close() })
		return b
	}
	b := open()
	want := whole.CheckComplete("fit")
	if got := b.CheckComplete(ctx, "fit"); got == nil || got.Error() != want.Error() {
		t.Errorf("got %v, want %v", got, want)
	}
	must.OK(t, b.FillMeans(ctx))
	x := mat.NewDense(4, 3, nil)
	if _, err := b.Read(ctx, 0, x); err != nil || math.Abs(x.At(1, 1)-11.0/3) > 1e-15 || math.Abs(x.At(2, 2)-14.0/3) > 1e-15 || b.CheckComplete(ctx, "fit") != nil {
		t.Errorf("filled: %v (%v)", x, err)
	}
	b = open()
	if left, err := b.OmitMissing(ctx); left != 2 || err != nil {
		t.Fatal(left, err)
	}
	if got, err := b.Read(ctx, 0, x); got != 2 || err != nil || x.At(1, 0) != -2 {
		t.Errorf("left: %v %v (%v)", got, x, err)
	}
}

// TestChangedAndSetBack: a file of which a byte is changed, and the time of the last writing set back, is not as it was.
func TestChangedAndSetBack(t *testing.T) {
	dir, _ := blockFiles(t)
	path := filepath.Join(dir, "a.npy")
	before := must.Get(os.Stat(path))(t)
	if files.Changed(before) == 0 {
		t.Skip("this system does not tell of changes")
	}
	f := must.Get(Open(path, ""))(t)
	defer f.Close()
	b := must.Get(f.Blocks(ReadOptions{}))(t)
	raw := must.Get(os.ReadFile(path))(t)
	raw[len(raw)-1] ^= 1
	for now := before; files.Changed(now) == files.Changed(before); now = must.Get(os.Stat(path))(t) { // the system's clock may have long ticks
		must.OK(t, errors.Join(os.WriteFile(path, raw, 0o600), os.Chtimes(path, before.ModTime(), before.ModTime())))
	}
	if _, err := b.Read(t.Context(), 20, mat.NewDense(10, 5, nil)); err == nil || !strings.Contains(err.Error(), "the file was written to, renamed, linked or given other rights before row 21 of 53") {
		t.Error(err)
	}
	if _, err := f.Blocks(ReadOptions{}); err == nil || !strings.Contains(err.Error(), "while it was read") {
		t.Error(err)
	}
}

// TestRenamedBetweenPasses: a file may have another name, or none, once all of it was read.
func TestRenamedBetweenPasses(t *testing.T) {
	dir, _ := blockFiles(t)
	path := filepath.Join(dir, "a.npy")
	f := must.Get(Open(path, ""))(t)
	defer f.Close()
	b := must.Get(f.Blocks(ReadOptions{}))(t)
	dst := mat.NewDense(53, 5, nil)
	_, sum, err := b.ReadSum(t.Context(), 0, dst)
	before := must.Get(os.Stat(path))(t)
	for now := before; files.Changed(before) != 0 && files.Changed(now) == files.Changed(before); now = must.Get(os.Stat(path))(t) {
		must.OK(t, errors.Join(err, os.Rename(path, path+".old"), os.Rename(path+".old", path)))
	}
	must.OK(t, os.Remove(path))
	if _, again, err := b.ReadSum(t.Context(), 0, dst); err != nil || again != sum {
		t.Errorf("sum %d, before %d: %v", again, sum, err)
	}
}

// TestBlocksErrors: mistakes are those of Read; a file that changes is noticed.
func TestBlocksErrors(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	for name, text := range map[string]string{
		"mixed.csv": "a,b\n1,2\nx,3\n4,5\n", "short.csv": "a,b\n1,2\n3\n", "empty.csv": "a,b\n", "comma.csv": "a;b\n1,5;2\n2,5;3\n", "label.csv": "a,b\n1,2\n3,\n",
	} {
		path := filepath.Join(dir, name)
		must.OK(t, os.WriteFile(path, []byte(text), 0o600))
		opt := ReadOptions{}
		if name == "label.csv" {
			opt.Label = "b"
		}
		_, want := Read(path, opt)
		f := must.Get(Open(path, ""))(t)
		_, got := f.Blocks(opt)
		f.Close()
		if got == nil || want == nil || got.Error() != want.Error() {
			t.Errorf("%s: got\n%v\nwant\n%v", name, got, want)
		}
	}
	dir, _ = blockFiles(t)
	path := filepath.Join(dir, "a.npy")
	f := must.Get(Open(path, ""))(t)
	defer f.Close()
	b := must.Get(f.Blocks(ReadOptions{}))(t)
	room := mat.NewDense(10, 5, nil)
	later := time.Now().Add(time.Hour)
	must.OK(t, os.Chtimes(path, later, later))
	if _, err := b.Read(ctx, 20, room); err == nil || !strings.Contains(err.Error(), "before row 21 of 53") {
		t.Errorf("written to: %v", err)
	}
	must.OK(t, os.Truncate(path, 500))
	if _, err := b.Read(ctx, 0, room); err == nil || !strings.Contains(err.Error(), "row 1 of 53") {
		t.Errorf("cut: %v", err)
	}
	raw := must.Get(os.ReadFile(filepath.Join(dir, "f.npy")))(t)
	at := len(raw) - 53*5*4 + 4*(2*53+30)
	copy(raw[at:], []byte{0, 0, 0xc0, 0x7f})
	path = filepath.Join(dir, "nan.npy")
	must.OK(t, os.WriteFile(path, raw, 0o600))
	_, want := Read(path, ReadOptions{})
	g := must.Get(Open(path, ""))(t)
	defer g.Close()
	b = must.Get(g.Blocks(ReadOptions{}))(t)
	if _, got := b.Read(ctx, 28, room); got == nil || got.Error() != want.Error() {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, cut := range []int{len(raw) / 2, len(raw)} {
		h, err := OpenReader(io.MultiReader(bytes.NewReader(raw[:cut])), "stream.npy", "")
		if err != nil {
			t.Fatal(err)
		}
		if b, err = h.Blocks(ReadOptions{}); cut < len(raw) {
			if err == nil || !strings.Contains(err.Error(), "stream.npy: the file is cut short: 53×5 numbers") {
				t.Errorf("a stream that is cut: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Read(ctx, 0, room); err != nil {
			t.Error(err)
		}
		b.Close()
	}
	sparse := must.Get(OpenReader(strings.NewReader("1 1:2\n"), "s.svm", ""))(t)
	if _, err := sparse.Blocks(ReadOptions{}); !errors.Is(err, ErrNoBlocks) {
		t.Errorf("got %v, want ErrNoBlocks", err)
	}
	must.OK(t, os.WriteFile(path, []byte("a,b\n1,2\n"), 0o600))
	turned := must.Get(Open(path, "csv"))(t)
	defer turned.Close()
	if _, err := turned.Blocks(ReadOptions{As: &Reading{Transpose: true}}); !errors.Is(err, ErrNoBlocks) {
		t.Errorf("got %v, want ErrNoBlocks", err)
	}
}

// TestReadSum: the same rows give the same sum, whatever the room held before; a number that changes in the
// file, or two that change places, give another, though the file was written at the same time.
func TestReadSum(t *testing.T) {
	dir, _ := blockFiles(t)
	ctx, path := context.Background(), filepath.Join(dir, "a.npy")
	for _, opt := range []ReadOptions{{}, {Drop: []string{"x2"}}} {
		f := must.Get(Open(path, ""))(t)
		defer f.Close()
		b := must.Get(f.Blocks(opt))(t)
		_, d := b.Dims()
		sum := func(from int) uint64 {
			x := mat.NewDense(10, d, nil)
			x.Set(0, 0, float64(from))
			n, sum, err := b.ReadSum(ctx, from, x)
			if err != nil || n != 10 {
				t.Fatal(n, err)
			}
			return sum
		}
		want, other := sum(20), sum(30)
		if again := sum(20); again != want || other == want {
			t.Errorf("rows from 20 on have the sum %x, then %x; those from 30 on %x", want, again, other)
		}
		raw := must.Get(os.ReadFile(path))(t)
		info := must.Get(os.Stat(path))(t)
		at := len(raw) - 53*5*8 + 8*5*25
		write := func(change func(raw []byte)) {
			t.Helper()
			changed := bytes.Clone(raw)
			change(changed)
			must.OK(t, errors.Join(os.WriteFile(path, changed, 0o600), os.Chtimes(path, info.ModTime(), info.ModTime())))
			must.OK(t, b.numbers.note()) // as where the system does not tell of the change
		}
		for what, change := range map[string]func(raw []byte){
			"a bit":    func(raw []byte) { raw[at] ^= 1 },
			"two rows": func(raw []byte) { copy(raw[at:], raw[at+40:at+80]); copy(raw[at+40:], raw[at:at+40]) },
		} {
			write(change)
			if sum(20) == want || sum(30) != other {
				t.Errorf("%s in row 26: the sums of rows from 20 and from 30 on are %x and %x, before %x and %x", what, sum(20), sum(30), want, other)
			}
		}
		write(func([]byte) {})
	}
}
