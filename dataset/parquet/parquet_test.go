package parquet

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/lz4"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// written is a frame as a Parquet file.
func written(t testing.TB, f *dataset.Frame) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.parquet")
	var b bytes.Buffer
	must.OK(t, Write(&b, f))
	must.OK(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// frame is a table with every kind of column, of n rows.
func frame(t testing.TB, n int) *dataset.Frame {
	t.Helper()
	x := mat.NewDense(n, 11, nil)
	color := &dataset.Factor{Levels: []string{"blue", "red"}, Codes: make([]int32, n)}
	class := &dataset.Factor{Levels: []string{"1", "2", "10"}, Codes: make([]int32, n)}
	ids := make([]string, n)
	for i := range n {
		for j := range 11 {
			x.Set(i, j, math.Sin(float64(11*i+j))*1e3)
		}
		if i%7 == 3 {
			x.Set(i, 4, math.NaN())
		}
		color.Codes[i], class.Codes[i] = int32(i%3)-1, int32(i%5)%3
		ids[i] = strings.Repeat("s", i%4) + "é"
	}
	cols := []dataset.Column{{Name: "z"}, {Name: "color", Factor: color}, {Name: "a"}}
	for j := range 9 {
		cols = append(cols, dataset.Column{Name: "x " + string(rune('0'+j)) + ","})
	}
	f := must.Get(dataset.Assemble(x, cols, "y", class))(t)
	return must.Get(f.WithID("who", ids))(t)
}

// TestWriteRead: what is written is what is read, over several row groups and pages.
func TestWriteRead(t *testing.T) {
	for _, n := range []int{1, 7, 3000, rowsPerGroup + 5} {
		if n > 3000 && testing.Short() {
			continue
		}
		f := frame(t, n)
		got := must.Get(dataset.Read(written(t, f), dataset.ReadOptions{Label: "y", ID: "who"}))(t)
		if n < 5 { // levels that do not occur are not in the file
			continue
		}
		if dataset.Hash(got) != dataset.Hash(f) {
			t.Errorf("%d rows: %v is read as %v", n, f, got)
		}
		_, want := f.ID()
		if name, ids := got.ID(); name != "who" || !slices.Equal(ids, want) {
			t.Errorf("%d rows: other ids", n)
		}
	}
}

// TestSameAsCSV: a table gives the same frame from both formats, whatever the options.
func TestSameAsCSV(t *testing.T) {
	f := frame(t, 200)
	path := written(t, f)
	csv := strings.TrimSuffix(path, "parquet") + "csv"
	var b bytes.Buffer
	must.OK(t, dataset.WriteCSV(&b, f))
	must.OK(t, os.WriteFile(csv, b.Bytes(), 0o600))
	for _, opt := range []dataset.ReadOptions{
		{}, {Label: "y"}, {ID: "who"}, {Drop: []string{"x*"}}, {Only: []string{"color", "a"}, Label: "y"},
		{Categorical: []string{"a", "y"}}, {Missing: []string{"red", "10"}}, {Label: "color", LabelOptional: true}, {Label: "x 1,"},
		{Drop: []string{"nope", "q*"}, Label: "yy"}, {Label: "color"},
	} {
		opt.Categorical = append(opt.Categorical, "y")
		want, err1 := dataset.Read(csv, opt)
		got, err2 := dataset.Read(path, opt)
		if (err1 == nil) != (err2 == nil) {
			t.Errorf("%+v: %v from CSV, %v from Parquet", opt, err1, err2)
		} else if err1 == nil && dataset.Hash(got) != dataset.Hash(want) {
			t.Errorf("%+v: %v from CSV, %v from Parquet", opt, want, got)
		}
	}
}

// TestTypes: every type of number is exact.
func TestTypes(t *testing.T) {
	type row struct {
		I8   int8     `parquet:"i8"`
		I16  int16    `parquet:"i16"`
		I32  int32    `parquet:"i32,delta"`
		I64  int64    `parquet:"i64,delta"`
		U8   uint8    `parquet:"u8"`
		U32  uint32   `parquet:"u32"`
		U64  uint64   `parquet:"u64"`
		F32  float32  `parquet:"f32"`
		F64  float64  `parquet:"f64,split"`
		B    bool     `parquet:"b"`
		Dec  int64    `parquet:"dec,decimal(2:18)"`
		Dict float64  `parquet:"dict,dict"`
		Opt  *float32 `parquet:"opt,optional"`
		S    string   `parquet:"s"`
	}
	var rows []row
	var want [][]float64
	for i := range 1000 {
		r := row{int8(-i), int16(-i), int32(-i) << 20, int64(i) << 42, uint8(i), uint32(i) << 22, uint64(i) << 44, float32(i) / 3, float64(i) / 3,
			i%3 == 0, int64(i) - 7, float64(i % 5), nil, "t"}
		o := math.NaN()
		if i%4 > 0 {
			v := float32(i) * 1.1
			r.Opt, o = &v, float64(v)
		}
		b := 0.0
		if r.B {
			b = 1
		}
		rows = append(rows, r)
		want = append(want, []float64{float64(r.I8), float64(r.I16), float64(r.I32), float64(r.I64), float64(r.U8), float64(r.U32), float64(r.U64), float64(r.F32), r.F64,
			b, float64(r.Dec) / 100, r.Dict, o})
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	must.OK(t, parquet.WriteFile(path, rows))
	f := must.Get(dataset.Read(path, dataset.ReadOptions{Drop: []string{"s"}}))(t)
	for i, r := range want {
		for j, v := range r {
			if got := f.Numeric().At(i, j); got != v && !(math.IsNaN(v) && math.IsNaN(got)) {
				t.Fatalf("row %d, column %s: got %v, want %v", i+1, f.Names()[j], got, v)
			}
		}
	}
	labels, err := dataset.Read(path, dataset.ReadOptions{Label: "i64", Only: []string{"s"}})
	if err != nil || labels.Class().Text(1) != "4398046511104" {
		t.Errorf("integers as labels: %v (%v)", labels, err)
	}
}

// TestProblems: what is no number and no text is named, unless it is dropped.
func TestProblems(t *testing.T) {
	type inner struct{ A, B float64 }
	type row struct {
		X    float64   `parquet:"x"`
		List []float64 `parquet:"list"`
		In   inner     `parquet:"in"`
		Big  int64     `parquet:"big"`
		Raw  [3]byte   `parquet:"raw"`
		Last float64   `parquet:"last"`
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	must.OK(t, parquet.WriteFile(path, []row{{X: 1, List: []float64{1, 2}, Big: 1<<53 + 1, Last: 7}, {X: 2, Last: 8}}))
	_, err := dataset.Read(path, dataset.ReadOptions{})
	for _, want := range []string{`column "list": it holds lists: leave it out (option drop)`, `column "in": it holds records`, `column "raw": it holds binary data`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	opt := dataset.ReadOptions{Drop: []string{"list", "in", "raw"}}
	if _, err := dataset.Read(path, opt); err == nil || !strings.Contains(err.Error(), `column "big": the integer 9007199254740993, from row 1 on, is not exact`) {
		t.Errorf("%v", err)
	}
	opt.ID = "big"
	f := must.Get(dataset.Read(path, opt))(t)
	if _, ids := f.ID(); ids[0] != "9007199254740993" || f.Numeric().At(1, 1) != 8 {
		t.Errorf("ids %v, numbers %v", ids, f.Numeric())
	}
	for want, opt := range map[string]dataset.ReadOptions{
		"option header does not apply to the format parquet":    {NoHeader: true},
		"option delimiter does not apply to the format parquet": {Delimiter: ';'},
		"option transpose does not apply to the format parquet": {Transpose: true},
	} {
		if _, err := dataset.Read(path, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestDamaged: files that are cut, changed, or say more than they hold.
func TestDamaged(t *testing.T) {
	whole := must.Get(os.ReadFile(written(t, frame(t, 3000))))(t)
	path := filepath.Join(t.TempDir(), "t.parquet")
	try := func(text []byte) error {
		must.OK(t, os.WriteFile(path, text, 0o600))
		_, err := dataset.Read(path, dataset.ReadOptions{})
		return err
	}
	for _, n := range []int{0, 3, 4, 12, len(whole) / 2, len(whole) - 1} {
		if err := try(whole[:n]); err == nil || !strings.Contains(err.Error(), "t.parquet: ") {
			t.Errorf("cut at %d of %d: %v", n, len(whole), err)
		}
	}
	changed := slices.Clone(whole)
	for i := 100; i < 140; i++ {
		changed[i] ^= 0xff
	}
	if err := try(changed); err == nil {
		t.Error("changed pages: no error")
	}
	if err := try(append([]byte("PAR2"), whole[4:]...)); err == nil || !strings.Contains(err.Error(), "cut short or damaged") {
		t.Errorf("changed magic: %v", err)
	}
}

// FuzzRead: whatever the bytes, an error or a frame that can be written and read again. The seeds are
// small, since the fuzzer shortens what it finds; -fuzzminimizetime 1x leaves the time for finding.
func FuzzRead(f *testing.F) {
	type row struct {
		A float64
		B *int64
		C string `parquet:",dict"`
	}
	two := int64(2)
	for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd, &parquet.Lz4Raw} {
		for version := 1; version <= 2; version++ {
			var b bytes.Buffer
			w := parquet.NewGenericWriter[row](&b, parquet.Compression(codec), parquet.DataPageVersion(version), parquet.DataPageStatistics(false))
			must.Get(w.Write([]row{{1, nil, "u"}, {2.5, &two, "v"}}))(f)
			must.OK(f, w.Close())
			f.Add(b.Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := dataset.OpenReader(bytes.NewReader(text), "t.parquet", "")
		if err != nil {
			return
		}
		defer in.Close()
		if in.Format() != "parquet" {
			return
		}
		got, err := in.Read(dataset.ReadOptions{})
		if (err == nil) == (got == nil) {
			t.Fatalf("%v and %v", got, err)
		}
		if err != nil {
			return
		}
		var again bytes.Buffer
		must.OK(t, Write(&again, got))
	})
}

// TestLZ4: pages that are packed by LZ4 are read, and what is no LZ4 never reaches the decoder.
func TestLZ4(t *testing.T) {
	for version := 1; version <= 2; version++ {
		for _, level := range []lz4.Level{lz4.Fastest, lz4.Level9} {
			type row struct {
				A float64
				B float64  // takes no fewer bytes when it is packed
				C string   `parquet:",dict"`
				D *float64 // nor does this
			}
			rows := make([]row, 3000)
			for i := range rows {
				v := math.Sin(float64(i * i))
				rows[i] = row{A: float64(i % 100), B: -v, C: strings.Repeat("u", i%3+1), D: &v}
			}
			var b bytes.Buffer
			w := parquet.NewGenericWriter[row](&b, parquet.Compression(&lz4.Codec{Level: level}), parquet.DataPageVersion(version))
			must.Get(w.Write(rows))(t)
			must.OK(t, w.Close())
			in := must.Get(dataset.OpenReader(bytes.NewReader(b.Bytes()), "t.parquet", ""))(t)
			f, err := in.Read(dataset.ReadOptions{})
			if err != nil {
				t.Fatalf("version %d: %v", version, err)
			}
			for i, r := range rows {
				if x := f.Numeric().RawRowView(i); x[0] != r.A || x[1] != r.B || x[2] != *r.D || f.Factor("C").Text(i) != r.C {
					t.Fatalf("version %d, row %d: %v, %q", version, i, x, f.Factor("C").Text(i))
				}
			}
			in.Close()
		}
	}
}

// FuzzLZ4: a block that is taken for LZ4 is unpacked to as many bytes as said.
func FuzzLZ4(f *testing.F) {
	for _, text := range []string{"", "a", "abcabcabcabcabcabcabcabcabc", strings.Repeat("a", 1000)} {
		packed := must.Get(parquet.Lz4Raw.Encode(nil, []byte(text)))(f)
		f.Add(packed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, ok := lz4Length(b)
		if !ok {
			return
		}
		got, err := parquet.Lz4Raw.Decode(nil, b)
		if err != nil || len(got) != n {
			t.Fatalf("%d bytes for %d (%v)", len(got), n, err)
		}
	})
}

// TestEmbedders: programs without such files compile none of what reads them.
func TestEmbedders(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "github.com/fspca/fspca/selector", "github.com/fspca/fspca/pipeline/experiment").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, heavy := range []string{"parquet-go", "excelize", "klauspost"} {
		if bytes.Contains(out, []byte(heavy)) {
			t.Errorf("selector or pipeline needs %s", heavy)
		}
	}
}

func BenchmarkRead100000x100(b *testing.B) {
	x := mat.NewDense(100000, 100, nil)
	for i := range 100000 {
		for j := range 100 {
			x.Set(i, j, math.Sin(float64(100*i+j)))
		}
	}
	f := must.Get(dataset.New(nil, x))(b)
	path := written(b, f)
	for b.Loop() {
		must.Get(dataset.Read(path, dataset.ReadOptions{}))(b)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e7, "ns/cell")
}

// TestTextThatIsNumbers: a column of text all of whose cells are numbers in another notation is an
// error, and one of plain numbers a warning, or an error where only numbers are wanted.
func TestTextThatIsNumbers(t *testing.T) {
	type row struct {
		A float64
		B string
	}
	read := func(cells []string, opt dataset.ReadOptions) (*dataset.Frame, error) {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b)
		for i, cell := range cells {
			must.Get(w.Write([]row{{float64(i), cell}}))(t)
		}
		must.OK(t, w.Close())
		in := must.Get(dataset.OpenReader(bytes.NewReader(b.Bytes()), "t.parquet", ""))(t)
		defer in.Close()
		return in.Read(opt)
	}
	for _, opt := range []dataset.ReadOptions{{}, {NumbersOnly: true}, {Numeric: []string{"B"}}} {
		if _, err := read([]string{"4,5", "n/a", "1,25"}, opt); err == nil || !strings.Contains(err.Error(), `t.parquet: column "B": row 1: "4,5" is a number with a decimal comma`) {
			t.Errorf("%v: %v", opt, err)
		}
	}
	if _, err := read([]string{"4,5", "1,25"}, dataset.ReadOptions{Categorical: []string{"B"}}); err != nil {
		t.Error(err)
	}
	if _, err := read([]string{"4.5", "1.25"}, dataset.ReadOptions{NumbersOnly: true}); err == nil || !strings.Contains(err.Error(), "write it as numbers") {
		t.Error(err)
	}
	f, err := read([]string{"4.5", "1.25"}, dataset.ReadOptions{})
	if err != nil || len(f.Warnings()) != 1 || f.Warnings()[0].Code != "W116" {
		t.Errorf("%v, %v", f, err)
	}
	if f, err := read([]string{"red", "blue"}, dataset.ReadOptions{}); err != nil || len(f.Warnings()) != 0 {
		t.Errorf("%v, %v", f, err)
	}
}

// TestManyTexts: a column of more texts than categories can be is refused, unless it names the rows.
func TestManyTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a million texts")
	}
	n := 1<<20 + 1
	ids := make([]string, n)
	x := mat.NewDense(n, 1, nil)
	for i := range ids {
		ids[i] = "u" + strconv.Itoa(i)
		x.Set(i, 0, float64(i%7))
	}
	f, err := dataset.New([]string{"a"}, x)
	if err != nil {
		t.Fatal(err)
	}
	f = must.Get(f.WithID("key", ids))(t)
	path := written(t, f)
	_, err = dataset.Read(path, dataset.ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), `column "key": the column has 1048577 different texts, more than 1048576: no category has that many; if it names the rows, say so (option id: "key"), else leave it out (option drop)`) {
		t.Errorf("got %v", err)
	}
	got, err := dataset.Read(path, dataset.ReadOptions{ID: "key"})
	if err != nil || got.Rows() != n {
		t.Errorf("as id: %v", err)
	}
}
