//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/fspca/fspca/dataset"
)

// reading is what a child prints, and the memory that it took.
type reading struct {
	Seconds float64 `json:"seconds"`
	Rows    int     `json:"rows"`
	Columns int     `json:"columns"`
	cpu     float64 // seconds of all processors
	peak    int64
}

// readChild reads a file once, by our reader or by the standard library's.
func readChild(args []string) error {
	if len(args) != 2 {
		return errors.New("want a reader (dataset or encoding) and a file")
	}
	start := time.Now()
	var r reading
	switch args[0] {
	case "dataset":
		f, err := dataset.Read(args[1], dataset.ReadOptions{})
		if err != nil {
			return err
		}
		r.Rows, r.Columns = f.Numeric().Dims()
	case "encoding":
		x, columns, err := readStandard(args[1])
		if err != nil {
			return err
		}
		r.Rows, r.Columns = len(x)/columns, columns
	case "floats":
		x, err := readFloats(args[1])
		if err != nil {
			return err
		}
		r.Rows, r.Columns = len(x), 1
	default:
		return fmt.Errorf("no reader %q", args[0])
	}
	r.Seconds = time.Since(start).Seconds()
	return json.NewEncoder(os.Stdout).Encode(r)
}

// readStandard reads numbers by encoding/csv and strconv.
func readStandard(path string) (x []float64, columns int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	r := csv.NewReader(bufio.NewReaderSize(file, 1<<18))
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return nil, 0, err
	}
	columns = len(header)
	for {
		record, err := r.Read()
		if err == io.EOF {
			return x, columns, nil
		} else if err != nil {
			return nil, 0, err
		}
		for _, s := range record {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return nil, 0, err
			}
			x = append(x, v)
		}
	}
}

// readers are what is compared, each in a process of its own.
var readers = []string{"dataset", "encoding/csv", "pandas C", "fspca fit"}

func readerCommand(ctx context.Context, reader, self, fspca, path string) *exec.Cmd {
	switch reader {
	case "dataset":
		return exec.CommandContext(ctx, self, "readone", "dataset", path)
	case "encoding/csv":
		return exec.CommandContext(ctx, self, "readone", "encoding", path)
	case "pandas C":
		return exec.CommandContext(ctx, "/usr/bin/python3", "internal/research/bench/peers/read.py", path)
	}
	return exec.CommandContext(ctx, fspca, "fit", path, "-k", "10", "-m", "2")
}

// readOnce runs a command. The time of a fit is that of the whole command.
func readOnce(cmd *exec.Cmd, whole bool) (reading, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return reading{}, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	r := reading{Seconds: time.Since(start).Seconds()}
	if !whole {
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			return r, err
		}
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.peak = int64(usage.Maxrss) << 10
		r.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	return r, nil
}

// readingHead starts the section of docs/benchmarks.md about reading.
const readingHead = "\n## Reading CSV\n"

// cutReading cuts the section about reading out of the page; without one, it would
// stand before the projection.
func cutReading(page string) (before, section, after string) {
	before, rest, found := strings.Cut(page, readingHead)
	if !found {
		before, rest, _ = strings.Cut(page, "\n## Projection\n")
		return before, "", "\n## Projection\n" + rest
	}
	if i := strings.Index(rest, "\n## "); i >= 0 {
		return before, readingHead + rest[:i], rest[i:]
	}
	return before, readingHead + rest, ""
}

// readPage measures the readers, and puts the table into docs/benchmarks.md if all
// files were measured.
func readPage(ctx context.Context, dir string, rounds int, only, out string) error {
	var b strings.Builder
	if err := compareReaders(ctx, io.MultiWriter(&b, os.Stdout), dir, rounds, only); err != nil || only != "" {
		return err
	}
	path := filepath.Join(out, "benchmarks.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, _, after := cutReading(string(old))
	return os.WriteFile(path, []byte(before+readingHead+"\n"+b.String()+after), 0o644)
}

// build makes the command in a folder and returns its path.
func build(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "fspca")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/fspca").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// compareReaders measures all readers on all files, in alternation, and prints the
// table of docs/benchmarks.md.
func compareReaders(ctx context.Context, w io.Writer, dir string, rounds int, only string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fspca, err := build(ctx, dir)
	if err != nil {
		return err
	}
	havePandas := exec.CommandContext(ctx, "/usr/bin/python3", "-c", "import pandas").Run() == nil
	fmt.Fprintf(w, "Made by `make bench-read`: %d processors, %s; medians of %d first reads, each in a process of its own,\nthe readers in turn; \"÷\" is the ratio of medians, above 1 where ours is faster.\n\n", runtime.GOMAXPROCS(0), runtime.Version(), rounds)
	fmt.Fprintln(w, "| file | ours, ns a cell | encoding/csv ÷ ours | the same in processor time | pandas C ÷ ours | pandas C ÷ whole fit | table, MiB | peak of reading, MiB | peak of fit, MiB | at most 1.15 × table + 40 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, f := range textFiles {
		if only != "" && only != f.name {
			continue
		}
		path := f.path(dir)
		if err := f.write(path); err != nil {
			return err
		}
		got := map[string][]reading{}
		for range rounds {
			for _, reader := range readers {
				if reader == "pandas C" && !havePandas {
					continue
				}
				r, err := readOnce(readerCommand(ctx, reader, self, fspca, path), reader == "fspca fit")
				if err != nil {
					return err
				}
				got[reader] = append(got[reader], r)
			}
		}
		f.report(w, path, got)
	}
	if only != "" && only != "npy" {
		return nil
	}
	return compareArrays(ctx, w, self, dir, rounds)
}

func (f textFile) report(w io.Writer, path string, got map[string][]reading) {
	seconds, cpu, peak := map[string]float64{}, map[string]float64{}, map[string]int64{}
	for reader, all := range got {
		var s, c []float64
		for _, r := range all {
			s, c = append(s, r.Seconds), append(c, r.cpu)
			peak[reader] = max(peak[reader], r.peak)
		}
		seconds[reader], cpu[reader] = medianOf(s), medianOf(c)
	}
	ratio := func(of map[string]float64, reader, to string, wanted float64) string {
		if of[reader] == 0 {
			return "–"
		}
		text := fmt.Sprintf("%.1f", of[reader]/of[to])
		if wanted > 0 {
			text += fmt.Sprintf(" (wanted %.0f)", wanted)
		}
		return text
	}
	size := int64(0)
	if info, err := os.Stat(path); err == nil {
		size = info.Size() >> 20
	}
	fmt.Fprintf(w, "| %s, %d × %d, %d MiB | %.1f | %s | %s | %s | %s | %d | %d | %d | %.0f |\n", f.name, f.rows, f.cols, size,
		seconds["dataset"]*1e9/float64(f.rows*f.cols), ratio(seconds, "encoding/csv", "dataset", f.encoding), ratio(cpu, "encoding/csv", "dataset", 0),
		ratio(seconds, "pandas C", "dataset", f.pandas), ratio(seconds, "pandas C", "fspca fit", 3),
		f.table()>>20, peak["dataset"]>>20, peak["fspca fit"]>>20, 1.15*float64(f.table())/(1<<20)+40)
}
