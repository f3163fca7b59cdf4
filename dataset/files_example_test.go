package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
)

// A file is known by what is in it, and says which of its columns are text.
func ExampleFile() {
	var f *dataset.File
	f, err := dataset.OpenReader(strings.NewReader("id;a\nx;1,5\ny;2,5\n"), "table.csv", "csv")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	table, err := f.Read(dataset.ReadOptions{Delimiter: ';', Decimal: ","})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range table.Columns() {
		var column dataset.Column = c
		fmt.Println(column.Name, "text:", column.Factor != nil)
	}
	var how dataset.Reading = table.Reading()
	fmt.Println(f.Format(), how.Delimiter, how.Decimal)
	// Output:
	// id text: true
	// a text: false
	// csv ; ,
}

// Texts are factors: levels, and for each row a code.
func ExampleFactor() {
	f, err := dataset.ReadCSV(strings.NewReader("size\nsmall\nlarge\nsmall\n"), "t.csv", dataset.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var size *dataset.Factor = f.Factor("size")
	fmt.Println(size.Levels, size.Codes, size.Text(1))
	// Output:
	// [large small] [1 0 1] large
}

// What is missing is an error with its place and what to do.
func ExampleMissingCellsError() {
	f, err := dataset.New([]string{"a", "b"}, mat.NewDense(2, 2, []float64{1, 2, 3, math.NaN()}))
	if err != nil {
		log.Fatal(err)
	}
	var missing *dataset.MissingCellsError
	if errors.As(f.CheckComplete("the fit"), &missing) {
		fmt.Println(missing.Row, missing.Column, missing.Counts)
	}
	_, err = f.Pick([]string{"A"})
	var absent *dataset.MissingColumnsError
	if errors.As(err, &absent) {
		fmt.Println(absent.Missing, absent.Nearest)
	}
	// Output:
	// 2 b [1]
	// [A] [a]
}

// A mistake in a file has its line and column.
func ExampleParseError() {
	_, err := dataset.ReadCSV(strings.NewReader("a,b\n1,2\n3\n"), "t.csv", dataset.ReadOptions{})
	var place *dataset.ParseError
	if errors.As(err, &place) {
		fmt.Println(place.File, place.Line)
	}
	// Output:
	// t.csv 3
}

// What surely is a mistake, though it is possible, is a warning with a code.
func ExampleWarning() {
	f, err := dataset.ReadCSV(strings.NewReader("n,a\n1,3\n2,9\n3,1\n4,8\n5,2\n6,6\n7,7\n8,5\n9,9\n"), "t.csv", dataset.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range f.Warnings() {
		var warning dataset.Warning = w
		fmt.Println(warning.Code, warning.Name)
	}
	// Output:
	// W102 counts-rows
}

// Indices in svmlight files may count from 0.
func ExampleIndexBase() {
	for _, base := range []dataset.IndexBase{dataset.OneBased, dataset.ZeroBased} {
		s, err := dataset.ReadSVMLight(strings.NewReader("1 1:5 3:7\n0 2:1\n"), "t.svm", dataset.ReadOptions{Base: base})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.Rows(), s.Columns(), s.Entries())
	}
	// Output:
	// 2 3 3
	// 2 4 3
}

// A table larger than memory is read in blocks of rows.
func ExampleBlocks() {
	dir, err := os.MkdirTemp("", "blocks")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n3,4\n5,6\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	f, err := dataset.Open(path, "")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	var b *dataset.Blocks
	if b, err = f.Blocks(dataset.ReadOptions{}); err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	two := mat.NewDense(2, 2, nil)
	n, err := b.Read(context.Background(), 1, two)
	fmt.Println(n, two.RawRowView(1), err)
	// Output:
	// 2 [5 6] <nil>
}
