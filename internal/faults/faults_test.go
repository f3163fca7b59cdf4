//go:build faults && linux

package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is the command under test.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "fspca-faults-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	program = filepath.Join(dir, "fspca")
	code := 1
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/fspca").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// called runs a program in a folder and returns its exit code, -1 after a signal, and what it said.
func called(dir, name string, args ...string) (code int, said string) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Minute
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return -2, err.Error()
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// must runs the command, which has to succeed.
func must(t *testing.T, dir string, args ...string) {
	t.Helper()
	if code, said := called(dir, program, args...); code != 0 {
		t.Fatalf("fspca %v: code %d: %s", args, code, said)
	}
}

// write writes a file of a test.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// table returns a small table as CSV.
func table(rows int) string {
	var b strings.Builder
	b.WriteString("a,b,c,d,y\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d,%d,%d.5,%c\n", i*7%11, i*5%13, i*i%17, i%3, 'p'+rune(i%2))
	}
	return b.String()
}

const config = `version: 1
data: {source: data.csv, label: y}
split: {test: 0.3}
steps:
  - standardize
  - fspca: {features: 2, components: 1}
  - knn
`

// content returns what a reader finds in a file or a folder, where links lead; hidden files and the
// names that skip lists are left out.
func content(path string, skip ...string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		text, _ := os.ReadFile(path)
		return string(text)
	}
	var b strings.Builder
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(skip, e.Name()) {
			fmt.Fprintf(&b, "[%s: %s]\n", e.Name(), content(filepath.Join(path, e.Name()), skip...))
		}
	}
	return b.String()
}

// litter lists what a killed command left beside its output.
func litter(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		if strings.Contains(e.Name(), ".new-") || strings.HasSuffix(e.Name(), ".tmp") {
			left = append(left, e.Name())
		}
	}
	return left
}

// command is one that writes: a first time, and then again with other results.
type command struct {
	name          string
	before, after []string // its arguments
	out           string
	skip          []string // files that tell of times
	prepare       func(t *testing.T, dir string)
}

func commands() []command {
	return []command{
		{name: "run", before: []string{"run", "c.yaml", "--out", "o"}, after: []string{"run", "c.yaml", "--out", "o", "--set", "split.seed=2"}, out: "o"},
		{name: "run with links", before: []string{"run", "c.yaml", "--out", "o"}, after: []string{"run", "c.yaml", "--out", "o", "--set", "split.seed=2"}, out: "o",
			prepare: func(t *testing.T, dir string) { // a folder of somebody else's cannot be swapped
				if err := os.MkdirAll(filepath.Join(dir, "o", "mine"), 0o777); err != nil {
					t.Fatal(err)
				}
			}},
		{name: "search", before: []string{"run", "s.yaml", "--out", "o"}, after: []string{"run", "s.yaml", "--out", "o", "--set", "split.seed=2"}, out: "o"},
		{name: "fit", before: []string{"fit", "data.csv", "--label", "y", "-k", "2", "-m", "1", "-o", "o.json"}, after: []string{"fit", "data.csv", "--label", "y", "-k", "3", "-m", "1", "-o", "o.json"}, out: "o.json"},
		{name: "transform", before: []string{"transform", "m.json", "data.csv", "-o", "o.csv"}, after: []string{"transform", "m.json", "more.csv", "-o", "o.csv"}, out: "o.csv"},
		{name: "transform to parquet", before: []string{"transform", "m.json", "data.csv", "-o", "o.parquet"}, after: []string{"transform", "m.json", "more.csv", "-o", "o.parquet"}, out: "o.parquet"},
		{name: "predict", before: []string{"predict", "p/model", "data.csv", "-o", "o.csv"}, after: []string{"predict", "p/model", "more.csv", "-o", "o.csv"}, out: "o.csv"},
		{name: "evaluate", before: []string{"evaluate", "m.json", "data.csv", "--report", "o.html"}, after: []string{"evaluate", "m.json", "more.csv", "--report", "o.html"}, out: "o.html"},
		{name: "report", before: []string{"fit", "data.csv", "--label", "y", "-k", "2", "-m", "1", "--report", "o.html"}, after: []string{"fit", "data.csv", "--label", "y", "-k", "3", "-m", "1", "--report", "o.html"}, out: "o.html"},
		{name: "certificate", before: []string{"fit", "data.csv", "--label", "y", "-k", "2", "-m", "1", "--effort", "exact", "--certificate", "o.json"}, after: []string{"fit", "data.csv", "--label", "y", "-k", "3", "-m", "1", "--effort", "exact", "--certificate", "o.json"}, out: "o.json"},
		{name: "path", before: []string{"path", "data.csv", "--label", "y", "-k", "1,2", "-m", "1", "--plot", "o.svg"}, after: []string{"path", "data.csv", "--label", "y", "-k", "1,2,3", "-m", "1", "--plot", "o.svg"}, out: "o.svg"},
		{name: "reproduce", before: []string{"reproduce", "convergence", "--out", "o"}, after: []string{"reproduce", "convergence", "--out", "o", "--seed", "2"}, out: "o",
			skip: []string{"timings.html", "timings.md", "time_experiments.csv"}},
	}
}

// home makes a folder with what the commands read.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data.csv"), table(60))
	write(t, filepath.Join(dir, "more.csv"), table(90))
	write(t, filepath.Join(dir, "c.yaml"), config)
	write(t, filepath.Join(dir, "s.yaml"), config+"search: {folds: 2, grid: {knn.k: [1, 3]}}\n")
	must(t, dir, "fit", "data.csv", "--label", "y", "-k", "2", "-m", "1", "--decoder", "-o", "m.json")
	must(t, dir, "run", "c.yaml", "--out", "p")
	return dir
}

// start puts the first results in place.
func (c *command) start(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, c.out)); err != nil {
		t.Fatal(err)
	}
	must(t, dir, c.before...)
	if c.prepare != nil {
		c.prepare(t, dir)
	}
}

// calls are the groups of system calls at each of which a command is killed. Files are opened very
// often: every few of them are enough.
var calls = []struct {
	names string
	most  int
}{
	{"rename,renameat,renameat2", 20}, {"unlink,unlinkat,rmdir", 25}, {"mkdir,mkdirat", 8}, {"fsync,fdatasync", 12},
	{"link,linkat", 6}, {"symlink,symlinkat", 8}, {"flock", 4}, {"ftruncate,fchmod", 4},
}

// TestKilledAtEachCall kills every command at its system calls: its output is the old one or the new
// one, and the next command works and leaves no litter.
func TestKilledAtEachCall(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed: nothing can be killed at a system call")
	}
	if code, said := called(t.TempDir(), strace, "-o", "/dev/null", "true"); code != 0 {
		t.Skipf("strace may not trace here: %s", said)
	}
	for _, c := range commands() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kills{t: t, c: c, dir: home(t), strace: strace}
			k.run()
			t.Logf("%s: %d kill points, %d old, %d new", c.name, k.points, k.old, k.new)
			if k.points == 0 {
				t.Error("no kill point was reached")
			}
		})
	}
}

// kills is one command that is killed again and again.
type kills struct {
	t                *testing.T
	c                command
	dir, strace      string
	first, second    string // what it writes
	points, old, new int
}

func (k *kills) state() string { return content(filepath.Join(k.dir, k.c.out), k.c.skip...) }

func (k *kills) run() {
	k.c.start(k.t, k.dir)
	k.first = k.state()
	must(k.t, k.dir, k.c.after...)
	k.second = k.state()
	if k.first == k.second || k.first == "" {
		k.t.Fatal("the command does not write two different things")
	}
	for _, call := range calls {
		for n := 1; n <= call.most; n++ {
			k.c.start(k.t, k.dir)
			if !k.kill(call.names, n) {
				break
			}
		}
	}
}

// kill kills the command at the n-th of some calls; false where there are not so many.
func (k *kills) kill(names string, n int) bool {
	args := append([]string{"-f", "-qq", "-o", "/dev/null", "-e", "trace=" + names, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", names, n), program}, k.c.after...)
	code, said := called(k.dir, k.strace, args...)
	if code == 0 {
		return false
	}
	k.points++
	switch k.state() {
	case k.first:
		k.old++
	case k.second:
		k.new++
	default:
		k.t.Errorf("killed at %s #%d: neither the old nor the new output: %s", names, n, said)
	}
	if code, said := called(k.dir, program, k.c.after...); code != 0 || k.state() != k.second {
		k.t.Errorf("after a kill at %s #%d the next command: code %d: %s", names, n, code, said)
	}
	if left := litter(k.t, k.dir); len(left) > 0 {
		k.t.Errorf("after a kill at %s #%d and another command there is %v", names, n, left)
	}
	return true
}

// TestFullDisk: where nothing more can be written, the old output stays.
func TestFullDisk(t *testing.T) {
	for _, c := range commands() {
		t.Run(c.name, func(t *testing.T) {
			dir := home(t)
			c.start(t, dir)
			first := content(filepath.Join(dir, c.out), c.skip...)
			args := append([]string{"-c", `ulimit -f 0; trap "" XFSZ; exec "$0" "$@"`, program}, c.after...)
			code, said := called(dir, "bash", args...)
			if code == 0 || code == 2 || !strings.Contains(said, "fspca: ") {
				t.Errorf("with no room for a file: code %d: %s", code, said)
			}
			if content(filepath.Join(dir, c.out), c.skip...) != first {
				t.Error("the old output is not what it was")
			}
			must(t, dir, c.after...)
			if left := litter(t, dir); len(left) > 0 {
				t.Errorf("there is %v", left)
			}
		})
	}
}

// TestFullFileSystem is TestFullDisk on a small file system, where that can be mounted.
func TestFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=600k"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	from := home(t)
	out := filepath.Join(dir, "o")
	must(t, from, "run", "c.yaml", "--out", out)
	first := content(out)
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer filler.Close()
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	code, said := called(from, program, "run", "c.yaml", "--out", out, "--set", "split.seed=2")
	if code != 1 || !strings.Contains(said, "no space left") {
		t.Errorf("code %d: %s", code, said)
	}
	if content(out) != first {
		t.Error("the old results are not what they were")
	}
	if err := filler.Truncate(0); err != nil {
		t.Fatal(err)
	}
	must(t, from, "run", "c.yaml", "--out", out, "--set", "split.seed=2")
}

// TestTwoRuns: of two runs into one folder the second says so.
func TestTwoRuns(t *testing.T) {
	dir := home(t)
	must(t, dir, "run", "c.yaml", "--out", "o")
	held, err := os.Open(filepath.Join(dir, "o"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil { // as a run holds it
		t.Fatal(err)
	}
	before := content(filepath.Join(dir, "o"))
	code, said := called(dir, program, "run", "c.yaml", "--out", "o", "--set", "split.seed=2")
	if code != 1 || !strings.Contains(said, "another run is writing to it") {
		t.Errorf("code %d: %s", code, said)
	}
	if content(filepath.Join(dir, "o")) != before {
		t.Error("the second run changed the folder")
	}
}
