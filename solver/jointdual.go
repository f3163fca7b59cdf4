package solver

import (
	"math"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/subspace"
	"github.com/fspca/fspca/solver/spectral"
)

// joint is a bound of a subproblem by four multipliers at once. X is the
// projection on a subspace within S, so 0 ≼ X ≼ Diag(z). As X² = X, row i has
// Σ_{j≠i} X_ij² = X_ii(1 − X_ii). For every B ≽ 0, Y, c > 0, antisymmetric G
// and N ≽ 0 of order n + 1 (rows 0 … n), with
//
//	M_ij = Y_ij²/(4c_i) + G_ij + N_ij  (i ≠ j),
//	s_i  = B_ii + Y_ii/2 + c_i/4 + Y_ii²/(4c_i) + 2N_0i + N_ii + (the k − 1 largest M_ij),
//
// f(S) ≤ K_m(A − B − (Y+Yᵀ)/2) + N_00 + the k largest s_i. docs/algorithms.md has
// the proof. The first in indices are in every S, and in every sum of largest.
//
// B = LLᵀ, N = HHᵀ and c = e^u make the multipliers free; they are improved on a
// smoothed bound, and any of them are valid.
type joint struct {
	n, in, k, m int
	a           kernel.Matrix
	rank        int     // columns of L
	moments     int     // columns of H
	full        bool    // u, G and H count; else G = N = 0 and c is the best
	scale       float64 // a power of 4: A, Y, c and G are divided by it, L and H by its root, and so is what follows
	unit        float64
	mu          float64

	x []float64 // the multipliers

	pairs int           // eigenpairs that the last step took
	c     kernel.Matrix // scratch: A − B − (Y+Yᵀ)/2, then X
	nn    kernel.Matrix // scratch: N without row 0
	w     kernel.Matrix // scratch: what of each row counts
	s, z  []float64
	slope []float64 // scratch: c_i
}

// momentRank is the number of columns of H.
const momentRank = 8

// newJoint begins with B = LLᵀ and Y, at f about value. How the descent steps depends on how large the multipliers are
// beside each other. So it works with those for a value of about k, at any scale of A.
func newJoint(a kernel.Matrix, in, k, m int, l, y kernel.Matrix, value float64) *joint {
	unit := value / float64(k)
	_, e := math.Frexp(unit)
	j := &joint{n: a.Rows, in: in, k: k, m: m, rank: l.Cols, moments: momentRank, scale: math.Ldexp(1, e+e&1)}
	j.a, j.unit = j.scaled(a), unit/j.scale
	j.x = make([]float64, j.size())
	j.l(j.x).Copy(l)
	scaleAll(j.l(j.x), 1/math.Sqrt(j.scale))
	j.y(j.x).Copy(j.scaled(y))
	j.allocate()
	return j
}

// scaled returns a divided by the scale.
func (j *joint) scaled(a kernel.Matrix) kernel.Matrix {
	b := kernel.NewMatrix(a.Rows, a.Cols)
	b.Copy(a)
	scaleAll(b, 1/j.scale)
	return b
}

func (j *joint) allocate() {
	n := j.n
	j.pairs = min(n, max(j.pairs, 3*j.m+4))
	j.c, j.nn, j.w = kernel.NewMatrix(n, n), kernel.NewMatrix(n, n), kernel.NewMatrix(n, n)
	j.s, j.z, j.slope = make([]float64, n), make([]float64, n), make([]float64, n)
}

// size is the number of multipliers.
func (j *joint) size() int {
	n := j.n
	return n*j.rank + n*n + n + n*n + (n+1)*j.moments
}

// moving returns the multipliers that count.
func (j *joint) moving() []float64 {
	if j.full {
		return j.x
	}
	return j.x[:j.n*(j.rank+j.n)]
}

// section returns rows×cols numbers of v from place at.
func section(v []float64, at, rows, cols int) kernel.Matrix {
	return kernel.Matrix{Rows: rows, Cols: cols, Stride: cols, Data: v[at : at+rows*cols]}
}

func (j *joint) l(v []float64) kernel.Matrix { return section(v, 0, j.n, j.rank) }
func (j *joint) y(v []float64) kernel.Matrix { return section(v, j.n*j.rank, j.n, j.n) }
func (j *joint) u(v []float64) []float64 {
	return section(v, j.n*(j.rank+j.n), 1, j.n).Row(0)
}

// g returns G, of which the upper triangle counts.
func (j *joint) g(v []float64) kernel.Matrix { return section(v, j.n*(j.rank+j.n+1), j.n, j.n) }
func (j *joint) h(v []float64) kernel.Matrix {
	return section(v, j.n*(j.rank+2*j.n+1), j.n+1, j.moments)
}

// reduced stores A − LLᵀ − (Y+Yᵀ)/2 in c.
func (j *joint) reduced(x []float64) {
	l, y := j.l(x), j.y(x)
	j.c.Copy(j.a)
	kernel.Gemm(false, true, -1, l, l, 1, j.c)
	for p := range j.n {
		row, yp := j.c.Row(p), y.Row(p)
		for q := 0; q <= p; q++ {
			v := row[q] - (yp[q]+y.Row(q)[p])/2
			row[q], j.c.Row(q)[p] = v, v
		}
	}
}

// smoothed returns the bound with every sum of largest replaced by
// max ⟨v, w⟩ − μ/2‖w‖², and its gradient.
func (j *joint) smoothed(x, grad []float64) (float64, error) {
	clear(grad)
	j.reduced(x)
	value, err := j.fantope()
	if err != nil {
		return 0, err
	}
	if j.full {
		h := j.h(x)
		below := h.Slice(1, j.n+1, 0, j.moments)
		kernel.Gemm(false, true, 1, below, below, 0, j.nn)
		value += kernel.Dot(h.Row(0), h.Row(0))
	}
	j.rows(x)
	value += smoothTop(j.s, j.in, j.k-j.in, j.mu, j.z)
	j.gradient(x, grad)
	return value, nil
}

// fantope replaces c by the maximiser X of ⟨c, X⟩ − μ/2‖X‖² over 0 ≼ X ≼ I, tr
// X = m. It returns the maximum.
func (j *joint) fantope() (float64, error) {
	for {
		p, err := spectral.Leading(symmetric(j.c), j.pairs)
		if err != nil {
			return 0, err
		}
		gamma := lists.Map(p.Values, func(v float64) float64 { return v / j.mu })
		theta := subspace.FantopeShift(gamma, j.m)
		if j.pairs < j.n && theta < gamma[len(gamma)-1] {
			j.pairs = min(j.n, 2*j.pairs)
			continue
		}
		var value float64
		var weights []float64
		for i, g := range gamma {
			w := subspace.Clip(g, theta)
			if w == 0 {
				break
			}
			weights = append(weights, w)
			value += w*p.Values[i] - j.mu/2*w*w
		}
		j.pairs = min(j.n, max(j.m+1, len(weights)+len(weights)/4+2))
		j.c.Zero()
		addOuter(j.c, p.Vectors, weights)
		return value, nil
	}
}

// rowTop is the number of free indices in a sum of row i.
func (j *joint) rowTop(i int) int {
	if i < j.in {
		return j.k - j.in
	}
	return j.k - 1 - j.in
}

// rows stores s, and what counts of each row in w.
func (j *joint) rows(x []float64) {
	l, y := j.l(x), j.y(x)
	var u []float64
	var g, h kernel.Matrix
	if j.full {
		u, g, h = j.u(x), j.g(x), j.h(x)
	}
	kernel.Parallel((j.n+15)/16, func(_, t int) {
		v := make([]float64, j.n)
		for i := 16 * t; i < min(16*t+16, j.n); i++ {
			yi := y.Row(i)
			b, d := kernel.Dot(l.Row(i), l.Row(i)), yi[i]
			if !j.full {
				for q, e := range yi {
					v[q] = e * e
				}
				// At most μ/2 of each of the k − 1 is missing: with it no sum is negative.
				mu := .4 * j.mu * j.unit
				sum := j.rowSum(v, i, mu) + mu/2*float64(j.k-1)
				c := math.Sqrt(d*d + max(0, sum) + 1e-2*j.unit*j.unit)
				j.slope[i], j.s[i] = c, b+(d+c)/2
				continue
			}
			c := math.Exp(u[i])
			for q, e := range yi {
				v[q] = e*e/(4*c) + j.nn.Row(i)[q] + antisymmetric(g, i, q)
			}
			j.slope[i] = c
			j.s[i] = b + d/2 + c/4 + d*d/(4*c) + 2*kernel.Dot(h.Row(0), h.Row(i+1)) + j.nn.Row(i)[i] + j.rowSum(v, i, .1*j.mu)
		}
	})
}

// rowSum smooths the sum of the largest of row i, without its diagonal.
func (j *joint) rowSum(v []float64, i int, mu float64) float64 {
	w := j.w.Row(i)
	if i < j.in {
		v[i] = 0
	} else {
		v[i] = math.Inf(-1)
	}
	sum := smoothTop(v, j.in, j.rowTop(i), mu, w)
	if i < j.in {
		sum += mu / 2 * w[i] * w[i]
	}
	w[i] = 0
	return sum
}

func antisymmetric(g kernel.Matrix, i, q int) float64 {
	switch {
	case i < q:
		return g.Row(i)[q]
	case i > q:
		return -g.Row(q)[i]
	}
	return 0
}

// gradient stores the gradient, from X in c, w and z.
func (j *joint) gradient(x, grad []float64) {
	l, y := j.l(x), j.y(x)
	gl, gy := j.l(grad), j.y(grad)
	kernel.Gemm(false, false, -2, j.c, l, 0, gl)
	var gu []float64
	if j.full {
		gu = j.u(grad)
	}
	for i := range j.n {
		z, c, yi, wi := j.z[i], j.slope[i], y.Row(i), j.w.Row(i)
		row, xi := gy.Row(i), j.c.Row(i)
		for r, v := range l.Row(i) {
			gl.Row(i)[r] += 2 * z * v
		}
		var sum float64
		for q, v := range yi {
			row[q] = z*wi[q]*v/(2*c) - xi[q]
			sum += wi[q] * v * v
		}
		row[i] += z * (.5 + yi[i]/(2*c))
		if j.full {
			gu[i] = z * (c - (yi[i]*yi[i]+sum)/c) / 4
		}
	}
	if j.full {
		j.momentGradient(x, grad)
	}
}

// momentGradient stores the gradient of G and H, and spoils w.
func (j *joint) momentGradient(x, grad []float64) {
	n := j.n
	gg := j.g(grad)
	for i := range n {
		for q := i + 1; q < n; q++ {
			up, down := j.z[i]*j.w.Row(i)[q], j.z[q]*j.w.Row(q)[i]
			gg.Row(i)[q] = up - down
			j.w.Row(i)[q], j.w.Row(q)[i] = (up+down)/2, (up+down)/2
		}
		j.w.Row(i)[i] = j.z[i]
	}
	h, gh := j.h(x), j.h(grad)
	kernel.Gemm(false, false, 2, j.w, h.Slice(1, n+1, 0, j.moments), 0, gh.Slice(1, n+1, 0, j.moments))
	first, g0 := h.Row(0), gh.Row(0)
	for r := range g0 {
		g0[r] = 2 * first[r]
	}
	for i := range n {
		for r := range g0 {
			g0[r] += 2 * j.z[i] * h.Row(i + 1)[r]
			gh.Row(i + 1)[r] += 2 * j.z[i] * first[r]
		}
	}
}
