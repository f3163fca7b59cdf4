package transformer_test

import (
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/transformer"
)

// show prints what a step makes of a table.
func show(step transformer.Transformer, f *dataset.Frame) {
	made, err := transformer.FitTransform(step, f)
	if err != nil {
		log.Fatal(err)
	}
	out, err := dataset.FromGrid(made)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Join(out.Names(), " "))
	for i := range out.Rows() {
		for j, v := range out.Numeric().RawRowView(i) {
			if j > 0 {
				fmt.Print(" ")
			}
			fmt.Printf("%.4g", v)
		}
		fmt.Println()
	}
}

// texts reads a small table.
func texts(lines ...string) *dataset.Frame {
	f, err := dataset.ReadCSV(strings.NewReader(strings.Join(lines, "\n")), "table.csv", dataset.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	return f
}

func ExampleCenter() {
	show(new(transformer.Center), frame([]string{"a", "b"}, 2, 2, 1, 10, 3, 30))
	// Output:
	// a b
	// -1 -10
	// 1 10
}

func ExampleMinMax() {
	show(new(transformer.MinMax), frame([]string{"a"}, 3, 1, 10, 15, 30))
	// Output:
	// a
	// 0
	// 0.25
	// 1
}

// The median and the quartiles do not feel the 1000.
func ExampleRobust() {
	show(new(transformer.Robust), frame([]string{"a"}, 5, 1, 1, 2, 3, 4, 1000))
	// Output:
	// a
	// -1
	// -0.5
	// 0
	// 0.5
	// 498.5
}

func ExampleLog1p() {
	show(new(transformer.Log1p), frame([]string{"count"}, 3, 1, 0, 9, 99))
	// Output:
	// count
	// 0
	// 2.303
	// 4.605
}

func ExamplePower() {
	show(new(transformer.Power), frame([]string{"a"}, 5, 1, 1, 2, 4, 8, 16))
	// Output:
	// a
	// -1.369
	// -0.7482
	// -0.03037
	// 0.7146
	// 1.433
}

func ExampleQuantileBins() {
	show(&transformer.QuantileBins{Bins: 2}, frame([]string{"a"}, 4, 1, 1, 2, 50, 60))
	// Output:
	// a
	// 0
	// 0
	// 1
	// 1
}

func ExampleOrdinal() {
	show(new(transformer.Ordinal), texts("size", "small", "large", "small"))
	// Output:
	// size
	// 1
	// 0
	// 1
}

// The parts of a date, in the place of the date.
func ExampleDates() {
	show(&transformer.Dates{Parts: []string{"year", "month"}}, texts("visit,a", "2026-11-28,1", "2027-01-02,2"))
	// Output:
	// visit_year visit_month a
	// 2026 11 1
	// 2027 1 2
}

func ExampleMissingIndicator() {
	show(new(transformer.MissingIndicator), frame([]string{"a", "b"}, 2, 2, 1, math.NaN(), 2, 5))
	// Output:
	// a b b_missing
	// 1 NaN 1
	// 2 5 0
}

// The second of two columns that say the same is dropped.
func ExampleCorrelationFilter() {
	step := new(transformer.CorrelationFilter)
	show(step, frame([]string{"cm", "inch", "kg"}, 3, 3, 170, 66.9, 60, 180, 70.9, 90, 190, 74.8, 70))
	fmt.Println("dropped", step.Dropped())
	// Output:
	// cm kg
	// 170 60
	// 180 90
	// 190 70
	// dropped [inch]
}

func ExampleVarianceFilter() {
	show(&transformer.VarianceFilter{Threshold: 1}, frame([]string{"a", "b"}, 2, 2, 1, 10, 1.5, 30))
	// Output:
	// b
	// 10
	// 30
}

func ExampleSelect() {
	show(&transformer.Select{Columns: []string{"c", "a"}}, frame([]string{"a", "b", "c"}, 1, 3, 1, 2, 3))
	// Output:
	// a c
	// 1 3
}

func ExampleDrop() {
	show(&transformer.Drop{Columns: []string{"b"}}, frame([]string{"a", "b", "c"}, 1, 3, 1, 2, 3))
	// Output:
	// a c
	// 1 3
}

// A step on some columns, by a pattern; the others pass through.
func ExampleOnColumns() {
	show(&transformer.OnColumns{Columns: []string{"time_*"}, New: func() transformer.Transformer { return new(transformer.Center) }},
		frame([]string{"time_1", "price", "time_2"}, 2, 3, 1, 5, 10, 3, 6, 30))
	// Output:
	// time_1 price time_2
	// -1 5 -10
	// 1 6 10
}

// One row at a time, without a table: the same bits, and no memory is allocated.
func ExampleRowMapper() {
	step := new(transformer.Standardize)
	if err := step.Fit(frame([]string{"a", "b"}, 3, 2, 1, 10, 2, 20, 3, 30)); err != nil {
		log.Fatal(err)
	}
	var mapper transformer.RowMapper = step
	var row transformer.RowMap = mapper.RowMap()
	out, scratch := make([]float64, 2), make([]float64, row.Scratch)
	fmt.Println(row.Map(out, []float64{4, 20}, scratch), out)
	// Output:
	// true [2 0]
}
