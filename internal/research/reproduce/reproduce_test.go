package reproduce

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/must"
)

// read returns the contents of the files of a directory.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	out := map[string]string{}
	for _, e := range entries {
		b := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(t)
		out[e.Name()] = string(b)
	}
	return out
}

func mustRun(t *testing.T, o Options) (*Result, map[string]string) {
	t.Helper()
	o.OutDir = filepath.Join(t.TempDir(), "out")
	r := must.Get(Run(context.Background(), o))(t)
	return r, read(t, o.OutDir)
}

// The same bytes for any number of processors; what a clock says is apart.
func TestFilesAreTheSameEachTime(t *testing.T) {
	for _, what := range []string{"table2", "convergence"} {
		_, first := mustRun(t, Options{What: what, Runs: 2, Seed: 5})
		before := runtime.GOMAXPROCS(1)
		_, second := mustRun(t, Options{What: what, Runs: 2, Seed: 5})
		runtime.GOMAXPROCS(before)
		for name, content := range first {
			if !strings.HasPrefix(name, "tim") && second[name] != content {
				t.Errorf("%s: %s differs", what, name)
			}
		}
		if first["index.html"] == "" || first["results.md"] == "" || first["time_experiments.csv"] == "" {
			t.Errorf("%s: files are missing", what)
		}
	}
}

func TestTable2HasEveryCellAndItsClaimsHold(t *testing.T) {
	var steps []Progress
	r, files := mustRun(t, Options{What: "table2", Runs: 4, Seed: 1, Progress: func(p Progress) { steps = append(steps, p) }})
	lines := strings.Split(strings.TrimSpace(files["table2.csv"]), "\n")
	main := lists.Count(lines, func(l string) bool { return strings.HasPrefix(l, "main,") })
	if want := 6 * (5*3 + 2); main != want {
		t.Errorf("%d cells of the main reading, want %d", main, want)
	}
	if n := len(strings.Split(strings.TrimSpace(files["table2_trials.csv"]), "\n")); n != 1+4*6*(5*3+2) {
		t.Errorf("table2_trials.csv has %d lines", n)
	}
	for _, c := range r.Checks {
		if strings.HasPrefix(c.Claim, "Our best") || strings.HasPrefix(c.Claim, "Hit frequency") {
			if !c.Holds {
				t.Errorf("%s: %s", c.Claim, c.Detail)
			}
		}
	}
	if last := steps[len(steps)-1]; last.Done != last.Total {
		t.Errorf("progress ended at %d of %d", last.Done, last.Total)
	}
}

var (
	outside = regexp.MustCompile(`(src|href)="[^#]`)
	drawing = regexp.MustCompile(`(?s)<svg.*?</svg>`)
)

// The page needs no other file, and its drawings are well-formed.
func TestPageStandsAlone(t *testing.T) {
	_, files := mustRun(t, Options{What: "convergence"})
	page := files["index.html"]
	if found := outside.FindString(page); found != "" {
		t.Errorf("the page refers to something outside: %s", found)
	}
	if strings.Contains(page, "@import") || strings.Contains(page, "<script") || strings.Contains(page, "ZgotmplZ") {
		t.Error("the page imports, runs or censors something")
	}
	drawings := drawing.FindAllString(page, -1)
	if len(drawings) != 2 {
		t.Fatalf("%d drawings, want one for each width", len(drawings))
	}
	for _, svg := range drawings {
		for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, svg)
			}
		}
	}
}

func TestAbsentDataAreNamed(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		r, files := mustRun(t, Options{What: "convergence", DataDir: dir})
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "lymphoma_cov.npy") || !strings.Contains(r.Notes[0], "Alizadeh") {
			t.Errorf("notes %q", r.Notes)
		}
		if !strings.Contains(files["results.md"], "Left out: Lymphoma") {
			t.Error("results.md does not say what was left out")
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.OK(t, os.WriteFile(file, nil, 0o600))
	for _, tc := range []struct {
		o    Options
		want string
	}{
		{Options{What: "table3", OutDir: "x"}, `unknown experiment "table3": want one of table2, real, convergence, bound, time, all`},
		{Options{What: "table2", Runs: -1, OutDir: "x"}, "runs is -1"},
		{Options{What: "table2"}, "no directory to write to"},
		{Options{What: "real", OutDir: "x", DataDir: file}, "is a file"},
		{Options{What: "real", OutDir: "x", DataDir: file + "s"}, "no such file"},
	} {
		if _, err := Run(context.Background(), tc.o); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: error %v, want %q in it", tc.o, err, tc.want)
		}
	}
}

func TestCancelledRunLeavesNothingHalf(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	dir := filepath.Join(t.TempDir(), "out")
	_, err := Run(ctx, Options{What: "table2", Runs: 50, OutDir: dir, Progress: func(p Progress) {
		if p.Done == 20 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory was made for no result")
	}
}

// A folder is replaced as a whole; what is not ours stays, and two runs do not mix.
func TestFolderIsReplacedAtOnce(t *testing.T) {
	dir := t.TempDir()
	run := func(o Options) error {
		o.What, o.OutDir, o.Runs = "convergence", dir, 1
		_, err := Run(context.Background(), o)
		return err
	}
	page := filepath.Join(dir, "index.html")
	must.OK(t, os.WriteFile(page, []byte("mine"), 0o600))
	if err := run(Options{}); err == nil || !strings.Contains(err.Error(), `holds "index.html" and no time_experiments.csv`) {
		t.Errorf("a page of the user's: %v", err)
	}
	must.OK(t, errors.Join(os.Remove(page), os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o600), run(Options{})))
	var busy error
	must.OK(t, run(Options{Progress: func(Progress) {
		if busy == nil {
			busy = run(Options{})
		}
	}}))
	if busy == nil || !strings.Contains(busy.Error(), "another run is writing to it") {
		t.Errorf("a run beside another: %v", busy)
	}
	got := read(t, dir)
	if got["notes.txt"] != "mine" || got["index.html"] == "" || len(got) != 7 {
		t.Errorf("the folder holds %d files", len(got))
	}
}

// Every experiment names its CSV files: what it does not name would be lost.
func TestDataFilesAreNamed(t *testing.T) {
	for _, e := range experiments() {
		if e.timed || testing.Short() && e.name != "convergence" {
			continue
		}
		_, got := mustRun(t, Options{What: e.name, Runs: 1})
		for name := range got {
			base, isData := strings.CutSuffix(name, ".csv")
			if isData && name != markName && !slices.Contains(e.data, base) {
				t.Errorf("%s writes %s and does not name it", e.name, name)
			}
		}
		for _, name := range e.data {
			if got[name+".csv"] == "" && name != "bound_real" {
				t.Errorf("%s does not write %s.csv", e.name, name)
			}
		}
	}
}
