//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/solver"
)

// profile prints, for each large shape, the ten functions in which fits on one
// thread spend most of their time.
func profile(ctx context.Context, opt options) error {
	if err := makeData(opt.dir); err != nil {
		return err
	}
	w := os.Stdout
	runtime.GOMAXPROCS(1)
	for _, s := range wanted(opt, shapes, shape.String) {
		if opt.only == "" && s.n*s.d < 1e7 {
			continue
		}
		file := filepath.Join(opt.dir, "cpu.prof")
		fits, err := profiled(ctx, s.file(opt.dir), file)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n### (n, d) = %v, %d fits\n\n| function | share |\n|---|---|\n", s, fits)
		if err := topTen(ctx, w, file); err != nil {
			return err
		}
	}
	return nil
}

// profiled writes the profile of some seconds of fits and returns their number.
func profiled(ctx context.Context, data, file string) (fits int, err error) {
	f, err := dataset.Read(data, dataset.ReadOptions{})
	if err != nil {
		return 0, err
	}
	x := f.Numeric()
	out, err := os.Create(file)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	if err := pprof.StartCPUProfile(out); err != nil {
		return 0, err
	}
	defer pprof.StopCPUProfile()
	for start := time.Now(); time.Since(start) < 5*time.Second; fits++ {
		a, err := solver.NewData(x, solver.DataOptions{})
		if err != nil {
			return 0, err
		}
		if _, err := solver.Solve(ctx, a, solver.Params{Components: components, Features: features}); err != nil {
			return 0, err
		}
	}
	return fits, nil
}

// topTen prints the rows of a table from what go tool pprof says.
func topTen(ctx context.Context, w io.Writer, file string) error {
	e, err := execute(exec.CommandContext(ctx, "go", "tool", "pprof", "-top", "-nodecount=10", file), nil)
	if err != nil {
		return err
	}
	_, rows, _ := strings.Cut(string(e.out), "cum%\n")
	for line := range strings.Lines(rows) {
		// flat flat% sum% cum cum% name
		fields := strings.Fields(line)
		if len(fields) < 6 {
			continue
		}
		name := fields[5][strings.LastIndex(fields[5], "/")+1:]
		fmt.Fprintf(w, "| `%s` | %s |\n", name, fields[1])
	}
	return nil
}
