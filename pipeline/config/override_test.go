package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
)

const overridden = `version: 1
data: {source: "builtin:iris"}
split: {test: 0.3}
steps:
  - standardize
  - fspca: {features: 3, components: 2}
  - standardize
  - logistic
`

func TestSet(t *testing.T) {
	tests := []struct {
		set  []string
		want []string // pieces of the config's JSON
	}{
		{[]string{"steps.fspca.features=4"}, []string{`{"fspca":{"features":4,"components":2}}`}},
		{[]string{"steps.1.fspca.output=both", "steps.fspca.seed=9"}, []string{`{"fspca":{"features":3,"components":2,"output":"both","seed":9}}`}},
		{[]string{"steps.logistic.l2=0.1"}, []string{`{"logistic":{"l2":0.1}}`}},
		{[]string{"steps.3=knn: {k: 3}"}, []string{`{"knn":{"k":3}}`}},
		{[]string{"steps.3=knn", "steps.knn.k=7"}, []string{`{"knn":{"k":7}}`}},
		{[]string{"steps.fspca={features: 2, components: 1}"}, []string{`{"fspca":{"features":2,"components":1}}`}},
		{[]string{"split={folds: 5}", "split.seed=7"}, []string{`"split":{"folds":5,"seed":7}`}},
		{[]string{"data.source=x=y.csv", "data.label=class"}, []string{`"source":"x=y.csv"`}},
		{[]string{"data.drop=[a, b]", "data.drop.1=c"}, []string{`"drop":["a","c"]`}},
		{[]string{"output.dir=there"}, []string{`"output":{"dir":"there"}`}},
		{[]string{"name='007'"}, []string{`"name":"007"`}},
		{[]string{"split.seed=1", "split.seed=2"}, []string{`"seed":2`}},
		{[]string{"steps=[center]", "steps.center={}"}, []string{`"steps":[{"center":{}}]`}},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.set, " "), func(t *testing.T) {
			c := must.Get(Parse("c.yaml", []byte(overridden), test.set...))(t)
			got := must.Get(json.Marshal(c))(t)
			for _, want := range test.want {
				if !strings.Contains(string(got), want) {
					t.Errorf("got %s, want %s in it", got, want)
				}
			}
		})
	}
}

func TestSetMistakes(t *testing.T) {
	tests := []struct {
		set  string
		want string
	}{
		{"split.seed", `--set split.seed: expected key=value, like split.seed=7 or steps.fspca.features=30`},
		{"=3", `--set =3: expected key=value, like split.seed=7 or steps.fspca.features=30`},
		{"split.sede=3", `--set split.sede=3: unknown key "sede" in split: did you mean "seed"?`},
		{"split.test=2", `--set split.test=2: test must be above 0 and below 1, got 2`},
		{"split.test=", `--set split.test=: test: expected a number, got nothing`},
		{"split.folds=3.5", "--set split.folds=3.5: folds: expected a whole number, got 3.5"},
		{"split.folds=5", `--set split.folds=5: split has both test and folds: keep test for one hold-out, or folds for cross-validation`},
		{"steps.fspca.features=010", `--set steps.fspca.features=010: features: expected a whole number, got 010 (some read it as octal): leave the leading zero out`},
		{"steps.fspca.components=4", `--set steps.fspca.components=4: components m = 4 is more than features k = 3: want m ≤ k`},
		{"steps.fspca.features=1", "c.yaml:6:38: components m = 2 is more than features k = 1: want m ≤ k"},
		{"steps.fspac.features=4", `--set steps.fspac.features=4: there is no step "fspac" among standardize, fspca, standardize and logistic: did you mean "fspca"?`},
		{"steps.standardize.x=4", "--set steps.standardize.x=4: the step standardize comes 2 times: say steps.0 or steps.2"},
		{"steps.0.standardize.x=4", `--set steps.0.standardize.x=4: unknown key "x" in standardize: the keys are columns`},
		{"steps.0.fspca.features=4", `--set steps.0.fspca.features=4: steps.0 is standardize: expected steps.0.standardize.…, got "fspca"`},
		{"steps.9.fspca.features=4", `--set steps.9.fspca.features=4: steps is a list of 4: expected an index from 0, got "9"`},
		{"data.source.x=1", `--set data.source.x=1: data.source is the text "builtin:iris": it has no keys`},
		{"name={a", "--set name={a: not YAML: did not find expected ',' or '}', in what begins here: close the bracket, and put commas between what is in it"},
		{"name=&a b", "--set name=&a b: anchors (&name) are not read in a config: write the value out where it is needed"},
		{"name=5", "--set name=5: name: expected text, got 5: put it in quotes"},
		{"steps=", "--set steps=: steps: expected a list, got nothing: write it as [a, b] or one item after each '-'"},
		{"colour=red", `--set colour=red: unknown key "colour": the keys are version, name, data, split, steps, search, strict and output`},
	}
	for _, test := range tests {
		t.Run(test.set, func(t *testing.T) {
			_, err := Parse("c.yaml", []byte(overridden), test.set)
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Mistakes of the file and of the flags come together, the file's first.
func TestSetTogetherWithFile(t *testing.T) {
	_, err := Parse("c.yaml", []byte("version: 1\ndata: {sorce: x.csv}\nsteps: [center]\n"), "split.tset=1", "name=[a]")
	want := strings.Join([]string{
		`c.yaml:2:8: unknown key "sorce" in data: did you mean "source"?`,
		`--set split.tset=1: unknown key "tset" in split: did you mean "test"?`,
		`--set name=[a]: name: expected text, got a list`,
	}, "\n")
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestCheckOfConfigMadeInGo(t *testing.T) {
	good := Config{
		Version: 1,
		Data:    Data{Source: "builtin:iris"},
		Split:   Split{Folds: 5},
		Steps: []pipeline.Step{
			{Name: "standardize"},
			{Name: "fspca", Options: &pipeline.FSPCAStep{Features: pipeline.FeatureCount{Number: 3}, Components: pipeline.ComponentCount{Number: 2}}},
			{Name: "knn", Options: &pipeline.KNNStep{K: 3}},
		},
	}
	if err := good.Check(); err != nil {
		t.Errorf("a good config: %v", err)
	}
	// Nil options are the defaults, also as a nil pointer.
	good.Steps[2].Options = (*pipeline.KNNStep)(nil)
	if _, err := good.Pipeline(); err != nil {
		t.Errorf("options that are a nil pointer: %v", err)
	}
	if s, err := good.Steps[2].With("k", 3); err != nil || s.Options.(*pipeline.KNNStep).K != 3 {
		t.Errorf("With of options that are a nil pointer: %+v, %v", s, err)
	}
	good.Steps[1].Options = (*pipeline.FSPCAStep)(nil)
	if err := good.Check(); err == nil || !strings.Contains(err.Error(), `missing key "components"`) {
		t.Errorf("an fspca step of a nil pointer: %v", err)
	}
	bad := Config{
		Data:  Data{Delimiter: "::"},
		Split: Split{Test: 1.5},
		Steps: []pipeline.Step{
			{Name: "knn", Options: &pipeline.LogisticStep{}},
			{Name: "fspca", Options: &pipeline.FSPCAStep{Features: pipeline.FeatureCount{Number: -3}, Components: pipeline.ComponentCount{Number: 2}}},
			{Name: "fspac"},
		},
	}
	want := strings.Join([]string{
		`version: missing key "version": version of the config format; this program reads 1`,
		`data.source: missing key "source" in data: builtin:digits, builtin:wine, builtin:iris, or a file relative to the config: a table (.csv, .tsv, .npy, .npz, .parquet, .xlsx) or sparse rows (.svm, .mtx), also compressed (.gz, .bz2, .zst, .zip)`,
		`data.delimiter: delimiter must be one character (or the word tab or whitespace) other than a quote or a line end, got "::"`,
		`split.test: test must be above 0 and below 1, got 1.5`,
		`steps.0: the options of step knn must be a *pipeline.KNNStep, got a *pipeline.LogisticStep`,
		`steps.1.fspca.features: features must be at least 1, got -3`,
		`steps.2: unknown step "fspac": did you mean "fspca"?`,
		`steps.0: step 1 (knn) is a classifier, which must be last, but step 2 (fspca) follows it`,
	}, "\n")
	err := bad.Check()
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
