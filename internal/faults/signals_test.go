//go:build faults && linux

package faults

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// signalled is a command on large data that a signal stops.
type signalled struct {
	name   string
	args   []string
	out    string // what it writes, "" for standard output alone
	keeps  bool   // it writes the best so far
	second bool   // its output differs from run to run: only that it is whole is checked
}

// large makes the data that take the commands a second or more.
func large(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	rows := func(path string, n, columns int, class bool) {
		var b bytes.Buffer
		for j := range columns {
			fmt.Fprintf(&b, "x%d,", j)
		}
		b.WriteString("y\n")
		for range n {
			common := rng.NormFloat64()
			for j := range columns {
				b.Write(strconv.AppendFloat(b.AvailableBuffer(), common*float64(j%5)+rng.NormFloat64(), 'g', 8, 64))
				b.WriteByte(',')
			}
			if fmt.Fprint(&b, rng.IntN(3)); class {
				b.WriteByte('c')
			}
			b.WriteByte('\n')
		}
		write(t, filepath.Join(dir, path), b.String())
	}
	rows("big.csv", 250_000, 20, true)
	rows("mid.csv", 40_000, 20, true)
	rows("few.csv", 3_000, 20, true)
	rows("wide.csv", 400, 2_000, true)
	chain := "version: 1\ndata: {source: %s, label: y}\nsplit: {%s}\nsteps:\n  - standardize\n  - fspca: {features: 8, components: 3}\n  - %s\n"
	for name, config := range map[string]string{
		"knn.yaml":    fmt.Sprintf(chain, "few.csv", "test: 0.3", "knn"),
		"forest.yaml": fmt.Sprintf(chain, "few.csv", "test: 0.3", "random_forest: {trees: 100}"),
		"none.yaml":   "version: 1\ndata: {source: few.csv, label: y}\nsteps:\n  - impute\n  - standardize\n  - fspca: {features: 8, components: 3}\n",
		"run.yaml":    fmt.Sprintf(chain, "big.csv", "test: 0.1", "logistic"),
		"search.yaml": fmt.Sprintf(chain, "few.csv", "folds: 3", "knn") + "search: {folds: 3, grid: {knn.k: [1, 3, 5, 7, 9, 11, 13, 15]}}\n",
		"folds.yaml":  fmt.Sprintf(chain, "mid.csv", "folds: 3", "decision_tree"),
	} {
		write(t, filepath.Join(dir, name), config)
	}
	must(t, dir, "fit", "few.csv", "--label", "y", "-k", "6", "-m", "3", "--decoder", "-o", "model.json")
	must(t, dir, "fit", "wide.csv", "--label", "y", "-k", "6", "-m", "3", "--ledger", "-o", "wide.json")
	for _, name := range []string{"knn", "forest", "none"} {
		must(t, dir, "run", name+".yaml", "--out", name)
	}
	return dir
}

func signalledCommands() []signalled {
	label := func(args ...string) []string { return append(args, "--label", "y") }
	return []signalled{
		{name: "fit", args: label("fit", "big.csv", "-k", "6", "-m", "3", "-o", "o.json"), out: "o.json", keeps: true},
		{name: "fit wide", args: label("fit", "wide.csv", "-k", "30", "-m", "10", "-o", "o.json", "--report", "o.html"), out: "o.json", keeps: true},
		{name: "fit bootstrap", args: label("fit", "few.csv", "-k", "6", "-m", "3", "--bootstrap", "3000", "-o", "o.json"), out: "o.json", keeps: true},
		{name: "fit exact", args: label("fit", "wide.csv", "-k", "5", "-m", "2", "--effort", "exact", "--deadline", "4s", "-o", "o.json"), out: "o.json", keeps: true, second: true},
		{name: "path", args: label("path", "wide.csv", "-m", "3", "-k", "5,10,15,20,25,30", "--plot", "o.svg", "--report", "o.html"), out: "o.svg", keeps: true},
		{name: "transform", args: label("transform", "model.json", "big.csv", "-o", "o.csv"), out: "o.csv"},
		{name: "transform pipeline", args: label("transform", "none/model", "big.csv", "-o", "o.parquet"), out: "o.parquet"},
		{name: "transform check", args: []string{"transform", "model.json", "big.csv", "--output", "reconstruction", "--check", "-o", "o.csv"}, out: "o.csv"},
		{name: "predict knn", args: label("predict", "knn/model", "big.csv", "-o", "o.csv"), out: "o.csv"},
		{name: "predict forest", args: label("predict", "forest/model", "big.csv", "-o", "o.csv"), out: "o.csv"},
		{name: "evaluate", args: label("evaluate", "model.json", "big.csv", "-o", "o.csv"), out: "o.csv"},
		{name: "evaluate pipeline", args: label("evaluate", "forest/model", "big.csv", "--report", "o.html"), out: "o.html"},
		{name: "run", args: []string{"run", "run.yaml", "--out", "o"}, out: "o"},
		{name: "run folds", args: []string{"run", "folds.yaml", "--out", "o"}, out: "o"},
		{name: "run search", args: []string{"run", "search.yaml", "--out", "o"}, out: "o"},
		{name: "validate", args: []string{"validate", "run.yaml"}},
		{name: "inspect", args: []string{"inspect", "wide.json", "--columns"}},
		{name: "verify", args: label("verify", "wide.json", "wide.csv")},
		{name: "reproduce", args: []string{"reproduce", "table2", "--runs", "3", "--out", "o"}, out: "o", keeps: true, second: true},
	}
}

var points = flag.Int("signals", 6, "signals sent to each command")

// TestSignals sends a signal to each command at points of its progress: bytes read, and processor
// time used. The output is the old one or, from then on with exit code 0 alone, the new one; what
// keeps the best so far may write that. How long the command takes to end is printed.
func TestSignals(t *testing.T) {
	dir := large(t)
	var lines []string
	for _, c := range signalledCommands() {
		t.Run(c.name, func(t *testing.T) {
			s := &stopped{t: t, c: c, dir: dir}
			s.measure()
			rng := rand.New(rand.NewPCG(7, uint64(len(c.name))))
			for i := range *points {
				s.stop([]syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}[i%3], i%2 == 0, rng.Float64())
			}
			slices.Sort(s.took)
			slices.Sort(s.work)
			if n := len(s.took); n > 0 {
				lines = append(lines, fmt.Sprintf("%-20s %3d signals, exit 0: %d, exit 1: %d, by the signal: %d; states: %d old, %d new; median %4d ms, largest %4d ms; of work %4d ms, %4d ms", c.name, n, s.codes[0], s.codes[1], s.codes[-1], s.old, s.new, s.took[n/2].Milliseconds(), s.took[n-1].Milliseconds(), s.work[n/2].Milliseconds(), s.work[n-1].Milliseconds()))
				t.Log(lines[len(lines)-1])
			}
		})
	}
	t.Logf("latency from the signal to the end of the process:\n%s", strings.Join(lines, "\n"))
}

// stopped is one command that is stopped again and again.
type stopped struct {
	t         *testing.T
	c         signalled
	dir       string
	whole     string          // its output
	read, cpu int64           // what it takes in all
	took      []time.Duration // from the signal to the end
	work      []time.Duration // processor time in between, which a busy machine does not lengthen
	codes     map[int]int
	old, new  int
}

func (s *stopped) start() (*exec.Cmd, *bytes.Buffer) {
	s.t.Helper()
	for _, left := range []string{"o", "o.json", "o.html", "o.svg", "o.csv", "o.parquet"} {
		if err := os.RemoveAll(filepath.Join(s.dir, left)); err != nil {
			s.t.Fatal(err)
		}
	}
	cmd := exec.Command(program, s.c.args...)
	cmd.Dir = s.dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	return cmd, &said
}

// measure runs the command to its end.
func (s *stopped) measure() {
	cmd, said := s.start()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		read, cpu, ok := used(cmd.Process.Pid)
		if ok {
			s.read, s.cpu = max(s.read, read), max(s.cpu, cpu)
		}
		select {
		case err := <-ended:
			if err != nil {
				s.t.Fatalf("%v: %v: %s", s.c.args, err, said)
			}
			s.codes = map[int]int{}
			if s.whole = content(filepath.Join(s.dir, s.c.out)); s.c.out == "" {
				s.whole = said.String()
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// stop sends the signal when the command has made a share of its progress.
func (s *stopped) stop(sig syscall.Signal, byBytes bool, share float64) {
	cmd, said := s.start()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var sent time.Time
	var before int64
	for sent.IsZero() {
		read, cpu, ok := used(cmd.Process.Pid)
		reached := byBytes && read >= int64(share*float64(s.read)) || !byBytes && cpu >= int64(share*float64(s.cpu))
		if ok && reached && read > 0 {
			sent, before = time.Now(), cpu
			if err := cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
				s.t.Fatal(err)
			}
			break
		}
		select {
		case <-ended: // it was faster this time
			return
		case <-time.After(500 * time.Microsecond):
		}
	}
	<-ended
	s.took = append(s.took, time.Since(sent))
	all := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	s.work = append(s.work, max(0, all-time.Duration(before)*tick))
	s.judge(sig, share, cmd.ProcessState.ExitCode(), said.String())
}

func (s *stopped) judge(sig syscall.Signal, share float64, code int, said string) {
	s.codes[code]++
	state := content(filepath.Join(s.dir, s.c.out))
	if s.c.out == "" {
		state = ""
	}
	what := fmt.Sprintf("%v at %.2f: code %d: %s", sig, share, code, said)
	switch whole := state == s.whole || s.c.second && state != ""; {
	case code != 0 && code != 1 && code != -1, strings.Contains(said, "panic"):
		s.t.Errorf("%s", what)
	case state == "" && (code != 0 || s.c.out == ""):
		s.old++
	case whole, s.c.keeps && code == 1 && strings.Contains(said, "interrupted"):
		s.new++
		if strings.HasSuffix(s.c.out, ".json") { // the best so far is a whole model
			must(s.t, s.dir, "inspect", s.c.out)
		}
	default:
		s.t.Errorf("%s: neither no output nor the whole of it", what)
	}
	if code == 1 && !strings.Contains(said, "interrupted") {
		s.t.Errorf("%s: does not say what happened", what)
	}
	if left := litter(s.t, s.dir); len(left) > 0 {
		s.t.Errorf("%s: there is %v", what, left)
	}
}

// tick is what the system counts processor time in.
const tick = 10 * time.Millisecond

// used returns the bytes that a process has read and the ticks of processor time of its threads.
func used(pid int) (read, cpu int64, ok bool) {
	io, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	stat, err2 := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, behind, found := bytes.Cut(stat, []byte(") "))
	fields := strings.Fields(string(behind))
	if err != nil || err2 != nil || !found || len(fields) < 14 {
		return 0, 0, false
	}
	_, _ = fmt.Sscanf(string(io), "rchar: %d", &read)
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return read, user + system, true
}
