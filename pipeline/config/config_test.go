package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fspca/fspca/internal/golden"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/internal/strict"
	"github.com/fspca/fspca/pipeline"
)

func configFiles(t *testing.T, sort string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "config", "*."+sort+".yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s configs: %v", sort, err)
	}
	return paths
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

func TestGoodConfigs(t *testing.T) {
	for _, path := range configFiles(t, "good") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			c := must.Get(Parse(filepath.Base(path), read(t, path)))(t)
			if err := c.Check(); err != nil {
				t.Errorf("the file is good, but not the config made of it: %v", err)
			}
			got := must.Get(json.MarshalIndent(c, "", "  "))(t)
			golden.Check(t, strings.TrimSuffix(path, "yaml")+"json", append(got, '\n'))
			back := new(Config)
			if err := json.Unmarshal(got, back); err != nil {
				t.Fatalf("out of JSON again: %v", err)
			}
			if diff := cmp.Diff(c, back); diff != "" {
				t.Errorf("into JSON and back (-went +came):\n%s", diff)
			}
			full := c.Resolve()
			text := must.Get(json.Marshal(full))(t)
			back = new(Config)
			must.OK(t, json.Unmarshal(text, back))
			if diff := cmp.Diff(full, back); diff != "" {
				t.Errorf("resolved, into JSON and back (-went +came):\n%s", diff)
			}
		})
	}
}

func TestBadConfigs(t *testing.T) {
	for _, path := range configFiles(t, "bad") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			c, err := Parse(filepath.Base(path), read(t, path))
			if err == nil {
				t.Fatalf("no error; got %+v", c)
			}
			golden.Check(t, strings.TrimSuffix(path, "yaml")+"txt", []byte(err.Error()+"\n"))
		})
	}
}

func TestConfigIsReadByLines(t *testing.T) {
	path := filepath.Join("testdata", "config", "holdout.good.yaml")
	want := must.Get(Parse("a", read(t, path)))(t)
	got := must.Get(Parse("a", append([]byte("\uFEFF"), bytes.ReplaceAll(read(t, path), []byte("\n"), []byte("\r\n"))...)))(t)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a byte order mark and CRLF change the config:\n%s", diff)
	}
}

func TestLoadConfigKnowsItsFolder(t *testing.T) {
	path := filepath.Join("testdata", "config", "folds.good.yaml")
	c := must.Get(Load(path))(t)
	if want := filepath.Dir(path); c.Dir != want {
		t.Errorf("Dir is %q, want %q", c.Dir, want)
	}
	if _, err := Load(filepath.Join("testdata", "absent.yaml")); !os.IsNotExist(err) {
		t.Errorf("absent file: %v", err)
	}
}

// A config is what people write: neither endless bytes nor endless lists.
func TestSizeIsLimited(t *testing.T) {
	const head, tail = "version: 1\ndata:\n  source: x.csv\n  drop: [", "]\nsteps: [center]\n"
	list := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "c%d, ", i)
		}
		return head + b.String() + tail
	}
	if _, err := Parse("c", []byte(list(90_000))); err != nil {
		t.Error(err)
	}
	if _, err := Parse("c", []byte(list(100_000))); err == nil || !strings.Contains(err.Error(), "at most 100000 entries are read") {
		t.Errorf("100000 names: %.200v", err)
	}
	if _, err := Parse("c", []byte("#"+strings.Repeat("x", 10_000_000))); err == nil || !strings.Contains(err.Error(), "a config at most 10000000") {
		t.Errorf("10 MB: %.200v", err)
	}
}

// FuzzParse looks for panics, for configs that pass once and not twice,
// and for mistakes without a place.
func FuzzParse(f *testing.F) {
	for _, sort := range []string{"good", "bad"} {
		paths, _ := filepath.Glob(filepath.Join("testdata", "config", "*."+sort+".yaml"))
		for _, path := range paths {
			b := must.Get(os.ReadFile(path))(f)
			f.Add(b, "split.seed=7")
			f.Add(b, "steps.fspca.features=30")
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, set string) {
		c, err := Parse("f", b, set)
		if err == nil {
			if err := c.Check(); err != nil {
				t.Fatalf("read without an error, but checked: %v", err)
			}
			return
		}
		problems := err.(*Error).Problems
		lines := 1
		for _, end := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} { // all of YAML's
			lines += bytes.Count(b, []byte(end))
		}
		for _, p := range problems {
			if p.Message == "" || p.Line < 0 || p.Line > lines || p.File == "" || (p.Line > 0) != (p.Column > 0) || p.Line == 0 && p.File == "f" {
				t.Fatalf("no place or message: %+v", p)
			}
		}
		if !slices.IsSortedFunc(problems, func(a, b Problem) int {
			if a.Line == 0 || b.Line == 0 {
				return 0
			}
			return (a.Line-b.Line)<<16 + a.Column - b.Column
		}) {
			t.Fatalf("not in order: %v", problems)
		}
	})
}

// The configs of the guide are good.
func TestGuideConfigs(t *testing.T) {
	blocks := strings.Split(string(read(t, filepath.Join("..", "..", "docs", "guide.md"))), "```yaml\n")[1:]
	if len(blocks) < 5 {
		t.Fatalf("%d configs in the guide", len(blocks))
	}
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		if _, err := Parse("guide.md", []byte(text)); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// TestGuideTellsEveryKey: the tables of the guide have every key of a config, every step and its options.
func TestGuideTellsEveryKey(t *testing.T) {
	rows := map[string]string{} // by each name in the first cell
	for line := range strings.Lines(string(read(t, filepath.Join("..", "..", "docs", "guide.md")))) {
		cells := strings.SplitN(line, "|", 3)
		if len(cells) < 3 || cells[0] != "" {
			continue
		}
		for i, name := range strings.Split(cells[1], "`") {
			if i%2 == 1 {
				rows[name] += cells[2]
			}
		}
	}
	tell := func(name string, options any) {
		row, ok := rows[name]
		if !ok {
			t.Errorf("the guide has no row for %s", name)
		}
		strict.Each(options, func(key string, _ reflect.Value) {
			if !strings.Contains(row, "`"+key+"`") && !strings.Contains(row, "`"+key+":") && key != "columns" { // that any step takes
				t.Errorf("the guide does not name %s of %s", key, name)
			}
		})
	}
	for _, k := range pipeline.Kinds() {
		tell(k.Name(), k.Options())
	}
	strict.Each(&Config{}, func(key string, _ reflect.Value) {
		if _, ok := rows[key]; !ok {
			t.Errorf("the guide has no row for the key %s", key)
		}
	})
	tell("data", &Data{})
	tell("split", &Split{})
	tell("output", &Output{})
	strict.Each(&Search{}, func(key string, _ reflect.Value) {
		if _, ok := rows[key]; !ok {
			t.Errorf("the guide has no row for search.%s", key)
		}
	})
}

// What a search gives values of need not be written in the step.
func TestGridSupplies(t *testing.T) {
	c := must.Get(Parse("c", []byte("version: 1\ndata: {source: 'builtin:wine'}\nsplit: {folds: 5}\nsteps: [fspca, knn]\nsearch: {grid: {fspca.features: [3, 4], fspca.components: [1]}}\n")))(t)
	text := must.Get(json.Marshal(c.Resolve()))(t)
	back := new(Config)
	must.OK(t, json.Unmarshal(text, back))
	if err := errors.Join(c.Check(), back.Check()); err != nil {
		t.Error(err)
	}
	if _, err := c.Pipeline(); err != nil {
		t.Error(err)
	}
}

// TestResolveKeepsForeignOptions: options of another step are a mistake that is told where the step is built, and no
// panic before.
func TestResolveKeepsForeignOptions(t *testing.T) {
	c := Config{Steps: []pipeline.Step{{Name: "knn", Options: &pipeline.LogisticStep{L1: 3}}}}
	if got := c.Resolve().Steps[0]; got != c.Steps[0] {
		t.Errorf("the step is %+v, want %+v", got, c.Steps[0])
	}
}
