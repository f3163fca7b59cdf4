package dataset_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"
)

func ExampleReadCSV() {
	text := "age,color,bought\n31,red,yes\n,blue,no\n8,red,yes\n"
	f, err := dataset.ReadCSV(strings.NewReader(text), "people.csv", dataset.ReadOptions{Label: "bought"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f)
	fmt.Println(f.Numeric().RawMatrix().Data, f.Factor("color").Levels, f.Factor("color").Codes)
	fmt.Println(f.ClassName(), f.Class().Levels, f.Class().Codes)
	// Output:
	// frame of 3 rows, 1 numeric and 1 categorical columns, class "bought" of 2 levels
	// [31 NaN 8] [blue red] [1 0 1]
	// bought [no yes] [1 0 1]
}

func ExampleReadCSV_mistakes() {
	text := "age,height,bought\n31,1.80,yes\nn/a,1.75,no\n8,inf,\n40,1.60\n"
	_, err := dataset.ReadCSV(strings.NewReader(text), "people.csv", dataset.ReadOptions{Label: "bought"})
	fmt.Println(err)
	// Output:
	// people.csv:3: column "age": "n/a" is not a number, but "31" in line 2 is (text: 1 cell, numbers: 2): declare the column categorical, or add "n/a" to the missing markers (options categorical, missing)
	// people.csv:4: column "height": "inf" is not a finite number: declare the column categorical, or add "inf" to the missing markers (options categorical, missing)
	// people.csv:4: column "bought": the label is missing: remove the line, or give it a label
	// people.csv:5: wrong number of fields: got 2, want 3 as in the first line
}

func ExampleNew() {
	f, err := dataset.New([]string{"height", "weight"}, mat.NewDense(2, 2, []float64{1.80, 75, 1.60, 60}))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := dataset.WriteCSV(os.Stdout, f); err != nil {
		fmt.Println(err)
	}
	// Output:
	// height,weight
	// 1.8,75
	// 1.6,60
}

func ExampleFrame_Pick() {
	f, err := dataset.Builtin("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := f.Pick([]string{"petal_width", "petal_length"})
	fmt.Println(g, err)
	_, err = f.Pick([]string{"petal_with", "height"})
	fmt.Println(err)
	// Output:
	// frame of 150 rows, 2 numeric and 0 categorical columns, class "species" of 3 levels <nil>
	// 2 columns are missing: "petal_with" (the nearest is "petal_width"), "height"
}

// A frame is a golearn grid, and any golearn grid becomes a frame.
func ExampleFromGrid() {
	iris, err := dataset.Builtin("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := []int{0, 75, 149}
	view := base.NewInstancesViewFromVisible(iris, rows, iris.AllAttributes())
	fmt.Println(base.GetClass(view, 1))
	f, err := dataset.FromGrid(view)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.RowString(1))
	// Output:
	// versicolor
	// 6.6 3 4.4 1.4 versicolor
}

func ExampleReadSVMLight() {
	text := "spam 1:2 4:1 # a comment\nham 2:1\nspam 1:3 3:0.5\n"
	s, err := dataset.ReadSVMLight(strings.NewReader(text), "mail.svm", dataset.ReadOptions{Label: dataset.SVMLightLabel})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Rows(), s.Columns(), s.Entries(), s.Class().Levels)
	for i := range s.Rows() {
		fmt.Println(s.Row(i))
	}
	// Output:
	// 3 4 5 [ham spam]
	// [0 3] [2 1]
	// [1] [1]
	// [0 2] [3 0.5]
}
