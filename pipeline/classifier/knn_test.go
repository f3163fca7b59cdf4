package classifier

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

// naiveNearest is the definition: Σ(a−b)² against every row, ties to the lower
// index.
func naiveNearest(x *mat.Dense, query []float64, k int) []int {
	n, _ := x.Dims()
	rows := lists.Upto[int](n)
	search := newNeighborSearch(x, true)
	search.ready()
	scale := search.scale // a power of two: squares must not underflow
	distance := func(i int) float64 {
		sum := 0.0
		for j, v := range x.RawRowView(i) {
			d := (query[j] - v) * scale
			sum += d * d
		}
		return sum
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
	return rows[:k]
}

func rowsFound(found []neighbor) []int {
	return lists.Map(found, func(at neighbor) int { return at.row })
}

// searchAll collects the neighbours of all queries.
func searchAll(t testing.TB, x, queries *mat.Dense, k int) [][]int {
	t.Helper()
	q, _ := queries.Dims()
	got := make([][]int, q)
	must.OK(t, newNeighborSearch(x, true).nearest(context.Background(), queries, k, func(i int, found []neighbor) { got[i] = rowsFound(found) }))
	return got
}

// TestKNNSearchIsExact draws rows from a small grid, so that ties, duplicates
// and near duplicates (a last bit apart) are common, moves them far from the
// origin, and compares with the definition.
func TestKNNSearchIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		p := rapid.IntRange(1, 5).Draw(t, "p")
		k := rapid.IntRange(1, n).Draw(t, "k")
		offset := rapid.SampledFrom([]float64{0, 1, -1e3, 1e8}).Draw(t, "offset")
		unit := rapid.SampledFrom([]float64{1, 1e-9, 1e9}).Draw(t, "unit")
		cell := rapid.Custom(func(t *rapid.T) float64 {
			v := offset + float64(rapid.IntRange(-2, 2).Draw(t, "step"))
			for range rapid.IntRange(0, 2).Draw(t, "bits") {
				v = math.Nextafter(v, math.Inf(1))
			}
			return v * unit
		})
		x := mat.NewDense(n, p, rapid.SliceOfN(cell, n*p, n*p).Draw(t, "x"))
		q := rapid.IntRange(1, 5).Draw(t, "queries")
		queries := mat.NewDense(q, p, rapid.SliceOfN(cell, q*p, q*p).Draw(t, "query"))
		got := make([][]int, q)
		must.OK(t, newNeighborSearch(x, true).nearest(context.Background(), queries, k, func(i int, found []neighbor) { got[i] = rowsFound(found) }))
		for i := range q {
			if want := naiveNearest(x, queries.RawRowView(i), k); !slices.Equal(got[i], want) {
				t.Fatalf("query %d: neighbours %v, want %v", i, got[i], want)
			}
		}
	})
}

// TestKNNSearchBlocks uses more rows than fit into one block, on one processor
// and several.
func TestKNNSearchBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	x, queries := mat.NewDense(3*trainBlock+7, 6, nil), mat.NewDense(2*queryBlock+3, 6, nil)
	for _, m := range []*mat.Dense{x, queries} {
		m.Apply(func(int, int, float64) float64 { return math.Round(3*random.NormFloat64()) + 1e6 }, m)
	}
	for _, processors := range []int{1, 3} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		for i, got := range searchAll(t, x, queries, 9) {
			if want := naiveNearest(x, queries.RawRowView(i), 9); !slices.Equal(got, want) {
				t.Fatalf("query %d on %d processors: neighbours %v, want %v", i, processors, got, want)
			}
		}
	}
}

// TestKNNSearchScale: neighbours stay the same where squares would overflow or
// underflow.
func TestKNNSearchScale(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	x := mat.NewDense(50, 3, nil)
	x.Apply(func(int, int, float64) float64 { return random.NormFloat64() }, x)
	want := searchAll(t, x, x, 4)
	for _, exponent := range []int{-600, -1000, 600, 1000} {
		var scaled mat.Dense
		scaled.Scale(math.Ldexp(1, exponent), x)
		for i, got := range searchAll(t, &scaled, &scaled, 4) {
			if !slices.Equal(got, want[i]) {
				t.Fatalf("scale 2^%d, query %d: neighbours %v, want %v", exponent, i, got, want[i])
			}
		}
	}
}

// TestKNNVotes has the rows 0 1 2 3 … on a line with the classes below.
func TestKNNVotes(t *testing.T) {
	f := numericFrame(t, mat.NewDense(6, 1, []float64{0, 1, 2, 3, 4, 4}), []string{"b", "a"}, []int32{0, 0, 1, 1, 1, 0})
	for _, test := range []struct {
		k     int
		query float64
		want  string
		share float64 // of class a
	}{
		{1, 1.5, "b", 0},     // rows 1 and 2 tie: the lower index
		{2, 1.6, "a", .5},    // one vote each: the nearer
		{2, 1.4, "b", .5},    // and the other way round
		{3, 0, "b", 1. / 3},  // b b a
		{1, 4, "a", 1},       // rows 4 and 5 are equal: the lower index
		{2, 4.1, "a", .5},    // a and b at the same place
		{6, 2, "a", .5},      // all rows: three votes each, row 2 is the nearest
		{6, 0, "b", .5},      // row 0 is the nearest
		{4, 1.5, "b", .5},    // rows 1 2 0 3: two votes each, row 1 first
		{5, -9, "a", 3. / 5}, // rows 0 1 2 3 4: a has three votes
	} {
		k := &KNN{K: test.k}
		must.OK(t, k.FitFrame(context.Background(), f))
		query := must.Get(dataset.New(nil, mat.NewDense(1, 1, []float64{test.query})))(t)
		predicted := must.Get(k.PredictFrame(context.Background(), query))(t)
		if got := predicted.Classes.Text(0); got != test.want {
			t.Errorf("k=%d at %v: %s, want %s", test.k, test.query, got, test.want)
		}
		if got := predicted.Probabilities.At(0, 1); math.Abs(got-test.share) > 1e-15 {
			t.Errorf("k=%d at %v: share of a is %v, want %v", test.k, test.query, got, test.share)
		}
	}
}

func TestKNNErrors(t *testing.T) {
	f := cloud(t, 4, 4, 2, 2)
	for _, test := range []struct {
		neighbors int
		want      string
	}{
		{0, "5 neighbours are asked for, and there are only 4 training rows"},
		{9, "9 neighbours are asked for"},
		{-1, "k is -1"},
	} {
		k := &KNN{K: test.neighbors}
		if err := k.FitFrame(context.Background(), f); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("neighbors %d: got %v, want an error with %q", test.neighbors, err, test.want)
		}
	}
	k := &KNN{K: 2}
	must.OK(t, k.FitFrame(context.Background(), f))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := k.PredictFrame(ctx, f); err != context.Canceled {
		t.Errorf("cancelled: got %v", err)
	}
}

// TestKNNFilterExcludes makes sure that the blocked estimate does its work: on
// ordinary rows only a few are computed a second time.
func TestKNNFilterExcludes(t *testing.T) {
	f := cloud(t, 3, 2000, 20, 4)
	s := newNeighborSearch(f.Numeric(), true)
	s.ready()
	room := s.newRoom(queryBlock, 5)
	if !room.fill(context.Background(), s, f.Numeric(), 0, queryBlock) {
		t.Fatal("stopped")
	}
	kept := 0
	for _, list := range room.lists {
		for _, lower := range list.lower {
			if lower <= list.worst() {
				kept++
			}
		}
	}
	if kept != 5*queryBlock {
		t.Errorf("%d candidates for %d queries, want 5 each", kept, queryBlock)
	}
}

func BenchmarkKNNSearch(b *testing.B) {
	for _, size := range []struct{ n, p int }{{1797, 64}, {5000, 500}} {
		b.Run(fmt.Sprintf("%dx%d", size.n, size.p), func(b *testing.B) {
			f := cloud(b, 1, size.n, size.p, 4)
			for b.Loop() {
				searchAll(b, f.Numeric(), f.Numeric(), 5)
			}
		})
	}
}

// TestKNNWeights: votes by 1/distance, and those at distance 0 alone; a numeric
// target by the same weights.
func TestKNNWeights(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 3, 7})
	f := numericFrame(t, x, []string{"a", "b"}, []int32{0, 1, 1, 0})
	target := must.Get(dataset.NewTarget([]float64{10, 20, 30, 40}))(t)
	numbers := must.Get(f.WithClass("y", target))(t)
	for _, test := range []struct{ query, share, value float64 }{
		{2, 1. / 2 / (1./2 + 1 + 1), (10./2 + 20 + 30) / (1./2 + 1 + 1)}, // distances 2 1 1
		{1, 0, 20}, // at row 1
		{0, 1, 10},
		{-1, 1 / (1 + 1./2 + 1./4), (10 + 20./2 + 30./4) / (1 + 1./2 + 1./4)},
	} {
		query := must.Get(dataset.New(nil, mat.NewDense(1, 1, []float64{test.query})))(t)
		k := &KNN{K: 3, Weights: "distance"}
		for _, rows := range []*dataset.Frame{f, numbers} {
			must.OK(t, k.FitFrame(context.Background(), rows))
			p := must.Get(k.PredictFrame(context.Background(), query))(t)
			if rows == f && math.Abs(p.Probabilities.At(0, 0)-test.share) > 1e-15 {
				t.Errorf("at %v: share of a is %v, want %v", test.query, p.Probabilities.At(0, 0), test.share)
			}
			if rows == numbers && math.Abs(p.Values[0]-test.value) > 1e-14*test.value {
				t.Errorf("at %v: %v, want %v", test.query, p.Values[0], test.value)
			}
		}
	}
}

// TestKNNLooksOnce: the rows are looked at by the first prediction, whoever asks for it: many at once, one by row
// or one by table, and after it is saved and loaded.
func TestKNNLooksOnce(t *testing.T) {
	ctx := context.Background()
	f := knnTable(t, 400, 7)
	fresh := func() *KNN {
		k := &KNN{K: 3}
		must.OK(t, k.FitFrame(ctx, f))
		return k
	}
	of := func(k *KNN) *mat.Dense {
		p, err := k.PredictFrame(ctx, f)
		if err != nil {
			t.Error(err)
			return nil
		}
		return p.Probabilities
	}
	want := of(fresh())
	asked := fresh()
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			if worker%2 == 0 {
				if got := of(asked); got == nil || !mat.Equal(got, want) {
					t.Error("predictions that come first at the same time differ")
				}
				return
			}
			row := make([]float64, len(asked.Classes()))
			asked.RowFunc()(row, f.Numeric().RawRowView(worker))
			if !slices.Equal(row, want.RawRowView(worker)) {
				t.Errorf("row %d alone: %v, in the table %v", worker, row, want.RawRowView(worker))
			}
		})
	}
	group.Wait()
	var before, after bytes.Buffer
	unasked := fresh()
	must.OK(t, errors.Join(unasked.SaveTo(&before), asked.SaveTo(&after)))
	if !bytes.Equal(before.Bytes(), after.Bytes()) {
		t.Error("a prediction changes what is saved")
	}
	var loaded KNN
	must.OK(t, loaded.LoadFrom(&before))
	if got := of(&loaded); !mat.Equal(got, want) {
		t.Error("loaded before the first prediction it predicts otherwise")
	}
}

// knnTable returns n rows of p numbers in three classes.
func knnTable(t *testing.T, n, p int) *dataset.Frame {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 9))
	x, codes := mat.NewDense(n, p, nil), make([]int32, n)
	for i := range n {
		codes[i] = rng.Int32N(3)
		for j := range p {
			x.Set(i, j, rng.NormFloat64()+float64(codes[i]))
		}
	}
	f, err := dataset.New(nil, x)
	if err == nil {
		f, err = f.WithClass("class", &dataset.Factor{Levels: []string{"a", "b", "c"}, Codes: codes})
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}
