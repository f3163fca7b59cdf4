package solver_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver"
)

// A matrix, or the rows that it comes from: what takes a covariance takes both.
func ExampleCovariance() {
	x := mat.NewDense(3, 2, []float64{1, 2, 2, 4, 3, 9})
	rows, err := solver.NewData(x, solver.DataOptions{})
	if err != nil {
		log.Fatal(err)
	}
	matrix, err := solver.NewMatrix(mat.NewSymDense(2, []float64{1, 3.5, 3.5, 13}))
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range []solver.Covariance{rows, matrix} {
		values, _, err := a.Leading(context.Background(), 1)
		fmt.Printf("%d %.1f %.3f %v\n", a.Order(), a.Diag(), values, err)
	}
	// Output:
	// 2 [1.0 13.0] [13.946] <nil>
	// 2 [1.0 13.0] [13.946] <nil>
}

// The rows are neither copied nor centred in memory. A row of weight 2 counts as two.
func ExampleData() {
	x := mat.NewDense(3, 2, []float64{1, 0, 2, 0, 4, 3})
	var a *solver.Data
	a, err := solver.NewData(x, solver.DataOptions{Weights: []float64{1, 2, 1}})
	if err != nil {
		log.Fatal(err)
	}
	var route solver.Route = a.Route()
	fmt.Printf("means %.2f, variances %.2f, %s\n", a.Mean(), a.Diag(), route)
	// Output:
	// means [2.25 0.75], variances [1.58 2.25], covariance
}

// Three rows of four columns, of which five cells are not 0.
func ExampleSparse() {
	x := solver.CSR{Rows: 3, Cols: 4, Offsets: []int64{0, 2, 3, 5}, Indices: []int32{0, 3, 1, 0, 2}, Values: []float64{2, 1, 1, 3, 0.5}}
	var a *solver.Sparse
	a, err := solver.NewSparse(&x, solver.DataOptions{})
	if err != nil {
		log.Fatal(err)
	}
	s, err := solver.Solve(context.Background(), a, solver.Params{Features: 2, Components: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("variances %.3f, chosen %v\n", a.Diag(), s.Support)
	// Output:
	// variances [2.333 0.333 0.083 0.333], chosen [0 1]
}

// multiples are rows (i, 2i, −i) that are computed when they are read.
type multiples int

func (n multiples) Dims() (rows, columns int) { return int(n), 3 }

func (n multiples) Read(_ context.Context, from int, dst *mat.Dense) (int, error) {
	rows, _ := dst.Dims()
	rows = min(rows, int(n)-from)
	for i := range rows {
		v := float64(from + i)
		dst.SetRow(i, []float64{v, 2 * v, -v})
	}
	return rows, nil
}

// Rows that are in no memory are read in blocks, here once.
func ExampleStream() {
	var rows solver.Rows = multiples(1000)
	var a *solver.Stream
	a, err := solver.NewStream(context.Background(), rows, solver.StreamOptions{Block: 100})
	if err != nil {
		log.Fatal(err)
	}
	s, err := solver.Solve(context.Background(), a, solver.Params{Features: 2, Components: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v %.0f of %.0f, passes: %d\n", s.Support, s.Objective, s.TotalVariance, a.Passes())
	// Output:
	// [0 1] 417083 of 500500, passes: 1
}

// The parts of a table are summed by themselves, perhaps on different machines.
func ExampleSums() {
	ctx := context.Background()
	all := mat.NewDense(5, 2, []float64{1, 0, 2, 1, 4, 3, 5, 5, 9, 7})
	var total solver.Sums
	for _, part := range []*mat.Dense{all.Slice(0, 2, 0, 2).(*mat.Dense), all.Slice(2, 5, 0, 2).(*mat.Dense)} {
		s, err := solver.Sum(ctx, table{part}, solver.SumOptions{Form: true})
		if err != nil {
			log.Fatal(err)
		}
		if err := total.Merge(s); err != nil {
			log.Fatal(err)
		}
	}
	a, err := total.Covariance(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d rows, means %.1f, variances %.1f\n", total.Rows(), a.Mean(), a.Diag())
	// Output:
	// 5 rows, means [4.2 3.2], variances [9.7 8.2]
}

// table are the rows of a matrix.
type table struct{ x *mat.Dense }

func (t table) Dims() (n, d int) { return t.x.Dims() }

func (t table) Read(_ context.Context, from int, dst *mat.Dense) (int, error) {
	n, d := t.x.Dims()
	rows, _ := dst.Dims()
	rows = min(rows, n-from)
	dst.Copy(t.x.Slice(from, from+rows, 0, d))
	return rows, nil
}

// Where the matrix is not formed, its products come from whoever has the rows.
func ExampleProducts() {
	ctx := context.Background()
	rows := multiples(1000)
	sums, err := solver.Sum(ctx, rows, solver.SumOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var mean []float64
	var products solver.Products = func(ctx context.Context, dst *mat.Dense, r, c []int, w *mat.Dense) error {
		return solver.Product(ctx, rows, mean, dst, r, c, w, 0)
	}
	a, err := sums.Covariance(products)
	if err != nil {
		log.Fatal(err)
	}
	mean = a.Mean()
	s, err := solver.Solve(ctx, a, solver.Params{Features: 2, Components: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Support, s.Route)
	// Output:
	// [0 1] implicit
}

// Will a fit take less than a GiB beside the data? One of a matrix of 20000 columns
// takes more than one of rows of as many.
func ExampleShape() {
	p := solver.Params{Features: 20, Components: 5}
	matrix, rows := solver.Shape{Columns: 20000}, solver.Shape{Rows: 500, Columns: 20000}
	fmt.Println(solver.Memory(matrix, p) < 1<<30, solver.Memory(rows, p) < 1<<30)
	// Output:
	// false true
}
