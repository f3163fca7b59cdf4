package config

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/solver"
)

// plants has numbers with missing cells, categories and a column that does not vary.
func plants(t *testing.T) *dataset.Frame {
	t.Helper()
	text := "site,soil,height,width,flat,kind\n" + strings.Repeat("a,clay,1,2,5,oak\nb,sand,2,,5,oak\na,,4,1,5,elm\nc,sand,3.5,7,5,elm\n", 3)
	return must.Get(dataset.ReadCSV(strings.NewReader(text), "plants.csv", dataset.ReadOptions{Label: "kind"}))(t)
}

// dated is plants with a column of dates, and one of times of which some are missing.
func dated(t *testing.T) *dataset.Frame {
	t.Helper()
	text := "site,day,height,width,seen,kind\n" + strings.Repeat("a,2026-11-28,1,2,,oak\nb,2025-01-02,2,,2026-11-28 10:30,oak\na,2026-11-28,4,1,,elm\nc,2024-05-06,3.5,7,,elm\n", 3)
	return must.Get(dataset.ReadCSV(strings.NewReader(text), "plants.csv", dataset.ReadOptions{Label: "kind"}))(t)
}

// Mistakes of a config made in Go, whose keys stand nowhere, come in the same order each time.
func TestCheckColumnsOrder(t *testing.T) {
	data := plants(t)
	message := func() string {
		o := &pipeline.FSPCAStep{}
		o.Include, o.Exclude, o.Unmeasured = []string{"p"}, []string{"q"}, []string{"r"}
		o.Groups.Most = map[string]int{"s": 1, "t": 1, "u": 1}
		return (&Config{Steps: []pipeline.Step{{Name: "fspca", Options: o}}}).CheckColumns(data).Error()
	}
	want := message()
	for range 30 {
		if got := message(); got != want {
			t.Fatalf("got\n%s\nand before\n%s", got, want)
		}
	}
}

// Each mistake has the place of its key, that of the item in a list.
func TestCheckColumns(t *testing.T) {
	data := plants(t)
	const head = "version: 1\ndata: {source: plants.csv, label: kind}\nsplit: {folds: 3}\nsteps:\n"
	for _, c := range []struct{ steps, want string }{
		{"  - onehot\n  - fspca: {features: 4, components: 1, include: ['site=a', 'soil=s*'], exclude: [flat]}\n  - logistic: {class_weight: {oak: 2}}", ""},
		{"  - standardize: {columns: [hight, width]}\n  - onehot\n  - fspca: {features: 1, components: 1, include: [nothing]}",
			`5:29: step 1 (standardize): columns: no column "hight" (the nearest is "height")`},
		{"  - drop: {columns: [categorical, kind, 'w*', 'z*']}",
			"5:35: step 1 (drop): columns: no column \"kind\" among the features (it is the class)\nc.yaml:5:47: step 1 (drop): columns: no column fits the pattern \"z*\""},
		{"  - drop: {columns: [categorical]}\n  - fspca: {features: 1, components: 1, weight: site, groups: {'s*': 1}}",
			"6:49: step 2 (fspca): weight: no column \"site\"\nc.yaml:6:70: step 2 (fspca): groups: no column fits the pattern \"s*\""},
		{"  - select: {columns: [height, width]}\n  - fspca: {features: 3, components: 1}", "6:23: step 2 (fspca): features k = 3 is more than the d = 2 columns there are"},
		{"  - constant: {columns: [numeric]}\n  - fspca: {features: 1, components: 1}", `6:12: step 2 (fspca): column "site" is categorical: want numbers`},
		{"  - constant\n  - fspca: {features: 1, components: 1}", ""}, // it may drop site
		{"  - ordinal\n  - pca: {components: 2}\n  - select: {columns: [pc2, pc3]}", `7:29: step 3 (select): columns: no column "pc3" (the nearest is "pc1")`},
		{"  - pca: {components: 2, columns: [numeric]}\n  - select: {columns: [height, site, pc2]}", `6:24: step 2 (select): columns: no column "height"`},
		{"  - ordinal\n  - pca: {components: {target: 0.9}}\n  - select: {columns: [pc5, pc6]}", `7:29: step 3 (select): columns: no column "pc6" (the nearest is "pc1")`},
		{"  - pca: {components: 2}\n  - select: {columns: [nothing]}", `5:10: step 1 (pca): column "site" is categorical: want numbers`},
		{"  - ordinal\n  - pca: {components: 2}\n  - drop: {columns: [pc3]}\n  - knn\nsearch: {grid: {pca.components: [1, 3]}}", ""},
		{"  - ordinal\n  - fspca: {features: 2, components: 1, exclude: [flat], weight: width}\n  - standardize: {columns: [site, soil, flat, width, pc1]}",
			"7:41: step 3 (standardize): columns: no column \"flat\"\nc.yaml:7:47: step 3 (standardize): columns: no column \"width\"\nc.yaml:7:54: step 3 (standardize): columns: no column \"pc1\""},
		{"  - ordinal\n  - fspca: {features: 2, components: 1, output: both, columns: [height, width, 's*']}\n  - drop: {columns: [flat, pc1, height, pc2]}",
			`7:41: step 3 (drop): columns: no column "pc2" (the nearest is "pc1")`},
		{"  - ordinal\n  - fspca: {features: 2, components: 1, output: projection}\n  - drop: {columns: [height]}", `7:22: step 3 (drop): columns: no column "height"`},
		{"  - ordinal\n  - fspca: {features: 2, components: 1, output: projection}\n  - drop: {columns: [height]}\n  - knn\nsearch: {grid: {fspca.output: [both, selected]}}", ""},
		{"  - dates: {columns: [day]}\n  - drop: {columns: [day, day_year, day_hour]}", "6:22: step 2 (drop): columns: no column \"day\"\nc.yaml:6:37: step 2 (drop): columns: no column \"day_hour\""},
		{"  - dates: {columns: [seen], parts: [week, unix]}\n  - drop: {columns: [seen, seen_week, seen_year]}", `6:39: step 2 (drop): columns: no column "seen_year"`}, // seen may be empty in a part of the rows
		{"  - ordinal\n  - fspca: {features: 3, components: 1}\n  - linear_svm: {class_weight: {oaks: 2}}",
			`7:39: step 3 (linear_svm): class_weight names the class "oaks", which is not in the class column (the nearest is "oak")`},
		{"  - ordinal\n  - fspca: {features: 9, components: 1}\n  - knn\nsearch: {grid: {fspca.features: [1, 2]}}", ""},
		{"  - ordinal: {columns: [nothing]}\n  - fspca: {features: 9, components: 1}\n  - knn\nsearch: {grid: {ordinal.columns: [[site]]}}", ""},
	} {
		path := filepath.Join(t.TempDir(), "c.yaml")
		must.OK(t, os.WriteFile(path, []byte(head+c.steps+"\n"), 0o600))
		on := data
		if strings.Contains(c.steps, "dates") {
			on = dated(t)
		}
		err := must.Get(Load(path))(t).CheckColumns(on)
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), "")
		}
		if want := "c.yaml:" + c.want; got != c.want && !strings.HasPrefix(got, want) || got != "" && c.want == "" {
			t.Errorf("%s\ngot  %s\nwant %s", c.steps, got, c.want)
		}
	}
}

// An override, and a config made in Go, have no line.
func TestCheckColumnsWithoutLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	must.OK(t, os.WriteFile(path, []byte("version: 1\ndata: {source: plants.csv}\nsteps:\n  - center: {columns: [height]}\n"), 0o600))
	err := must.Get(Load(path, "steps.center.columns=[hight]"))(t).CheckColumns(plants(t))
	if want := `--set steps.center.columns=[hight]: step 1 (center): columns: no column "hight" (the nearest is "height")`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	c := &Config{Version: 1, Data: Data{Source: "plants.csv"}, Steps: []pipeline.Step{{Name: "select", Options: &pipeline.ColumnsStep{Columns: []string{"nothing"}}}}}
	var all *Error
	var missing *dataset.MissingColumnsError
	if err := c.CheckColumns(plants(t)); !errors.As(err, &all) || !errors.As(err, &missing) || len(all.Problems) != 1 || all.Problems[0].Path != "steps.0.select.columns.0" {
		t.Errorf("made in Go: %v", err)
	}
	if err := c.CheckColumns(nil); err == nil {
		t.Error("no table: no error")
	}
	if err := c.At("split", nil); err != nil {
		t.Errorf("no error at a place: %v", err)
	}
}

// Whatever steps a column has come through, its name is known to the check.
func TestCheckColumnsKnowsWhatComes(t *testing.T) {
	tables := []*dataset.Frame{plants(t), dated(t)}
	count := func(n int) pipeline.ComponentCount { return pipeline.ComponentCount{Number: n} }
	all := pipeline.Scope{Columns: []string{"numeric"}}
	candidates := []pipeline.Step{
		{Name: "dates", Options: &pipeline.DatesStep{Parts: []string{"week", "hour"}}},
		{Name: "pca", Options: &pipeline.PCAStep{Components: count(2), Scope: all}},
		{Name: "pca", Options: &pipeline.PCAStep{Components: pipeline.ComponentCount{Target: 0.9}}},
		{Name: "fspca", Options: &pipeline.FSPCAStep{Features: pipeline.FeatureCount{Number: 2}, Components: count(1), Exclude: []string{"width*"}, Output: "both", Scope: all}},
		{Name: "fspca", Options: &pipeline.FSPCAStep{Features: pipeline.FeatureCount{Number: 2}, Components: count(2), Output: "projection"}},
		{Name: "fspca", Options: &pipeline.FSPCAStep{Features: pipeline.FeatureCount{Number: 2}, Components: count(1), Weight: "height", Scope: all}},
		{Name: "impute", Options: &pipeline.ImputeStep{Strategy: "most_frequent"}},
		{Name: "impute", Options: &pipeline.ImputeStep{Strategy: "constant", Value: new(float64), Level: "none"}},
		{Name: "onehot", Options: &pipeline.OneHotStep{Missing: "ignore"}},
		{Name: "select", Options: &pipeline.ColumnsStep{Columns: []string{"s*", "height", "*_missing"}}},
		{Name: "drop", Options: &pipeline.ColumnsStep{Columns: []string{"width"}}},
		{Name: "drop", Options: &pipeline.ColumnsStep{Columns: []string{"categorical"}}},
	}
	for _, k := range pipeline.Kinds() {
		if !k.Ends() && !slices.Contains([]string{"select", "drop", "fspca", "pca", "impute"}, k.Name()) {
			candidates = append(candidates, pipeline.Step{Name: k.Name(), Options: k.Options()})
		}
	}
	fitted := 0
	for seed := range uint64(1500) {
		random := rand.New(rand.NewPCG(seed, 1))
		data := tables[seed%2]
		part := data.Subset(random.Perm(data.Rows())[:2+random.IntN(data.Rows()-2)]) // as a split takes rows
		c := &Config{Version: 1, Data: Data{Source: "plants.csv"}}
		for range 1 + random.IntN(4) {
			c.Steps = append(c.Steps, candidates[random.IntN(len(candidates))])
		}
		p, err := c.Pipeline()
		if err == nil {
			err = p.Fit(part)
		}
		if err != nil {
			continue // such as a missing cell, or no column of a kind
		}
		fitted++
		names := must.Get(p.Transform(part))(t).(*dataset.Frame).Names()
		c.Steps = append(c.Steps, pipeline.Step{Name: "select", Options: &pipeline.ColumnsStep{Columns: names}})
		if err := c.CheckColumns(data); err != nil {
			t.Errorf("%v gives %q: %v", p, names, err)
		}
		c.Steps[len(c.Steps)-1] = pipeline.Step{Name: "select", Options: &pipeline.ColumnsStep{Columns: []string{"nothing"}}}
		if err := c.CheckColumns(data); err == nil || !strings.Contains(err.Error(), `"nothing"`) {
			t.Errorf("%v: a name that cannot come: %v", p, err)
		}
	}
	if fitted < 400 {
		t.Errorf("only %d chains could be fitted", fitted)
	}
}

// A column that is said to be too few, or categorical, is one for the fit too.
func TestCheckColumnsRefusesWhatAFitRefuses(t *testing.T) {
	data := must.Get(dataset.Assemble(mat.NewDense(4, 2, []float64{1, 2, 3, 5, 4, 4, 0, 1}),
		[]dataset.Column{{Name: "a"}, {Name: "s", Factor: &dataset.Factor{Levels: []string{"u", "v"}, Codes: []int32{0, 1, 0, 1}}}, {Name: "b"}}, "", nil))(t)
	for _, steps := range [][]pipeline.Step{
		{{Name: "fspca", Options: &pipeline.FSPCAStep{Features: pipeline.FeatureCount{Number: 1}, Components: pipeline.ComponentCount{Number: 1}}}},
		{{Name: "ordinal"}, {Name: "fspca", Options: &pipeline.FSPCAStep{Features: pipeline.FeatureCount{Number: 3}, Components: pipeline.ComponentCount{Number: 1}, Weight: "b"}}},
	} {
		c := &Config{Version: 1, Data: Data{Source: "x.csv"}, Steps: steps}
		if err := must.Get(c.Pipeline())(t).Fit(data); err == nil {
			t.Fatal("the fit takes it")
		}
		var all *Error
		err := c.CheckColumns(data)
		if !errors.As(err, &all) {
			t.Errorf("%v: %v", steps, err)
		}
		var wrong *solver.ParamError
		if errors.As(err, &wrong) != (len(steps) == 2) {
			t.Errorf("%v: %v tells the kind of mistake wrongly", steps, err)
		}
	}
}
