//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/fspca/fspca/internal/lists"
)

// tool is one command of the comparison.
type tool struct {
	name    string
	args    func(s shape, repeats int) []string
	skips   func(s shape) bool
	repeats int // fits in one process, after which the first is not counted
}

const python = "/usr/bin/python3"

// tools returns the commands; self is this program.
func tools(self, dir string) []tool {
	m, k := strconv.Itoa(components), strconv.Itoa(features)
	r := func(what string) func(shape, int) []string {
		return func(s shape, repeats int) []string {
			return []string{"Rscript", "internal/research/bench/peers/irlba.R", s.file(dir), strconv.Itoa(s.n), strconv.Itoa(s.d), m, k, strconv.Itoa(repeats), what}
		}
	}
	slow := func(s shape) bool { return s.slow }
	return []tool{
		{"fspca", func(s shape, repeats int) []string {
			return []string{self, "fit", s.file(dir), m, k, strconv.Itoa(repeats)}
		}, nil, 4},
		{"scikit-learn PCA", func(s shape, repeats int) []string {
			return []string{python, "internal/research/bench/peers/pca.py", s.file(dir), m, strconv.Itoa(repeats)}
		}, nil, 4},
		{"NumPy FSPCA", func(s shape, repeats int) []string {
			return []string{python, "internal/research/bench/peers/fspca.py", s.file(dir), m, k, strconv.Itoa(repeats), s.route}
		}, nil, 4},
		{"RSpectra", r("rspectra"), nil, 2},
		{"irlba ssvd", r("ssvd"), nil, 1},
		{"scikit-learn SparsePCA", func(s shape, repeats int) []string {
			return []string{python, "internal/research/bench/peers/sparsepca.py", s.file(dir), m, strconv.Itoa(repeats)}
		}, slow, 1},
	}
}

// measurement is what one tool did at one shape with one number of threads.
type measurement struct {
	Tool   string
	Rounds [][]float64 // seconds, by round
	Last   result
	Failed string `json:",omitempty"`

	shape   shape
	threads int
}

// median returns the median over all counted fits.
func (m *measurement) median() float64 {
	return medianOf(slices.Concat(m.Rounds...))
}

// middle returns the median of a figure of each.
func middle[T any](all []T, of func(T) float64) float64 { return medianOf(lists.Map(all, of)) }

func medianOf(values []float64) float64 {
	v, n := slices.Sorted(slices.Values(values)), len(values)
	if n == 0 {
		return 0
	}
	return (v[(n-1)/2] + v[n/2]) / 2
}

// peers runs every tool at every shape, alternating within a round.
func peers(ctx context.Context, opt options) error {
	if err := makeData(opt.dir); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, s := range wanted(opt, shapes, shape.String) {
		for _, threads := range opt.threadsWanted() {
			ms, err := compare(ctx, tools(self, opt.dir), s, threads, opt.rounds)
			if err != nil {
				return err
			}
			if err := keep(keptFile(opt.dir, s, threads), ms); err != nil {
				return err
			}
		}
	}
	all, err := kept(opt.dir)
	if err != nil {
		return err
	}
	return writeTable(opt.out, all)
}

// keptFile is where the measurements of a shape wait for the others.
func keptFile(dir string, s shape, threads int) string {
	return fmt.Sprintf("%s/measured-%dx%d-%d.json", dir, s.n, s.d, threads)
}

// kept returns the newest measurements of every shape that has any.
func kept(dir string) ([]*measurement, error) {
	var all []*measurement
	for _, s := range shapes {
		for _, threads := range []int{1, 2} {
			ms, _, err := waiting[[]*measurement](keptFile(dir, s, threads))
			if err != nil {
				return nil, err
			}
			for _, m := range ms {
				m.shape, m.threads = s, threads
			}
			all = append(all, ms...)
		}
	}
	return all, nil
}

// keep writes what was measured to where it waits for the others.
func keep(path string, measured any) error {
	b, err := json.Marshal(measured)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}

// waiting returns what keep wrote, if there is any.
func waiting[T any](path string) (measured T, found bool, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return measured, false, nil
	} else if err != nil {
		return measured, false, err
	}
	return measured, true, json.Unmarshal(b, &measured)
}

func compare(ctx context.Context, tools []tool, s shape, threads, rounds int) ([]*measurement, error) {
	tools = lists.Where(tools, func(t tool) bool { return t.skips == nil || !t.skips(s) })
	ms := lists.Map(tools, func(t tool) *measurement { return &measurement{shape: s, Tool: t.name, threads: threads} })
	for round := range rounds {
		for i, t := range tools {
			if ms[i].Failed != "" || t.repeats == 1 && round >= 2 {
				continue // slow tools run twice
			}
			repeats := t.repeats
			if repeats > 1 && s.n*s.d <= 1e7 {
				repeats *= 10 // a fit of some milliseconds
			}
			r, err := once(ctx, t.args(s, repeats), threads)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				ms[i].Failed = err.Error()
				fmt.Fprintln(os.Stderr, err)
				continue
			}
			counted := r.Seconds
			if len(counted) > 1 {
				counted = counted[1:]
			}
			ms[i].Rounds, ms[i].Last = append(ms[i].Rounds, counted), r
			fmt.Fprintf(os.Stderr, "%v %d threads, round %d: %-22s %.4f s\n", s, threads, round+1, t.name, medianOf(counted))
		}
	}
	return ms, nil
}
