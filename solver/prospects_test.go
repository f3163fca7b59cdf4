package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestProspects: the exchanges that promise most are the same whether the gains of all columns are worked out
// or only of those that may be among them.
func TestProspects(t *testing.T) {
	ctx := context.Background()
	left := 0
	for i := range 30 {
		rng := rand.New(rand.NewPCG(31, uint64(i)))
		n, d := 80+rng.IntN(100), 40+rng.IntN(100)
		x := mat.NewDense(n, d, nil)
		x.Apply(func(_, c int, _ float64) float64 { return rng.NormFloat64() * math.Exp2(float64(c%5)) }, x)
		x.SetCol(7, mat.Col(nil, 12, x))
		p := Params{Features: 5 + rng.IntN(20), Components: 1 + rng.IntN(5), Effort: EffortQuick}
		f := must.Get(newFrame(ctx, must.Get(NewData(x, DataOptions{}))(t), p))(t)
		task := must.Get(newTask(ctx, f.a, f.p))(t)
		r := must.Get(task.climbFromAll(ctx))(t)
		if r.last == nil || r.last.of != r.best {
			t.Fatalf("problem %d: the last step is not that of the support", i)
		}
		all := task.prospects(r.best, r.last.scores, r.last.z, d, d)
		for _, wanted := range []int{quickPairs, foretoldEntering} {
			some := task.prospects(r.best, r.last.scores, r.last.z, d, wanted)
			if !slices.EqualFunc(some.supports(), all.supports(), slices.Equal) || !slices.Equal(some.best(wanted), all.best(wanted)) {
				t.Errorf("problem %d: other exchanges promise most, %v for %v", i, some.supports(), all.supports())
			}
			for _, gain := range some.gains {
				if math.IsInf(gain, -1) {
					left++
				}
			}
		}
		r.release()
	}
	if left < 100 {
		t.Errorf("%d gains are not worked out: the test shows little", left)
	}
}
