package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/must"
)

// random returns a problem with its optimum by brute force.
func random(t *testing.T, seed uint64) (p problem, include, exclude []int, best float64, support []int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	d := 3 + rng.IntN(7)
	x := mat.NewDense(d+rng.IntN(5), d, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rng.NormFloat64()
		if seed%3 == 0 {
			x.RawMatrix().Data[i] = math.Round(x.RawMatrix().Data[i])
		}
	}
	a := Covariance(x, nil, seed%2 == 0, seed%5 == 0)
	p = problem{a: a, k: 1 + rng.IntN(d)}
	p.m = 1 + rng.IntN(p.k)
	order := rng.Perm(d)
	if in := rng.IntN(p.k + 1); rng.IntN(3) == 0 {
		include = order[:in]
	}
	if out := d - p.k; out > 0 && rng.IntN(3) == 0 {
		exclude = order[d-rng.IntN(out+1):]
	}
	best = math.Inf(-1)
	for set := range 1 << d {
		var s []int
		for j := range d {
			if set>>j&1 == 1 {
				s = append(s, j)
			}
		}
		permitted := len(s) == p.k
		for _, j := range include {
			permitted = permitted && slices.Contains(s, j)
		}
		for _, j := range exclude {
			permitted = permitted && !slices.Contains(s, j)
		}
		if !permitted {
			continue
		}
		if v, _, err := p.value(s); err != nil {
			t.Fatal(err)
		} else if v > best {
			best, support = v, s
		}
	}
	return p, include, exclude, best, support
}

func names(d int) []string {
	all := make([]string, d)
	for i := range all {
		all[i] = strings.Repeat("x", i+1)
	}
	return all
}

func proved(ctx context.Context, p problem, include, exclude []int, bound float64) (*Certificate, error) {
	return Question{A: p.a, Columns: names(p.a.SymmetricDim()), Features: p.k, Components: p.m, Include: include, Exclude: exclude, Bound: bound}.Prove(ctx)
}

// TestCertificates: a bound that holds gets a certificate that passes its check,
// through a file too, and one below the optimum gets none, nor does a changed
// certificate prove it.
func TestCertificates(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(400) {
		p, include, exclude, best, _ := random(t, seed)
		d := p.a.SymmetricDim()
		rng := rand.New(rand.NewPCG(seed, 6))
		if best < 1e-12 {
			continue
		}
		for _, bound := range []float64{best * (1 + 1e-10), best * 1.05, 2 * best} {
			c, err := proved(ctx, p, include, exclude, bound)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			var b bytes.Buffer
			must.Get(c.WriteTo(&b))(t)
			read, err := ReadCertificate(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if err := read.Check(ctx, p.a); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			read.Bound = best * (1 - 1e-9)
			if read.Check(ctx, p.a) == nil {
				t.Fatalf("seed %d: a bound below the optimum is certified", seed)
			}
			for range 20 {
				forged := forge(rng, read, d)
				if forged.Check(ctx, p.a) == nil {
					t.Fatalf("seed %d: %+v certifies a bound below the optimum", seed, forged)
				}
			}
		}
		if _, err := proved(ctx, p, include, exclude, best*(1-1e-9)); err == nil {
			t.Fatalf("seed %d: a bound below the optimum is proved", seed)
		}
	}
}

// forge changes the proof, but not what it is of.
func forge(rng *rand.Rand, c *Certificate, d int) *Certificate {
	f := *c
	f.Tree, f.Thresholds = slices.Clone(c.Tree), slices.Clone(c.Thresholds)
	for range 1 + rng.IntN(4) {
		switch at := rng.IntN(len(f.Tree) + 1); {
		case at == len(f.Tree):
			f.Thresholds, f.Drops = append(f.Thresholds, 10*rng.NormFloat64()), append(slices.Clone(f.Drops), rng.Perm(d)[:1+rng.IntN(d)])
		case rng.IntN(3) == 0:
			f.Tree = slices.Delete(f.Tree, at, at+1)
		case rng.IntN(2) == 0:
			f.Tree = slices.Insert(f.Tree, at, rng.IntN(d+6)-6)
		default:
			f.Tree[at] = rng.IntN(d+4) - 4
		}
		if len(f.Thresholds) > 0 {
			f.Thresholds[rng.IntN(len(f.Thresholds))] *= 2 * rng.Float64()
		}
	}
	return &f
}

// TestChangedFile: no byte of a certificate can be changed unnoticed.
func TestChangedFile(t *testing.T) {
	p, include, exclude, best, _ := random(t, 8)
	c := must.Get(proved(context.Background(), p, include, exclude, best*1.001))(t)
	var b bytes.Buffer
	must.Get(c.WriteTo(&b))(t)
	text := bytes.TrimSpace(b.Bytes())
	for at := range text {
		for _, to := range []byte("09x]") {
			changed := slices.Clone(text)
			if changed[at] == to {
				continue
			}
			changed[at] = to
			if got, err := ReadCertificate(bytes.NewReader(changed)); err == nil && !same(got, c) {
				t.Fatalf("byte %d as %q: not noticed", at, to)
			}
		}
	}
}

func same(a, b *Certificate) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// TestClaims: true claims hold, and each false one fails by its own finding.
func TestClaims(t *testing.T) {
	for seed := range uint64(60) {
		p, include, exclude, best, support := random(t, seed)
		var e mat.EigenSym
		e.Factorize(p.sub(support), true)
		var v mat.Dense
		e.VectorsTo(&v)
		w, values := mat.NewDense(p.k, p.m, nil), make([]float64, p.m)
		for c := range p.m {
			values[c] = e.Values(nil)[p.k-1-c]
			w.SetCol(c, mat.Col(nil, p.k-1-c, &v))
		}
		if values[0] < 1e-9 {
			continue
		}
		total := 0.0
		for j := range p.a.SymmetricDim() {
			if !slices.Contains(exclude, j) {
				total += p.a.At(j, j)
			}
		}
		truth := Claims{Support: support, W: w, Values: values, Objective: best, Total: total, UpperBound: total, Include: include, Exclude: exclude}
		verdicts := func(c Claims) map[string]Verdict {
			all := must.Get(c.Check(p.a, nil, nil, nil))(t)
			of := map[string]Verdict{}
			for _, f := range all {
				of[f.Claim] = f.Verdict
			}
			return of
		}
		for claim, v := range verdicts(truth) {
			if v != Holds {
				t.Errorf("seed %d: %s %s", seed, claim, v)
			}
		}
		for claim, change := range map[string]func(*Claims){
			"objective":          func(c *Claims) { c.Objective *= 1.001 },
			"total variance":     func(c *Claims) { c.Total *= 1.001 },
			"upper bound":        func(c *Claims) { c.UpperBound = .99 * best },
			"orthonormality":     func(c *Claims) { c.W = mat.DenseCopyOf(w); c.W.Scale(1.01, c.W) },
			"explained variance": func(c *Claims) { c.Values = slices.Clone(values); c.Values[0] *= 1.001 },
		} {
			c := truth
			if change(&c); verdicts(c)[claim] != Fails {
				t.Errorf("seed %d: a false %s does not fail", seed, claim)
			}
		}
	}
}
