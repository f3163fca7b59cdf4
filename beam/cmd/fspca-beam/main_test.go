package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/spf13/pflag"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/must"
	"github.com/fspca/fspca/selector"
)

func TestMain(m *testing.M) {
	if isWorker(os.Args[1:]) {
		flag.Parse()
		beam.Init()
	}
	os.Exit(m.Run())
}

// command runs fspca-beam with arguments divided by white space.
func command(args string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(strings.Fields(args), &out, &errs)
	return code, out.String(), errs.String()
}

// shards writes the digits to 3 files and one, and returns their folder.
func shards(t *testing.T) string {
	t.Helper()
	f := must.Get(dataset.Builtin("digits"))(t)
	dir := t.TempDir()
	for s, b := range [][2]int{{0, 500}, {500, 501}, {501, 1797}, {0, 1797}} {
		rows := make([]int, 0, b[1]-b[0])
		for i := b[0]; i < b[1]; i++ {
			rows = append(rows, i)
		}
		name := fmt.Sprintf("part-%d.csv", s)
		if s == 3 {
			name = "all.csv"
		}
		var text bytes.Buffer
		must.OK(t, dataset.WriteCSV(&text, f.Subset(rows)))
		must.OK(t, os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o600))
	}
	return dir
}

// fspca runs the command of the module above.
func fspca(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"run", "./cmd/fspca"}, args...)...)
	cmd.Dir = "../../.."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("fspca %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestFit: fit, transform from the command line; fspca reads what comes of it, and writes the same.
func TestFit(t *testing.T) {
	dir := shards(t)
	model, out := filepath.Join(dir, "m.json"), filepath.Join(dir, "out")
	code, said, errs := command("fit " + dir + "/part-*.csv --label digit -k 10 -m 4 -o " + model)
	if code != 0 || !strings.Contains(said, "10 of 64 columns, 4 components") || errs != "" {
		t.Fatalf("%d %s%s", code, said, errs)
	}
	for bound, told := range map[string]bool{"quick": true, "none": false} {
		if _, said, _ := command("fit " + dir + "/part-*.csv --label digit -k 10 -m 4 --bound " + bound); strings.Contains(said, "best choice") != told {
			t.Errorf("--bound %s: %s", bound, said)
		}
	}
	for _, runner := range []string{"direct", "prism"} {
		again := filepath.Join(dir, runner+".json")
		if code, said, errs := command("fit " + dir + "/part-*.csv --label digit -k 10 -m 4 --json --runner=" + runner + " -o " + again); code != 0 || !strings.HasPrefix(said, "{") {
			t.Fatalf("%d %s%s", code, said, errs)
		}
		a, _ := os.ReadFile(model)
		b, _ := os.ReadFile(again)
		if !bytes.Equal(a, b) {
			t.Errorf("--runner=%s: another model", runner)
		}
	}
	if code, said, errs := command("transform " + model + " " + dir + "/part-*.csv --label digit -o " + out); code != 0 || said != "1797 rows of 3 shards written to "+out+"\n" {
		t.Fatalf("%d %s%s", code, said, errs)
	}
	got := must.Get(os.ReadFile(filepath.Join(out, "part-2.csv")))(t)
	if want := fspca(t, "transform", model, filepath.Join(dir, "part-2.csv"), "--label", "digit"); string(got) != want {
		t.Error("fspca transform gives another table")
	}
	whole := filepath.Join(dir, "whole.json")
	fspca(t, "fit", filepath.Join(dir, "all.csv"), "--label", "digit", "-k", "10", "-m", "4", "-o", whole)
	a, err1 := selector.LoadModel(model)
	b, err2 := selector.LoadModel(whole)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if strings.Join(a.Features(), " ") != strings.Join(b.Features(), " ") || a.Objective()-b.Objective() > 1e-9*b.Objective() || b.Objective()-a.Objective() > 1e-9*b.Objective() {
		t.Errorf("%v %v, want %v %v", a.Features(), a.Objective(), b.Features(), b.Objective())
	}
}

// TestWrong: what is wrong with the command line, the shards or the model is told before a job starts,
// all of it, and nothing is written.
func TestWrong(t *testing.T) {
	dir := shards(t)
	in, out := dir+"/part-*.csv", filepath.Join(dir, "m.json")
	for _, c := range []struct {
		args string
		want []string
	}{
		{"fit", []string{"SHARDS are missing", "-k (--features) is missing", "-m (--components) is missing: give a number, such as -m 5; --components-target finds it"}},
		{"fit " + in + " -k 3 -m 2 --bootstrap 5 --weight w", []string{"--bootstrap is not for shards", "--weight is not for shards"}},
		{"fit " + in + " -k 3 -m 2 --label digit --runner spork", []string{`--runner is "spork": want direct`}},
		{"fit " + in + " -k 3 -m 2 --label digit --runner universal", []string{"--endpoint"}},
		{"fit " + in + " -k 300 -m 2 --label digit", []string{"300", "64"}},
		{"fit " + in + " -k 3 -m 2 --label digit --include zz", []string{"zz"}},
		{"fit " + in + " -k 3 -m 2 --label digit --method qq", []string{"qq"}},
		{"fit " + in + " -k 3 -m 2 --label digit --job-deadline=-1s", []string{"--job-deadline is -1s"}},
		{"fit " + in + " -k 3 -m 2 --label digit -o " + dir + "/all.csv", []string{"holds something else than a model"}},
		{"fit " + dir + "/none*.csv -k 3 -m 2", []string{"no file fits"}},
		{"fit - -k 3 -m 2", []string{"standard input"}},
		{"transform", []string{"MODEL is missing"}},
		{"transform " + dir + "/all.csv", []string{"SHARDS are missing", "-o (--out) is missing"}},
		{"transform " + dir + "/no.json " + in + " -o " + dir + "/x", []string{"no.json"}},
		{"predict " + dir + "/all.csv " + in + " --check -o " + dir + "/x", []string{"--check is not for shards"}},
	} {
		*jobopts.Endpoint = "" // of the server in this process
		code, said, errs := command(c.args)
		if code != cli.ExitUsage || said != "" {
			t.Errorf("%s: exit code %d, %q, %s", c.args, code, said, errs)
		}
		for _, want := range c.want {
			if !strings.Contains(errs, want) {
				t.Errorf("%s: %q is not in %s", c.args, want, errs)
			}
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a model was written")
	}
}

// TestFlags: flags are those of the same command of fspca, but for what is about jobs and shards. What
// fspca has beside them is told, so that it finds its way here.
func TestFlags(t *testing.T) {
	own := "runner job-deadline temp groups endpoint environment_type environment_config ending verbose help"
	for _, cmd := range newRoot().Commands() {
		theirs := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`).FindAllStringSubmatch(fspca(t, cmd.Name(), "--help"), -1) {
			theirs[m[1]] = true
			if cmd.Flags().Lookup(m[1]) == nil && m[1] != "help" {
				t.Logf("%s: fspca has --%s too", cmd.Name(), m[1])
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !theirs[f.Name] && !slices.Contains(strings.Fields(own), f.Name) {
				t.Errorf("%s: fspca has no --%s", cmd.Name(), f.Name)
			}
		})
		for name := range notForShards {
			if cmd.Name() == "fit" && !theirs[name] {
				t.Errorf("fit: fspca has no --%s, which is refused", name)
			}
		}
	}
}
