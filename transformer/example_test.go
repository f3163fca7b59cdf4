package transformer_test

import (
	"bytes"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

func frame(names []string, rows, cols int, cells ...float64) *dataset.Frame {
	f, err := dataset.New(names, mat.NewDense(rows, cols, cells))
	if err != nil {
		log.Fatal(err)
	}
	return f
}

func ExampleStandardize() {
	train := frame([]string{"height", "weight"}, 3, 2,
		170, 60,
		180, 70,
		190, 80)
	step := &transformer.Standardize{}
	if err := step.Fit(train); err != nil {
		log.Fatal(err)
	}
	// Another order, and a column that the step does not know.
	test := frame([]string{"weight", "age", "height"}, 1, 3, 75, 33, 200)
	out, err := step.Transform(test)
	if err != nil {
		log.Fatal(err)
	}
	f := out.(*dataset.Frame)
	fmt.Println(f.Names(), f.Numeric().RawRowView(0))

	_, err = step.Transform(frame([]string{"hight"}, 1, 1, 200))
	fmt.Println(err)
	// Output:
	// [height weight] [2 0.5]
	// standardize: 2 columns are missing: "height" (the nearest is "hight"), "weight" (the nearest is "hight")
}

func ExampleConstant() {
	step := &transformer.Constant{}
	out, err := transformer.FitTransform(step, frame([]string{"a", "unit", "b"}, 2, 3,
		1, 7, 5,
		2, 7, 6))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("dropped", step.Dropped(), "kept", out.(*dataset.Frame).Names())
	// Output: dropped [unit] kept [a b]
}

func ExampleImpute() {
	step := &transformer.Impute{Strategy: transformer.Median}
	out, err := transformer.FitTransform(step, frame([]string{"a"}, 4, 1, 1, math.NaN(), 5, 30))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Col(nil, 0, out.(*dataset.Frame).Numeric()))
	// Output: [1 5 5 30]
}

func ExampleOneHot() {
	colour := &dataset.Factor{Levels: []string{"blue", "red"}, Codes: []int32{1, 0, 1}}
	train, err := dataset.Assemble(nil, []dataset.Column{{Name: "colour", Factor: colour}}, "", nil)
	if err != nil {
		log.Fatal(err)
	}
	step := &transformer.OneHot{}
	out, err := transformer.FitTransform(step, train)
	if err != nil {
		log.Fatal(err)
	}
	f := out.(*dataset.Frame)
	fmt.Println(f.Names())
	fmt.Println(mat.Formatted(f.Numeric()))
	// Output:
	// [colour=blue colour=red]
	// ⎡0  1⎤
	// ⎢1  0⎥
	// ⎣0  1⎦
}

func ExampleTransformer_narrow() {
	step := &transformer.Center{}
	if err := step.Fit(frame([]string{"a", "b", "c"}, 2, 3, 1, 2, 3, 3, 4, 5)); err != nil {
		log.Fatal(err)
	}
	narrow, err := step.Narrow([]string{"c"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("needs", narrow.Inputs())

	var file bytes.Buffer
	if err := narrow.Save(&file); err != nil {
		log.Fatal(err)
	}
	fmt.Print(file.String())
	// Output:
	// needs [c]
	// {
	//  "version": 2,
	//  "type": "center",
	//  "columns": [
	//   {
	//    "name": "c",
	//    "kind": "numeric",
	//    "shift": 4,
	//    "scale": 1
	//   }
	//  ]
	// }
}

// A row with texts, without a table: each text is a place in a list.
func ExampleTextRowMapper() {
	colour := &dataset.Factor{Levels: []string{"blue", "red"}, Codes: []int32{1, 0, 1}}
	train, err := dataset.Assemble(nil, []dataset.Column{{Name: "colour", Factor: colour}}, "", nil)
	if err != nil {
		log.Fatal(err)
	}
	step := &transformer.OneHot{}
	if err := step.Fit(train); err != nil {
		log.Fatal(err)
	}
	var mapper transformer.TextRowMapper = step
	texts := [][]string{{"red", "blue"}}
	row, _ := mapper.RowMapOf(texts)
	out, scratch := make([]float64, 2), make([]float64, row.Scratch)
	for place, text := range texts[0] {
		fmt.Println(text, row.Map(out, []float64{float64(place)}, scratch), out)
	}
	// Output:
	// red true [0 1]
	// blue true [1 0]
}

// What comes out of some steps is known before they are fitted.
func ExampleForeteller() {
	var step transformer.Foreteller = &selector.PCA{Components: 2}
	fmt.Println(step.Foretell([]string{"length", "width", "height"}))
	// Output: [pc1 pc2]
}
