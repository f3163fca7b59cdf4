package main

import (
	"errors"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/must"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// places are the files that commands read and write. IN stands for what is read and also named by an
// output, in turn each of the inputs; FILE for each output.
var places = []struct {
	command string // FILE is where an output is given
	outputs []string
	inputs  []string
}{
	{"fit d.csv --label y -k 2 -m 1", []string{"-o", "--report"}, []string{"d.csv"}},
	{"fit d.csv --label y -k 2 -m 1 --effort exact", []string{"--certificate"}, []string{"d.csv"}},
	{"fit d.csv --label y -m 1 --cost c.csv --budget 2", []string{"-o", "--report"}, []string{"d.csv", "c.csv"}},
	{"fit d.csv --label y -k 2 -m 1 --align m.json --warm-start n.json", []string{"-o", "--report"}, []string{"m.json", "n.json"}},
	{"fit d.csv --label y -k 2 -m 1 --warm-start p/model", []string{"-o", "--report"}, []string{"p/model/manifest.json"}},
	{"fit x.mtx -k 1 -m 1", []string{"-o", "--report"}, []string{"x.mtx", "features.tsv", "barcodes.tsv"}},
	{"fit x.svm -k 1 -m 1 --names names.txt --id ids.txt", []string{"-o", "--report"}, []string{"x.svm", "names.txt", "ids.txt"}},
	{"path d.csv --label y -k 1,2 -m 1 --warm-start n.json", []string{"--plot", "--report"}, []string{"d.csv", "n.json"}},
	{"transform m.json d.csv", []string{"-o"}, []string{"m.json", "d.csv"}},
	{"transform p/model d.csv", []string{"-o"}, []string{"p/model/manifest.json", "d.csv"}},
	{"transform s.json x.svm --names names.txt", []string{"-o"}, []string{"s.json", "x.svm", "names.txt"}},
	{"predict p/model d.csv --label y", []string{"-o"}, []string{"p/model/manifest.json", "d.csv"}},
	{"evaluate m.json d.csv", []string{"-o", "--report"}, []string{"m.json", "d.csv"}},
	{"evaluate p/model d.csv --label y", []string{"--report"}, []string{"p/model/manifest.json", "d.csv"}},
	{"run c.yaml", []string{"--report"}, []string{"c.yaml", "d.csv", "t.csv", "c.csv"}},
	{"run c.yaml --out", []string{""}, []string{"c.yaml", "d.csv", "t.csv", "c.csv"}},
}

// ends are the endings that outputs ask for.
var ends = map[string]string{"-o": ".csv", "--report": ".html", "--plot": ".svg", "--certificate": ".json"}

// TestOutputDestroysNoInput: no output of a command may be a file that it reads, itself, by a hard link
// or by a symbolic one, whatever --force says. The input stays as it is.
func TestOutputDestroysNoInput(t *testing.T) {
	from := t.TempDir()
	t.Chdir(from)
	for name, text := range map[string]string{
		"d.csv": "a,b,c,y\n1,2,3,u\n2,1,5,v\n4,4,4,u\n0,3,1,v\n5,0,2,u\n1,1,7,v\n", "t.csv": "a,b,c,y\n1,2,3,u\n2,1,5,v\n",
		"c.csv": "column,cost\na,1\nb,1\nc,1\n", "names.txt": "a\nb\nc\n", "ids.txt": "r\ns\nt\n",
		"x.svm": "1 1:1 2:3\n0 1:2 3:1\n1 2:5 3:4\n", "features.tsv": "a\nb\nc\n", "barcodes.tsv": "r\ns\nt\nu\n",
		"x.mtx":  "%%MatrixMarket matrix coordinate real general\n3 4 5\n1 1 1\n2 2 2\n3 3 5\n1 4 2\n2 1 7\n",
		"c.yaml": "version: 1\ndata: {source: d.csv, label: y}\nsplit: {file: t.csv}\nsteps: [{fspca: {components: 1, cost: {file: c.csv, budget: 2}}}, knn: {k: 1}]\n",
		"p.yaml": "version: 1\ndata: {source: d.csv, label: y}\nsplit: {file: t.csv}\nsteps: [standardize, {knn: {k: 1}}]\n",
	} {
		must.OK(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for _, setup := range []string{"fit d.csv --label y -k 2 -m 1 --decoder -o m.json", "fit d.csv --label y -k 2 -m 1 -o n.json", "fit x.svm -k 2 -m 1 --names names.txt -o s.json", "run p.yaml --out p"} {
		if code, _, stderr := quiet(strings.Fields(setup)...); code != 0 {
			t.Fatalf("%s: %s", setup, stderr)
		}
	}
	tried := 0
	for _, p := range places {
		for _, output := range p.outputs {
			for _, input := range p.inputs {
				for _, way := range []string{"itself", "hard link", "symbolic link"} {
					tried += destroys(t, p.command, output, input, way)
				}
			}
		}
	}
	t.Logf("%d pairs and ways", tried)
}

// destroys runs a command with an output that is an input and returns 1, or 0 where there is no such way.
func destroys(t *testing.T, command, output, input, way string) int {
	t.Helper()
	before := must.Get(os.ReadFile(input))(t)
	target := input
	if output == "" { // a folder of results, of which one is the input
		target = filepath.Join("o", "predictions.csv")
		defer os.RemoveAll("o")
		must.OK(t, os.Mkdir("o", 0o700))
		if way == "itself" {
			return 0
		}
	} else if way != "itself" {
		target = "link" + ends[output]
		defer os.Remove(target)
	}
	if absolute, err := filepath.Abs(input); err == nil && way == "symbolic link" {
		must.OK(t, os.Symlink(absolute, target))
	} else if way == "hard link" {
		must.OK(t, os.Link(input, target))
	}
	args := strings.Fields(command)
	switch {
	case output == "":
		args = append(args, "o")
	case slices.Contains(args, "run"):
		args = append(args, output, target)
	default:
		args = append(args, output, target, "--force")
	}
	code, _, stderr := quiet(args...)
	if after, err := os.ReadFile(input); err != nil || string(after) != string(before) {
		t.Errorf("%s: the input %s, %s, is not what it was (%v)", strings.Join(args, " "), input, way, err)
	}
	if code != cli.ExitUsage || !strings.HasPrefix(stderr, "fspca: ") {
		t.Errorf("%s: code %d, stderr %q", strings.Join(args, " "), code, stderr)
	}
	return 1
}

// TestOutputsApart: two outputs of a command may not be one file.
func TestOutputsApart(t *testing.T) {
	t.Chdir(t.TempDir())
	must.OK(t, os.WriteFile("d.csv", []byte("a,b\n1,2\n2,1\n4,4\n"), 0o600))
	if err := os.Symlink("one.html", "two.html"); err != nil {
		t.Skip(err)
	}
	for _, pair := range [][2]string{{"one.html", "one.html"}, {"one.html", "./one.html"}, {"one.html", "two.html"}} {
		code, _, stderr := quiet("fit", "d.csv", "-k", "1", "-m", "1", "-o", pair[0], "--report", pair[1])
		if code != cli.ExitUsage || !strings.Contains(stderr, "is the same file as -o one.html") {
			t.Errorf("%v: code %d, %s", pair, code, stderr)
		}
	}
}

// noRoom is standard output on a disk that is full.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestUnprinted: what cannot be printed is a failure, help and completions too, which a library prints.
func TestUnprinted(t *testing.T) {
	for _, args := range []string{"", "help", "help fit", "fit --help", "--version", "version", "completion bash"} {
		var errs strings.Builder
		if code := run(strings.Fields(args), noRoom{}, &errs); code != cli.ExitFailure || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("fspca %s: code %d, %q", args, code, errs.String())
		}
	}
}
