package pipeline

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

func buildSteps(t *testing.T, steps ...Step) []NamedStep {
	t.Helper()
	return lists.Map(steps, func(s Step) NamedStep { return must.Get(s.Build())(t) })
}

func with(t *testing.T, s NamedStep, key string, value any) NamedStep {
	t.Helper()
	return must.Get(s.With(key, value))(t)
}

// Pipelines that a Fitter fits one after another, in any order, are those that fits of
// their own give; and a fit that fails between them changes nothing.
func TestFitterGivesFreshFits(t *testing.T) {
	wine := must.Get(dataset.Builtin("wine"))(t)
	base := buildSteps(t, Step{Name: "standardize"}, Step{"fspca", &FSPCAStep{Features: FeatureCount{Number: 5}, Components: ComponentCount{Number: 2}}},
		Step{Name: "minmax"}, Step{Name: "knn"})
	k3, k9 := with(t, base[1], "features", 3), with(t, base[1], "features", 9)
	target := with(t, base[1], "features", map[string]any{"target": 0.8})
	bad := with(t, base[1], "components", 12)
	far := with(t, base[3], "k", 11)
	chains := [][]NamedStep{
		base, {base[0], k3, base[2], base[3]}, {base[0], k3, base[2], far}, {base[0], bad, base[2], far}, {base[0], k3, far},
		{base[0], k9, base[2], far}, {base[0], base[2], far}, {k9, base[2], far}, {base[0], target, base[2], base[3]}, base, {base[0], k3}, base,
	}
	for _, keep := range [][]int{nil, {}, {1}, {1, 3}, {0, 2, 7}} {
		fitter := must.Get(NewFitter(wine))(t)
		if keep != nil {
			fitter.KeepBefore(keep...)
		}
		compareFits(t, fitter, wine, chains)
	}
}

// So do pipelines whose fspca steps work on some columns, or with weights, in any order; and fits of one k
// after another to the same columns share what they are made of.
func TestFitterSharesColumnsAndWeights(t *testing.T) {
	wine := must.Get(dataset.Builtin("wine"))(t)
	first := buildSteps(t, Step{"standardize", &PlainStep{Scope{Columns: []string{"flavanoids", "proline", "hue"}}}})[0]
	last := buildSteps(t, Step{Name: "knn"})[0]
	var chains [][]NamedStep
	scopes := [][]string{nil, {"a*", "hue", "proline", "m*"}, {"numeric"}, {"a*", "hue", "proline", "flavanoids"}}
	for _, weight := range []string{"", "ash", "alcohol"} {
		for _, scope := range scopes {
			for _, opt := range []FSPCAStep{{}, {Standardize: true}, {Center: new(bool)}, {Include: []string{"hue"}, Exclude: []string{"proline"}},
				{Criterion: "reconstruction", Decoder: true}, {Method: "go"}, {Effort: "thorough"}} {
				opt.Weight, opt.Columns, opt.Components = weight, scope, ComponentCount{Number: 1}
				for _, k := range []int{2, 3} {
					opt := opt
					opt.Features = FeatureCount{Number: k}
					step := buildSteps(t, Step{"fspca", &opt})[0]
					chains = append(chains, []NamedStep{first, step, last}, []NamedStep{step, last})
				}
			}
		}
	}
	fitter := must.Get(NewFitter(wine))(t)
	compareFits(t, fitter, wine, chains)
	rand.New(rand.NewPCG(1, 4)).Shuffle(len(chains), func(i, j int) { chains[i], chains[j] = chains[j], chains[i] })
	fitter.KeepBefore(0, 1)
	compareFits(t, fitter, wine, chains[:60])

	one := FSPCAStep{Features: FeatureCount{Number: 3}, Components: ComponentCount{Number: 1}, Weight: "ash", Scope: Scope{Columns: scopes[1]}}
	two := one
	two.Features.Number = 2
	var seen []*dataset.Frame
	for _, opt := range []FSPCAStep{one, two, one} {
		p := &Pipeline{Steps: append(buildSteps(t, Step{"fspca", &opt}), last)}
		must.OK(t, fitter.Fit(t.Context(), p))
		seen = append(seen, fitter.part)
	}
	if seen[0] == nil || seen[0] != seen[1] || seen[1] != seen[2] {
		t.Error("fits to the same columns pick them again")
	}
}

func compareFits(t *testing.T, fitter *Fitter, wine *dataset.Frame, chains [][]NamedStep) {
	t.Helper()
	for i, steps := range chains {
		shared, fresh := &Pipeline{Steps: steps}, &Pipeline{Steps: steps}
		err, want := fitter.Fit(t.Context(), shared), fresh.Fit(wine)
		if (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Fatalf("chain %d: the fitter says %v, a fresh fit %v", i, err, want)
		}
		if err != nil {
			continue
		}
		var a, b strings.Builder
		must.Get(shared.WriteTo(&a))(t)
		must.Get(fresh.WriteTo(&b))(t)
		if a.String() != b.String() || shared.Offered() != fresh.Offered() {
			t.Errorf("chain %d, %v: the fitter gives another pipeline", i, shared)
		}
	}
}

func TestWith(t *testing.T) {
	options := &FSPCAStep{Features: FeatureCount{Number: 5}, Components: ComponentCount{Number: 2}, Include: []string{"ash", "hue"}}
	old := Step{"fspca", options}
	changed := must.Get(old.With("include", []any{"alcohol"}))(t)
	if diff := cmp.Diff([]string{"ash", "hue"}, options.Include); diff != "" {
		t.Errorf("the step that was changed has other options:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"alcohol"}, changed.Options.(*FSPCAStep).Include); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []struct {
		step  Step
		key   string
		value any
		want  string
	}{
		{old, "feature", 3, `did you mean "features"?`},
		{old, "features", "many", "expected a whole number or a mapping"},
		{old, "features", map[string]any{"share": .5}, "expected a whole number or a mapping"},
		{old, "method", "ip", "method must be"},
		{old, "include", "ash", "expected a list"},
		{Step{Name: "knn"}, "k", -1, "k must be at least 1"},
		{Step{Name: "knn"}, "k", "5", "expected a whole number"},
		{Step{Name: "logistic"}, "l2", 0, "l2 must be above 0"},
		{Step{Name: "impute"}, "value", "x", "expected a number"},
		{Step{Name: "nothing"}, "k", 1, "unknown step"},
		{Step{"knn", options}, "k", 1, "must be a"},
	} {
		if _, err := bad.step.With(bad.key, bad.value); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s.%s: got %v, want %q", bad.step.Name, bad.key, err, bad.want)
		}
	}
}

// Fits of one k after another share moments and decompositions, and give the models of fresh fits: on every
// route, whatever the options.
func TestFitterSharesWhatDoesNotDependOnK(t *testing.T) {
	for _, size := range [][2]int{{300, 60}, {400, 150}, {40, 200}, {700, 520}} {
		f := randomFrame(t, size[0], size[1])
		fitter := must.Get(NewFitter(f))(t)
		for _, opt := range []selector.Options{
			{Features: 5, Components: 2}, {Features: 12, Components: 2}, {Features: 7, Components: 3},
			{Features: 12, Components: 2, Standardize: true}, {Features: 5, Components: 2, Standardize: true, Exclude: []string{"x1"}},
			{Features: 6, Components: 2, Uncentered: true}, {Features: 9, Components: 2, Criterion: selector.CriterionReconstruction},
			{Features: 5, Components: 2, Effort: "thorough", Reconstruction: true},
		} {
			shared := chainOf(t, NamedStep{Name: "fspca", Transformer: selector.New(opt)})
			must.OK(t, fitter.Fit(t.Context(), shared))
			fresh := fitted(t, chainOf(t, NamedStep{Name: "fspca", Transformer: selector.New(opt)}), f)
			if !bytes.Equal(modelBytes(t, shared), modelBytes(t, fresh)) {
				t.Errorf("%v, %+v: another model than a fresh fit's", size, opt)
			}
		}
	}
}

// BenchmarkKPath: fits of 8 numbers of columns to the same rows, from the rows on, alone and by a Fitter.
func BenchmarkKPath(b *testing.B) {
	for _, size := range [][2]int{{1437, 64}, {4000, 400}, {100, 4000}, {2000, 500}} {
		f := randomFrame(b, size[0], size[1])
		for _, way := range []string{"fresh", "shared"} {
			b.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], way), func(b *testing.B) {
				for b.Loop() {
					fitter, err := NewFitter(f)
					if err != nil {
						b.Fatal(err)
					}
					for k := 5; k <= 40; k += 5 {
						p := chainOf(b, NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: k, Components: 5})})
						if way == "shared" {
							err = fitter.Fit(b.Context(), p)
						} else {
							err = p.FitContext(b.Context(), f)
						}
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}

// randomFrame holds a few strong directions and noise.
func randomFrame(t testing.TB, n, d int) *dataset.Frame {
	rng := rand.New(rand.NewPCG(5, uint64(n*d)))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row, strong := x.RawRowView(i), [4]float64{}
		for q := range strong {
			strong[q] = 3 * rng.NormFloat64()
		}
		for j := range row {
			row[j] = rng.NormFloat64()*(1+float64(j%7)) + strong[j%4]*float64(1+j%5)
		}
	}
	return must.Get(dataset.New(nil, x))(t)
}
