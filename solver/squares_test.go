package solver

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestColumnParts puts the parts of A_·S together, of more columns than a part holds: they are those of
// Columns, whatever was dropped and scaled, and each is handed over once.
func TestColumnParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{5, 3}, {5, fewRows}, {5, 2*fewRows + 7}, {partsAtOnce + 1, partRows + 7}} {
		n, d := size[0], size[1]
		x := mat.NewDense(n, d, nil)
		scale := make([]float64, d)
		for j := range scale {
			scale[j] = 1 + rng.Float64()
			for i := range n {
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
			got := mat.NewDense(d, 3, nil)
			var rows atomic.Int64
			err = ColumnParts(context.Background(), a, support, func(start int, part *mat.Dense) {
				n, _ := part.Dims()
				rows.Add(int64(n))
				got.Slice(start, start+n, 0, 3).(*mat.Dense).Copy(part)
			})
			if err != nil || rows.Load() != int64(d) || !mat.EqualApprox(got, want, 1e-14) {
				t.Errorf("n = %d, d = %d, %+v: %d rows, %v, or not those of Columns", n, d, opt.Uncentered, rows.Load(), err)
			}
		}
	}
}
