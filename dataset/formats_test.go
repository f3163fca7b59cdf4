package dataset

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// file writes a file into a new folder and returns its path.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.OK(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func zipped(t testing.TB, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		f := must.Get(w.Create(members[i]))(t)
		must.Get(io.WriteString(f, members[i+1]))(t)
	}
	must.OK(t, w.Close())
	return b.String()
}

func utf16Text(text string, big, mark bool) string {
	var b []byte
	if mark {
		text = "\ufeff" + text
	}
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func utf32Text(text string, big bool) string {
	var b []byte
	for _, r := range "\ufeff" + text {
		if big {
			b = append(b, byte(r>>24), byte(r>>16), byte(r>>8), byte(r))
		} else {
			b = append(b, byte(r), byte(r>>8), byte(r>>16), byte(r>>24))
		}
	}
	return string(b)
}

// TestSameFrame: one table in every wrapping, from a file and from a stream, is one frame.
func TestSameFrame(t *testing.T) {
	const text = "a,é😀,y\n1,2.5,u\n3,-4,v\n"
	want := must.Get(ReadCSV(strings.NewReader(text), "t.csv", ReadOptions{Label: "y"}))(t)
	for name, text := range map[string]string{
		"t.csv": text, "t.txt": text, "t.data": text, "t.dat": text, "T.DAT": text, "plain": text,
		"t.csv.gz": gzipped(text), "wrong.csv": gzipped(text), "t.gz": gzipped(text), "twice.csv": gzipped(gzipped(text)),
		"t.zip": zipped(t, "in/t.csv", text), "z.csv": zipped(t, "t.csv", text, "__MACOSX/t.csv", "x"),
		"le.csv": utf16Text(text, false, true), "be.csv": utf16Text(text, true, true), "bare.csv": utf16Text(text, false, false),
		"bare_be.csv": utf16Text(text, true, false), "le32.csv": utf32Text(text, false), "be32.csv": utf32Text(text, true),
		"le.csv.gz": gzipped(utf16Text(text, false, true)),
		"t.tab":     strings.ReplaceAll(text, ",", "\t"), "t.tsv.gz": gzipped(strings.ReplaceAll(text, ",", "\t")),
	} {
		path := file(t, name, text)
		got, err := Read(path, ReadOptions{Label: "y"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if Hash(got) != Hash(want) {
			t.Errorf("%s: read as %s", name, show(got))
		}
		in, err := OpenReader(io.MultiReader(strings.NewReader(text)), name, "")
		if err != nil {
			t.Errorf("%s, stream: %v", name, err)
			continue
		}
		if got, err = in.Read(ReadOptions{Label: "y"}); err != nil || Hash(got) != Hash(want) {
			t.Errorf("%s, stream: %v (%v)", name, got, err)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestArrays: an array in every wrapping is one table.
func TestArrays(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6.5})
	want := must.Get(New(nil, x))(t)
	var b bytes.Buffer
	must.OK(t, WriteNPY(&b, want))
	npy := b.String()
	for name, c := range map[string]struct {
		text string
		opt  ReadOptions
	}{
		"t.npy": {npy, ReadOptions{}}, "t.npy.gz": {gzipped(npy), ReadOptions{}}, "t.csv": {npy, ReadOptions{}}, "t": {npy, ReadOptions{}},
		"t.npz": {zipped(t, "X.npy", npy), ReadOptions{}}, "two.npz": {zipped(t, "X.npy", npy, "y.npy", npy), ReadOptions{Sheet: "X"}},
	} {
		if got, err := Read(file(t, name, c.text), c.opt); err != nil || Hash(got) != Hash(want) {
			t.Errorf("%s: %v (%v)", name, got, err)
		}
	}
	wide, err := Read(file(t, "t.npy", npy), ReadOptions{Transpose: true})
	if err != nil || !mat.Equal(wide.Numeric(), x.T()) {
		t.Errorf("transposed: %v (%v)", wide, err)
	}
	names, ids := file(t, "names.txt", "height\nweight\n"), file(t, "ids.txt", "p\nq\nr\n\n")
	f := must.Get(Read(file(t, "t.npy", npy), ReadOptions{Names: names, ID: ids, Drop: []string{"w*"}}))(t)
	if name, values := f.ID(); name != "id" || strings.Join(values, "") != "pqr" || strings.Join(f.Names(), " ") != "height" {
		t.Errorf("names %v, ids %v", f.Names(), values)
	}
	for want, c := range map[string]struct {
		text string
		opt  ReadOptions
	}{
		`2 arrays: name one of "X", "y" (option sheet)`: {zipped(t, "X.npy", npy, "y.npy", npy), ReadOptions{}},
		`no array "Z" (option sheet)`:                   {zipped(t, "X.npy", npy, "y.npy", npy), ReadOptions{Sheet: "Z"}},
		"scipy.io.mmwrite":                              {zipped(t, "indptr.npy", npy, "indices.npy", npy), ReadOptions{}},
		"cut short":                                     {zipped(t, "X.npy", npy[:len(npy)-3]), ReadOptions{}},
		`"NA" cannot occur`:                             {npy, ReadOptions{Missing: []string{"NA"}}},
		"has 3 names, and the table has 2 columns":      {npy, ReadOptions{Names: ids}},
	} {
		if _, err := Read(file(t, "t.npz", c.text), c.opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	marked, err := Read(file(t, "t.npy", npy), ReadOptions{Missing: []string{"3.0", "NaN"}})
	if err != nil || !math.IsNaN(marked.Numeric().At(1, 0)) || math.IsNaN(marked.Numeric().At(0, 0)) {
		t.Errorf("marker: %v (%v)", marked, err)
	}
}

// TestArchivesInArchives: an archive in an archive is opened from a file and from a stream, which are copied one
// after the other.
func TestArchivesInArchives(t *testing.T) {
	var npy bytes.Buffer
	must.OK(t, WriteNPY(&npy, must.Get(New(nil, mat.NewDense(2, 2, []float64{1, 2, 3, 4})))(t)))
	npz := zipped(t, "X.npy", npy.String())
	for name, text := range map[string]string{
		"t.npz.zip": zipped(t, "t.npz", npz), "t.zip.zip": zipped(t, "t.zip", zipped(t, "t.csv", "x1,x2\n1,2\n3,4\n")),
		"t.npz.zip.gz": gzipped(zipped(t, "t.npz", npz)), "t.zip": zipped(t, "t.npy.gz", gzipped(npy.String())),
	} {
		for where, read := range map[string]func() (*Frame, error){
			"a file": func() (*Frame, error) { return Read(file(t, name, text), ReadOptions{}) },
			"a stream": func() (*Frame, error) {
				in, err := OpenReader(strings.NewReader(text), name, "")
				if err != nil {
					return nil, err
				}
				defer in.Close()
				return in.Read(ReadOptions{})
			},
		} {
			if f, err := read(); err != nil || !slices.Equal(f.Numeric().RawMatrix().Data, []float64{1, 2, 3, 4}) {
				t.Errorf("%s as %s: %v (%v)", name, where, f, err)
			}
		}
	}
}

// TestStrangers: what is no table is named, with what to do.
func TestStrangers(t *testing.T) {
	for want, text := range map[string]string{
		"HTML page":                  "\n<!DOCTYPE html>\n<html>",
		"git lfs pull":               "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
		"XML":                        "<?xml version=\"1.0\"?><a/>",
		"JSON":                       "{\n \"a\": 1}",
		"as in Markdown":             "| a | b |\n|:--|--:|\n| 1 | 2 |\n",
		"table drawn with lines":     "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n",
		"dataset/parquet":            "PAR1\x15\x04\x15\x10",
		"dataset/xlsx":               zipped(t, "[Content_Types].xml", "<x/>", "xl/workbook.xml", "<x/>"),
		"dataset/zstd":               "\x28\xb5\x2f\xfd\x04\x00",
		"OpenDocument":               zipped(t, "mimetype", "x", "content.xml", "<x/>"),
		`holds 2 files, "a", "b"`:    zipped(t, "a", "1", "b", "2"),
		"the zip archive is empty":   "PK\x05\x06" + strings.Repeat("\x00", 18),
		"cut short or damaged":       zipped(t, "a.csv", "1")[:30],
		"xz -d":                      "\xfd7zXZ\x00\x00",
		"compressed by lzma":         "\x5d\x00\x00\x80\x00",
		"gzip -d":                    "\x1f\x9d\x90",
		"a tar archive":              "t.csv" + strings.Repeat("\x00", 252) + "ustar\x0000",
		"tar archive: extract":       gzipped("t.csv" + strings.Repeat("\x00", 252) + "ustar  \x00"),
		"a stream of Arrow":          "\xff\xff\xff\xff\x78\x00\x00\x00",
		"an ARFF file":               "% a comment\n%\n\n@Relation iris\n",
		"old workbook":               "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"HDF5":                       "\x89HDF\r\n\x1a\n",
		"invalid character":          "\xff\xfea\x00\x00\xd8b\x00",
		"UTF-32 by its first bytes":  "\xff\xfe\x00\x00\x00\x00\x11\x00",
		"gzip":                       "\x1f\x8b\x08",
		"archive is encrypted":       strangeZip(t, func(h *zip.FileHeader) { h.Flags |= 1 }),
		"by a method (12)":           strangeZip(t, func(h *zip.FileHeader) { h.Method = 12 }),
		"the file is empty":          "BZh9\x17rE8P\x90\x00\x00\x00\x00",
		"more than 4 times":          gzipped(gzipped(gzipped(gzipped(gzipped("a\n1\n"))))),
		"the format npy, not of csv": npyMagic + "\x01\x00",
	} {
		format := ""
		if strings.Contains(want, "not of csv") {
			format = "csv"
		}
		path := file(t, "t.csv", text)
		if _, err := Read(path, ReadOptions{Format: format}); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	// Text that starts like something else is text.
	for _, text := range []string{"PAR1,b\n1,2\n", "ORC,b\n1,2\n", "BZh,b\n1,2\n", "Rar!,b\n1,2\n", "PK,b\n1,2\n", "|a|,b\n1,2\n", "--,b\n1,2\n", "|,+\n1,2\n"} {
		if f, err := Read(file(t, "t.csv", text), ReadOptions{}); err != nil || f.Rows() != 1 {
			t.Errorf("%q: %v (%v)", text, f, err)
		}
	}
}

// strangeZip is an archive of one table, of which the header is changed.
func strangeZip(t *testing.T, change func(*zip.FileHeader)) string {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: "t.csv", UncompressedSize64: 8, CompressedSize64: 8}
	change(h)
	must.Get(must.Get(archive.CreateRaw(h))(t).Write([]byte("a,b\n1,2\n")))(t)
	must.OK(t, archive.Close())
	return b.String()
}

// TestEveryOptionIsUsedOrRefused: by each reader, as the table says.
func TestEveryOptionIsUsedOrRefused(t *testing.T) {
	set := map[string]ReadOptions{
		"label": {Label: "label"}, "id": {ID: "x1"}, "drop": {Drop: []string{"x1"}}, "categorical": {Categorical: []string{"x1"}}, "missing": {Missing: []string{"-9"}},
		"delimiter": {Delimiter: ';'}, "header": {NoHeader: true}, "index_base": {Base: OneBased}, "transpose": {Transpose: true}, "names": {Names: "x1"}, "sheet": {Sheet: "s"},
		"decimal": {Decimal: ","}, "thousands": {Thousands: ","}, "numbers": {Numbers: []string{"percent"}}, "skip_rows": {SkipRows: 1}, "skip_footer": {SkipFooter: 1}, "skip_lines": {SkipLines: []string{"units"}}, "comment": {Comment: "#"}, "line_limit": {LineLimit: 1 << 20},
	}
	var npy bytes.Buffer
	if f, err := New(nil, mat.NewDense(2, 2, []float64{1, 2, 3, 4})); err != nil || WriteNPY(&npy, f) != nil {
		t.Fatal(err)
	}
	files := map[string]struct {
		kind readerKind
		text string
	}{
		"t.csv": {textReader, "x1,x2\n1,2\n"}, "t.tsv": {textReader, "x1\tx2\n1\t2\n"}, "t.npy": {arrayReader, npy.String()}, "t.npz": {arraysReader, zipped(t, "a.npy", npy.String())},
		"t.svm": {indexReader, "1 1:2 2:3\n"}, "t.mtx": {marketReader, "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 3\n"},
	}
	for _, format := range FormatNames() {
		f := must.Get(findFormat(format))(t)
		if c, ok := files["t"+f.endings[0]]; !ok || c.kind != f.kind {
			t.Errorf("the test has no file of the format %s", format)
		}
	}
	for _, o := range readOptions {
		opt, ok := set[o.name]
		if !ok || !o.given(&opt) {
			t.Errorf("the test does not know the option %s", o.name)
			continue
		}
		for name, c := range files {
			takes := false
			for _, kind := range o.readers {
				takes = takes || kind == c.kind
			}
			_, err := Read(file(t, name, c.text), opt)
			if refused := err != nil && strings.Contains(err.Error(), "option "+o.name+" does not apply"); refused == takes {
				t.Errorf("%s of %s: %v", o.name, name, err)
			}
		}
	}
}

// TestNamesBesideMatrix: features.tsv and barcodes.tsv name what they are as many as.
func TestNamesBesideMatrix(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.OK(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	path := write("s1_matrix.mtx", "%%MatrixMarket matrix coordinate integer general\n3 2 4\n1 1 5\n2 2 7\n3 1 1\n1 1 2\n")
	write("s1_features.tsv.gz", gzipped("E1\tTP53\tx\nE2\tDUP\tx\nE3\tDUP\tx\n"))
	write("s1_barcodes.tsv", "AA\nCC\n")
	f, err := Read(path, ReadOptions{Transpose: true, Drop: []string{"E2"}})
	if err != nil {
		t.Fatal(err)
	}
	_, ids := f.ID()
	if got := strings.Join(f.Names(), " ") + "; " + strings.Join(ids, " "); got != "TP53 E3; AA CC" || f.Numeric().At(0, 0) != 7 || f.Numeric().At(0, 1) != 1 {
		t.Errorf("got %s and %v", got, f.Numeric())
	}
	if f, err = Read(path, ReadOptions{}); err != nil || strings.Join(f.Names(), " ") != "AA CC" {
		t.Errorf("%v (%v)", f, err)
	}
	if s, err := ReadSparse(path, ReadOptions{Transpose: true, Only: []string{"E3", "TP53"}}); err != nil || s.Name(0) != "TP53" || s.Name(1) != "E3" {
		t.Errorf("%v (%v)", s, err)
	}
	write("s1_features.tsv.gz", gzipped("E1\nE2\n\nE4\nE5\n"))
	if _, err := Read(path, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "has 5 names, and the matrix has 3 rows and 2 columns") {
		t.Errorf("%v", err)
	}
}

// TestDuplicateEntries: entries at the same place are added, also of the mirrored half; zeros on a
// skew diagonal are nothing.
func TestDuplicateEntries(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real "
	for text, want := range map[string]string{
		head + "general\n2 2 3\n1 2 1\n2 1 1\n1 2 2.5\n":        "x1 x2 | 0 3.5 | 1 0",
		head + "general\n2 2 3\n1 2 1\n2 1 1\n1 2 -1\n":         "x1 x2 | 0 0 | 1 0",
		head + "symmetric\n2 2 2\n2 1 1\n2 1 2\n":               "x1 x2 | 0 3 | 3 0",
		head + "skew-symmetric\n2 2 2\n2 2 0\n2 1 2\n":          "x1 x2 | 0 -2 | 2 0",
		head + "general\n2 2 3\n1 1 0.1\n1 1 0.2\n1 1 0.3\n":    "x1 x2 | 0.6000000000000001 0 | 0 0",
		head + "symmetric\n2 2 3\n1 1 4\n1 1 5\n2 1 0.5\n":      "x1 x2 | 9 0.5 | 0.5 0",
		"%%MatrixMarket matrix array real general\n1 2\n3\n4\n": "x1 x2 | 3 4",
	} {
		s, err := ReadMatrixMarket(strings.NewReader(text), "t.mtx", ReadOptions{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := cells(t, s); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// TestOddArguments: nil, zero and huge arguments are errors, or what they say, and never a panic.
func TestOddArguments(t *testing.T) {
	fails := func(name string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	huge := math.MaxInt
	_, err := NewSparse(1, huge, []int64{0, 0}, nil, nil, nil)
	if math.MaxInt > math.MaxInt32 { // else no int is too large
		fails("NewSparse, columns", err)
	}
	_, err = NewSparse(math.MaxInt, 1, nil, nil, nil, nil)
	fails("NewSparse, rows", err)
	_, err = NewSparse(0, 0, nil, nil, nil, nil)
	fails("NewSparse, nothing", err)
	_, err = NewSparse(-1, -1, nil, nil, nil, nil)
	fails("NewSparse, below 0", err)
	_, err = NewSparse(1, 1, []int64{0, math.MaxInt64}, nil, nil, nil)
	fails("NewSparse, offsets", err)
	if s, err := NewSparse(0, 0, []int64{0}, nil, nil, nil); err != nil {
		t.Error(err)
	} else {
		_, err = s.WithClass("y", nil)
		fails("Sparse.WithClass", err)
		_, err = s.Dense()
		fails("Sparse.Dense", err)
	}
	_, err = New(nil, nil)
	fails("New", err)
	_, err = Assemble(nil, nil, "", nil)
	fails("Assemble", err)
	_, err = FromGrid(nil)
	fails("FromGrid", err)
	_, err = OpenReader(nil, "", "")
	fails("OpenReader", err)
	_, err = Open("", "")
	fails("Open", err)
	_, err = Read("", ReadOptions{})
	fails("Read", err)
	_, err = ReadCSV(nil, "", ReadOptions{})
	fails("ReadCSV", err)
	_, err = ReadNPY(nil, "")
	fails("ReadNPY", err)
	_, err = ReadSVMLight(nil, "", ReadOptions{})
	fails("ReadSVMLight", err)
	_, err = ReadMatrixMarket(nil, "", ReadOptions{})
	fails("ReadMatrixMarket", err)
	fails("WriteCSV", WriteCSV(io.Discard, nil))
	fails("WriteNPY", WriteNPY(io.Discard, nil))
	fails("WriteAs", WriteAs(io.Discard, "", nil))
	fails("RegisterFormat", RegisterFormat(Format{}))
	fails("RegisterCompression", RegisterCompression(Compression{}))
	fails("CheckFormat", CheckFormat(""))
	_, err = Builtin("")
	fails("Builtin", err)
	f := sample(t)
	_, err = f.WithID("", make([]string, f.Rows()))
	fails("WithID, name", err)
	_, err = f.WithID("id", make([]string, 1))
	fails("WithID, rows", err)
	_, err = f.WithClass("", nil)
	fails("WithClass", err)
	if g, err := f.Pick(nil); err != nil || g.Rows() != f.Rows() || f.Subset(nil).Rows() != 0 {
		t.Errorf("Pick and Subset of nothing: %v", err)
	}
}

// TestFormatsWithoutAWriter: a registered NewWriter that returns nothing is an error of the write.
func TestFormatsWithoutAWriter(t *testing.T) {
	list, compressions := knownFormats()
	defer func() { formats.list, formats.compressions = list, compressions }()
	must.OK(t, RegisterFormat(Format{Name: "hollow", Endings: []string{".hollow"}, Is: startsWith("?"),
		Columns:   func(io.ReaderAt, int64) (Columns, error) { return nil, nil },
		NewWriter: func(io.Writer, int) (FrameWriter, error) { return nil, nil }}))
	must.OK(t, RegisterCompression(Compression{Name: "hollowed", Ending: ".hlw", Is: startsWith("?"),
		NewReader: func(io.Reader) (io.ReadCloser, error) { return nil, nil },
		NewWriter: func(io.Writer) (io.WriteCloser, error) { return nil, nil }}))
	for _, name := range []string{"t.hollow", "t.csv.hlw"} {
		if err := WriteAs(io.Discard, name, sample(t)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzOpen: whatever the bytes and the name, an error or a frame.
func FuzzOpen(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", gzipped("a\n1\n"), zipped(f, "a.csv", "a\n1\n"), utf16Text("a,b\n1,2\n", false, true), utf32Text("a\n1\n", true), "%%MatrixMarket matrix array real general\n1 1\n1\n"} {
		for _, name := range []string{"t.csv", "t.npz", "t", "t.svm", "t.mtx"} {
			f.Add([]byte(seed), name, false)
		}
		f.Add([]byte(seed), "t.csv", true)
	}
	f.Fuzz(func(t *testing.T, text []byte, name string, transpose bool) {
		in, err := OpenReader(bytes.NewReader(text), name, "")
		if err != nil {
			return
		}
		defer in.Close()
		got, err := in.Read(ReadOptions{Transpose: transpose})
		if (err == nil) == (got == nil) {
			t.Fatalf("%v and %v", got, err)
		}
		if err == nil {
			checkFrame(t, got)
		}
	})
}
