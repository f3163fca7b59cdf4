package verify

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// randomDual returns multipliers of any size and sign, now and then good ones: B from
// the spectrum, or Y = A − σI.
func randomDual(rng *rand.Rand, p *problem, columns []int) *Dual {
	n := len(columns)
	size := math.Exp(3 * rng.NormFloat64())
	block := p.sub(columns)
	rows := func(rows, cols int, scale float64) [][]float64 {
		all := make([][]float64, rows)
		for i := range all {
			all[i] = make([]float64, cols)
			for j := range all[i] {
				all[i][j] = scale * rng.NormFloat64()
			}
		}
		return all
	}
	d := &Dual{Columns: columns, L: rows(n, 1+rng.IntN(n), math.Sqrt(size)), Y: rows(n, n, size), G: rows(n, n, size), H: rows(n+1, 1+rng.IntN(3), math.Sqrt(size)), C: make([]float64, n)}
	if rng.IntN(2) == 0 {
		for _, row := range slices.Concat(d.L, d.G, d.H) {
			clear(row)
		}
		sigma := size * rng.NormFloat64()
		for i := range n {
			for j := range n {
				d.Y[i][j] = block.At(i, j)
			}
			d.Y[i][i] -= sigma
		}
	}
	for i := range d.C {
		d.C[i] = math.Exp(2*rng.NormFloat64()) * (1e-3 + mat.Norm(block, 2))
		d.G[i] = d.G[i][i+1:]
	}
	return d
}

// eachSupport calls use with every support of a subproblem.
func eachSupport(p *problem, s part, use func([]int)) {
	q := p.open(s)
	for set := range 1 << len(s.free) {
		support := slices.Clone(s.in)
		for at, j := range s.free {
			if set>>at&1 == 1 {
				support = append(support, j)
			}
		}
		if len(support)-len(s.in) == q {
			use(support)
		}
	}
}

// TestDual: no multipliers prove a bound below the optimum, of the whole problem or
// of a part of it.
func TestDual(t *testing.T) {
	problems := 10_000
	if testing.Short() {
		problems = 1000
	}
	for seed := range uint64(problems) {
		rng := rand.New(rand.NewPCG(seed, 9))
		d := 2 + rng.IntN(6)
		a := mat.NewSymDense(d, nil) // of any definiteness
		for i := range d {
			for j := range i + 1 {
				a.SetSym(i, j, rng.NormFloat64())
			}
		}
		p := problem{a: a, k: 1 + rng.IntN(d)}
		p.m = 1 + rng.IntN(p.k)
		order := rng.Perm(d)
		f, err := randomDual(rng, &p, order).evaluate(&p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		in := rng.IntN(p.k + 1)
		out := rng.IntN(d - p.k + 1)
		for _, s := range []part{{free: order}, {in: order[:in], free: order[in : d-out]}} {
			best := math.Inf(-1)
			eachSupport(&p, s, func(support []int) {
				value, _ := must.Two(p.value(support))(t)
				best = max(best, value)
			})
			for _, enough := range []float64{math.Inf(-1), math.Inf(1)} {
				if bound, _ := f.bound(&p, s, enough); bound < best {
					t.Fatalf("seed %d: bound %v below the optimum %v", seed, bound, best)
				}
			}
		}
	}
}

// TestRulesAndDuals: certificates with rules, with and without multipliers, prove the
// optimum of what is permitted, and nothing below it.
func TestRulesAndDuals(t *testing.T) {
	ctx := context.Background()
	joint, dropped := 0, 0
	for seed := range uint64(600) {
		p, include, exclude, _, _ := random(t, seed)
		rng := rand.New(rand.NewPCG(seed, 10))
		d := p.a.SymmetricDim()
		var rules *Rules
		switch seed % 3 {
		case 0:
			rules = &Rules{MaxCorrelation: .2 + .7*rng.Float64()}
		case 1:
			rules = &Rules{Groups: []Group{{Columns: rng.Perm(d)[:1+d/2], Most: rng.IntN(3)}, {Columns: rng.Perm(d)[:d/2], Most: 1}}}
		}
		root, err := rootOf(d, include, exclude)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		eachSupport(&p, root, func(s []int) {
			if rules == nil || rules.finding(&p, s, names(d)).Verdict == Holds {
				value, _ := must.Two(p.value(s))(t)
				best = max(best, value)
			}
		})
		if math.IsInf(best, -1) || best < 1e-12 {
			continue
		}
		for _, how := range []string{"plain", "joint"} {
			q := Question{A: p.a, Columns: names(d), Features: p.k, Components: p.m, Include: include, Exclude: exclude, Rules: rules, Bound: best * (1 + 1e-10)}
			prover := q.prover()
			prover.work = -1
			if how == "plain" {
				err = prover.prove(ctx, root, true)
			} else {
				err = prover.proveJointly(ctx, root, func(_ context.Context, block *mat.SymDense, _ int) (*Dual, error) {
					all := make([]int, block.SymmetricDim())
					for i := range all {
						all[i] = i
					}
					return randomDual(rng, &problem{a: block, k: p.k, m: p.m}, all), nil
				})
			}
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, how, err)
			}
			c := prover.c
			c.Checksum = c.checksum()
			var b bytes.Buffer
			must.Get(c.WriteTo(&b))(t)
			read := must.Get(ReadCertificate(&b))(t)
			if err := read.Check(ctx, p.a); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, how, err)
			}
			if read.Dual != nil {
				joint++
			}
			dropped += len(read.Drops)
			read.Bound = best * (1 - 1e-9)
			for range 20 {
				if forge(rng, read, d).Check(ctx, p.a) == nil {
					t.Fatalf("seed %d, %s: a bound below the optimum is certified", seed, how)
				}
			}
		}
	}
	if joint < 100 || dropped < 50 {
		t.Errorf("%d certificates with multipliers, %d drops", joint, dropped)
	}
}

// TestBadMultipliers: what has other shapes, or overflows, is an error.
func TestBadMultipliers(t *testing.T) {
	p, _, _, _, _ := random(t, 3)
	rng := rand.New(rand.NewPCG(1, 1))
	n := p.a.SymmetricDim()
	all := rng.Perm(n)
	for name, change := range map[string]func(d *Dual){
		"no column":   func(d *Dual) { *d = Dual{H: [][]float64{{}}} },
		"short L":     func(d *Dual) { d.L = d.L[1:] },
		"ragged L":    func(d *Dual) { d.L[1] = nil },
		"ragged H":    func(d *Dual) { d.H[1] = append(d.H[1], 1) },
		"ragged G":    func(d *Dual) { d.G[0] = nil },
		"c of 0":      func(d *Dual) { d.C[0] = 0 },
		"twice":       func(d *Dual) { d.Columns[0] = d.Columns[1] },
		"no such":     func(d *Dual) { d.Columns[0] = n },
		"overflow":    func(d *Dual) { d.Y[0][1] = 1e200 },
		"overflow H":  func(d *Dual) { d.H[1][0], d.H[2][0] = 1e200, -1e200 },
		"overflow L":  func(d *Dual) { d.L[0][0] = 1e200 },
		"overflow H0": func(d *Dual) { d.H[0][0] = 1e200 },
	} {
		d := randomDual(rng, &p, slices.Clone(all))
		change(d)
		if _, err := d.evaluate(&p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
