package solver

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestColumnParts puts the parts of A_·S together, of more columns than a part holds: they are those of
// Columns, whatever was dropped and scaled.
func TestColumnParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{3, partRows, 2*partRows + 7} {
		x := mat.NewDense(5, d, nil)
		scale := make([]float64, d)
		for j := range scale {
			scale[j] = 1 + rng.Float64()
			for i := range 5 {
				x.Set(i, j, rng.NormFloat64())
			}
		}
		for _, opt := range []DataOptions{{}, {Uncentered: true}, {Scale: scale}} {
			a, err := NewData(x, opt)
			if err != nil {
				t.Fatal(err)
			}
			support := []int{0, d / 2, d - 1}
			want := must.Get(Columns(context.Background(), a, support))(t)
			next := 0
			err = ColumnParts(context.Background(), a, support, func(start int, part *mat.Dense) {
				n, _ := part.Dims()
				if start != next || !mat.Equal(part, want.Slice(start, start+n, 0, 3)) {
					t.Fatalf("d = %d, %+v: the part from row %d is not that of Columns", d, opt.Uncentered, start)
				}
				next += n
			})
			if err != nil || next != d {
				t.Fatalf("d = %d: %d rows, %v", d, next, err)
			}
		}
	}
}
