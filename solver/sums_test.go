package solver

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/internal/must"
)

// cutRows returns the rows from, …, to−1 of x.
func cutRows(x *mat.Dense, from, to int) *storedRows {
	_, d := x.Dims()
	return &storedRows{x: mat.DenseCopyOf(x.Slice(from, to, 0, d))}
}

// sumsOf merges the sums of the rows between the cuts, each sent as bytes.
func sumsOf(t must.T, x *mat.Dense, cuts []int, opt SumOptions) *Sums {
	all := &Sums{}
	for i := 1; i < len(cuts); i++ {
		if cuts[i] == cuts[i-1] {
			continue
		}
		part := must.Get(Sum(context.Background(), cutRows(x, cuts[i-1], cuts[i]), opt))(t)
		sent := must.Get(part.MarshalBinary())(t)
		got := &Sums{}
		must.OK(t, got.UnmarshalBinary(sent))
		must.OK(t, all.Merge(got))
	}
	return all
}

// productsOf adds up the products of the rows between the cuts.
func productsOf(x *mat.Dense, cuts []int, mean []float64) Products {
	return func(ctx context.Context, dst *mat.Dense, rows, columns []int, w *mat.Dense) error {
		dst.Zero()
		for i := 1; i < len(cuts); i++ {
			if cuts[i] == cuts[i-1] {
				continue
			}
			part := mat.NewDense(dst.RawMatrix().Rows, dst.RawMatrix().Cols, nil)
			if err := Product(ctx, cutRows(x, cuts[i-1], cuts[i]), mean, part, rows, columns, w, 0); err != nil {
				return err
			}
			dst.Add(dst, part)
		}
		return nil
	}
}

// near reports whether |a−b| ≤ 1e−11 of scale.
func closeTo(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-11*scale || a == b }

// TestSums: the sums of the parts of a table, in any cut and formed or not, give the
// covariance of the whole.
func TestSums(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n, d := rapid.IntRange(2, 90).Draw(r, "n"), rapid.IntRange(2, 12).Draw(r, "d")
		x := streamTable(n, d, rapid.Uint64().Draw(r, "seed"))
		if rapid.Bool().Draw(r, "beyond") {
			for i := range n {
				x.Set(i, 0, math.Ldexp(x.At(i, 0), 700))
				x.Set(i, d-1, math.Ldexp(x.At(i, d-1), -700))
			}
		}
		cuts := []int{0}
		for cuts[len(cuts)-1] < n {
			cuts = append(cuts, rapid.IntRange(cuts[len(cuts)-1], n).Draw(r, "cut"))
			if len(cuts) > 6 {
				cuts = append(cuts, n)
			}
		}
		opt := SumOptions{Uncentered: rapid.Bool().Draw(r, "uncentered"), Form: rapid.Bool().Draw(r, "form"), Block: rapid.IntRange(0, 9).Draw(r, "block")}
		want, err := NewStream(context.Background(), &storedRows{x: x}, StreamOptions{Uncentered: opt.Uncentered})
		if err != nil {
			r.Skip(err)
		}
		sums := sumsOf(r, x, cuts, opt)
		if opt.Units = sums.Units(); opt.Units != nil {
			sums = sumsOf(r, x, cuts, opt)
		}
		var products Products
		if !opt.Form {
			mean := want.Mean()
			if opt.Uncentered {
				mean = nil
			}
			products = productsOf(x, cuts, mean)
		}
		got := must.Get(sums.Covariance(products))(r)
		scale := make([]float64, d) // the same units for all columns
		for j, v := range want.Diag() {
			if scale[j] = math.Sqrt(v); v == 0 || opt.Uncentered {
				_, e := math.Frexp(want.Mean()[j] + scale[j])
				scale[j] = math.Ldexp(1, e)
			}
		}
		sameStream(r, got, want)
		if a, err := got.Scaled(scale); err == nil {
			b := must.Get(want.Scaled(scale))(r)
			sameStream(r, a, b)
			only := []int{0, d - 1}
			a, err1 := a.only(only)
			b, err2 := b.only(only)
			if (err1 == nil) != (err2 == nil) {
				r.Fatal(err1, err2)
			} else if err1 == nil {
				sameStream(r, a, b)
			}
		}
	})
}

// sameStream compares all that an operator tells.
func sameStream(t *rapid.T, got, want *Stream) {
	ctx, d := context.Background(), want.Order()
	if got.Rows() != want.Rows() || got.Order() != d {
		t.Fatalf("%d×%d, want %d×%d", got.Rows(), got.Order(), want.Rows(), d)
	}
	for j := range d {
		a, b, c, v := got.Spread(j)
		a1, b1, c1, v1 := want.Spread(j)
		if a != a1 || b != b1 || !closeTo(c, c1, math.Abs(a1)+math.Abs(b1)) || !closeTo(v, v1, v1) && !closeTo(math.Sqrt(v), math.Sqrt(v1), 1e-3*(math.Abs(a1)+math.Abs(b1))) {
			t.Fatalf("column %d: %v %v %v %v, want %v %v %v %v", j, a, b, c, v, a1, b1, c1, v1)
		}
		if !closeTo(got.Diag()[j], want.Diag()[j], want.Diag()[j]+1e-5*c1*c1) {
			t.Fatalf("variance %d: %v, want %v", j, got.Diag()[j], want.Diag()[j])
		}
	}
	root := make([]float64, d)
	for j, v := range want.Diag() {
		root[j] = math.Sqrt(v)
	}
	support := []int{0, d - 1}
	w, dst, v := mat.NewDense(d, 2, nil), mat.NewDense(d, 2, nil), mat.NewDense(d, 2, nil)
	part := mat.NewDense(2, 2, nil)
	for i := range d {
		for j := range 2 {
			if root[i] > 0 {
				w.Set(i, j, math.Sin(float64(3*i+j))/root[i])
			}
		}
	}
	for p, i := range support {
		part.SetRow(p, w.RawRowView(i))
	}
	// A mean leaves a rounding of its own in each block.
	rounded := func(i int) float64 {
		_, _, mean, _ := want.Spread(i)
		return root[i] + 1e-3*math.Abs(mean)
	}
	var all float64 // what the columns of one product may lose, each divided by its deviation in w
	for i := range d {
		if all++; root[i] > 0 {
			all += rounded(i)/root[i] - 1
		}
	}
	compare := func(what string, err1, err2 error) {
		if err1 != nil || err2 != nil {
			t.Fatal(what, err1, err2)
		}
		for i := range d {
			for j := range 2 {
				if !closeTo(dst.At(i, j), v.At(i, j), 10*all*rounded(i)) {
					t.Fatalf("%s: (%d, %d) is %v, want %v", what, i, j, dst.At(i, j), v.At(i, j))
				}
			}
		}
	}
	compare("A·W", got.Mul(ctx, dst, w), want.Mul(ctx, v, w))
	compare("A·W of rows", got.MulRows(ctx, dst, support, part), want.MulRows(ctx, v, support, part))
	a, err1 := got.Block(ctx, support)
	b, err2 := want.Block(ctx, support)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	for p := range 2 {
		for q := range 2 {
			if !closeTo(a.At(p, q), b.At(p, q), 10*rounded(support[p])*rounded(support[q])) {
				t.Fatalf("block (%d, %d) is %v, want %v", p, q, a.At(p, q), b.At(p, q))
			}
		}
	}
}

// TestSumsSolve: the algorithms choose the same from products elsewhere.
func TestSumsSolve(t *testing.T) {
	x := streamTable(400, 30, 3)
	cuts := []int{0, 57, 58, 200, 400}
	want := must.Get(NewStream(context.Background(), &storedRows{x: x}, StreamOptions{}))(t)
	sums := sumsOf(t, x, cuts, SumOptions{})
	got := must.Get(sums.Covariance(productsOf(x, cuts, want.Mean())))(t)
	p := Params{Features: 6, Components: 3}
	a, err1 := Solve(context.Background(), want, p)
	b, err2 := Solve(context.Background(), got, p)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if !equalInts(a.Support, b.Support) || !closeTo(a.Objective, b.Objective, 10*a.Objective) {
		t.Errorf("%v %v, want %v %v", b.Support, b.Objective, a.Support, a.Objective)
	}
	if got.Passes() == 0 || got.Route() != RouteImplicit {
		t.Errorf("%d passes, route %v", got.Passes(), got.Route())
	}
}

func equalInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestSumsErrors: what does not go together is told.
func TestSumsErrors(t *testing.T) {
	x := streamTable(20, 4, 1)
	ctx := context.Background()
	a := sumsOf(t, x, []int{0, 20}, SumOptions{Form: true})
	bytes := must.Get(a.MarshalBinary())(t)
	for i := range bytes {
		for _, bad := range [][]byte{bytes[:i], append(append([]byte(nil), bytes[:i]...), append([]byte{bytes[i] ^ 4}, bytes[i+1:]...)...)} {
			if err := new(Sums).UnmarshalBinary(bad); err == nil {
				t.Fatalf("damage at %d is not found", i)
			}
		}
	}
	one := sumsOf(t, x, []int{0, 1}, SumOptions{Form: true})
	bad := mat.DenseCopyOf(x)
	bad.Set(7, 2, math.NaN())
	_, finite := Sum(ctx, &storedRows{x: bad}, SumOptions{})
	_, noRows := Sum(ctx, nil, SumOptions{})
	_, few := one.Covariance(nil)
	_, none := a.Covariance(productsOf(x, []int{0, 20}, nil))
	for _, c := range []struct {
		err  error
		want string
	}{
		{a.Merge(sumsOf(t, x, []int{0, 20}, SumOptions{})), "other options"},
		{a.Merge(sumsOf(t, mat.DenseCopyOf(x.Slice(0, 20, 0, 3)), []int{0, 20}, SumOptions{Form: true})), "4 columns and of 3"},
		{a.Merge(nil), "no sums"},
		{few, "too few rows: 1;"},
		{none, "give products if A was not summed"},
		{finite, "row 7, column 2"},
		{noRows, "no rows to read"},
		{Product(ctx, cutRows(x, 0, 9), nil, mat.NewDense(4, 1, nil), nil, nil, mat.NewDense(3, 1, nil), 0), "order 4"},
		{Product(ctx, cutRows(x, 0, 9), []float64{1}, mat.NewDense(4, 1, nil), nil, nil, mat.NewDense(4, 1, nil), 0), "1 means"},
		{Product(ctx, cutRows(x, 0, 9), nil, mat.NewDense(4, 1, nil), nil, []int{9}, mat.NewDense(1, 1, nil), 0), "column 9"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want %q", c.err, c.want)
		}
	}
}
