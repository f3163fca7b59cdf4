// Matrix fits a model to a gonum matrix and uses it on rows.
//
//	go run ./examples/matrix
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/selector"
)

// measurements makes 200 rows of 30 columns: noise, but for six columns that
// follow two hidden factors.
func measurements() *mat.Dense {
	random := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(200, 30, nil)
	for i := range 200 {
		for j := range 30 {
			x.Set(i, j, 10+random.NormFloat64())
		}
		first, second := 3*random.NormFloat64(), 2*random.NormFloat64()
		for _, j := range []int{4, 11, 23} {
			x.Set(i, j, x.At(i, j)+first)
		}
		for _, j := range []int{7, 18, 29} {
			x.Set(i, j, x.At(i, j)-second)
		}
	}
	return x
}

func main() {
	x := measurements()

	// Choose 6 of the 30 columns, and 2 components on them. Without names the
	// columns are x1…x30.
	s := selector.New(selector.Options{Features: 6, Components: 2})
	if err := s.FitMatrix(context.Background(), x, nil); err != nil {
		log.Fatal(err)
	}
	model := s.Model()
	fmt.Println("columns:", model.Features())
	fmt.Println("indices:", model.Support())
	fmt.Printf("status: %s\n", model.Status())
	fmt.Printf("variance of the components: %.3f\n", model.ExplainedVariance())
	fmt.Printf("share of the best two components on all columns: %.3f\n", model.NormalizedExplainedVariance())
	fmt.Printf("loadings:\n%.3f\n", mat.Formatted(model.Loadings()))

	// New rows: the six chosen numbers of each, in the order of model.Features().
	row := []float64{13, 9, 13, 9, 13, 9}
	scores := make([]float64, 2)
	if err := model.ProjectRow(scores, row); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("projection of %v: %.3f\n", row, scores)
	back, err := model.Reconstruct(mat.NewDense(1, 2, scores))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("and back: %.1f\n", mat.Formatted(back))
}
