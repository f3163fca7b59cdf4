//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ratioRounds is how often each part of a ratio is measured, in turn; ratioText says it.
const ratioRounds = 5

// streamRatios compares fits of a file that the system's cache holds with what they are made of: one
// reading of its bytes, and the fit of rows that are in memory.
func streamRatios(ctx context.Context, binary, dir string, gigabytes float64) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(ratioText)
	for _, c := range streamCases {
		if c.ending != ".npy" || c.args[0] != "fit" {
			continue
		}
		line, err := c.ratio(ctx, self, binary, dir, gigabytes)
		if err != nil {
			return "", err
		}
		fmt.Fprint(os.Stderr, line)
		b.WriteString(line)
	}
	return b.String(), nil
}

const ratioText = `
## Beside reading and arithmetic

Medians of 5 rounds in turn. Arithmetic is the fit of the same rows in memory, in a process of its own. Reading is that of the
bytes of the file, once: through 1 MiB for the stream, into new memory for the fit in memory. The stream's ratio is its time ÷ (its
passes × the larger of reading and arithmetic ÷ its passes); that of the fit in memory is the time of the whole command ÷ (reading +
arithmetic). "Disk" is the file that the system's cache is made to forget again and again, as it does with one that is larger than it.

| file | rows × columns | GB | from | reading, s | arithmetic, s | stream, s | its passes | ratio (1.5 wanted) | into memory, s | fit in memory, s | ratio (1.2 wanted) |
|---|---|---|---|---|---|---|---|---|---|---|---|
`

// ratio writes a table and measures the parts in turn.
func (c streamCase) ratio(ctx context.Context, self, binary, dir string, gigabytes float64) (lines string, err error) {
	rows := int(gigabytes * 1e9 / (c.cell * float64(c.d)))
	path := filepath.Join(dir, "ratio"+c.ending)
	defer os.Remove(path)
	if err := c.write(path, rows); err != nil {
		return "", err
	}
	for _, from := range []string{"cache", "disk"} {
		var all []partTimes
		if from == "disk" {
			err = forgotten(path, func() (err error) { all, err = c.parts(ctx, self, binary, dir, path); return err })
		} else {
			all, err = c.parts(ctx, self, binary, dir, path)
		}
		if err != nil {
			return "", err
		}
		middle := func(of func(p partTimes) float64) float64 { return middle(all, of) }
		lines += fmt.Sprintf("| %s | %d × %d | %.2f | %s | %.2f | %.2f | %.2f | %.0f | %.2f | %.2f | %.2f | %.2f |\n", c.ending, rows, c.d, gigabytes, from,
			middle(func(p partTimes) float64 { return p.reading }), middle(func(p partTimes) float64 { return p.arithmetic }),
			middle(func(p partTimes) float64 { return p.stream }), middle(func(p partTimes) float64 { return p.passes }),
			middle(func(p partTimes) float64 { return p.stream / max(p.passes*p.reading, p.arithmetic) }),
			middle(func(p partTimes) float64 { return p.loading }), middle(func(p partTimes) float64 { return p.whole }),
			middle(func(p partTimes) float64 { return p.whole / (p.loading + p.arithmetic) }))
	}
	return lines, nil
}

// partTimes are seconds, of one round, and the passes of the stream.
type partTimes struct{ reading, loading, arithmetic, stream, whole, passes float64 }

// parts measures what a fit consists of, round by round.
func (c streamCase) parts(ctx context.Context, self, binary, dir, path string) (all []partTimes, err error) {
	args := append(slices.Clone(c.args), path, "--json", "--no-reconstruction", "-v", "--memory")
	for range ratioRounds {
		var p partTimes
		if p.reading, err = bytesRead(path); err != nil {
			return nil, err
		}
		loaded, err := readOnce(ctx, []string{self, "readone", "floats", path}, false)
		if err != nil {
			return nil, err
		}
		fit, _, err := answer[result](exec.CommandContext(ctx, self, "fit", path, "5", "20", "1")) // whose time is without reading
		if err != nil {
			return nil, err
		}
		blocks := &streamRun{}
		if err := blocks.measure(ctx, binary, dir, append(args, fmt.Sprintf("%dMiB", c.memory[0]))); err != nil {
			return nil, err
		}
		if p.passes, err = strconv.ParseFloat(blocks.passes, 64); err != nil {
			return nil, err
		}
		if p.whole, err = inMemory(ctx, binary, append(args, "16GiB")); err != nil {
			return nil, err
		}
		p.loading, p.arithmetic, p.stream = loaded.Seconds, fit.Seconds[0], blocks.seconds
		all = append(all, p)
	}
	return all, nil
}

// forgotten calls f while the system's cache is made to forget a file five times a second.
func forgotten(path string, f func() error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Sync(); err != nil { // what is not on the disk yet is not forgotten
		return err
	}
	ended, stopped := make(chan struct{}), make(chan struct{})
	defer func() { close(ended); <-stopped }()
	go func() {
		defer close(stopped)
		for {
			_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
			select {
			case <-ended:
				return
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	return f()
}

// inMemory returns how long a command takes that must not read in blocks.
func inMemory(ctx context.Context, binary string, args []string) (float64, error) {
	e, err := execute(exec.CommandContext(ctx, binary, args...), nil)
	if err != nil {
		return 0, err
	}
	if strings.Contains(e.said, "read in blocks") {
		return 0, fmt.Errorf("%s: it was read in blocks", strings.Join(args, " "))
	}
	return e.seconds, nil
}
