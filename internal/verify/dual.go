package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Dual holds multipliers of the joint dual on some columns of A: B = LLᵀ, any Y,
// c > 0; G_ij = −G_ji given for i < j; N = HHᵀ with the rows 0 … n. With
//
//	M_ij = Y_ij²/(4c_i) + G_ij + N_ij  (i ≠ j)
//	α_i  = B_ii + Y_ii/2 + c_i/4 + Y_ii²/(4c_i) + 2N_0i + N_ii
//
// every support S of these columns has f(S) ≤ K_m(A − B − (Y+Yᵀ)/2) + N_00 +
// Σ_S α_i + Σ_{i≠j∈S} M_ij. docs/algorithms.md has the proof. Any values are
// valid: what they prove is evaluated here, with a term for its rounding.
type Dual struct {
	Columns []int       `json:"columns"`
	L       [][]float64 `json:"l"`
	Y       [][]float64 `json:"y"`
	C       []float64   `json:"c"`
	G       [][]float64 `json:"g"` // row i: G_ij for j = i + 1 … n − 1
	H       [][]float64 `json:"h"`
}

// form is a bound as a quadratic form of the indicator of S.
type form struct {
	at    []int // by column of A: its place, −1 for none
	rest  float64
	alpha []float64
	m     [][]float64
	tops  [][]float64 // of each row: the sums of its 0, 1, … largest entries
}

// check returns what is wrong with the shapes and numbers.
func (d *Dual) check(order int) error {
	n := len(d.Columns)
	if n == 0 || len(d.L) != n || len(d.Y) != n || len(d.C) != n || len(d.G) != n || len(d.H) != n+1 {
		return fmt.Errorf("the multipliers are for %d columns, and have other sizes", n)
	}
	seen := map[int]bool{}
	for i, j := range d.Columns {
		if j < 0 || j >= order || seen[j] {
			return fmt.Errorf("column %d of the multipliers is not one of %d, or stands twice", j, order)
		}
		seen[j] = true
		if len(d.L[i]) != len(d.L[0]) || len(d.Y[i]) != n || len(d.G[i]) != n-1-i || len(d.H[i]) != len(d.H[n]) {
			return fmt.Errorf("row %d of the multipliers has another length", i)
		}
		if !(d.C[i] > 0) {
			return fmt.Errorf("the multiplier c of row %d is %v: it has to be above 0", i, d.C[i])
		}
	}
	return nil
}

// evaluate returns what the multipliers prove of A.
func (d *Dual) evaluate(p *problem) (*form, error) {
	if err := d.check(p.a.SymmetricDim()); err != nil {
		return nil, err
	}
	n := len(d.Columns)
	f := &form{at: slices.Repeat([]int{-1}, p.a.SymmetricDim()), alpha: make([]float64, n), m: make([][]float64, n), tops: make([][]float64, n)}
	size := make([]float64, n) // of the terms of a row of S
	first := dot(d.H[0], d.H[0])
	for i, j := range d.Columns {
		f.at[j] = i
		if size[i] = d.row(f, i, p.k); !(size[i] <= math.MaxFloat64) {
			return nil, fmt.Errorf("row %d of the multipliers is beyond float64", i)
		}
	}
	kyFan, err := d.kyFan(p)
	if err != nil {
		return nil, err
	}
	magnitude := math.Abs(kyFan) + first + largest(size, min(p.k, n))
	f.rest = kyFan + first + float64(p.k*p.k+p.m+n+len(d.L[0])+len(d.H[0])+64)*ulp*2*magnitude
	// N is HHᵀ but for so much, summed over (k + 1)² entries.
	var mass float64
	for _, h := range d.H {
		mass += dot(h, h)
	}
	f.rest += float64(len(d.H[0])+4) * ulp * float64(p.k+1) * mass
	if math.IsNaN(f.rest) || math.IsInf(f.rest, 0) {
		return nil, errors.New("the multipliers prove nothing: their bound is not a number")
	}
	return f, nil
}

// row stores α_i and M_i·, and returns the magnitude of their terms in any support.
func (d *Dual) row(f *form, i, k int) float64 {
	n, c, y, h := len(d.Columns), d.C[i], d.Y[i], d.H[i+1]
	b, cross, own := dot(d.L[i], d.L[i]), dot(d.H[0], h), dot(h, h)
	f.alpha[i] = b + y[i]/2 + c/4 + y[i]*y[i]/(4*c) + 2*cross + own
	row, terms := make([]float64, n), make([]float64, n)
	for j := range n {
		if j == i {
			continue
		}
		square, moment, g := y[j]*y[j]/(4*c), dot(h, d.H[j+1]), d.antisymmetric(i, j)
		row[j] = square + g + moment
		terms[j] = square + math.Abs(g) + math.Abs(moment)
	}
	f.m[i] = row
	others := slices.Delete(slices.Clone(row), i, i+1)
	slices.Sort(others)
	f.tops[i] = make([]float64, n)
	for q := range n - 1 {
		f.tops[i][q+1] = f.tops[i][q] + others[n-2-q]
	}
	return b + math.Abs(y[i])/2 + c/4 + y[i]*y[i]/(4*c) + 2*math.Sqrt(dot(d.H[0], d.H[0])*own) + own + largest(terms, min(k-1, n))
}

func (d *Dual) antisymmetric(i, j int) float64 {
	if i < j {
		return d.G[i][j-i-1]
	}
	return -d.G[j][i-j-1]
}

// kyFan returns K_m(A − B − (Y+Yᵀ)/2) with its rounding: that of the entries, times
// the norms of what they are made from, and that of m eigenvalues.
func (d *Dual) kyFan(p *problem) (float64, error) {
	n := len(d.Columns)
	m := mat.NewSymDense(n, nil)
	var a, l, y float64 // squared norms
	for i, r := range d.Columns {
		l += dot(d.L[i], d.L[i])
		y += dot(d.Y[i], d.Y[i])
		for j := range n {
			v := p.a.At(r, d.Columns[j])
			a += v * v
			if j >= i {
				m.SetSym(i, j, v-dot(d.L[i], d.L[j])-(d.Y[i][j]+d.Y[j][i])/2)
			}
		}
	}
	values, norm, err := eigenvalues(m)
	if err != nil {
		return 0, err
	}
	formed := float64(len(d.L[0])+4) * ulp * (math.Sqrt(a) + l + math.Sqrt(y))
	return largest(values, min(p.m, n)) + float64(p.m)*(float64(8*n)*ulp*norm+formed), nil
}

// bound bounds a subproblem: its chosen columns with their pairs, and for each free
// column what it adds with the chosen ones and the most with other free ones. The
// scores are those of the free columns. Enough is a bound at which to stop.
func (f *form) bound(p *problem, s part, enough float64) (bound float64, scores []float64) {
	if slices.ContainsFunc(slices.Concat(s.in, s.free), func(j int) bool { return f.at[j] < 0 }) {
		return math.Inf(1), nil
	}
	q, fixed := p.open(s), f.rest
	for a, i := range s.in {
		fixed += f.alpha[f.at[i]]
		for _, j := range s.in[:a] {
			fixed += f.m[f.at[i]][f.at[j]] + f.m[f.at[j]][f.at[i]]
		}
	}
	base := make([]float64, len(s.free))
	scores = make([]float64, len(s.free))
	for at, j := range s.free {
		row := f.at[j]
		base[at] = f.alpha[row]
		for _, i := range s.in {
			base[at] += f.m[row][f.at[i]] + f.m[f.at[i]][row]
		}
		scores[at] = base[at] + f.tops[row][max(0, q-1)]
	}
	if bound = fixed + largest(slices.Clone(scores), q); bound <= enough {
		return bound, scores
	}
	room := make([]float64, 0, len(s.free))
	for at, j := range s.free {
		scores[at] = base[at] + s.most(j, q-1, room, func(l int) float64 { return f.m[f.at[j]][f.at[l]] })
	}
	return fixed + largest(slices.Clone(scores), q), scores
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
