package beam_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/pipeline/classifier"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/transformer"
)

// files returns the names and contents of all files below a folder.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[name] = string(data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all
}

// TestTransform: each shard gives the table that the model makes of it, the same bytes each time.
func TestTransform(t *testing.T) {
	ctx, f := context.Background(), digits(t)
	m := inMemory(t, f, selector.Options{Features: 10, Components: 4})
	for _, ending := range []string{".csv", ".parquet"} {
		dir := cut(t, f, 7, ending)
		out := filepath.Join(t.TempDir(), "out")
		in := table(dir, ending)
		done := must.Get(beam.Transform(ctx, in, beam.Model{Selection: m}, beam.Scores{Folder: out, Output: selector.Both}, beam.Options{}))(t)
		if done.Rows != f.Rows() || done.Shards != 7 || done.Empty != 0 {
			t.Errorf("%+v", done)
		}
		first := files(t, out)
		if len(first) != 7 {
			t.Errorf("%d files", len(first))
		}
		for name, text := range first {
			rows := must.Get(dataset.Read(filepath.Join(dir, name), dataset.ReadOptions{Only: m.Features(), Label: "digit", LabelOptional: true}))(t)
			want, err := m.Transform(rows, selector.Both)
			if err == nil {
				want, err = dataset.Assemble(want.Numeric(), append(want.Columns(), dataset.Column{Name: "digit", Factor: rows.Factor("digit")}), "", nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			must.OK(t, dataset.WriteAs(&b, name, want))
			if b.String() != text {
				t.Errorf("%s: another table", name)
			}
		}
		must.Get(beam.Transform(ctx, in, beam.Model{Selection: m}, beam.Scores{Folder: out, Output: selector.Both}, beam.Options{Runner: "direct"}))(t)
		for name, text := range files(t, out) {
			if first[name] != text {
				t.Errorf("%s: other bytes again", name)
			}
		}
	}
}

// TestPredict: each shard gives the predictions of the pipeline.
func TestPredict(t *testing.T) {
	ctx, f := context.Background(), digits(t)
	p, err := pipeline.New(
		pipeline.NamedStep{Name: "standardize", Transformer: new(transformer.Standardize)},
		pipeline.NamedStep{Name: "fspca", Transformer: selector.New(selector.Options{Features: 12, Components: 6, Output: selector.Projection})},
		pipeline.NamedStep{Name: "logistic", Classifier: new(classifier.Logistic)},
	)
	if err == nil {
		err = p.Fit(f)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := cut(t, f, 5, ".csv")
	must.OK(t, os.WriteFile(filepath.Join(dir, "empty.csv"), []byte(strings.Join(append(f.Names(), "digit"), ",")+"\n"), 0o600))
	out := filepath.Join(t.TempDir(), "out")
	done := must.Get(beam.Predict(ctx, table(dir, ".csv"), beam.Model{Pipeline: p}, beam.Scores{Folder: out}, beam.Options{}))(t)
	if done.Rows != f.Rows() || done.Empty != 1 || done.Shards != 6 {
		t.Errorf("%+v", done)
	}
	for name := range files(t, out) {
		rows := must.Get(dataset.Read(filepath.Join(dir, name), dataset.ReadOptions{Label: "digit"}))(t)
		want := must.Get(p.PredictFrame(rows))(t)
		got := must.Get(dataset.Read(filepath.Join(out, name), dataset.ReadOptions{Categorical: []string{"true", "predicted"}}))(t)
		for i := range rows.Rows() {
			if got.Factor("predicted").Text(i) != want.Predicted.Text(i) || got.Factor("true").Text(i) != rows.Class().Text(i) {
				t.Fatalf("%s, row %d: another prediction", name, i+1)
			}
			for j, level := range want.Predicted.Levels {
				if got.NumericNames()[j+1] != "p_"+level || got.Numeric().At(i, j+1) != want.Probabilities.At(i, j) || got.Numeric().At(i, 0) != float64(i+1) {
					t.Fatalf("%s, row %d: another probability of %s", name, i+1, level)
				}
			}
		}
	}
}

// TestStore: shards, parts and scores may lie in a file system of Beam's.
func TestStore(t *testing.T) {
	ctx, f := context.Background(), digits(t)
	dir := cut(t, f, 4, ".csv")
	for name, text := range files(t, dir) {
		memfs.Write("memfs://data/"+name, []byte(text))
	}
	in := beam.Table{Shards: []string{"memfs://data/*.csv"}, Read: dataset.ReadOptions{Label: "digit"}}
	o := beam.Options{Temp: "memfs://temp"}
	opt := selector.Options{Features: 10, Components: 4}
	got, want := fit(t, in, o, opt), fit(t, table(dir, ".csv"), beam.Options{}, opt)
	if !bytes.Equal(modelBytes(t, got), modelBytes(t, want)) {
		t.Error("another model")
	}
	m := beam.Model{Selection: got}
	must.Get(beam.Transform(ctx, in, m, beam.Scores{Folder: "memfs://out"}, o))(t)
	out := filepath.Join(t.TempDir(), "out")
	must.Get(beam.Transform(ctx, table(dir, ".csv"), m, beam.Scores{Folder: out}, beam.Options{}))(t)
	system := must.Get(filesystem.New(ctx, "memfs://out"))(t)
	for name, text := range files(t, out) {
		data, err := filesystem.Read(ctx, system, "memfs://out/"+name)
		if err != nil || string(data) != text {
			t.Errorf("%s: another table (%v)", name, err)
		}
	}
	for _, left := range []string{"memfs://temp/*", "memfs://temp/*/*"} {
		if found, err := system.List(ctx, left); err != nil || len(found) > 0 {
			t.Errorf("left behind: %v (%v)", found, err)
		}
	}
}

// TestFolders: shards of the same name in several folders keep these.
func TestFolders(t *testing.T) {
	f := digits(t)
	m := beam.Model{Selection: inMemory(t, f, selector.Options{Features: 5, Components: 2})}
	dir := cut(t, f, 2, ".csv")
	for i, day := range []string{"day=1", "day=2/hour=0"} {
		must.OK(t, os.MkdirAll(filepath.Join(dir, day), 0o700))
		must.OK(t, os.Rename(filepath.Join(dir, fmt.Sprintf("part-%02d.csv", i)), filepath.Join(dir, day, "part.csv")))
	}
	out := filepath.Join(t.TempDir(), "out")
	in := beam.Table{Shards: []string{filepath.Join(dir, "day=1/*"), filepath.Join(dir, "day=2/hour=0/part.csv")}}
	must.Get(beam.Transform(context.Background(), in, m, beam.Scores{Folder: out, Ending: ".csv.gz"}, beam.Options{}))(t)
	got := files(t, out)
	if len(got) != 2 || got["day=1/part.csv.gz"] == "" || got["day=2/hour=0/part.csv.gz"] == "" {
		t.Errorf("%d files", len(got))
	}
}

// TestScoresWhole: what fails or is in the way leaves everything as it was.
func TestScoresWhole(t *testing.T) {
	ctx, f := context.Background(), digits(t)
	m := beam.Model{Selection: inMemory(t, f, selector.Options{Features: 10, Components: 4})}
	dir := cut(t, f, 4, ".csv")
	in := table(dir, ".csv")
	parent := t.TempDir()
	out := filepath.Join(parent, "out")
	bad := filepath.Join(dir, "part-02.csv")
	text, err := os.ReadFile(bad)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(string(text), "\n", 3)
	must.OK(t, os.WriteFile(bad, []byte(lines[0]+"\n"+strings.ReplaceAll(lines[1], ",", "x,")+"\n"+lines[2]), 0o600))
	_, err = beam.Transform(ctx, in, m, beam.Scores{Folder: out}, beam.Options{})
	if err == nil || !strings.Contains(err.Error(), "part-02.csv:2: column") {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(parent); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	must.OK(t, os.WriteFile(bad, text, 0o600))
	must.OK(t, os.Mkdir(out, 0o700))
	must.OK(t, os.WriteFile(filepath.Join(out, "diary.txt"), []byte("dear"), 0o600))
	for _, c := range []struct {
		to   beam.Scores
		want string
	}{
		{beam.Scores{Folder: out}, "holds diary.txt"},
		{beam.Scores{Folder: dir}, "lies in"},
		{beam.Scores{Folder: filepath.Join(dir, "part-01.csv")}, "is a file"},
		{beam.Scores{}, "no folder"},
		{beam.Scores{Folder: filepath.Join(parent, "x"), Ending: ".mtx"}, "mtx"},
	} {
		if _, err := beam.Transform(ctx, in, m, c.to, beam.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.to, err, c.want)
		}
	}
	if got := files(t, parent); len(got) != 1 || got["out/diary.txt"] != "dear" {
		t.Errorf("left: %d files", len(got))
	}
	must.Get(beam.Transform(ctx, in, m, beam.Scores{Folder: out, Force: true}, beam.Options{}))(t)
	if got := files(t, parent); len(got) != 4 {
		t.Errorf("left: %d files", len(got))
	}
	if _, err := beam.Predict(ctx, in, m, beam.Scores{Folder: out}, beam.Options{}); err == nil || !strings.Contains(err.Error(), "cannot classify") {
		t.Errorf("got %v", err)
	}
}
