// Package oracle has what tests measure against: exhaustive search, full decompositions and
// comparisons. It shares no code with what is tested, and only tests import it.
package oracle

import "gonum.org/v1/gonum/mat"

// EachSubset calls use with every k-subset of 0 … d−1, ascending. The slice is the same each time.
func EachSubset(d, k int, use func([]int)) {
	s := make([]int, k)
	var fill func(at, from int)
	fill = func(at, from int) {
		if at == k {
			use(s)
			return
		}
		for i := from; i <= d-(k-at); i++ {
			s[at] = i
			fill(at+1, i+1)
		}
	}
	fill(0, 0)
}

// KyFan returns the sum of the m largest eigenvalues of a, of all if there are fewer.
func KyFan(a mat.Symmetric, m int) float64 {
	var eig mat.EigenSym
	if !eig.Factorize(a, false) {
		panic("no eigenvalues")
	}
	values := eig.Values(nil)
	var sum float64
	for _, v := range values[max(0, len(values)-m):] {
		sum += v
	}
	return sum
}

// Objective returns the largest variance that m components on the columns of support have.
func Objective(a mat.Symmetric, support []int, m int) float64 {
	b := mat.NewSymDense(len(support), nil)
	for p, i := range support {
		for q, j := range support {
			if p <= q {
				b.SetSym(p, q, a.At(i, j))
			}
		}
	}
	return KyFan(b, m)
}
