package selector_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
)

// TestReconstructionCriterion: the k scores of m = k rebuild the chosen columns, scores are uncorrelated
// with variance 1, and the figures agree with the objective, with and without scaling, from rows and
// from their covariance.
func TestReconstructionCriterion(t *testing.T) {
	ctx := context.Background()
	x := sample(31, 40, 12)
	for _, standardize := range []bool{false, true} {
		for _, m := range []int{2, 5} {
			opt := selector.Options{Features: 5, Components: m, Criterion: "reconstruction", Standardize: standardize, Reconstruction: true}
			model := fit(t, x, opt)
			if model.Criterion() != "reconstruction" || model.Summary().Criterion != "reconstruction" {
				t.Error("the model does not say its criterion")
			}
			z := must.Get(model.Project(x))(t)
			for i := range m {
				for j := range i + 1 {
					want := 0.0
					if i == j {
						want = 1
					}
					if got := stat.Covariance(mat.Col(nil, i, z), mat.Col(nil, j, z), nil); math.Abs(got-want) > 1e-9 {
						t.Errorf("scores %d and %d have the covariance %v, want %v", i, j, got, want)
					}
				}
			}
			back := must.Get(model.Reconstruct(z))(t)
			for p, j := range model.Support() {
				var rest, all float64
				mean := stat.Mean(mat.Col(nil, j, x), nil)
				for i := range 40 {
					rest += math.Pow(x.At(i, j)-back.At(i, p), 2)
					all += math.Pow(x.At(i, j)-mean, 2)
				}
				if m == 5 && rest > 1e-16*all || rest > all {
					t.Errorf("m = %d: column %d comes back with %v of %v left", m, j, rest, all)
				}
			}
			f := model.Reconstruction()
			if math.Abs(*f.R2Components-model.ExplainedVarianceRatio()) > 1e-10 || *f.R2Components > *f.R2+1e-12 || *f.R2 > *f.PCA || *f.Random > *f.PCA {
				t.Errorf("figures %v %v %v %v, share %v", *f.R2Components, *f.R2, *f.PCA, *f.Random, model.ExplainedVarianceRatio())
			}
			if len(f.Columns) != 7 {
				t.Errorf("%d columns have figures, want the 7 that were not chosen", len(f.Columns))
			}
			of := selector.New(selector.Options{Features: 5, Components: m, Criterion: "reconstruction", Standardize: standardize})
			must.OK(t, of.FitCovariance(ctx, moment(x, selector.Options{}), nil))
			if !slices.Equal(of.Model().Support(), model.Support()) || math.Abs(of.Model().Objective()-model.Objective()) > 1e-9*model.Objective() {
				t.Errorf("from the covariance %v, from the rows %v", of.Model().Support(), model.Support())
			}
			var b bytes.Buffer
			must.Get(model.WriteTo(&b))(t)
			read := must.Get(selector.ReadModel(&b))(t)
			if asJSON(t, read.Summary()) != asJSON(t, model.Summary()) {
				t.Error("the model read from its file is another")
			}
			again, err := read.Reconstruct(z)
			if err != nil || !mat.Equal(again, back) {
				t.Errorf("the model read from its file rebuilds other columns (%v)", err)
			}
		}
	}
}

// TestLimits: both criteria keep limits, and excluded columns are as if dropped.
func TestLimits(t *testing.T) {
	x := sample(33, 60, 12)
	for i := range 60 {
		x.Set(i, 11, x.At(i, 3)*2+1e-9*float64(i%3))
	}
	for _, criterion := range []string{"variance", "reconstruction"} {
		model := fit(t, x, selector.Options{Features: 4, Components: 3, Criterion: criterion, Standardize: true, MaxCorrelation: 0.6,
			Groups: map[string]int{"gene01?": 1}, Unmeasured: []string{"gene001"}, Reconstruction: true})
		names := model.Features()
		if slices.Contains(names, "gene001") || slices.Contains(names, "gene003") && slices.Contains(names, "gene011") {
			t.Errorf("%s: %v", criterion, names)
		}
		if two := slices.DeleteFunc(slices.Clone(names), func(s string) bool { return !strings.HasPrefix(s, "gene01") }); len(two) > 1 {
			t.Errorf("%s: %v of a group of at most 1", criterion, two)
		}
		if f := model.Reconstruction(); *f.MaxCorrelation > 0.6+1e-9 || !slices.ContainsFunc(f.Columns, func(c selector.ColumnFigure) bool { return c.Name == "gene001" && c.R2 != nil }) {
			t.Errorf("%s: largest correlation %v, columns %v", criterion, *f.MaxCorrelation, f.Columns)
		}
		with := fit(t, x, selector.Options{Features: 4, Components: 3, Criterion: criterion, Exclude: []string{"gene004", "gene011"}, Reconstruction: true})
		names = []string{"gene000", "gene001", "gene002", "gene003", "gene005", "gene006", "gene007", "gene008", "gene009", "gene010"}
		y := mat.NewDense(60, 10, nil)
		for q, j := range []int{0, 1, 2, 3, 5, 6, 7, 8, 9, 10} {
			y.SetCol(q, mat.Col(nil, j, x))
		}
		s := selector.New(selector.Options{Features: 4, Components: 3, Criterion: criterion, Reconstruction: true})
		must.OK(t, s.FitMatrix(context.Background(), y, names))
		a, b := with.Reconstruction(), s.Model().Reconstruction()
		if !slices.Equal(with.Features(), s.Model().Features()) || math.Abs(with.Objective()-s.Model().Objective()) > 1e-9*with.Objective() {
			t.Errorf("%s: excluded %v, dropped %v", criterion, with.Features(), s.Model().Features())
		}
		if math.Abs(*a.R2-*b.R2) > 1e-9 || math.Abs(*a.R2Components-*b.R2Components) > 1e-9 || math.Abs(*a.PCA-*b.PCA) > 1e-9 || math.Abs(*a.Noise-*b.Noise) > 1e-12 || len(a.Columns) != len(b.Columns) {
			t.Errorf("%s: figures %s with excluded, %s with dropped columns", criterion, asJSON(t, a), asJSON(t, b))
		}
	}
	s := selector.New(selector.Options{Features: 3, Components: 3, MaxCorrelation: 0.9})
	if err := s.FitMatrix(context.Background(), mat.NewDense(4, 3, []float64{1, 1, 2, 2, 2, 4, 3, 3, 6, 5, 5, 9}), nil); err == nil || !strings.Contains(err.Error(), "permit together only") {
		t.Errorf("error %v where fewer columns than components may stand together", err)
	}
	s = selector.New(selector.Options{Features: 3, Components: 1, MaxCorrelation: 0.9})
	must.OK(t, s.FitMatrix(context.Background(), mat.NewDense(4, 3, []float64{1, 1, 2, 2, 2, 4, 3, 3, 6, 5, 5, 9}), nil))
	if m := s.Model(); m.Status() != solver.NoneFound || len(m.Features()) != 1 || m.Options().Features != 1 {
		t.Errorf("status %s with %v", m.Status(), m.Features())
	}
}

// TestWarnings: copies among the chosen, ties, and few rows.
func TestWarnings(t *testing.T) {
	x := mat.NewDense(50, 6, nil)
	base, noise := sample(35, 50, 4), sample(37, 50, 1)
	for i := range 50 {
		for j := range 6 {
			x.Set(i, j, base.At(i, j%4))
		}
		x.Set(i, 1, x.At(i, 0)+0.01*noise.At(i, 0))
	}
	variance := fit(t, x, selector.Options{Features: 3, Components: 2, Standardize: true, Reconstruction: true})
	if w := strings.Join(variance.Warnings(), "\n"); !strings.Contains(w, "copies") {
		t.Errorf("%v: no warning of copies: %q", variance.Features(), w)
	}
	other := fit(t, x, selector.Options{Include: []string{"gene000"}, Features: 2, Components: 2, Standardize: true, Reconstruction: true, Criterion: "reconstruction"})
	if w := strings.Join(other.Warnings(), "\n"); !strings.Contains(w, "is a tie") || strings.Contains(w, "copies") {
		t.Errorf("%v: warnings %q", other.Features(), w)
	}
	apart := fit(t, x, selector.Options{Include: []string{"gene000"}, Unmeasured: []string{"gene004"}, Features: 2, Components: 2, Standardize: true, Reconstruction: true, Ledger: true, Criterion: "reconstruction"})
	if w := strings.Join(apart.Warnings(), "\n"); strings.Contains(w, "gene004") {
		t.Errorf("warnings %q of a column that may not be chosen", w)
	}
	if e := apart.Ledger()[4]; !e.Unmeasured || e.Rank != 0 || e.Margin != 0 || e.Score <= 0 || e.Nearest != "gene000" {
		t.Errorf("ledger entry %+v of a column that may not be chosen", e)
	}
}

// TestLimitsByName: what is wrong with columns is told by their names, whatever is excluded.
func TestLimitsByName(t *testing.T) {
	x := mat.NewDense(4, 4, []float64{9, 1, 1, 2, 3, 2, 2, 4, 7, 3, 3, 6, 1, 5, 5, 9})
	for _, criterion := range []string{"variance", "reconstruction"} {
		for _, c := range []struct {
			opt  selector.Options
			want string
		}{
			{selector.Options{Components: 3, MaxCorrelation: 0.9, Exclude: []string{"a"}}, `permit together only the columns "`},
			{selector.Options{Components: 1, MaxCorrelation: 0.9, Exclude: []string{"a"}, Include: []string{"b", "d"}}, `include names columns "b", "d", which the limits`},
			{selector.Options{Components: 1, Unmeasured: []string{"?"}, Include: []string{"c"}}, `column "c" is in include and in unmeasured`},
			{selector.Options{Components: 1, Unmeasured: []string{"a", "b"}}, "unmeasured leaves 2 of the d = 4 columns"},
			{selector.Options{Components: 1, Unmeasured: []string{"a", "b"}, Exclude: []string{"b", "c"}}, "exclude with unmeasured leaves 1 of the d = 4 columns"},
		} {
			c.opt.Features, c.opt.Criterion = 3, criterion
			err := selector.New(c.opt).FitMatrix(context.Background(), x, []string{"a", "b", "c", "d"})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), `"a",`) {
				t.Errorf("%s: error %v, want %s", criterion, err, c.want)
			}
		}
	}
}

// TestCriterionMistakes: all at once.
func TestCriterionMistakes(t *testing.T) {
	x := sample(36, 20, 5)
	for _, c := range []struct {
		opt  selector.Options
		want []string
	}{
		{selector.Options{Criterion: "r2"}, []string{`unknown criterion "r2"`}},
		{selector.Options{Criterion: "reconstruction", Method: "go", Init: "random", SDPIterations: 3, Epsilon: 1}, []string{"method", "init", "sdp_iterations", "epsilon"}},
		{selector.Options{MaxCorrelation: 1, Groups: map[string]int{"x1": -1}}, []string{"max_correlation", "groups"}},
		{selector.Options{Unmeasured: []string{"y"}, Groups: map[string]int{"z*": 1}}, []string{`"y"`, `"z*"`}},
		{selector.Options{Method: "soap", MaxCorrelation: .5}, []string{"soap"}},
	} {
		c.opt.Features, c.opt.Components = 2, 1
		err := selector.New(c.opt).FitMatrix(context.Background(), x, nil)
		if err == nil {
			t.Errorf("no error for %+v", c.opt)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error %q does not name %s", err, want)
			}
		}
	}
}

// The note on R² by noise says why it is high: few rows, so that others are told far worse, or many of
// the columns.
func TestNoiseNote(t *testing.T) {
	for want, size := range map[string][2]int{"on other rows can be far lower": {12, 20}, "compare R² with that, not with 0": {1000, 12}} {
		x := sample(31, size[0], size[1])
		for i := range size[0] {
			for j := range size[1] {
				x.Set(i, j, math.Mod(x.At(i, j)*1e4, 1)) // no structure
			}
		}
		model := fit(t, x, selector.Options{Features: 5, Components: 3, Reconstruction: true})
		if notes := strings.Join(model.Warnings(), "\n"); !strings.Contains(notes, want) {
			t.Errorf("%v rows and columns: want %q in %q", size, want, notes)
		}
	}
	x := sample(31, 1000, 5)
	if model := fit(t, x, selector.Options{Features: 5, Components: 3, Reconstruction: true}); strings.Contains(strings.Join(model.Warnings(), "\n"), "noise") {
		t.Errorf("all columns are chosen, and the notes are %q", model.Warnings())
	}
}
