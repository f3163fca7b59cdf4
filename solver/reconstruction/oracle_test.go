package reconstruction

import (
	"compress/gzip"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/solver"
)

// This file is what the tests measure against: the definition, exhaustive
// search and real tables. It shares no code with the algorithms.

// spanned is the share of the largest eigenvalue below which the oracle drops a
// direction of A_SS; the problems of the tests have none near it.
const spanned = 1e-11

// objectiveOf returns K_m(A_SS^{-½}(A²)_SS·A_SS^{-½}).
func objectiveOf(a mat.Symmetric, support []int, m int) float64 {
	return oracle.KyFan(explainedBy(a, support), m)
}

// explainedBy returns A_SS^{-½}(A²)_SS·A_SS^{-½}.
func explainedBy(a mat.Symmetric, support []int) *mat.SymDense {
	d, k := a.SymmetricDim(), len(support)
	block, square := mat.NewSymDense(k, nil), mat.NewSymDense(k, nil)
	for p, i := range support {
		for q, j := range support[:p+1] {
			var sum float64
			for r := range d {
				sum += a.At(i, r) * a.At(r, j)
			}
			block.SetSym(p, q, a.At(i, j))
			square.SetSym(p, q, sum)
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(block, true) {
		panic("no eigenvalues")
	}
	values := eig.Values(nil)
	var vectors, half, rotated mat.Dense
	eig.VectorsTo(&vectors)
	half.CloneFrom(&vectors)
	for j, v := range values {
		f := 0.0
		if v > spanned*values[k-1] {
			f = 1 / math.Sqrt(v)
		}
		for i := range k {
			half.Set(i, j, f*half.At(i, j))
		}
	}
	rotated.Mul(square, &half)
	var whole mat.Dense
	whole.Mul(half.T(), &rotated)
	s := mat.NewSymDense(k, nil)
	for i := range k {
		for j := range i + 1 {
			s.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
		}
	}
	return s
}

// bruteForce returns the best value over the supports that permit passes.
func bruteForce(a mat.Symmetric, k, m int, permit func([]int) bool) (float64, []int) {
	best, support := math.Inf(-1), []int(nil)
	oracle.EachSubset(a.SymmetricDim(), k, func(s []int) {
		if permit != nil && !permit(s) {
			return
		}
		if f := objectiveOf(a, s, m); f > best {
			best, support = f, slices.Clone(s)
		}
	})
	return best, support
}

// bruteForces returns the best values for m = 1 … k, at 1 … k.
func bruteForces(a mat.Symmetric, k int) []float64 {
	best := make([]float64, k+1)
	oracle.EachSubset(a.SymmetricDim(), k, func(s []int) {
		var eig mat.EigenSym
		if !eig.Factorize(explainedBy(a, s), false) {
			panic("no eigenvalues")
		}
		values := eig.Values(nil)
		var sum float64
		for m := 1; m <= k; m++ {
			sum += values[k-m]
			best[m] = max(best[m], sum)
		}
	})
	return best
}

// randomRows returns rows of one of five kinds of table.
func randomRows(rng *rand.Rand, n, d, kind int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	factors := 1 + rng.IntN(4)
	load := mat.NewDense(factors, d, nil)
	for i := range factors {
		for j := range d {
			load.Set(i, j, rng.NormFloat64())
		}
	}
	spread := make([]float64, d)
	for j := range spread {
		spread[j] = math.Exp(rng.NormFloat64())
	}
	for i := range n {
		score := make([]float64, factors)
		for t := range score {
			score[t] = rng.NormFloat64()
		}
		for j := range d {
			v := rng.NormFloat64()
			switch kind {
			case 0, 1: // factor model, and with near-copies
				v *= 0.5
				for t, s := range score {
					v += s * load.At(t, j)
				}
				if kind == 1 && j >= d/2 {
					v = x.At(i, j-d/2) + 0.1*v
				}
			case 2: // spiked
				v += 3 * score[0] * load.At(0, j)
			case 3: // different units
				v = spread[j] * (v + score[0]*load.At(0, j))
			}
			x.Set(i, j, v)
		}
	}
	return x
}

func covarianceOf(x *mat.Dense) *mat.SymDense {
	var s mat.SymDense
	stat.CovarianceMatrix(&s, x, nil)
	return &s
}

func operatorOf(t testing.TB, a mat.Symmetric) solver.Covariance {
	t.Helper()
	return must.Get(solver.NewMatrix(a))(t)
}

// real reads a table of ../shared/data: its numeric columns, standardised if
// asked for. The test is skipped where the file is absent.
func realTable(t testing.TB, name string, header, labels int) *mat.Dense {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", name))
	if err != nil {
		file, err = os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", name))
	}
	if err != nil {
		t.Skipf("%s is not here: %v", name, err)
	}
	defer file.Close()
	z := must.Get(gzip.NewReader(file))(t)
	rows := must.Get(csv.NewReader(z).ReadAll())(t)
	rows = rows[header:]
	var keep []int
	for j, v := range rows[0] {
		if _, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && (labels < 0 || j < len(rows[0])-labels) {
			keep = append(keep, j)
		}
	}
	x := mat.NewDense(len(rows), len(keep), nil)
	for i, row := range rows {
		for q, j := range keep {
			v := must.Get(strconv.ParseFloat(strings.TrimSpace(row[j]), 64))(t)
			x.Set(i, q, v)
		}
	}
	return x
}

// dataOf returns the covariance of rows, standardised or not.
func dataOf(t testing.TB, x *mat.Dense, standardise bool) *solver.Data {
	t.Helper()
	opt := solver.DataOptions{}
	if standardise {
		_, d := x.Dims()
		opt.Scale = make([]float64, d)
		for j := range d {
			if opt.Scale[j] = stat.StdDev(mat.Col(nil, j, x), nil); opt.Scale[j] == 0 {
				opt.Scale[j] = 1
			}
		}
	}
	return must.Get(solver.NewData(x, opt))(t)
}
