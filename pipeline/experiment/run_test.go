package experiment

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/golden"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/config"
)

func parsed(t *testing.T, text string, set ...string) *config.Config {
	t.Helper()
	return must.Get(config.Parse("test.yaml", []byte(text), set...))(t)
}

func ran(t *testing.T, c *config.Config, out string) *Report {
	t.Helper()
	return must.Get(Run(context.Background(), c, Options{Out: out}))(t)
}

// contents are the files below a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must.OK(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(read(t, path))
		return err
	}))
	return out
}

const wineConfig = `version: 1
name: wine
data: {source: "builtin:wine"}
split: {test: 0.3, seed: 5}
steps:
  - standardize
  - fspca: {features: 8, components: 3}
  - logistic
`

func TestRunHoldOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	c := parsed(t, wineConfig)
	r := ran(t, c, dir)
	if len(r.Selection.Features) != 8 || r.Selection.Of != 13 || r.Selection.Components != 3 {
		t.Errorf("the selection is %+v", r.Selection)
	}
	if r.Metrics.Columns != 8 || r.AllColumns.Columns != 13 {
		t.Errorf("%d and %d columns came to the classifier, want 8 and 13", r.Metrics.Columns, r.AllColumns.Columns)
	}
	if r.Metrics.Accuracy < 0.85 || r.AllColumns.Accuracy < 0.9 {
		t.Errorf("accuracy %.3f and %.3f", r.Metrics.Accuracy, r.AllColumns.Accuracy)
	}
	if r.Stability != nil || r.Metrics.FoldAccuracy != nil {
		t.Error("a hold-out has no folds to compare")
	}

	// The saved model is the one that was measured: fitted on the training rows.
	f := builtinFrame(t, "wine")
	splits, _ := must.Two(Divide(f.Rows(), f.Class(), SplitOptions{Test: 0.3, Seed: 5}))(t)
	p := must.Get(c.Pipeline())(t)
	fitted(t, p, f.Subset(splits[0].Train))
	saved := must.Get(pipeline.LoadDir(filepath.Join(dir, "model")))(t)
	if !bytes.Equal(modelBytes(t, p), modelBytes(t, saved)) {
		t.Error("the saved model is not the one that the training rows give")
	}
	checkPredictions(t, filepath.Join(dir, "predictions.csv"), f, splits, r.Metrics)
}

// checkPredictions compares predictions.csv with the data and the metrics.
func checkPredictions(t *testing.T, path string, f *dataset.Frame, splits []Split, e *Evaluation) {
	t.Helper()
	lines := must.Get(csv.NewReader(bytes.NewReader(read(t, path))).ReadAll())(t)
	levels := f.Class().Levels
	if want := append([]string{"row", lines[0][1], "true", "predicted"}, prefixed("p_", levels)...); !slices.Equal(lines[0][:len(want)], want) {
		t.Errorf("the header is %v, want %v", lines[0], want)
	}
	part := map[int]string{}
	for i, s := range splits {
		for _, row := range s.Test {
			part[row] = "test"
			if len(splits) > 1 {
				part[row] = strconv.Itoa(i + 1)
			}
		}
	}
	right, before := 0, -1
	for _, line := range lines[1:] {
		row, err := strconv.Atoi(line[0])
		if err != nil || row-1 <= before {
			t.Fatalf("row %q comes after %d", line[0], before+1)
		}
		before = row - 1
		if part[before] != line[1] || f.Class().Text(before) != line[2] {
			t.Errorf("row %d: part %q, class %q", row, line[1], line[2])
		}
		if line[2] == line[3] {
			right++
		}
		sum, best := 0.0, 0
		for j := range levels {
			p := must.Get(strconv.ParseFloat(line[4+j], 64))(t)
			sum += p
			if top, _ := strconv.ParseFloat(line[4+best], 64); p > top {
				best = j
			}
		}
		if math.Abs(sum-1) > 1e-9 || levels[best] != line[3] {
			t.Errorf("row %d: probabilities %v, predicted %s", row, line[4:], line[3])
		}
	}
	if len(lines)-1 != len(part) {
		t.Errorf("%d predictions, want %d", len(lines)-1, len(part))
	}
	if got := float64(right) / float64(len(part)); math.Abs(got-e.Accuracy) > 1e-12 {
		t.Errorf("the file's accuracy is %v, the report's %v", got, e.Accuracy)
	}
}

func prefixed(prefix string, names []string) []string {
	return lists.Map(names, func(name string) string { return prefix + name })
}

func TestRunFolds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	c := parsed(t, wineConfig, "split={folds: 4, seed: 2}")
	r := ran(t, c, dir)
	if len(r.Metrics.FoldAccuracy) != 4 || r.Metrics.AccuracySD == nil || r.Stability.Folds != 4 {
		t.Errorf("metrics %+v, stability %+v", r.Metrics, r.Stability)
	}
	chosen := 0
	for _, f := range r.Stability.Frequency {
		chosen += f.Folds
	}
	if chosen != 4*8 {
		t.Errorf("the folds chose %d columns, want 4·8", chosen)
	}
	f := builtinFrame(t, "wine")
	splits, _ := must.Two(Divide(f.Rows(), f.Class(), SplitOptions{Folds: 4, Seed: 2}))(t)
	checkPredictions(t, filepath.Join(dir, "predictions.csv"), f, splits, r.Metrics)

	// The saved model is fitted on all rows.
	p := must.Get(c.Pipeline())(t)
	fitted(t, p, f)
	if !bytes.Equal(modelBytes(t, p), modelBytes(t, r.Pipeline)) {
		t.Error("the saved model is not the one that all rows give")
	}
}

func TestRunWithoutClassifier(t *testing.T) {
	config := `version: 1
data: {source: "builtin:wine"}
steps: [standardize, {fspca: {features: 5, components: 2}}]
`
	dir := filepath.Join(t.TempDir(), "out")
	r := ran(t, parsed(t, config), dir)
	if r.Metrics != nil || r.AllColumns != nil || r.Split != nil || len(r.Selection.Features) != 5 {
		t.Errorf("the report is %+v", r)
	}
	f := must.Get(dataset.Read(filepath.Join(dir, "projection.csv"), dataset.ReadOptions{Label: "cultivar"}))(t)
	if !slices.Equal(f.Names(), []string{"pc1", "pc2"}) || f.Rows() != 178 {
		t.Errorf("the projection has columns %v and %d rows", f.Names(), f.Rows())
	}
	if r := ran(t, parsed(t, config, "split={folds: 3}"), ""); r.Stability == nil || r.Stability.Folds != 3 || r.Metrics != nil {
		t.Errorf("with folds, the stability is %+v", r.Stability)
	}
	if r := ran(t, parsed(t, config, "split={test: 0.5}"), ""); r.Split.Train[0] != 89 || r.Metrics != nil {
		t.Errorf("with a hold-out: %+v", r.Split)
	}
}

func TestRunWithoutSelector(t *testing.T) {
	r := ran(t, parsed(t, wineConfig, "steps=[standardize, knn]"), "")
	if r.Selection != nil || r.AllColumns != nil || r.Metrics.Columns != 13 || len(r.Inputs) != 13 {
		t.Errorf("the report is %+v", r)
	}
}

// Nothing is learned from a test row: other test rows give the same model.
func TestRunLearnsNothingFromTestRows(t *testing.T) {
	f := machines(t)
	splits, _ := must.Two(Divide(f.Rows(), f.Class(), SplitOptions{Test: 0.25, Seed: 1}))(t)
	source := must.Get(os.ReadFile("../../configs/data/machines.csv"))(t)
	lines := strings.Split(strings.TrimSpace(string(source)), "\n")
	for _, row := range splits[0].Test {
		cells := strings.Split(lines[row+1], ",")
		for j := 5; j < 20; j++ { // the numbers
			cells[j] = strconv.Itoa(1000 * (j + row))
		}
		cells[2] = "M20"
		lines[row+1] = strings.Join(cells, ",")
	}
	dir := t.TempDir()
	must.OK(t, os.WriteFile(filepath.Join(dir, "other.csv"), []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	c := must.Get(config.Load("../../configs/machines.yaml"))(t)
	a := ran(t, c, filepath.Join(dir, "a"))
	c.Data.Source = must.Get(filepath.Abs(filepath.Join(dir, "other.csv")))(t)
	b := ran(t, c, filepath.Join(dir, "b"))
	if diff := cmp.Diff(contents(t, filepath.Join(dir, "a", "model")), contents(t, filepath.Join(dir, "b", "model"))); diff != "" {
		t.Errorf("the model differs:\n%s", diff)
	}
	if a.Data.Hash == b.Data.Hash || a.Metrics.Accuracy == b.Metrics.Accuracy {
		t.Error("the test rows were not changed, or not predicted anew")
	}
}

// The same config gives the same bytes, whatever GOMAXPROCS and the folder.
func TestRunIsDeterministic(t *testing.T) {
	for _, path := range shippedConfigs(t) {
		c := must.Get(config.Load(path))(t)
		dir := t.TempDir()
		ran(t, c, filepath.Join(dir, "a"))
		before := runtime.GOMAXPROCS(1)
		ran(t, c, filepath.Join(dir, "b"))
		runtime.GOMAXPROCS(before)
		if diff := cmp.Diff(contents(t, filepath.Join(dir, "a")), contents(t, filepath.Join(dir, "b"))); diff != "" {
			t.Errorf("%s: the files differ:\n%s", path, diff)
		}
	}
}

func shippedConfigs(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../../configs/*.yaml")
	if err != nil || len(paths) < 4 {
		t.Fatalf("configs: %v, %v", paths, err)
	}
	return paths
}

// The summaries of the configs that the project ships, as a terminal shows them.
func TestShippedConfigs(t *testing.T) {
	for _, path := range shippedConfigs(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			first, _, _ := strings.Cut(string(read(t, path)), "\n")
			if first != "# yaml-language-server: $schema=fspca.schema.json" {
				t.Errorf("the first line is %q", first)
			}
			c := must.Get(config.Load(path))(t)
			if c.Output.Dir != "out/"+name {
				t.Errorf("the output folder is %s", c.Output.Dir)
			}
			r := ran(t, c, filepath.Join(t.TempDir(), name))
			r.Dir = c.Output.Dir
			var b bytes.Buffer
			must.OK(t, r.WriteSummary(&b))
			golden.Check(t, filepath.Join("testdata", "summary", name+".txt"), b.Bytes())
		})
	}
}

func TestReportJSON(t *testing.T) {
	dir := t.TempDir()
	ran(t, parsed(t, wineConfig), dir)
	var report struct {
		Version int
		Type    string
		Seed    uint64
		Config  struct {
			Split struct {
				Test     float64
				Stratify bool
			}
			Steps []map[string]map[string]any
		}
		Versions  struct{ FSPCA, Go string }
		Data      struct{ Hash string }
		Selection struct{ Features []string }
		Metrics   struct {
			Accuracy float64
			MacroF1  float64           `json:"macro_f1"`
			PerClass []json.RawMessage `json:"per_class"`
			Matrix   struct{ Counts [][]int }
		}
		AllColumns struct{ Accuracy float64 } `json:"all_columns"`
	}
	must.OK(t, json.Unmarshal(read(t, filepath.Join(dir, "report.json")), &report))
	if report.Version != 1 || report.Type != "fspca.report" || report.Seed != 5 || report.Versions.Go != runtime.Version() || report.Versions.FSPCA == "" {
		t.Errorf("the head is %+v", report)
	}
	if report.Data.Hash != dataset.Hash(builtinFrame(t, "wine")) {
		t.Errorf("the hash is %q", report.Data.Hash)
	}
	if !report.Config.Split.Stratify || report.Config.Steps[1]["fspca"]["method"] != "ipu" || report.Config.Steps[2]["logistic"]["l2"] != 1.0 {
		t.Errorf("the defaults are not resolved: %+v", report.Config)
	}
	if len(report.Selection.Features) != 8 || report.Metrics.Accuracy == 0 || report.Metrics.MacroF1 == 0 || len(report.Metrics.PerClass) != 3 || report.AllColumns.Accuracy == 0 {
		t.Errorf("the results are %+v", report)
	}
}

// A report comes back from its JSON as it went.
func TestReportComesBack(t *testing.T) {
	for _, set := range [][]string{
		{"split={folds: 3}", "steps.fspca.bootstrap=5", "steps.fspca.deadline=1m"},
		{"steps.fspca.components={target: 0.5}", "steps.0=constant"},
		{"steps=[center, fspca: {features: {target: 0.8}, components: 2}]"},
	} {
		r := ran(t, parsed(t, wineConfig, set...), "")
		var b bytes.Buffer
		must.OK(t, r.WriteJSON(&b))
		back := new(Report)
		must.OK(t, json.Unmarshal(b.Bytes(), back))
		if diff := cmp.Diff(r, back, cmpopts.IgnoreFields(Report{}, "Pipeline", "Dir", "Files", "Mistakes"), cmpopts.IgnoreUnexported(Report{}), cmpopts.IgnoreFields(config.Config{}, "Dir"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%v: into JSON and back (-went +came):\n%s", set, diff)
		}
		if err := back.Config.Check(); err != nil {
			t.Errorf("%v: the config that came back: %v", set, err)
		}
	}
}

func TestRunMistakes(t *testing.T) {
	dir := t.TempDir()
	table := "a,b,c,y\n" + strings.Repeat("1,2,3,u\n2,1,5,v\n3,3,4,u\n", 4)
	for name, text := range map[string]string{
		"good.csv": table,
		"gaps.csv": table + "1,2,3,u\n1,,3,u\n",
		"text.csv": strings.ReplaceAll(table, ",3,", ",x,") + "1,x,3,u\n",
		"flat.csv": "a,b,c,y\n" + strings.Repeat("1,2,3,u\n1,2,3,v\n", 4),
		"one.csv":  "a,b,c,y\n" + strings.Repeat("1,2,3,u\n2,1,5,u\n3,3,4,u\n", 4),
	} {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	config := `version: 1
data: {source: good.csv, label: y}
split: {test: 0.3}
steps:
  - standardize
  - fspca: {features: 2, components: 1}
  - logistic
`
	tests := []struct {
		name string
		set  []string
		want []string
	}{
		{"no file", []string{"data.source=absent.csv"}, []string{"absent.csv"}},
		{"no label", []string{"data.label=z"}, []string{`"z"`, "good.csv"}},
		{"k above d", []string{"steps.fspca.features=4"}, []string{"step 2 (fspca): ", "4", "3"}},
		{"gaps", []string{"data.source=gaps.csv", "steps.0=center", "split={test: 0.1, stratify: false}"}, []string{"step 1 (center): ", "line 15,", `"b"`, "impute"}},
		{"mixed column", []string{"data.source=text.csv"}, []string{`"b"`, "categorical"}},
		{"text to fspca", []string{"data.source=text.csv", "data.categorical=[b, c]", "steps.0=center"}, []string{"step 2 (fspca): ", "b", "onehot"}},
		{"nothing varies", []string{"data.source=flat.csv"}, []string{"step 2 (fspca): ", "constant"}},
		{"one class", []string{"data.source=one.csv"}, []string{"step 3 (logistic): ", `"u"`}},
		{"too many folds", []string{"split={folds: 20}"}, []string{"split.folds is 20", "12"}},
		{"no image", []string{"output.shape=[2, 2]"}, []string{"output.shape", "4 pixels", "3 columns"}},
		{"too many neighbours", []string{"steps.2=knn: {k: 99}"}, []string{"step 3 (knn): ", "99"}},
		{"dropped column", []string{"data.drop=[d]"}, []string{`"d"`}},
		{"builtin label", []string{"data={source: 'builtin:iris', label: kind}"}, []string{`"kind"`, `"species"`}},
		{"builtin drop", []string{"data={source: 'builtin:iris', drop: [sepal_lenght]}"}, []string{"sepal_lenght", "sepal_length"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := parsed(t, config, test.set...)
			c.Dir = dir
			out := filepath.Join(t.TempDir(), "out")
			_, err := Run(context.Background(), c, Options{Out: out})
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q in it", err, want)
				}
			}
			if _, err := os.Stat(out); !os.IsNotExist(err) {
				t.Error("a run that failed left an output folder")
			}
		})
	}
}

// TestMistakesAreThoseOfRun: what Run refuses before it fits is found without a run.
func TestMistakesAreThoseOfRun(t *testing.T) {
	const config = "version: 1\ndata: {source: 'builtin:iris', label: species}\nsplit: {test: 0.3}\nsteps: [fspca: {features: 2, components: 1}]\n"
	for set, want := range map[string]string{
		"split={folds: 151}":               "split.folds is 151, and must be from 2 to the number of rows, 150",
		"split={group: kind}":              `split.group: no column "kind"`,
		"output={dir: x, shape: [2, 3]}":   "output.shape: an image of 2 × 3 has 6 pixels",
		"split={test: 0.3, repeats: 9999}": "",
	} {
		c := parsed(t, config, set)
		_, err := Mistakes(c, must.Get(c.ReadData())(t))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := filepath.Join(t.TempDir(), "out")
	var stages []Progress
	_, err := Run(ctx, parsed(t, wineConfig, "split={folds: 3}"), Options{Out: out, Progress: func(p Progress) {
		if stages = append(stages, p); len(stages) == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	want := []Progress{{"fold 1 of 3: chosen columns", 0, 10}, {"fold 1 of 3: all columns", 1, 10}, {"fold 1 of 3: baselines", 2, 10}}
	if diff := cmp.Diff(want, stages); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Error("an interrupted run left an output folder")
	}
}

func TestOutputFolder(t *testing.T) {
	c := parsed(t, wineConfig)
	bare := parsed(t, wineConfig, "steps=[standardize, {fspca: {features: 3, components: 2}}]")
	dir := filepath.Join(t.TempDir(), "out")
	put := func(name, text string) {
		t.Helper()
		must.OK(t, os.MkdirAll(dir, 0o777))
		must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	names := func() []string {
		var names []string
		for name := range contents(t, dir) {
			names = append(names, name)
		}
		slices.Sort(names)
		return names
	}
	refused := func(want string) {
		t.Helper()
		called := false
		_, err := Run(context.Background(), c, Options{Out: dir, Progress: func(Progress) { called = true }})
		if err == nil || !strings.Contains(err.Error(), want) || called {
			t.Errorf("got %v (called: %v), want %s before any work", err, called, want)
		}
	}

	put("thesis.txt", "years of work")
	refused(`holds "thesis.txt" and no report of an earlier run`)
	put("report.json", `{"type": "another program"}`)
	refused("no report of an earlier run")
	if diff := cmp.Diff(map[string]string{"thesis.txt": "years of work", "report.json": `{"type": "another program"}`}, contents(t, dir)); diff != "" {
		t.Fatalf("a refused folder was changed:\n%s", diff)
	}

	for name, text := range map[string]string{"predictions.csv": "mine", "report.html": "mine", "report.json": `{"type": "another program"}`} {
		must.OK(t, os.RemoveAll(dir))
		put(name, text)
		refused("no report of an earlier run") // its name alone does not make it a result
		if got := contents(t, dir)[name]; got != text {
			t.Fatalf("%s is %q now", name, got)
		}
	}
	must.OK(t, os.RemoveAll(dir))
	ran(t, c, dir)
	put("notes.txt", "mine")
	ran(t, bare, dir)
	want := []string{"model/1-standardize.json", "model/2-fspca.json", "model/manifest.json", "notes.txt", "projection.csv", "report.html", "report.json"}
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("after another run the folder holds %v, want %v", got, want)
	}

	// A run that was killed before its report leaves what the next may replace.
	for _, name := range []string{"report.json", "notes.txt"} {
		must.OK(t, os.Remove(filepath.Join(dir, name)))
	}
	ran(t, c, dir)

	must.OK(t, os.WriteFile(filepath.Join(dir, "model", "manifest.json"), []byte("{}"), 0o666))
	refused("holds no model")
}

// A run that cannot write leaves no folder that it made.
func TestRunLeavesNoEmptyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	c := parsed(t, strings.Replace(wineConfig, "features: 8", "features: 80", 1))
	if _, err := Run(context.Background(), c, Options{Out: dir}); err == nil {
		t.Fatal("no error")
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder: %v", err)
	}
	must.OK(t, os.Mkdir(dir, 0o777))
	if _, err := Run(context.Background(), c, Options{Out: dir}); err == nil {
		t.Fatal("no error")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("an empty folder that was there: %v, %v", entries, err)
	}
}

// What was found is not lost where it cannot be written.
func TestRunSavesElsewhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := &run{measurement: &measurement{ctx: t.Context(), data: builtinFrame(t, "wine"), final: &pipeline.Pipeline{}}} // which has nothing to save
	dir := filepath.Join(t.TempDir(), "results")
	o := must.Get(openOutput(dir))(t)
	var unwritten *OutputError
	if err := o.write(r, &Report{}); !errors.As(err, &unwritten) || unwritten.Saved != "" {
		t.Fatalf("got %v, want an *OutputError", err)
	}
	o.close()

	o = must.Get(openOutput(dir))(t)
	defer o.close()
	report := ran(t, parsed(t, wineConfig), "")
	building := filepath.Dir(o.to.Path("x")) // where no folder can be made now
	must.OK(t, errors.Join(os.RemoveAll(building), os.WriteFile(building, nil, 0o666)))
	again := &run{measurement: &measurement{ctx: t.Context(), data: builtinFrame(t, "wine"), final: report.Pipeline}}
	if err := o.write(again, &Report{}); !errors.As(err, &unwritten) || unwritten.Saved == "" {
		t.Fatalf("got %v, want an *OutputError with results saved", err)
	}
	if _, err := pipeline.LoadDir(filepath.Join(unwritten.Saved, "model")); err != nil {
		t.Error(err)
	}
}

// What goes wrong in rows that were held out is said of them, and how to allow it.
func TestRunUnseenLevel(t *testing.T) {
	dir := t.TempDir()
	rows := "c,w,y\n"
	for i := range 30 {
		rows += fmt.Sprintf("%c,%d,%d\n", 'a'+i%2, i*i%7, i%3%2)
	}
	rows += "rare,1,0\n"
	must.OK(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte(rows), 0o666))
	const text = "version: 1\ndata: {source: t.csv, label: y}\nsplit: {folds: 3}\nsteps: [onehot, fspca: {features: 3, components: 1}, knn]\n"
	c := parsed(t, text)
	c.Dir = dir
	_, err := Run(context.Background(), c, Options{})
	for _, want := range []string{"rows held out", `"rare"`, "unseen: ignore"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	c = parsed(t, text, "steps.onehot={unseen: ignore}")
	c.Dir = dir
	ran(t, c, "")
}

func TestSummaryOfWarnings(t *testing.T) {
	c := parsed(t, wineConfig, "split={folds: 4}", "steps.logistic.max_iterations=1")
	r := ran(t, c, "")
	if len(r.Warnings) != 9 {
		t.Fatalf("%d warnings, want one for each of 4·2 + 1 fits: %v", len(r.Warnings), r.Warnings)
	}
	var b bytes.Buffer
	must.OK(t, r.WriteSummary(&b))
	text := b.String()
	if strings.Count(text, "warning: ") != 3 || !strings.Contains(text, "\nand 6 warnings like these\n") || strings.Contains(text, "written to") {
		t.Errorf("the summary is\n%s", text)
	}
}

// TestSummaryNamesColumnsSafely: a column's name cannot move the cursor of the terminal that shows it.
func TestSummaryNamesColumnsSafely(t *testing.T) {
	wild := []string{"a\x1b[2Jb", "c\rd"}
	r := Report{Constant: wild, Flat: wild, Selection: &Selection{Features: wild}}
	var b strings.Builder
	must.OK(t, r.WriteSummary(&b))
	if text := b.String(); strings.ContainsAny(text, "\x1b\r") || strings.Count(text, `a\x1b[2Jb, c\rd`) != 3 {
		t.Errorf("%q", text)
	}
}
