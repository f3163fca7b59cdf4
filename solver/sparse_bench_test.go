package solver

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// topicRows returns rows like counts of words: about r entries each, columns of
// falling frequency, and a few groups of columns that occur together.
func topicRows(n, d, r int) *CSR {
	rng := rand.New(rand.NewPCG(40, uint64(n)))
	s := &CSR{Rows: n, Cols: d, Offsets: []int64{0}}
	row := make([]int32, r)
	for range n {
		topic := rng.IntN(20)
		for p := range row {
			j := int(math.Exp(rng.Float64()*math.Log(float64(d)))) - 1
			if rng.IntN(3) == 0 {
				j = (topic*37 + rng.IntN(40)) % d
			}
			row[p] = int32(min(j, d-1))
		}
		slices.Sort(row)
		for p, j := range row {
			if p == 0 || row[p-1] != j {
				s.Indices = append(s.Indices, j)
				s.Values = append(s.Values, 1+math.Floor(rng.ExpFloat64()))
			}
		}
		s.Offsets = append(s.Offsets, int64(len(s.Indices)))
	}
	return s
}

func BenchmarkSparse(b *testing.B) {
	for _, size := range [][3]int{{50000, 300, 20}, {20000, 50000, 80}, {200000, 20000, 60}} {
		x := topicRows(size[0], size[1], size[2])
		name := fmt.Sprintf("%dx%d/%d", size[0], size[1], len(x.Values))
		b.Run("new/"+name, func(b *testing.B) {
			for b.Loop() {
				must.Get(NewSparse(x, DataOptions{}))(b)
			}
		})
		b.Run("fit/"+name, func(b *testing.B) {
			for b.Loop() {
				c := must.Get(NewSparse(x, DataOptions{}))(b)
				must.Get(Solve(context.Background(), c, Params{Features: 100, Components: 10}))(b)
			}
		})
		c := must.Get(NewSparse(x, DataOptions{}))(b)
		support := make([]int, 100)
		for i := range support {
			support[i] = 2 * i
		}
		b.Run("block/"+name, func(b *testing.B) {
			for b.Loop() {
				c.block(b.Context(), support)
			}
		})
	}
}
