package spectral

import (
	"math"
	"slices"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// settledAt ends an iteration at residuals of aim·λ₁ and counts how often it is asked.
func settledAt(aim float64, asked *int) Settings {
	return Settings{Aim: aim, Converged: func(p *Pairs) bool {
		*asked++
		return slices.Max(p.Residuals) <= aim*p.Values[0]
	}}
}

// TestKrylovAim: where products are cheap, pairs are looked at more rarely, and are as
// good at the end.
func TestKrylovAim(t *testing.T) {
	const n, m, aim = 600, 20, 1e-5
	values := make([]float64, n)
	for i := range values {
		values[i] = 2 - float64(i)/n
	}
	asked := 0
	p, err := Krylov(t.Context(), &explicit{a: symmetric(values, 3)}, m, settledAt(aim, &asked))
	if err != nil || !p.Converged {
		t.Fatalf("%v, converged %v", err, p.Converged)
	}
	for i, v := range p.Values {
		if math.Abs(v-values[i]) > aim*values[0] || p.Residuals[i] > aim*values[0] {
			t.Errorf("value %d is %v with residual %.1e, want %v", i, v, p.Residuals[i], values[i])
		}
	}
	if 2*asked > p.Passes {
		t.Errorf("asked %d times in %d passes", asked, p.Passes)
	}
	always := 0
	s := settledAt(aim, &always)
	s.Aim = 0
	if p, err = Krylov(t.Context(), &explicit{a: symmetric(values, 3)}, m, s); err != nil || always < p.Passes-1 {
		t.Errorf("without Aim: %v, asked %d times in %d passes", err, always, p.Passes)
	}
}

// TestKrylovAimCrowded: a block of 32 columns does not end at 32 copies of an
// eigenvalue that has more, though all pairs that it holds have converged.
func TestKrylovAimCrowded(t *testing.T) {
	const n, m, copies, aim = 600, 34, 34, 1e-5
	values := make([]float64, n)
	for i := range values {
		values[i] = 0.5 * float64(n-i) / n
		if i < copies {
			values[i] = 2
		}
	}
	values[copies], values[copies+1] = 1.9, 1.8
	asked := 0
	p := must.Get(Krylov(t.Context(), &explicit{a: symmetric(values, 4)}, m, settledAt(aim, &asked)))(t)
	for i, v := range p.Values {
		if math.Abs(v-values[i]) > 2*aim {
			t.Fatalf("value %d is %v, want %v", i, v, values[i])
		}
	}
}
