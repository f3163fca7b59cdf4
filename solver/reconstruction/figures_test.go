package reconstruction

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/oracle"
	"github.com/fspca/fspca/solver"
)

func close(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b), 1e-300)
}

// TestFigures: against least squares on the rows and correlations from them,
// for both criteria.
func TestFigures(t *testing.T) {
	ctx := context.Background()
	for i := range 20 {
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		n, d := 30, 12
		x := randomRows(rng, n, d, i%5)
		a := covarianceOf(x)
		c := dataOf(t, x, false)
		k, m := 5, 3
		rec := must.Get(Solve(ctx, c, Params{Features: k, Components: m}))(t)
		va := must.Get(solver.Solve(ctx, c, solver.Params{Features: k, Components: m}))(t)
		for _, s := range []*solver.Solution{rec, va} {
			q := Question{Rows: float64(n), Columns: true, PCA: true, Random: 3}
			if i%2 == 0 { // what the search knows
				q.Told, q.Block = s.Told, s.Block
			}
			f := must.Get(Describe(ctx, c, s.Support, s.Loadings, q))(t)
			total := mat.Trace(a)
			var sum float64
			for j := range d {
				r2 := regress(x, s.Support, j)
				sum += r2 * a.At(j, j)
				if !close(f.Columns[j].R2, r2, 1e-9) {
					t.Errorf("column %d: R² %v, by least squares %v", j, f.Columns[j].R2, r2)
				}
				near, r := nearestOf(a, s.Support, j)
				if slices.Contains(s.Support, j) {
					near, r = -1, 0
				}
				if f.Columns[j].Nearest != near || !close(f.Columns[j].Correlation, r, 1e-10) {
					t.Errorf("column %d: nearest %d (%v), want %d (%v)", j, f.Columns[j].Nearest, f.Columns[j].Correlation, near, r)
				}
			}
			if !close(f.R2, sum/total, 1e-10) || !close(f.R2, objectiveOf(a, s.Support, k)/total, 1e-9) {
				t.Errorf("R² %v, by least squares %v", f.R2, sum/total)
			}
			if want := scoresSum(c, d, s) / total; !close(f.R2Components, want, 1e-10) {
				t.Errorf("R² of the components %v, by the proxy %v", f.R2Components, want)
			}
			if s == rec && !close(f.R2Components, s.Objective/total, 1e-10) {
				t.Errorf("R² of the components %v, objective %v", f.R2Components, s.Objective/total)
			}
			if want := oracle.KyFan(a, k) / total; !close(f.PCA, want, 1e-10) || f.R2 > f.PCA || f.R2Components > f.R2*(1+1e-12) {
				t.Errorf("PCA %v, want %v; R² %v, by components %v", f.PCA, want, f.R2, f.R2Components)
			}
			if want := 5./12 + 7./12*5/29; !close(f.Noise, want, 1e-12) {
				t.Errorf("noise %v, want %v", f.Noise, want)
			}
			if r := math.Abs(a.At(f.Pair[0], f.Pair[1])) / math.Sqrt(a.At(f.Pair[0], f.Pair[0])*a.At(f.Pair[1], f.Pair[1])); !close(r, f.MaxCorrelation, 1e-10) {
				t.Errorf("largest correlation %v of %v, which have %v", f.MaxCorrelation, f.Pair, r)
			}
			if !(f.Random > 0 && f.Random < f.PCA) {
				t.Errorf("random choices %v, PCA %v", f.Random, f.PCA)
			}
		}
	}
}

// TestBlockFits: a block of another support is refused.
func TestBlockFits(t *testing.T) {
	ctx := context.Background()
	c := dataOf(t, randomRows(rand.New(rand.NewPCG(5, 1)), 30, 12, 0), false)
	s := must.Get(solver.Solve(ctx, c, solver.Params{Features: 5, Components: 2}))(t)
	if s.Block == nil {
		t.Fatal("the solution has no block")
	}
	if _, err := Describe(ctx, c, s.Support, s.Loadings, Question{Block: mat.NewSymDense(4, nil)}); err == nil {
		t.Error("a block of 4 columns is taken for 5")
	}
	if _, err := Describe(ctx, c, s.Support, s.Loadings, Question{Block: s.Block}); err != nil {
		t.Error(err)
	}
}

// TestFiguresOfFewRows: n − 1 independent columns of n rows tell all of the others, whether or not the rank is
// known before.
func TestFiguresOfFewRows(t *testing.T) {
	ctx := context.Background()
	for i := range 10 {
		n, d, m := 8, 20, 3
		c := dataOf(t, randomRows(rand.New(rand.NewPCG(6, uint64(i))), n, d, 0), false)
		for _, k := range []int{5, 7, 9} {
			s := must.Get(solver.Solve(ctx, c, solver.Params{Features: k, Components: m}))(t)
			q := Question{Rows: float64(n), Columns: true, PCA: true}
			f := must.Get(Describe(ctx, c, s.Support, s.Loadings, q))(t)
			q.Rank, q.Told = n-1, s.Told
			known := must.Get(Describe(ctx, c, s.Support, s.Loadings, q))(t)
			if full := k >= n-1; full != (f.R2 > 1-1e-9) || full && (known.R2 != 1 || known.PCA != 1) {
				t.Errorf("k = %d of %d rows: R² %v, with the rank known %v; PCA %v", k, n, f.R2, known.R2, known.PCA)
			}
			if !close(f.R2, known.R2, 1e-9) || !close(f.PCA, known.PCA, 1e-9) || !close(f.R2Components, known.R2Components, 1e-9) {
				t.Errorf("k = %d: figures %v %v %v, with rank and variance known %v %v %v", k, f.R2, f.PCA, f.R2Components, known.R2, known.PCA, known.R2Components)
			}
			for j, column := range f.Columns {
				if other := known.Columns[j]; !close(column.R2, other.R2, 1e-9) || column.Nearest != other.Nearest {
					t.Errorf("k = %d, column %d: %v, with the rank known %v", k, j, column, other)
				}
			}
		}
	}
}

// TestFiguresOfEveryRoute: few rows, whose columns of A come in parts, many, and A itself have the same figures, of
// choices below the rank, at it and beyond it, with copies and with columns that do not vary.
func TestFiguresOfEveryRoute(t *testing.T) {
	ctx := context.Background()
	for i, size := range [][3]int{{20, 500, 7}, {20, 500, 19}, {20, 500, 30}, {40, 500, 12}, {530, 600, 25}} {
		n, d, k := size[0], size[1], size[2]
		rng := rand.New(rand.NewPCG(14, uint64(i)))
		x := randomRows(rng, n, d, 0)
		for r := range n {
			x.Set(r, 3, 2)
			x.Set(r, 7, -3*x.At(r, 5)) // so that the support lacks a rank
		}
		support := slices.Sorted(slices.Values(append(rng.Perm(d - 10)[:k-3], d-10, d-9, d-8)))
		for p, j := range []int{3, 5, 7} {
			if !slices.Contains(support, j) {
				support[p] = j
			}
		}
		slices.Sort(support)
		loadings := mat.NewDense(k, 2, nil)
		for p := range k {
			loadings.Set(p, p%2, rng.NormFloat64())
		}
		rows := dataOf(t, x, i%2 == 0)
		whole := must.Get(solver.NewMatrix(must.Get(rows.Entries(ctx))(t)))(t)
		for _, rank := range []int{0, n - 1} {
			q := Question{Rows: float64(n), Rank: rank, Columns: true, PCA: true, Exclude: []int{d - 1}}
			got := must.Get(Describe(ctx, rows, support, loadings, q))(t)
			want := must.Get(Describe(ctx, whole, support, loadings, q))(t)
			for _, pair := range [][2]float64{{got.R2, want.R2}, {got.R2Components, want.R2Components}, {got.Noise, want.Noise}, {got.PCA, want.PCA}, {got.MaxCorrelation, want.MaxCorrelation}} {
				if !close(pair[0], pair[1], 1e-9) {
					t.Fatalf("n = %d, k = %d: %+v by the rows, %+v by A", n, k, pair[0], pair[1])
				}
			}
			for j, c := range got.Columns {
				w := want.Columns[j]
				if math.IsNaN(c.R2) != math.IsNaN(w.R2) || math.Abs(c.R2-w.R2) > 1e-9 || c.Nearest != w.Nearest || math.Abs(c.Correlation-w.Correlation) > 1e-12 {
					t.Fatalf("n = %d, k = %d, column %d: %+v by the rows, %+v by A", n, k, j, c, w)
				}
			}
		}
	}
}

// scoresSum is the sum of IPU's scores diag(AW(WᵀAW)⁻¹WᵀA).
func scoresSum(c solver.Covariance, d int, s *solver.Solution) float64 {
	w := s.W(d)
	a, err := c.Entries(context.Background())
	if err != nil {
		panic(err)
	}
	var z, g, inverse, p mat.Dense
	z.Mul(a, w)
	g.Mul(w.T(), &z)
	if err := inverse.Inverse(&g); err != nil {
		panic(err)
	}
	p.Product(&z, &inverse, z.T())
	return mat.Trace(&p)
}

// regress returns R² of column j by the columns in support, with an intercept.
func regress(x *mat.Dense, support []int, j int) float64 {
	n, _ := x.Dims()
	m := mat.NewDense(n, len(support)+1, nil)
	for i := range n {
		m.Set(i, 0, 1)
		for p, s := range support {
			m.Set(i, p+1, x.At(i, s))
		}
	}
	y := mat.NewVecDense(n, mat.Col(nil, j, x))
	var beta, fit mat.VecDense
	if err := beta.SolveVec(m, y); err != nil {
		panic(err)
	}
	fit.MulVec(m, &beta)
	fit.SubVec(y, &fit)
	return 1 - mat.Dot(&fit, &fit)/(stat.Variance(y.RawVector().Data, nil)*float64(n-1))
}

func nearestOf(a mat.Symmetric, support []int, j int) (int, float64) {
	near, best := -1, 0.0
	for _, s := range support {
		if r := a.At(s, j) / math.Sqrt(a.At(s, s)*a.At(j, j)); near < 0 || math.Abs(r) > math.Abs(best) {
			near, best = s, r
		}
	}
	return near, best
}

// TestLoadings: VᵀA_SSV = I, D = A_·SV has orthogonal columns of squared
// lengths Values, and Decoder agrees; with S = all the scores are PCA's, each
// divided by its standard deviation.
func TestLoadings(t *testing.T) {
	ctx := context.Background()
	x := randomRows(rand.New(rand.NewPCG(8, 1)), 60, 10, 0)
	a := covarianceOf(x)
	c := operatorOf(t, a)
	for _, k := range []int{6, 10} {
		s := must.Get(Solve(ctx, c, Params{Features: k, Components: 4}))(t)
		w := s.W(10)
		var aw, g, dd mat.Dense
		aw.Mul(a, w)
		g.Mul(w.T(), &aw)
		dd.Mul(aw.T(), &aw)
		decoder := must.Get(Decoder(ctx, c, s.Support, s.Loadings, nil, 0))(t)
		if !mat.EqualApprox(decoder, &aw, 1e-10) {
			t.Error("the decoder is not A·V")
		}
		for i := range 4 {
			for j := range 4 {
				unit, length := 0.0, 0.0
				if i == j {
					unit, length = 1, s.Values[i]
				}
				if math.Abs(g.At(i, j)-unit) > 1e-11 || math.Abs(dd.At(i, j)-length) > 1e-10*s.Values[0] {
					t.Errorf("k = %d: (VᵀAV)_%d%d = %v, (DᵀD) %v", k, i, j, g.At(i, j), dd.At(i, j))
				}
			}
		}
		if k < 10 {
			continue
		}
		var eig mat.EigenSym
		eig.Factorize(a, true)
		var vectors mat.Dense
		eig.VectorsTo(&vectors)
		for j := range 4 {
			value := eig.Values(nil)[9-j]
			var dot float64
			for i := range 10 {
				dot += vectors.At(i, 9-j) * w.At(i, j) * math.Sqrt(value)
			}
			if math.Abs(math.Abs(dot)-1) > 1e-10 {
				t.Errorf("component %d is not PCA's: cosine %v", j, dot)
			}
		}
	}
}

// TestFiguresOfCopies: components on copies and near-copies, of which some have no
// variance but rounding, tell no more than the chosen columns do: but for what a
// direction is worth that is kept by the one and dropped by the other, at 1e-8.
func TestFiguresOfCopies(t *testing.T) {
	ctx := context.Background()
	for i := range 120 {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		n, d := 12, 8
		x, apart := mat.NewDense(n, d, nil), math.Pow(10, -float64(i%17))
		for r := range n {
			for j := range d / 2 {
				v := rng.NormFloat64()
				x.Set(r, j, v)
				x.Set(r, d-1-j, v+apart*rng.NormFloat64()*float64(min(1, i%17)))
			}
		}
		c := dataOf(t, x, i%2 == 0)
		for _, sizes := range [][2]int{{4, 4}, {5, 5}, {4, 3}, {6, 2}} {
			s := must.Get(solver.Solve(ctx, c, solver.Params{Features: sizes[0], Components: sizes[1]}))(t)
			for _, told := range []float64{0, s.Told} {
				f := must.Get(Describe(ctx, c, s.Support, s.Loadings, Question{Told: told, Columns: true, PCA: true}))(t)
				if f.R2Components > f.R2+1e-4 || f.R2 > f.PCA+1e-4 {
					t.Errorf("case %d, k = %d, m = %d: the components tell %v, the columns %v, PCA %v", i, sizes[0], sizes[1], f.R2Components, f.R2, f.PCA)
				}
			}
		}
	}
}

// TestFiguresWithConstants: columns that do not vary change no figure.
func TestFiguresWithConstants(t *testing.T) {
	ctx := context.Background()
	for i := range 20 {
		x := randomRows(rand.New(rand.NewPCG(12, uint64(i))), 30, 9, i%5)
		more := mat.NewDense(30, 12, nil)
		more.Slice(0, 30, 0, 9).(*mat.Dense).Copy(x)
		for r := range 30 {
			more.Set(r, 10, 7) // and two columns of 0
		}
		var all []*Figures
		for _, rows := range []*mat.Dense{x, more} {
			c := dataOf(t, rows, false)
			s := must.Get(Solve(ctx, c, Params{Features: 4, Components: 2}))(t)
			f := must.Get(Describe(ctx, c, s.Support, s.Loadings, Question{Rows: 30, Columns: true, PCA: true, Random: 5}))(t)
			all = append(all, f)
		}
		a, b := all[0], all[1]
		for _, pair := range [][2]float64{{a.R2, b.R2}, {a.R2Components, b.R2Components}, {a.Noise, b.Noise}, {a.PCA, b.PCA}, {a.Random, b.Random}, {a.MaxCorrelation, b.MaxCorrelation}} {
			if !close(pair[0], pair[1], 1e-9) {
				t.Errorf("case %d: %+v without columns that do not vary, %+v with them", i, *a, *b)
			}
		}
	}
}
