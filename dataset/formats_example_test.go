package dataset_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// levels is a file of bytes: after "LEVELS" each is a row with one number.
type levels []byte

func openLevels(r io.ReaderAt, size int64) (dataset.Columns, error) {
	cells := make([]byte, size)
	if _, err := r.ReadAt(cells, 0); err != nil && err != io.EOF {
		return nil, err
	}
	return levels(bytes.TrimPrefix(cells, []byte("LEVELS"))), nil
}

func (l levels) Rows() int { return len(l) }

func (l levels) Columns() []dataset.ColumnInfo { return []dataset.ColumnInfo{{Name: "level"}} }

func (l levels) Read(numbers, _ []int) ([]float64, []*dataset.Factor, error) {
	if len(numbers) == 0 {
		return nil, nil, nil
	}
	return l.cells(), nil, nil
}

// Spill lets the file be read in blocks.
func (l levels) Spill(numbers []int, take func(i, row int, cells []float64) error) error {
	if len(numbers) == 0 {
		return nil
	}
	return take(0, 0, l.cells())
}

func (l levels) cells() []float64 {
	x := make([]float64, len(l))
	for i, b := range l {
		x[i] = float64(b)
	}
	return x
}

var _ dataset.ColumnSpiller = levels(nil)

// A format of one's own is read as the others are, once it is registered.
func ExampleFormat() {
	err := dataset.RegisterFormat(dataset.Format{
		Name: "levels", Endings: []string{".levels"}, Columns: openLevels,
		Is: func(start []byte) bool { return bytes.HasPrefix(start, []byte("LEVELS")) },
	})
	if err != nil {
		log.Fatal(err)
	}
	f, err := dataset.OpenReader(strings.NewReader("LEVELS\x01\x05\x09"), "tank.levels", "")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	b, err := f.Blocks(dataset.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	last := mat.NewDense(2, 1, nil)
	n, err := b.Read(context.Background(), 1, last)
	fmt.Println(f.Format(), b.Names(), n, last.RawMatrix().Data, err)
	// Output:
	// levels [level] 2 [5 9] <nil>
}

// A compression of one's own is taken off wherever a file is read.
func ExampleCompression() {
	err := dataset.RegisterCompression(dataset.Compression{
		Name: "zlib", Ending: ".zz",
		Is:        func(start []byte) bool { return bytes.HasPrefix(start, []byte{0x78, 0x9c}) },
		NewReader: zlib.NewReader,
		NewWriter: func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil },
	})
	if err != nil {
		log.Fatal(err)
	}
	iris, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	var packed bytes.Buffer
	if err := dataset.WriteAs(&packed, "iris.csv.zz", iris); err != nil {
		log.Fatal(err)
	}
	f, err := dataset.OpenReader(&packed, "iris.csv.zz", "")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Read(dataset.ReadOptions{Label: "species"}))
	// Output:
	// frame of 150 rows, 4 numeric and 0 categorical columns, class "species" of 3 levels <nil>
}

// A table is written frame by frame, with one header.
func ExampleFrameWriter() {
	iris, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	var w dataset.FrameWriter
	if w, err = dataset.NewWriter(os.Stdout, "some.csv", 3); err != nil {
		log.Fatal(err)
	}
	for _, rows := range [][]int{{0, 50}, {100}} {
		if err := w.Write(iris.Subset(rows)); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// sepal_length,sepal_width,petal_length,petal_width,species
	// 5.1,3.5,1.4,0.2,setosa
	// 7,3.2,4.7,1.4,versicolor
	// 6.3,3.3,6,2.5,virginica
}

// A million columns cost nothing where their cells are 0.
func ExampleSparse() {
	var s *dataset.Sparse
	s, err := dataset.NewSparse(2, 1_000_000, []int64{0, 2, 3}, []int32{7, 999_999, 0}, []float64{1, 0.5, 2}, nil)
	if err != nil {
		log.Fatal(err)
	}
	indices, values := s.Row(0)
	fmt.Println(s.Rows(), s.Columns(), s.Entries())
	fmt.Println(s.Name(int(indices[1])), values[1])
	// Output:
	// 2 1000000 3
	// x1000000 0.5
}

// What is read in blocks are numbers: a column of text has to be declared.
func ExampleTextError() {
	for _, opt := range []dataset.ReadOptions{{}, {Categorical: []string{"size"}}} {
		f, err := dataset.OpenReader(strings.NewReader("size,weight\nsmall,1\nlarge,2\n"), "t.csv", "")
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		b, err := f.Blocks(opt)
		var text *dataset.TextError
		if errors.As(err, &text) {
			fmt.Println("text:", text.Columns, text.Example)
			continue
		}
		defer b.Close()
		fmt.Println("numbers:", b.Names(), err)
	}
	// Output:
	// text: [size] small
	// numbers: [weight] <nil>
}
