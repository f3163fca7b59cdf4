package solver

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// TestQuickOnPublicMatrices: what IPU alone misses, with the optima that the effort
// exact proves.
func TestQuickOnPublicMatrices(t *testing.T) {
	for _, c := range []struct {
		name string
		k    int
		want float64
	}{{"communities", 5, 4.860548}, {"communities", 10, 8.823616}, {"pitprops", 3, 2.475331}, {"lung", 5, 3.335571}} {
		a := mustMatrix(t, publicMatrix(t, filepath.Join(publicMatrices, c.name+".npy")))
		s := mustSolve(t, a, Params{Features: c.k, Components: 1})
		if math.Abs(s.Objective-c.want) > 1e-6 {
			t.Errorf("%s k=%d: %v, want %v", c.name, c.k, s.Objective, c.want)
		}
		if ipu := mustSolve(t, a, Params{Features: c.k, Components: 1, Effort: EffortIPU}); ipu.Objective >= s.Objective {
			t.Errorf("%s k=%d: IPU alone has %v: a poor case", c.name, c.k, ipu.Objective)
		}
	}
}

// TestQuickIsNoWorse: than IPU, it says so in its trace, and it finds the same from a
// matrix, from rows, and with excluded columns that are not there.
func TestQuickIsNoWorse(t *testing.T) {
	gained := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 91))
		d := []int{30, 120, 500}[seed%3]
		k, m := 5+rng.IntN(40), 1+rng.IntN(3)
		k = min(k, d-2)
		x := factorRows(rng, 60+rng.IntN(200), d)
		rows := must.Get(NewData(x, DataOptions{}))(t)
		entries := must.Get(rows.Entries(t.Context()))(t)
		p := Params{Features: k, Components: m}
		quick := mustSolve(t, rows, p)
		checkSolution(t, entries, quick, k, m)
		p.Effort = EffortIPU
		ipu := mustSolve(t, rows, p)
		if quick.Objective < ipu.Objective {
			t.Errorf("seed %d: %v, IPU %v", seed, quick.Objective, ipu.Objective)
		}
		if quick.Objective > ipu.Objective*(1+1e-9) {
			gained++
		}
		p.Effort = EffortQuick
		if same := mustSolve(t, mustMatrix(t, entries), p); !slices.Equal(same.Support, quick.Support) {
			t.Errorf("seed %d d=%d k=%d m=%d: %v from the matrix (%v), %v from the rows (%v)", seed, d, k, m, same.Support, same.Objective, quick.Support, quick.Objective)
		}
		wide := mat.NewDense(d+1, d+1, nil)
		wide.Slice(1, d+1, 1, d+1).(*mat.Dense).Copy(entries)
		wide.Set(0, 0, 1e6)
		sym := must.Get(SymmetricFromDense(wide))(t)
		p.Exclude = []int{0}
		same := mustSolve(t, mustMatrix(t, sym), p)
		for q := range same.Support {
			same.Support[q]--
		}
		if !slices.Equal(same.Support, quick.Support) {
			t.Errorf("seed %d: %v with a column that is excluded, %v without it", seed, same.Support, quick.Support)
		}
	}
	if gained < 3 {
		t.Errorf("%d of 30 gained: poor cases", gained)
	}
}

// TestLossOfAColumnAlone: a column that is a component by itself is lost with what it explains, on whichever
// side of 1 rounding has its square.
func TestLossOfAColumnAlone(t *testing.T) {
	a := mat.NewSymDense(4, []float64{5, 0, 0, 0, 0, 4, 1, 0, 0, 1, 3, 0, 0, 0, 0, 1})
	task := must.Get(newTask(t.Context(), mustMatrix(t, a), Params{Features: 3, Components: 2}))(t)
	e := must.Get(ascenderOf(task.a).embed(t.Context(), []int{0, 1, 2}, 2, nil))(t)
	at := 0 // the entry of column 0 in the vector that it is
	for c, v := range e.vectors.RawRowView(0) {
		if math.Abs(v) > 0.5 {
			at = c
		}
	}
	for _, unit := range []float64{1, 1 - 0x1p-53, 1 - 0x1p-50, 1 + 0x1p-52} {
		e.vectors.Set(0, at, unit)
		columns, losses := task.cheapest(e)
		for q, i := range columns {
			if want := []float64{5, 2.6180, 1.3820}[i]; !(losses[q] > 0.5 && losses[q] <= want+1e-3) {
				t.Errorf("entry %v: column %d is lost with %v, want at most %v", unit, i, losses[q], want)
			}
			if i == 0 {
				t.Errorf("entry %v: column 0, which explains most, is lost first", unit)
			}
		}
	}
}
