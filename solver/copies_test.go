package solver

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// copiesTable returns 60 rows in which columns 0, 2, 5 and 7 are equal, and 8
// is three times these.
func copiesTable(rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(60, 10, nil)
	for i := range 60 {
		for j, row := 0, x.RawRowView(i); j < len(row); j++ {
			row[j] = rng.NormFloat64()
		}
		row := x.RawRowView(i)
		row[0] *= 3
		row[2], row[5], row[7], row[8] = row[0], row[0], row[0], 3*row[0]
	}
	return x
}

func TestCopiesKeepToTheLists(t *testing.T) {
	x := copiesTable(rand.New(rand.NewPCG(4, 9)))
	scale := make([]float64, 10)
	for j := range scale {
		scale[j] = 1
	}
	scale[8] = 3 // so that column 8 is a copy, too, but for rounding
	for _, effort := range []Effort{"", EffortThorough, EffortExact} {
		for _, tc := range []struct {
			k                int
			include, exclude []int
			want             []int
		}{
			{k: 2, want: []int{0, 2}},
			{k: 4, want: []int{0, 2, 5, 7}},
			{k: 2, include: []int{7}, want: []int{0, 7}},
			{k: 3, include: []int{8, 5}, want: []int{0, 5, 8}},
			{k: 2, exclude: []int{0}, want: []int{2, 5}},
			{k: 2, include: []int{8}, exclude: []int{0, 2}, want: []int{5, 8}},
		} {
			a := must.Get(NewData(x, DataOptions{Scale: scale}))(t)
			p := Params{Features: tc.k, Components: 1, Effort: effort, Include: tc.include, Exclude: tc.exclude}
			if s := mustSolve(t, a, p); !slices.Equal(s.Support, tc.want) {
				t.Errorf("%q k=%d include %v exclude %v: %v, want %v", effort, tc.k, tc.include, tc.exclude, s.Support, tc.want)
			}
		}
	}
}

func TestLowestCopies(t *testing.T) {
	a := must.Get(NewData(copiesTable(rand.New(rand.NewPCG(4, 9))), DataOptions{}))(t)
	for _, tc := range []struct{ support, want []int }{
		{[]int{7}, []int{0}},
		{[]int{5, 7}, []int{0, 2}},
		{[]int{0, 7}, []int{0, 2}},
		{[]int{1, 3, 5}, []int{0, 1, 3}},
		{[]int{1, 8}, []int{1, 8}}, // three times as large: no copy
		{[]int{0, 2, 5, 7}, []int{0, 2, 5, 7}},
	} {
		got, err := LowestCopies(t.Context(), a, tc.support)
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("lowest copies of %v: %v, %v; want %v", tc.support, got, err, tc.want)
		}
		s, err := Refit(t.Context(), a, tc.support, 1)
		if err != nil || !slices.Equal(s.Support, tc.support) {
			t.Errorf("a refit on %v is on %v: %v", tc.support, s.Support, err)
		}
	}
}

// TestCopiesOfDifferentRowsAreNone: equal variance alone, and a failing product.
func TestCopiesOfDifferentRowsAreNone(t *testing.T) {
	a := mustMatrix(t, mat.NewSymDense(3, []float64{2, 1, 0, 1, 2, 1, 0, 1, 2}))
	if got, err := LowestCopies(t.Context(), a, []int{1, 2}); err != nil || !slices.Equal(got, []int{1, 2}) {
		t.Errorf("%v, %v: the columns differ", got, err)
	}
	broken := errors.New("no connection")
	if _, err := LowestCopies(t.Context(), failingProduct{a, broken}, []int{2}); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the product", err)
	}
}

type failingProduct struct {
	Covariance
	err error
}

func (f failingProduct) MulRows(context.Context, *mat.Dense, []int, *mat.Dense) error { return f.err }

// TestCopiesUnderLimits: what may not stand together stays apart.
func TestCopiesUnderLimits(t *testing.T) {
	a := must.Get(NewData(copiesTable(rand.New(rand.NewPCG(4, 9))), DataOptions{}))(t)
	for _, tc := range []struct {
		limits Limits
		k      int
		want   []int
	}{
		{Limits{Groups: []Group{{Columns: []int{0, 2}, Most: 1}, {Columns: []int{8}}}}, 2, []int{0, 5}},
		{Limits{Groups: []Group{{Columns: []int{0, 5}, Most: 0}, {Columns: []int{8}}}}, 2, []int{2, 7}},
		{Limits{Unmeasured: []int{0, 8}}, 2, []int{2, 5}},
	} {
		for _, effort := range []Effort{"", EffortThorough, EffortExact} {
			s := mustSolve(t, a, Params{Features: tc.k, Components: 1, Effort: effort, Limits: tc.limits})
			if !slices.Equal(s.Support, tc.want) {
				t.Errorf("%q under %+v: %v, want %v", effort, tc.limits, s.Support, tc.want)
			}
		}
	}
}
