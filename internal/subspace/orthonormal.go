package subspace

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Orthonormalise replaces the columns of v (d×c, c ≤ d) from left to right by
// orthonormal ones that span the same spaces (Gram–Schmidt, twice). A column
// that depends on those before it is replaced by the unit vector, of lowest
// index, that is farthest from their span; the return value is false then.
func Orthonormalise(v *mat.Dense) (independent bool) {
	d, c := v.Dims()
	independent = true
	columns := make([][]float64, 0, c)
	for j := range c {
		col := mat.Col(nil, j, v)
		before := floats.Norm(col, 2)
		if before > 0 {
			floats.Scale(1/before, col)
		}
		if !project(col, columns) {
			independent = false
			col = farthestUnit(d, columns)
			project(col, columns)
		}
		columns = append(columns, col)
		v.SetCol(j, col)
	}
	return independent
}

// project takes out of the unit vector col what lies in the span of the
// orthonormal basis and normalises the rest. It reports false where nothing
// but rounding is left.
func project(col []float64, basis [][]float64) bool {
	for range 2 {
		for _, b := range basis {
			floats.AddScaled(col, -floats.Dot(b, col), b)
		}
		norm := floats.Norm(col, 2)
		if !(norm > 1e-10) {
			return false
		}
		floats.Scale(1/norm, col)
	}
	return true
}

// farthestUnit returns the unit vector e_i whose part outside the span of
// the orthonormal basis is largest; the lowest i of equals.
func farthestUnit(d int, basis [][]float64) []float64 {
	best, least := 0, math.Inf(1)
	for i := range d {
		var inside float64
		for _, b := range basis {
			inside += b[i] * b[i]
		}
		if inside < least-1e-12 {
			best, least = i, inside
		}
	}
	e := make([]float64, d)
	e[best] = 1
	return e
}

// Random returns a d×m matrix with orthonormal columns that span a
// uniformly distributed subspace: Q of a Gaussian matrix. The stream of
// numbers is that of PCG(seed, index).
func Random(d, m int, seed, index uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, index))
	w := mat.NewDense(d, m, nil)
	for i := range d {
		for j := range m {
			w.Set(i, j, rng.NormFloat64())
		}
	}
	Orthonormalise(w)
	return w
}
