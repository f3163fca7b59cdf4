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

// momentsOf returns those of a table in blocks of three rows.
func momentsOf(t *testing.T, x *mat.Dense, weights []float64, uncentered, standardized bool) (*mat.SymDense, Projection) {
	t.Helper()
	n, d := x.Dims()
	rows := func(f func(*mat.Dense, []float64)) error {
		for from := 0; from < n; from += 3 {
			to := min(n, from+3)
			var w []float64
			if weights != nil {
				w = weights[from:to]
			}
			f(mat.DenseCopyOf(x.Slice(from, to, 0, d)), w)
		}
		return nil
	}
	a, p, err := Moments(rows, d, uncentered, standardized)
	must.OK(t, err)
	return a, p
}

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
	a, _ := momentsOf(t, x, nil, seed%2 == 0, seed%5 == 0)
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
// leadingOf is what dense PCA explains of the columns that are not excluded.
func leadingOf(t *testing.T, p problem, exclude []int) float64 {
	t.Helper()
	var kept []int
	for j := range p.a.SymmetricDim() {
		if !slices.Contains(exclude, j) {
			kept = append(kept, j)
		}
	}
	p.k = len(kept)
	value, _ := must.Two(p.value(kept))(t)
	return value
}

// The projection of a table is that of its rows with their weights, and a scale of 1 is that of a
// column that does not vary.
func TestProjection(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 5, 2, 5, 6, 5})
	weights := []float64{1, 2, 1}
	_, p := momentsOf(t, x, weights, false, true)
	_, twice := momentsOf(t, mat.NewDense(4, 2, []float64{1, 5, 2, 5, 2, 5, 6, 5}), nil, false, true)
	for j := range 2 {
		if math.Abs(p.Mean[j]-twice.Mean[j]) > 1e-15 || math.Abs(p.Scale[j]-twice.Scale[j]) > 1e-15 {
			t.Errorf("column %d: %v and %v", j, p, twice)
		}
	}
	if _, raw := momentsOf(t, x, nil, true, false); raw.Mean != nil || raw.Scale != nil {
		t.Errorf("neither centred nor scaled: %v", raw)
	}
	a := mat.NewSymDense(2, []float64{1, 0, 0, 0})
	c := Claims{Support: []int{0, 1}, Projection: Projection{Mean: p.Mean, Scale: []float64{p.Scale[0], 1}}, Data: p}
	if f := c.projection(&problem{a: a}); f.Verdict != Holds {
		t.Errorf("a column that does not vary: %+v", f)
	}
	for _, other := range []Projection{{Mean: p.Mean}, {Scale: c.Scale}, {Mean: p.Mean, Scale: []float64{p.Scale[0] * (1 + 1e-6), 1}}, {Mean: p.Mean, Scale: []float64{1, 1}}} {
		if f := (&Claims{Support: c.Support, Projection: other, Data: p}).projection(&problem{a: a}); f.Verdict != Fails {
			t.Errorf("%+v: %+v", other, f)
		}
	}
}

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
		truth.Leading = leadingOf(t, p, exclude)
		for j := range p.a.SymmetricDim() {
			truth.Data.Mean, truth.Data.Scale = append(truth.Data.Mean, float64(j)), append(truth.Data.Scale, 2+float64(j))
		}
		for _, j := range support {
			truth.Mean, truth.Scale = append(truth.Mean, truth.Data.Mean[j]), append(truth.Scale, truth.Data.Scale[j])
		}
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
			"dense PCA":          func(c *Claims) { c.Leading *= 1 + 1e-6 },
			"means and scales":   func(c *Claims) { c.Mean = slices.Clone(c.Mean); c.Mean[0] += 1e-6 },
		} {
			c := truth
			if change(&c); verdicts(c)[claim] != Fails {
				t.Errorf("seed %d: a false %s does not fail", seed, claim)
			}
		}
	}
}

// Numbers whose squares vanish or overflow are divided first: the same claims hold, and a bound below the
// optimum is not certified.
func TestFarFromOne(t *testing.T) {
	for _, e := range []int{-900, -400, 400, 900} {
		p, include, exclude, best, support := random(t, 7)
		far := mat.NewSymDense(p.a.SymmetricDim(), nil)
		far.ScaleSym(math.Ldexp(1, e), p.a)
		total := mat.Trace(far)
		c := Claims{Support: support, W: mat.NewDense(p.k, p.m, nil), Values: make([]float64, p.m), Objective: math.Ldexp(best, e), Total: total, UpperBound: total, Include: include, Exclude: exclude}
		q := Question{A: far, Columns: names(far.SymmetricDim()), Features: p.k, Components: p.m, Include: include, Exclude: exclude, Bound: c.Objective * (1 + 1e-10)}
		if _, err := q.Prove(context.Background()); err != errFar {
			t.Errorf("2^%d: a proof without Normalise: %v", e, err)
		}
		c.Normalise(far, false)
		for _, share := range []float64{1 + 1e-10, 1 - 1e-9} {
			q.Bound = c.Objective * share
			proof, err := q.Prove(context.Background())
			if (err == nil) != (share > 1) {
				t.Fatalf("2^%d: %v of the optimum: %v", e, share, err)
			}
			if err == nil && proof.Check(context.Background(), far) != nil {
				t.Errorf("2^%d: the proof does not hold", e)
			}
		}
		if got := c.told(c.Objective); got != math.Ldexp(best, e) {
			t.Errorf("2^%d: the objective %v is told as %v", e, math.Ldexp(best, e), got)
		}
	}
}

// A mean far from 0 costs no digits, and a column that does not vary but for rounding has no variance.
func TestFarMeans(t *testing.T) {
	const far = 1e12
	r := rand.New(rand.NewPCG(3, 4))
	near, x := mat.NewDense(500, 4, nil), mat.NewDense(500, 4, nil)
	weights := make([]float64, 500)
	for i := range 500 {
		for j := range 3 {
			v := float64(r.IntN(9) * (j + 1))
			near.Set(i, j, v)
			x.Set(i, j, far+v)
		}
		x.Set(i, 3, 0.1+float64(i%3)*0x1p-55)
		weights[i] = float64(1 + i%3)
	}
	for _, w := range [][]float64{nil, weights} {
		for _, standardized := range []bool{false, true} {
			a, p := momentsOf(t, x, w, false, standardized)
			b, q := momentsOf(t, near, w, false, standardized)
			for j := range 3 {
				if math.Abs(p.Mean[j]-far-q.Mean[j]) > 2*ulp*far || standardized && math.Abs(p.Scale[j]/q.Scale[j]-1) > 1e-12 {
					t.Errorf("column %d: %v, and %v near 0", j, p, q)
				}
			}
			if !mat.EqualApprox(a, b, 1e-11) {
				t.Errorf("standardized %v, weights %v:\n%v\nand near 0\n%v", standardized, w != nil, mat.Formatted(a), mat.Formatted(b))
			}
		}
	}
}

// What PCA explains of many columns may be stated as an iteration leaves it that ends when the choice has
// settled: a little below the truth, never above.
func TestSettledPCA(t *testing.T) {
	for _, d := range []int{iteratedAbove, iteratedAbove + 1} {
		a := mat.NewSymDense(d, nil)
		for j := range d {
			a.SetSym(j, j, 1)
		}
		a.SetSym(0, 0, 100) // with two more components: 102
		for share, want := range map[float64]Verdict{1: Holds, 1 + 1e-6: Fails, 1 - 1e-4: Fails, 1 - 2e-5: Fails} {
			if d > iteratedAbove && share == 1-2e-5 {
				want = Holds
			}
			p := &problem{a: a, m: 3}
			if f := must.Get((&Claims{Leading: 102 * share}).densely(p))(t); f.Verdict != want {
				t.Errorf("%d columns, %v of what PCA explains: %+v", d, share, f)
			}
		}
	}
}
