package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/must"
)

// newTables writes a table with numbers, categories, missing cells, names and labels as
// .csv, its numbers as .npy and .parquet, and its first rows for a fit. The last rows
// have what the first lack.
func newTables(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	const n, d = 45000, 30
	var text bytes.Buffer
	text.WriteString("name,kind,class")
	for j := range d {
		fmt.Fprintf(&text, ",x%d", j+1)
	}
	text.WriteByte('\n')
	state := uint64(7)
	var first int
	for i := range n {
		fmt.Fprintf(&text, "r%d,%s,", i, []string{"a", "b", "c"}[i*7%3])
		if i%11 != 5 || i < 300 {
			text.WriteString([]string{"u", "v"}[i/3%2])
		}
		for j := range d {
			state = state*6364136223846793005 + 1442695040888963407
			v := float64(state>>40)/1e6 + float64((i/3%2)*(j%5)) + float64(i%17)*float64(j%7)
			if j == d-1 && i%100 == 77 {
				text.WriteByte(',') // missing
			} else {
				fmt.Fprintf(&text, ",%.6g", v)
			}
		}
		text.WriteByte('\n')
		if i == 299 {
			first = text.Len()
		}
	}
	write := func(name string, b []byte) {
		must.OK(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	write("t.csv", text.Bytes())
	write("fit.csv", text.Bytes()[:first])
	f := must.Get(dataset.Read(filepath.Join(dir, "t.csv"), dataset.ReadOptions{Drop: []string{"name", "kind", "class", "x30"}}))(t)
	for _, name := range []string{"t.npy", "t.parquet", "t.npy.gz"} {
		var b bytes.Buffer
		must.OK(t, dataset.WriteAs(&b, name, f))
		write(name, b.Bytes())
	}
	return dir
}

// models fits a selection and pipelines on the first rows.
func fittedModels(t *testing.T, dir string) {
	t.Helper()
	do := func(args ...string) {
		if code, _, stderr := quiet(args...); code != 0 {
			t.Fatalf("%v: %s", args, stderr)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	do("fit", at("fit.csv"), "--drop", "name,kind,class,x30", "-k", "6", "-m", "3", "--standardize", "--decoder", "-o", at("model.json"))
	for name, steps := range map[string]string{
		"logistic": "  - impute: {columns: [x30]}\n  - onehot: {columns: [kind]}\n  - standardize\n  - fspca: {features: 16, components: 3, output: both}\n  - logistic\n",
		"tree":     "  - impute: {columns: [x30]}\n  - onehot: {columns: [kind]}\n  - decision_tree\n",
	} {
		config := "version: 1\ndata: {source: fit.csv, label: class, drop: [name]}\nsplit: {test: 0.2}\nsteps:\n" + steps
		must.OK(t, os.WriteFile(at(name+".yaml"), []byte(config), 0o600))
		do("run", at(name+".yaml"), "--out", at(name))
	}
}

// TestNewRowsInBlocks: what is made of rows that are read in blocks is, to the byte,
// what is made of rows in memory.
func TestNewRowsInBlocks(t *testing.T) {
	dir := newTables(t)
	fittedModels(t, dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range [][]string{
		{"transform", at("model.json"), at("t.csv"), "-o", "out.csv", "--id", "name", "--label", "class"},
		{"transform", at("model.json"), at("t.npy"), "-o", "out.npy"},
		{"transform", at("model.json"), at("t.npy.gz"), "--output", "both"},
		{"transform", at("model.json"), at("t.parquet"), "-o", "out.parquet", "--output", "both"},
		{"transform", at("model.json"), at("t.npy"), "-o", "out.csv.gz", "--output", "reconstruction"},
		{"transform", at("logistic/model"), at("t.csv"), "-o", "out.parquet", "--id", "name"},
		{"predict", at("logistic/model"), at("t.csv"), "-o", "out.csv", "--id", "name", "--label", "class"},
		{"predict", at("tree/model"), at("t.csv"), "-o", "out.parquet"},
		{"evaluate", at("logistic/model"), at("t.csv"), "--label", "class", "--json"},
		{"evaluate", at("model.json"), at("t.npy"), "-o", "out.csv", "--json"},
		{"evaluate", at("model.json"), at("t.csv"), "--weight", "x3", "-o", "out.csv", "--id", "name"},
	} {
		made := func(memory string) (stdout, stderr string, file []byte) {
			args := append([]string{}, c...)
			out := ""
			for i, a := range args {
				if a == "-o" {
					out = at(memory + args[i+1])
					args[i+1] = out
				}
			}
			code, stdout, stderr := alone(t, append(args, "--memory", memory)...)
			if code != 0 {
				t.Fatalf("%v: code %d, %s", args, code, stderr)
			}
			if out != "" {
				file = must.Get(os.ReadFile(out))(t)
			}
			return stdout, stderr, file
		}
		stdout, stderr, file := made("4GiB")
		gotOut, gotErr, gotFile := made("64MiB")
		if gotOut != stdout || !bytes.Equal(gotFile, file) {
			t.Errorf("%v: %d and %d bytes, want %d and %d", c, len(gotOut), len(gotFile), len(stdout), len(file))
		}
		if strings.Contains(stderr, "in blocks") || !strings.Contains(gotErr, "read in blocks of ") || !strings.HasSuffix(gotErr, stderr) {
			t.Errorf("%v: said %q, and in memory %q", c, gotErr, stderr)
		}
	}
}

// TestNewRowsThatChange: a file that is cut or written to while it is read is an error
// that says so, and nothing is written. So are missing cells, and what needs all rows.
func TestNewRowsThatChange(t *testing.T) {
	dir := newTables(t)
	fittedModels(t, dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	defer func(before func(int)) { blockDone = before }(blockDone)
	whole := must.Get(os.ReadFile(at("t.npy")))(t)
	for want, change := range map[string]func() error{
		"bytes and has":             func() error { return os.Truncate(at("t.npy"), int64(len(whole)/2)) },
		"was written to before row": func() error { return os.WriteFile(at("t.npy"), whole, 0o600) },
	} {
		must.OK(t, os.WriteFile(at("t.npy"), whole, 0o600))
		blockDone = func(from int) {
			if from > 0 {
				return
			}
			if err := change(); err != nil {
				t.Error(err)
			}
		}
		code, stdout, stderr := quiet("transform", at("model.json"), at("t.npy"), "-o", at("out.npy"), "--memory", "64MiB")
		if code == 0 || stdout != "" || !strings.Contains(stderr, "t.npy: ") || !strings.Contains(stderr, want) {
			t.Errorf("code %d, stdout %q, stderr %q, want %q", code, stdout, stderr, want)
		}
		left, err := filepath.Glob(at("*out.npy*"))
		hidden, _ := filepath.Glob(at(".out*"))
		if err != nil || len(left)+len(hidden) > 0 {
			t.Errorf("%v and %v are there (%v)", left, hidden, err)
		}
	}
	blockDone = func(int) {}
	for want, args := range map[string][]string{
		"x30\": 450":       {"transform", at("missing.json"), at("t.csv")},
		"--check":          {"transform", at("model.json"), at("t.npy"), "--check"},
		"is too small for": {"transform", at("model.json"), at("t.npy"), "--check"},
	} {
		if strings.Contains(want, "x30") {
			if code, _, stderr := quiet("fit", at("fit.csv"), "--drop", "name,kind,class", "--impute", "mean", "--include", "x30", "-k", "6", "-m", "3", "-o", at("missing.json")); code != 0 {
				t.Fatal(stderr)
			}
		}
		code, stdout, stderr := alone(t, append(args, "--memory", "64MiB")...)
		if code == 0 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%v: code %d, stdout %.100q, stderr %q, want %q", args, code, stdout, stderr, want)
		}
	}
}

// TestMissingInBlocks: an error about missing cells counts those of the rows that were read, and says how many these
// are, also where a block behind the first has the first of them.
func TestMissingInBlocks(t *testing.T) {
	dir := newTables(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	lines := bytes.SplitAfter(must.Get(os.ReadFile(at("t.csv")))(t), []byte("\n"))
	must.OK(t, os.WriteFile(at("short.csv"), bytes.Join(lines[:70], nil), 0o600))
	config := "version: 1\ndata: {source: short.csv, label: class, drop: [name, kind]}\nsplit: {test: 0.2}\nsteps: [standardize, decision_tree]\n"
	must.OK(t, os.WriteFile(at("short.yaml"), []byte(config), 0o600))
	if code, _, stderr := quiet("run", at("short.yaml"), "--out", at("short")); code != 0 {
		t.Fatal(stderr)
	}
	first := bytes.Join(lines[1:70], nil) // in which no cell is missing
	later := slices.Concat(lines[0], bytes.Repeat(first, 650), bytes.Join(lines[1:200], nil))
	must.OK(t, os.WriteFile(at("later.csv"), later, 0o600))
	counted := regexp.MustCompile(`(\d+) numeric cells? of (the first )?(\d+) rows (is|are) missing`)
	for name, want := range map[string]func(rows int) int{
		"t.csv":     func(rows int) int { return (rows + 22) / 100 },
		"later.csv": func(rows int) int { return (rows - 650*69 + 22) / 100 },
	} {
		var blocks, rows, cells int
		code, stdout, stderr := alone(t, "predict", at("short/model"), at(name), "-o", at("out.csv"), "--memory", "64MiB")
		_, said, _ := strings.Cut(stderr, "read in blocks of ")
		if _, err := fmt.Sscanf(said, "%d rows", &blocks); err != nil || code == 0 || stdout != "" {
			t.Fatalf("%s: code %d, %s", name, code, stderr)
		}
		if found := counted.FindStringSubmatch(stderr); found != nil {
			cells, rows = must.Get(strconv.Atoi(found[1]))(t), must.Get(strconv.Atoi(found[3]))(t)
		}
		if cells != want(rows) || cells == 0 || name == "t.csv" && rows != blocks || name == "later.csv" && rows <= blocks {
			t.Errorf("%s: blocks of %d rows, %d cells of %d rows, want %d: %s", name, blocks, cells, rows, want(rows), stderr)
		}
	}
}
