package spectral_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/solver/spectral"
)

func ExampleLeading() {
	a := mat.NewSymDense(3, []float64{
		2, 1, 0,
		1, 2, 0,
		0, 0, 1,
	})
	var p *spectral.Pairs
	p, err := spectral.Leading(a, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", p.Values)
	// Output: [3.0000 1.0000]
}

// grid is the second difference on a line of points: an operator that needs no
// matrix.
type grid int

func (g grid) Order() int { return int(g) }

func (g grid) Mul(_ context.Context, dst, x *mat.Dense) error {
	_, c := x.Dims()
	for i := range int(g) {
		for j := range c {
			v := 2 * x.At(i, j)
			if i > 0 {
				v -= x.At(i-1, j)
			}
			if i < int(g)-1 {
				v -= x.At(i+1, j)
			}
			dst.Set(i, j, v)
		}
	}
	return nil
}

func ExampleKrylov() {
	var op spectral.Operator = grid(200)
	p, err := spectral.Krylov(context.Background(), op, 3, spectral.Settings{Tolerance: 1e-8})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f %v\n", p.Values, p.Converged)
	// Output: [3.999756 3.999023 3.997802] true
}

// A product that comes by while the operator is made is the first of the iteration.
func ExampleOpen() {
	ctx, op := context.Background(), grid(200)
	x, err := spectral.Open(ctx, op.Order(), 3, spectral.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, c := x.Dims()
	opening := &spectral.Opening{X: x, Y: mat.NewDense(200, c, nil)}
	if err := op.Mul(ctx, opening.Y, x); err != nil {
		fmt.Println(err)
		return
	}
	p, err := spectral.Krylov(ctx, op, 3, spectral.Settings{Tolerance: 1e-8, Opening: opening})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f %v\n", p.Values, p.Converged)
	// Output: [3.999756 3.999023 3.997802] true
}

// A program can tell the memory before it takes it.
func ExampleSettings_Need() {
	var need spectral.Need = spectral.Settings{}.Need(20_000, 5)
	fmt.Printf("Leading %.1f GB, Krylov %.3f GB in products of %d columns\n", float64(need.Leading)/1e9, float64(need.Krylov)/1e9, need.Columns)
	// Output: Leading 3.2 GB, Krylov 0.044 GB in products of 16 columns
}
