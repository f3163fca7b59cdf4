package selector_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sjwhitworth/golearn/base"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/selector"
)

func ExampleFSPCA() {
	wine, err := dataset.Builtin("wine")
	if err != nil {
		log.Fatal(err)
	}
	s := selector.New(selector.Options{Features: 4, Components: 2, Standardize: true})
	if err := s.Fit(wine); err != nil {
		log.Fatal(err)
	}
	m := s.Model()
	fmt.Println(m.Features())
	fmt.Printf("%.0f%% of what PCA explains with all %d columns\n", 100*m.NormalizedExplainedVariance(), m.Columns())

	reduced, err := s.Transform(wine) // any table with these four columns
	if err != nil {
		log.Fatal(err)
	}
	columns, rows := reduced.Size()
	fmt.Println(rows, "rows of", columns, "columns with the class")
	// Output:
	// [total_phenols flavanoids color_intensity od280/od315_of_diluted_wines]
	// 51% of what PCA explains with all 13 columns
	// 178 rows of 5 columns with the class
}

func ExampleFSPCA_FitMatrix() {
	x := mat.NewDense(6, 4, []float64{
		1, 0.9, 2, 0.1,
		2, 0.1, 4, 0.2,
		3, 0.8, 6, 0.1,
		4, 0.2, 8, 0.3,
		5, 0.7, 10, 0.2,
		6, 0.3, 12, 0.1,
	})
	s := selector.New(selector.Options{Features: 2, Components: 1})
	if err := s.FitMatrix(context.Background(), x, nil); err != nil {
		log.Fatal(err)
	}
	z, err := s.Model().Project(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Model().Features())
	fmt.Printf("%.3f\n", mat.Formatted(z.T()))
	// Output:
	// [x1 x3]
	// [-5.590  -3.354  -1.118   1.118   3.354   5.590]
}

func ExampleFSPCA_FitCovariance() {
	a := mat.NewSymDense(3, []float64{
		4, 2, 0,
		2, 3, 0,
		0, 0, 1,
	})
	s := selector.New(selector.Options{Features: 2, Components: 1})
	if err := s.FitCovariance(context.Background(), a, []string{"a", "b", "c"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Model().Features(), s.Model().Status())
	// Output: [a b] proved
}

func ExampleModel_Save() {
	iris, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	s := selector.New(selector.Options{Features: 2, Components: 2})
	if err := s.Fit(iris); err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.json")
	if err := s.Model().Save(path); err != nil {
		log.Fatal(err)
	}

	m, err := selector.LoadModel(path)
	if err != nil {
		log.Fatal(err)
	}
	z := make([]float64, 2)
	if err := m.ProjectRow(z, m.Mean()); err != nil { // the centre of the data
		log.Fatal(err)
	}
	fmt.Println(m.Features(), z)
	// Output: [sepal_length petal_length] [0 0]
}

// A model takes golearn's grids, and what it returns is one.
func ExampleModel_Transform() {
	iris, err := dataset.Builtin("iris")
	if err != nil {
		log.Fatal(err)
	}
	s := selector.New(selector.Options{Features: 3, Components: 2})
	if err := s.Fit(iris); err != nil {
		log.Fatal(err)
	}
	var grid base.FixedDataGrid = base.NewDenseCopy(iris)
	z, err := s.Model().Transform(grid, selector.Projection)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(z.Names(), z.ClassName())
	// Output: [pc1 pc2] species
}
