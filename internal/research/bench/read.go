//go:build linux

package main

import (
	"bufio"
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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
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
	read := map[string]func(string) ([]float64, int, error){"dataset": readOurs, "encoding": readStandard, "floats": readFloats}[args[0]]
	if read == nil {
		return fmt.Errorf("no reader %q", args[0])
	}
	start := time.Now()
	x, columns, err := read(args[1])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(reading{Seconds: time.Since(start).Seconds(), Rows: len(x) / columns, Columns: columns})
}

// readOurs reads numbers by package dataset.
func readOurs(path string) (x []float64, columns int, err error) {
	f, err := dataset.Read(path, dataset.ReadOptions{})
	if err != nil {
		return nil, 0, err
	}
	raw := f.Numeric().RawMatrix()
	return raw.Data, raw.Cols, nil
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
var readers = []struct {
	name string
	args func(self, fspca, path string) []string
}{
	{"dataset", func(self, _, path string) []string { return []string{self, "readone", "dataset", path} }},
	{"encoding/csv", func(self, _, path string) []string { return []string{self, "readone", "encoding", path} }},
	{"pandas C", func(_, _, path string) []string {
		return []string{python, "internal/research/bench/peers/read.py", path}
	}},
	{"fspca fit", func(_, fspca, path string) []string { return []string{fspca, "fit", path, "-k", "10", "-m", "2"} }},
}

// readOnce runs a command. The time of a fit, which is whole, is that of the command.
func readOnce(ctx context.Context, args []string, whole bool) (r reading, err error) {
	var e *ended
	if whole {
		if e, err = execute(command(ctx, args), nil); err == nil {
			r.Seconds = e.seconds
		}
	} else {
		r, e, err = answer[reading](command(ctx, args))
	}
	if err == nil {
		r.cpu, r.peak = e.cpu, e.peak
	}
	return r, err
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
func readPage(ctx context.Context, opt options) error {
	var b strings.Builder
	if err := compareReaders(ctx, io.MultiWriter(&b, os.Stdout), opt); err != nil || opt.only != "" {
		return err
	}
	path := filepath.Join(opt.out, "benchmarks.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, _, after := cutReading(string(old))
	return os.WriteFile(path, []byte(before+readingHead+"\n"+b.String()+after), 0o644)
}

// compareReaders measures all readers on all files, in alternation, and prints the
// table of docs/benchmarks.md.
func compareReaders(ctx context.Context, w io.Writer, opt options) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fspca, err := build(ctx, opt.dir)
	if err != nil {
		return err
	}
	havePandas := exec.CommandContext(ctx, python, "-c", "import pandas").Run() == nil
	fmt.Fprintf(w, "Made by `make bench-read`: %d processors, %s; medians of %d first reads, each in a process of its own,\nthe readers in turn; \"÷\" is the ratio of medians, above 1 where ours is faster.\n\n", runtime.GOMAXPROCS(0), runtime.Version(), opt.rounds)
	fmt.Fprintln(w, "| file | ours, ns a cell | encoding/csv ÷ ours | the same in processor time | pandas C ÷ ours | pandas C ÷ whole fit | table, MiB | peak of reading, MiB | peak of fit, MiB | at most 1.15 × table + 40 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, f := range wanted(opt, textFiles, func(f textFile) string { return f.name }) {
		path := f.path(opt.dir)
		if err := unlessThere(path, func() error { return f.write(path) }); err != nil {
			return err
		}
		got := map[string][]reading{}
		for range opt.rounds {
			for _, reader := range readers {
				if reader.name == "pandas C" && !havePandas {
					continue
				}
				r, err := readOnce(ctx, reader.args(self, fspca, path), reader.name == "fspca fit")
				if err != nil {
					return err
				}
				got[reader.name] = append(got[reader.name], r)
			}
		}
		f.report(w, path, got)
	}
	if opt.only != "" && opt.only != "npy" {
		return nil
	}
	return compareArrays(ctx, w, self, opt)
}

func (f textFile) report(w io.Writer, path string, got map[string][]reading) {
	seconds, cpu, peak := map[string]float64{}, map[string]float64{}, map[string]int64{}
	for reader, all := range got {
		seconds[reader] = middle(all, func(r reading) float64 { return r.Seconds })
		cpu[reader] = middle(all, func(r reading) float64 { return r.cpu })
		peak[reader] = slices.Max(lists.Map(all, func(r reading) int64 { return r.peak }))
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
