package subspace

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/lists"
)

// TestTopK compares with a stable sort; what differs by less than Tie is equal.
func TestTopK(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		scores := make([]float64, 1+rng.IntN(12))
		level := slices.Clone(scores)
		for i := range scores {
			level[i] = float64(rng.IntN(4) - 1)
			scores[i] = level[i] * (1 + 0.3*Tie*rng.Float64())
			if rng.IntN(9) == 0 {
				scores[i], level[i] = math.NaN(), math.Inf(-1)
			}
		}
		order := lists.Upto[int](len(scores))
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(level[j], level[i]) })
		k := 1 + rng.IntN(len(scores))
		want := slices.Sorted(slices.Values(order[:k]))
		if got := TopK(scores, k); !slices.Equal(got, want) {
			t.Fatalf("the %d largest of %v: %v, want %v", k, scores, got, want)
		}
	}
}

// TestTopKOfMany: of many scores most are left out before the largest are chosen, in whatever order they
// come.
func TestTopKOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for round := range 60 {
		scores := make([]float64, 1000+rng.IntN(3000))
		for i := range scores {
			scores[i] = float64(rng.IntN(500))
			if rng.IntN(9) == 0 {
				scores[i] = []float64{math.NaN(), math.Inf(-1)}[rng.IntN(2)]
			}
		}
		value := func(i int) float64 { return ordered(scores[i]) }
		switch round % 3 {
		case 1:
			slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(ordered(a), ordered(b)) })
		case 2:
			slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(ordered(b), ordered(a)) })
		}
		order := make([]int, len(scores))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(value(j), value(i)) })
		k := 1 + rng.IntN([]int{5, 100, len(scores)}[rng.IntN(3)])
		want := slices.Sorted(slices.Values(order[:k]))
		if got := TopK(scores, k); !slices.Equal(got, want) {
			t.Fatalf("the %d largest of %d scores: %v, want %v", k, len(scores), got, want)
		}
	}
}

func TestOrthonormalise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for range 300 {
		d := 2 + rng.IntN(9)
		c := 1 + rng.IntN(d)
		v := mat.NewDense(d, c, nil)
		for i := range d {
			for j := range c {
				v.Set(i, j, rng.NormFloat64())
			}
		}
		dependent := c > 1 && rng.IntN(2) == 0
		if dependent {
			v.SetCol(c-1, mat.Col(nil, 0, v))
		}
		if Orthonormalise(v) == dependent {
			t.Fatalf("dependent columns: %v, told otherwise", dependent)
		}
		var gram mat.Dense
		gram.Mul(v.T(), v)
		for i := range c {
			gram.Set(i, i, gram.At(i, i)-1)
		}
		if e := mat.Norm(&gram, math.Inf(1)); e > 1e-13 {
			t.Fatalf("VᵀV − I has norm %v", e)
		}
	}
}

func TestFantopeShift(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	for range 500 {
		gamma := make([]float64, 1+rng.IntN(10))
		for i := range gamma {
			gamma[i] = 2 * rng.NormFloat64()
		}
		slices.SortFunc(gamma, func(a, b float64) int { return cmp.Compare(b, a) })
		m := 1 + rng.IntN(len(gamma))
		if got := ClippedSum(gamma, FantopeShift(gamma, m)); math.Abs(got-float64(m)) > 1e-12 {
			t.Fatalf("%v: the sum is %v, want %d", gamma, got, m)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, tc := range []struct {
		a, b float64
		want int
	}{
		{2, 1, 1}, {1, 1 + Tie/2, 0}, {1, 1 + 3*Tie, -1}, {0, -1e-30, 1}, {0, 0, 0},
		{-5, math.Inf(-1), 1}, {math.NaN(), math.Inf(-1), 0}, {math.NaN(), -5, -1}, {math.Inf(1), 5, 1},
	} {
		if got := Compare(tc.a, tc.b); got != tc.want || Compare(tc.b, tc.a) != -tc.want {
			t.Errorf("Compare(%v, %v) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

// TestOrientColumns: the largest entry is positive, and of entries that are equal up to rounding that of the
// lowest row, however the rounding fell.
func TestOrientColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 4))
	for range 1000 {
		r := 2 + rng.IntN(6)
		level := make([]float64, r)
		v := mat.NewDense(r, 1, nil)
		for i := range r {
			level[i] = float64(1 + rng.IntN(3))
			v.Set(i, 0, level[i]*(1+1e-13*rng.NormFloat64())*float64(1-2*rng.IntN(2)))
		}
		first := slices.Index(level, slices.Max(level))
		OrientColumns(v)
		if v.At(first, 0) < 0 {
			t.Fatalf("%v is oriented to %v", level, v.RawMatrix().Data)
		}
	}
}
