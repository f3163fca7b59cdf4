//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/kernel"
)

// target is what the project wants to reach at a shape on two threads, and
// the share of the arithmetic floor on one.
var targets = map[string]struct{ pca, numpy, share float64 }{
	"(62, 4026)":    {2, 2, 0},
	"(2000, 500)":   {2, 1.5, 0.40},
	"(500, 20000)":  {4, 3, 0.45},
	"(100000, 784)": {5, 2, 0.60},
	"(20000, 5000)": {5, 4, 0.65},
}

// floor returns the seconds of eight passes with 16 columns at the peak rate
// of one core, in GFLOP/s.
func floor(s shape, peak float64) float64 { return 64 * 8 * float64(s.n) * float64(s.d) / (peak * 1e9) }

// writeTable writes benchmarks.md.
func writeTable(dir string, all []*measurement) error {
	peak := kernel.Peak(20_000_000)
	bandwidth := bestBandwidth()
	var b strings.Builder
	b.WriteString("# Benchmarks\n\nMade by `make bench-peers`; the numbers are of one machine on one day, and ratios hold better than times.\n\n")
	fmt.Fprintf(&b, "Machine: %s. A register-only loop of multiply-adds reaches %.0f GFLOP/s on one core; two cores read %.0f GB/s from memory.\n\n", machine(), peak, bandwidth)
	b.WriteString(`Data: 40 sparse factors of Zipf-like strength plus noise, fixed seed, m = 10, k = 100. Only the fit is timed; the data are in memory. The
tools run in turn, each in a process of its own, and the first fit of a process
is not counted. "×" is the tool's median time over fspca's: above 1, fspca is
faster. scikit-learn's PCA and RSpectra compute dense components only.

Memory is what the resident set grew by during the first fit. The floor is the
arithmetic of eight fused passes with 16 columns, 64·n·d·8 flop, at the rate
above.
`)
	for _, threads := range []int{1, 2} {
		fmt.Fprintf(&b, "\n## %d thread%s\n", threads, map[bool]string{true: "s"}[threads > 1])
		for _, s := range shapes {
			writeShape(&b, s, threads, all, peak)
		}
	}
	writeTargets(&b, all, peak)
	if old, err := os.ReadFile(filepath.Join(dir, "benchmarks.md")); err == nil {
		_, reading, _ := cutReading(string(old))
		b.WriteString(reading)
	}
	if err := writeRest(&b); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "benchmarks.md"), []byte(b.String()), 0o644)
}

func writeShape(b *strings.Builder, s shape, threads int, all []*measurement, peak float64) {
	own := find(all, s, threads, "fspca")
	if own == nil {
		return
	}
	fmt.Fprintf(b, "\n### (n, d) = %v\n\nfspca took the route *%s*, %d steps and %d passes over X", s, own.Last.Route, own.Last.Steps, own.Last.Passes)
	if threads == 1 {
		fmt.Fprintf(b, ", at %.0f %% of the floor's rate", 100*floor(s, peak)/own.median())
	}
	b.WriteString(".\n\n| tool | median s | × | min – max s | memory beyond X, MiB |\n|---|---|---|---|---|\n")
	for _, m := range all {
		if m.shape != s || m.threads != threads {
			continue
		}
		if m.Failed != "" || len(m.Rounds) == 0 {
			fmt.Fprintf(b, "| %s | failed | | | |\n", m.Tool)
			continue
		}
		times := slices.Concat(m.Rounds...)
		fmt.Fprintf(b, "| %s | %.4f | %.2f | %.4f – %.4f | %.0f |\n", m.Tool, m.median(), m.median()/own.median(), slices.Min(times), slices.Max(times), m.Last.ExtraMiB)
	}
}

// writeTargets sets what was wanted beside what was reached.
func writeTargets(b *strings.Builder, all []*measurement, peak float64) {
	b.WriteString("\n## Wanted and reached\n\n| (n, d) | scikit-learn PCA ÷ fspca, 2 threads | NumPy FSPCA ÷ fspca, 2 threads | share of the floor, 1 thread | 1 thread ÷ 2 threads | memory beyond X |\n|---|---|---|---|---|---|\n")
	for _, s := range shapes {
		own, one := find(all, s, 2, "fspca"), find(all, s, 1, "fspca")
		pca, numpy := find(all, s, 2, "scikit-learn PCA"), find(all, s, 2, "NumPy FSPCA")
		if own == nil || one == nil || pca == nil || numpy == nil {
			continue
		}
		t := targets[s.String()]
		share := "–"
		if t.share > 0 {
			share = fmt.Sprintf("%.0f %% (wanted %.0f %%)", 100*floor(s, peak)/one.median(), 100*t.share)
		}
		fmt.Fprintf(b, "| %v | %.1f (wanted %.1f) | %.1f (wanted %.1f) | %s | %.2f | %s |\n", s,
			pca.median()/own.median(), t.pca, numpy.median()/own.median(), t.numpy, share, one.median()/own.median(), memoryShare(s, own, one))
	}
}

// writeRest adds the projection, and what other commands measure.
func writeRest(b *strings.Builder) error {
	b.WriteString("\n## Projection\n\nA million rows of 100 columns on 10 components, with the mean subtracted, beside the\nrate at which the same memory can be read (`go run ./internal/research/bench project`):\n\n```\n")
	if err := project(b); err != nil {
		return err
	}
	b.WriteString("```\n" + `
## Over k

![Seconds of a fit over k, beside Algorithm 2 as written](sweep.svg)

Go and IPU from its support on a 5000×5000 covariance of the paper's scheme D, beside
Algorithm 2 as written, with a full eigen-decomposition in every step, in Octave
(` + "`make bench-sweep`, [numbers](sweep.csv)" + `). A_m is not unique there: times alone can be
compared.

## Where the time goes

See [profiles](profiles.md).
`)
	return nil
}

// memoryShare sets the memory that a fit takes beside what was wanted: 16 MiB,
// or a fifth of a large X.
func memoryShare(s shape, a, b *measurement) string {
	extra, x := max(a.Last.ExtraMiB, b.Last.ExtraMiB), float64(8*s.n*s.d)/(1<<20)
	if !s.slow {
		return fmt.Sprintf("%.0f MiB (wanted 16)", extra)
	}
	return fmt.Sprintf("%.0f %% of X (wanted 20 %%)", 100*extra/x)
}

func find(all []*measurement, s shape, threads int, tool string) *measurement {
	for _, m := range all {
		if m.shape == s && m.threads == threads && m.Tool == tool && len(m.Rounds) > 0 {
			return m
		}
	}
	return nil
}

// machine describes the processor and memory in words.
func machine() string {
	name, memory := runtime.GOARCH, ""
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if rest, ok := strings.CutPrefix(line, "model name"); ok {
				name = strings.TrimSpace(strings.TrimLeft(rest, "\t :"))
				break
			}
		}
	}
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kib int
		if _, err := fmt.Sscanf(string(b), "MemTotal: %d kB", &kib); err == nil {
			memory = fmt.Sprintf(", %d GiB", kib>>20)
		}
	}
	return fmt.Sprintf("%s, %d cores%s, kernels for %s, %s", name, runtime.NumCPU(), memory, kernel.Path(), runtime.Version())
}

func bestBandwidth() float64 {
	x := make([]float64, 1<<27)
	for i := range x {
		x[i] = 1
	}
	best := 0.0
	for range 5 {
		best = max(best, kernel.ReadBandwidth(x))
	}
	return best
}
