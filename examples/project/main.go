// Project fits a model, saves it, and projects new rows with the saved model.
// The rows need only the chosen columns, in any order.
//
//	go run ./examples/project
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
)

// bottles are new rows: a name and three measurements, of which one is not
// needed.
const bottles = `bottle,hue,proline,alcohol,magnesium
first,1.04,1065,13.2,127
second,0.86,380,12.4,88
`

func main() {
	dir, err := os.MkdirTemp("", "fspca")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "wine.json")
	fit(path)

	model, err := selector.LoadModel(path)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := dataset.ReadCSV(strings.NewReader(bottles), "bottles.csv", dataset.ReadOptions{Drop: []string{"bottle"}})
	if err != nil {
		log.Fatal(err)
	}
	projected, err := model.Transform(rows, selector.Projection)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("columns needed:", model.Features())
	fmt.Println(projected.Names())
	for i := range projected.Rows() {
		fmt.Printf("%.3f\n", projected.Numeric().RawRowView(i))
	}

	// One error names all columns that are absent.
	few, err := rows.Pick([]string{"hue"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = model.Transform(few, selector.Projection)
	fmt.Println(err)
}

// fit chooses two of the thirteen columns of wine.
func fit(path string) {
	wine, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	s := selector.New(selector.Options{Features: 2, Components: 2})
	if err := s.Fit(wine); err != nil {
		log.Fatal(err)
	}
	if err := s.Model().Save(path); err != nil {
		log.Fatal(err)
	}
}
