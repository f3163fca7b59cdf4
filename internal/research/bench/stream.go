//go:build linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// streamCase is a table that is larger than the memory that the command may take.
type streamCase struct {
	name   string // of the -only flag
	ending string
	d      int
	cell   float64 // bytes of a cell in the file
	memory []int64 // MiB, of the runs: the first with a tenth of the size
	args   []string
}

// streamCases: one pass that forms A, from numbers and from text, and passes of
// products where there are too many columns for that; new rows through a model.
var streamCases = []streamCase{
	{"npy", ".npy", 200, 8, []int64{512, 512, 1024}, []string{"fit", "-k", "20", "-m", "5"}},
	{"csv", ".csv", 200, 7, []int64{512, 512, 1024}, []string{"fit", "-k", "20", "-m", "5"}},
	{"wide", ".npy", 12000, 8, []int64{256, 256}, []string{"fit", "-k", "20", "-m", "5"}},
	{"transform", ".npy", 200, 8, []int64{256, 256}, []string{"transform"}},
	{"transform-csv", ".csv", 200, 7, []int64{256, 256}, []string{"transform"}},
}

// streamRun is one command over one file.
type streamRun struct {
	rows     int
	gigabyte float64
	seconds  float64
	cpu      float64   // seconds of the processors
	reading  float64   // seconds that reading the bytes of the file takes
	peak     float64   // MiB
	resident []float64 // MiB, again and again
	passes   string
	route    string // and why
}

// streams measures tables of a tenth of size gigabytes and of size, and writes
// benchmark-stream.md.
func streams(ctx context.Context, opt options) error {
	binary, err := build(ctx, opt.dir)
	if err != nil {
		return err
	}
	var table strings.Builder
	fmt.Fprintf(&table, "# Larger than memory\n\nMade by `make bench-stream`. Machine: %s.\n\n%s", machine(), streamText)
	table.WriteString("| command | file | rows × columns | GB | `--memory` | seconds | CPU, s | reading the file once, s | passes | peak RSS, MiB |\n|---|---|---|---|---|---|---|---|---|---|\n")
	log := "\n## Resident memory, and the route\n\nMiB at ten times equally far apart, from the start to the end of each run, and what `fit -v` says of the route.\n\n| command | file | rows × columns | RSS, MiB | route |\n|---|---|---|---|---|\n"
	for _, c := range streamCases {
		if opt.only != "" && !slices.Contains(strings.Split(opt.only, ","), c.name) {
			continue
		}
		lines, logged, err := c.measure(ctx, binary, opt)
		if err != nil {
			return err
		}
		table.WriteString(lines)
		log += logged
	}
	table.WriteString(log)
	if opt.only == "" || opt.only == "ratio" {
		ratios, err := streamRatios(ctx, binary, opt.dir, opt.size/5)
		if err != nil {
			return err
		}
		table.WriteString(ratios)
	}
	if opt.only != "" {
		_, err := io.WriteString(os.Stdout, table.String())
		return err
	}
	return os.WriteFile(filepath.Join(opt.out, "benchmark-stream.md"), []byte(table.String()), 0o644)
}

// measure runs a case at its sizes, and returns the lines of both tables.
func (c streamCase) measure(ctx context.Context, binary string, opt options) (lines, log string, err error) {
	var runs []*streamRun
	for i, memory := range c.memory {
		gigabytes := opt.size
		if i == 0 {
			gigabytes /= 10
		}
		r, err := c.run(ctx, binary, opt.dir, gigabytes, memory)
		if err != nil {
			return "", "", err
		}
		runs = append(runs, r)
		line := fmt.Sprintf("| %s | %s | %d × %d | %.2f | %d MiB | %.1f | %.1f | %.1f | %s | %.0f |\n", c.args[0], c.ending, r.rows, c.d, r.gigabyte, memory, r.seconds, r.cpu, r.reading, r.passes, r.peak)
		fmt.Fprint(os.Stderr, line)
		lines += line
		log += fmt.Sprintf("| %s | %s | %d × %d | %s | %s |\n", c.args[0], c.ending, r.rows, c.d, r.history(), r.route)
	}
	lines += fmt.Sprintf("| | | × %.1f | × %.1f | | × %.1f | × %.1f | | | |\n", float64(runs[1].rows)/float64(runs[0].rows), runs[1].gigabyte/runs[0].gigabyte, runs[1].seconds/runs[0].seconds, runs[1].cpu/runs[0].cpu)
	return lines, log, nil
}

const streamText = `Each table is read in blocks of rows; it has 40 sparse factors plus noise. Peak RSS is
what the system says of the process (` + "`VmHWM`" + `). The file was written just before, so
that as much of it as the system's cache holds comes from there; reading it once is
measured beside, in the same state. Text goes through a temporary file of 8 bytes a cell:
where both do not fit the cache, the time of the clock is the disk's. CPU is what the
command had of both processors, which other work on the machine changes less.

`

// run writes a table of so many gigabytes, runs the command over it, and removes it.
func (c streamCase) run(ctx context.Context, binary, dir string, gigabytes float64, memory int64) (*streamRun, error) {
	r := &streamRun{rows: int(gigabytes * 1e9 / (c.cell * float64(c.d)))}
	path := filepath.Join(dir, "stream"+c.ending)
	defer os.Remove(path)
	if err := c.write(path, r.rows); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	r.gigabyte = float64(info.Size()) / 1e9
	args := append(slices.Clone(c.args), path, "--memory", fmt.Sprintf("%dMiB", memory))
	if c.args[0] == "fit" {
		args = append(args, "--json", "--no-reconstruction", "-v")
	} else {
		model, result := filepath.Join(dir, "stream.json"), filepath.Join(dir, "result"+c.ending)
		defer os.Remove(model)
		defer os.Remove(result)
		if err := c.fitHead(ctx, binary, dir, model); err != nil {
			return nil, err
		}
		args = []string{"transform", model, path, "-o", result, "--memory", fmt.Sprintf("%dMiB", memory)}
	}
	if r.reading, err = bytesRead(path); err != nil {
		return nil, err
	}
	return r, r.measure(ctx, binary, dir, args)
}

// fitHead fits a model on the first rows of a table.
func (c streamCase) fitHead(ctx context.Context, binary, dir, model string) error {
	head := filepath.Join(dir, "head"+c.ending)
	defer os.Remove(head)
	if err := c.write(head, 2000); err != nil {
		return err
	}
	_, err := execute(exec.CommandContext(ctx, binary, "fit", head, "-k", "20", "-m", "5", "-o", model), nil)
	return err
}

// measure runs the command.
func (r *streamRun) measure(ctx context.Context, binary, dir string, args []string) error {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	e, err := execute(cmd, r.watch)
	if err != nil {
		return err
	}
	r.seconds, r.cpu = e.seconds, e.cpu
	if !strings.Contains(e.said, "read in blocks") {
		return fmt.Errorf("%s: it was not read in blocks: %s", strings.Join(args, " "), e.said)
	}
	r.passes, r.route = "1", "–"
	if args[0] == "fit" {
		r.passes, r.route = passesSaid(e.said), routeSaid(e.said)
	}
	return nil
}

// watch reads the peak of a process's resident set again and again, which only grows.
// (ru_maxrss would be that of this program, if that is larger: a child starts in its
// memory.)
func (r *streamRun) watch(pid int, end <-chan struct{}) {
	for {
		select {
		case <-end:
			return
		case <-time.After(20 * time.Millisecond):
		}
		if resident, peak, err := statusOf(strconv.Itoa(pid)); err == nil {
			r.resident, r.peak = append(r.resident, resident), max(r.peak, peak)
		}
	}
}

// history returns ten of the sizes seen, equally far apart.
func (r *streamRun) history() string {
	const shown = 10
	var b strings.Builder
	for i := range shown {
		if len(r.resident) > 0 {
			fmt.Fprintf(&b, "%.0f ", r.resident[i*(len(r.resident)-1)/(shown-1)])
		}
	}
	return strings.TrimSpace(b.String())
}

// routeSaid returns what a fit told of its route.
func routeSaid(said string) string {
	for line := range strings.Lines(said) {
		if _, rest, ok := strings.Cut(line, "route "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "–"
}

// passesSaid returns in how many passes a fit says that it read the rows.
func passesSaid(said string) string {
	_, rest, _ := strings.Cut(said, "the rows were read in ")
	number, _, _ := strings.Cut(rest, " ")
	return cmp.Or(number, "–")
}
