package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fspca/fspca/internal/must"
)

// naiveCovariance forms A entry by entry from exactly centred columns.
func naiveCovariance(x *mat.Dense, opt DataOptions) *mat.SymDense {
	n, d := x.Dims()
	columns := make([][]float64, d)
	for j := range columns {
		columns[j] = mat.Col(nil, j, x)
		mean := 0.0
		if !opt.Uncentered {
			// Twice: the second mean is that of small numbers.
			mean = stat.Mean(columns[j], nil)
			for i := range columns[j] {
				columns[j][i] -= mean
			}
			mean = stat.Mean(columns[j], nil)
		}
		for i := range columns[j] {
			columns[j][i] -= mean
			if opt.Scale != nil {
				columns[j][i] /= opt.Scale[j]
			}
		}
	}
	a := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			var s float64
			for r := range n {
				s += columns[i][r] * columns[j][r]
			}
			a.SetSym(i, j, s/float64(n-1))
		}
	}
	return a
}

// checkOperator compares all that c does with the matrix a, to tol·max a_ii.
func checkOperator(t *testing.T, c Covariance, a *mat.SymDense, tol float64) {
	t.Helper()
	d := c.Order()
	rng := rand.New(rand.NewPCG(uint64(d), 11))
	peak := 0.0
	for i := range d {
		peak = math.Max(peak, a.At(i, i))
	}
	tol *= peak
	for i, v := range c.Diag() {
		if !scalar.EqualWithinAbs(v, a.At(i, i), tol) {
			t.Errorf("diagonal %d: %v, want %v", i, v, a.At(i, i))
		}
	}
	w := mat.NewDense(d, 3, nil)
	for i := range d {
		for j := range 3 {
			w.Set(i, j, rng.NormFloat64()/math.Sqrt(float64(d)))
		}
	}
	got, want := mat.NewDense(d, 3, nil), mat.NewDense(d, 3, nil)
	must.OK(t, c.Mul(t.Context(), got, w))
	want.Mul(a, w)
	if !mat.EqualApprox(got, want, float64(d)*tol) {
		t.Errorf("Mul differs")
	}
	support := []int{0}
	for i := 1; i < d; i += 1 + rng.IntN(3) {
		support = append(support, i)
	}
	v, sparse := mat.NewDense(len(support), 3, nil), mat.NewDense(d, 3, nil)
	for p, i := range support {
		v.SetRow(p, w.RawRowView(i))
		sparse.SetRow(i, w.RawRowView(i))
	}
	must.OK(t, c.MulRows(t.Context(), got, support, v))
	want.Mul(a, sparse)
	if !mat.EqualApprox(got, want, float64(d)*tol) {
		t.Errorf("MulRows differs")
	}
	b := must.Get(c.Block(t.Context(), support))(t)
	for p, i := range support {
		for q, j := range support {
			if !scalar.EqualWithinAbs(b.At(p, q), a.At(i, j), tol) {
				t.Errorf("block %d,%d: %v, want %v", i, j, b.At(p, q), a.At(i, j))
			}
		}
	}
	if e, err := c.Entries(t.Context()); err != nil || !mat.EqualApprox(e, a, tol) {
		t.Errorf("entries differ (%v)", err)
	}
	for r := 1; r <= d; r += 1 + d/5 {
		checkLeading(t, c, a, r, 10*float64(d)*tol)
	}
}

// checkLeading holds the pairs to the full decomposition and to AU = UΛ.
func checkLeading(t *testing.T, c Covariance, a *mat.SymDense, r int, tol float64) {
	t.Helper()
	values, u := must.Two(c.Leading(context.Background(), r))(t)
	var eig mat.EigenSym
	eig.Factorize(a, false)
	all := eig.Values(nil)
	slices.Reverse(all)
	var au, utu mat.Dense
	au.Mul(a, u)
	utu.Mul(u.T(), u)
	for j, v := range values {
		if math.Abs(v-all[j]) > tol {
			t.Errorf("r=%d: eigenvalue %d is %v, want %v", r, j, v, all[j])
		}
		for i := range c.Order() {
			if math.Abs(au.At(i, j)-v*u.At(i, j)) > tol {
				t.Fatalf("r=%d: pair %d has a residual of %v in row %d", r, j, au.At(i, j)-v*u.At(i, j), i)
			}
		}
		for i := range values {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(utu.At(i, j)-want) > 1e-9 {
				t.Fatalf("r=%d: UᵀU[%d,%d] = %v", r, i, j, utu.At(i, j))
			}
		}
	}
}

func TestDataOperator(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	for _, size := range [][2]int{{2, 1}, {2, 5}, {30, 8}, {8, 30}, {600, 12}, {300, 300}, {12, 12}, {13, 12}} {
		n, d := size[0], size[1]
		x := randomRows(rng, n, d)
		scale := make([]float64, d)
		for j := range scale {
			scale[j] = 0.1 + rng.Float64()
		}
		for name, opt := range map[string]DataOptions{
			"centred": {}, "uncentred": {Uncentered: true}, "scaled": {Scale: scale}, "both": {Uncentered: true, Scale: scale},
		} {
			if raceDetector && d == 300 && name != "both" {
				continue // the threads are those of the other options
			}
			t.Run(fmt.Sprintf("%dx%d/%s", n, d, name), func(t *testing.T) {
				before := mat.DenseCopyOf(x)
				c := must.Get(NewData(x, opt))(t)
				checkOperator(t, c, naiveCovariance(x, opt), 1e-12)
				if !mat.Equal(x, before) {
					t.Error("the data were changed")
				}
			})
		}
	}
}

// TestLargeOffset: a mean of 10⁶ standard deviations costs no more than the
// digits that the numbers themselves have lost.
func TestLargeOffset(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for _, size := range [][2]int{{400, 10}, {15, 40}} {
		x := randomRows(rng, size[0], size[1])
		x.Apply(func(_, j int, v float64) float64 { return math.Round(v*1e6)/1e6 + 1e6*float64(1+j%3) }, x)
		c := must.Get(NewData(x, DataOptions{}))(t)
		checkOperator(t, c, naiveCovariance(x, DataOptions{}), 1e-9)
	}
}

func TestDataWithStride(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	wide := randomRows(rng, 20, 9)
	x := wide.Slice(2, 18, 1, 7).(*mat.Dense)
	c := must.Get(NewData(x, DataOptions{}))(t)
	checkOperator(t, c, naiveCovariance(x, DataOptions{}), 1e-12)
}

func TestConstantColumn(t *testing.T) {
	x := mat.NewDense(50, 3, nil)
	for i := range 50 {
		x.SetRow(i, []float64{0.1, float64(i), 1e17})
	}
	c := must.Get(NewData(x, DataOptions{}))(t)
	if d := c.Diag(); d[0] != 0 || d[2] != 0 || d[1] == 0 {
		t.Errorf("diagonal %v: want exact zeros for the constant columns", d)
	}
	if m := c.Mean(); m[0] != 0.1 || m[2] != 1e17 {
		t.Errorf("mean %v", m)
	}
}

func TestDataErrors(t *testing.T) {
	nan := mat.NewDense(3, 2, []float64{1, 2, 3, math.NaN(), 5, 6})
	inf := mat.NewDense(3, 2, []float64{1, 2, 3, 4, math.Inf(-1), 6})
	fine := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7})
	for _, test := range []struct {
		x    *mat.Dense
		opt  DataOptions
		want string
	}{
		{nan, DataOptions{}, "row 1, column 1"},
		{inf, DataOptions{}, "row 2, column 0"},
		{mat.NewDense(1, 2, nil), DataOptions{}, "at least 2"},
		{mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2}), DataOptions{}, "constant"},
		{mat.NewDense(3, 2, nil), DataOptions{Uncentered: true}, "constant"},
		{fine, DataOptions{Scale: []float64{1}}, "1 entries for 2"},
		{fine, DataOptions{Scale: []float64{1, 0}}, "column 1"},
		{fine, DataOptions{Scale: []float64{math.NaN(), 1}}, "column 0"},
		{mat.NewDense(2, 1, []float64{-1e200, 1e200}), DataOptions{}, "overflows"},
	} {
		if _, err := NewData(test.x, test.opt); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", mat.Formatted(test.x), err, test.want)
		}
	}
	if _, err := NewData(mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2}), DataOptions{}); !errors.Is(err, ErrConstant) {
		t.Error("want ErrConstant")
	}
}

func TestMatrixOperator(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	a := withSpectrum(rng, []float64{9, 4, 4, 1, 0.1, 0, 0})
	checkOperator(t, mustMatrix(t, a), a, 1e-12)
}

func TestMatrixErrors(t *testing.T) {
	sym := func(d int, v ...float64) *mat.SymDense { return mat.NewSymDense(d, v) }
	large := mat.NewSymDense(choleskyOrder+1, nil)
	for i := range choleskyOrder + 1 {
		large.SetSym(i, i, 2)
	}
	indefinite := mat.NewSymDense(choleskyOrder+1, nil)
	for i := range choleskyOrder + 1 {
		for j := range i {
			indefinite.SetSym(i, j, -0.5)
		}
		indefinite.SetSym(i, i, 1)
	}
	for _, test := range []struct {
		name string
		a    *mat.SymDense
		want string // "" for none
	}{
		{"fine", sym(2, 2, 1, 1, 2), ""},
		{"singular", sym(2, 1, 1, 1, 1), ""},
		{"rounding", sym(2, 1, 1+1e-9, 1+1e-9, 1), ""},
		{"nan", sym(2, 1, math.NaN(), 0, 1), "row 0, column 1"},
		{"inf", sym(2, 1, 0, 0, math.Inf(1)), "row 1, column 1"},
		{"negative", sym(2, 1, 0, 0, -1), "row 1, column 1"},
		{"all negative", sym(1, -1e-30), "row 0, column 0"},
		{"minor", sym(2, 1, 2, 2, 1), "row 0, column 1"},
		{"indefinite", sym(3, 1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1), "rows and columns 0 to 2"},
		{"zero", sym(2, 0, 0, 0, 0), "constant"},
		{"large", large, ""},
		{"large indefinite", indefinite, "eigenvalue of at most"},
	} {
		_, err := NewMatrix(test.a)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestSymmetricFromDense(t *testing.T) {
	if _, err := SymmetricFromDense(mat.NewDense(2, 3, nil)); err == nil || !strings.Contains(err.Error(), "2×3") {
		t.Error(err)
	}
	_, err := SymmetricFromDense(mat.NewDense(2, 2, []float64{1, 0.5, 0.6, 1}))
	var entry *EntryError
	if !errors.As(err, &entry) || entry.Row != 0 || entry.Col != 1 {
		t.Errorf("%v", err)
	}
	s, err := SymmetricFromDense(mat.NewDense(2, 2, []float64{1e9, 0.5, 0.5000001, 1}))
	if err != nil || math.Abs(s.At(0, 1)-0.50000005) > 1e-15 {
		t.Errorf("%v %v", s, err)
	}
}
