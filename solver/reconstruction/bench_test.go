package reconstruction

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/solver"
)

// BenchmarkSolve: the default search beside the default fit of the same shape,
// from the rows on.
func BenchmarkSolve(b *testing.B) {
	for _, s := range []struct{ n, d, k, m int }{{2000, 500, 50, 50}, {2000, 500, 50, 10}, {2000, 500, 50, 5}} {
		x := randomRows(rand.New(rand.NewPCG(1, 2)), s.n, s.d, 0)
		b.Run(fmt.Sprintf("variance/%dx%d/k=%d/m=%d", s.n, s.d, s.k, s.m), func(b *testing.B) {
			for range b.N {
				must.Get(solver.Solve(context.Background(), dataOf(b, x, false), solver.Params{Features: s.k, Components: s.m}))(b)
			}
		})
		b.Run(fmt.Sprintf("reconstruction/%dx%d/k=%d/m=%d", s.n, s.d, s.k, s.m), func(b *testing.B) {
			for range b.N {
				must.Get(Solve(context.Background(), dataOf(b, x, false), Params{Features: s.k, Components: s.m}))(b)
			}
		})
	}
}

// BenchmarkReal: the default search on real tables, m = k and m = 5.
func BenchmarkReal(b *testing.B) {
	for _, c := range []struct {
		file           string
		header, labels int
		k              int
	}{{"sonar.csv.gz", 1, 1, 10}, {"digits.csv.gz", 0, 1, 20}, {"tissue_gene_expression.csv.gz", 1, 0, 30}, {"golub.csv.gz", 1, 1, 20}} {
		x := realTable(b, c.file, c.header, c.labels)
		for _, m := range []int{c.k, 5} {
			b.Run(fmt.Sprintf("%s/k=%d/m=%d", c.file, c.k, m), func(b *testing.B) {
				for range b.N {
					must.Get(Solve(context.Background(), dataOf(b, x, true), Params{Features: c.k, Components: m}))(b)
				}
			})
			b.Run(fmt.Sprintf("variance/%s/k=%d/m=%d", c.file, c.k, m), func(b *testing.B) {
				for range b.N {
					must.Get(solver.Solve(context.Background(), dataOf(b, x, true), solver.Params{Features: c.k, Components: m}))(b)
				}
			})
		}
	}
}

// BenchmarkDescribe: the figures beside the default fit.
func BenchmarkDescribe(b *testing.B) {
	for _, s := range []struct{ n, d, k, m int }{{1797, 64, 7, 5}, {2000, 500, 50, 10}, {500, 5000, 50, 10}, {2000, 5000, 50, 10}} {
		x := randomRows(rand.New(rand.NewPCG(1, 2)), s.n, s.d, 0)
		name := fmt.Sprintf("%dx%d", s.n, s.d)
		b.Run("fit/"+name, func(b *testing.B) {
			for range b.N {
				must.Get(solver.Solve(context.Background(), dataOf(b, x, false), solver.Params{Features: s.k, Components: s.m}))(b)
			}
		})
		a := dataOf(b, x, false)
		sol := must.Get(solver.Solve(context.Background(), a, solver.Params{Features: s.k, Components: s.m}))(b)
		for _, q := range []struct {
			name string
			q    Question
		}{{"free", Question{Rows: float64(s.n)}}, {"columns", Question{Rows: float64(s.n), Columns: true}}, {"pca", Question{PCA: true}}, {"random", Question{Random: 10}}} {
			b.Run(q.name+"/"+name, func(b *testing.B) {
				for range b.N {
					must.Get(Describe(context.Background(), a, sol.Support, sol.Loadings, q.q))(b)
				}
			})
		}
	}
}
