//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// kept is where the row of a shape waits for the others.
func (s denseShape) kept(dir string, threads int) string {
	return fmt.Sprintf("%s/dense-%s-%dx%d-m%d-%d.json", dir, s.kind(), s.n, s.d, s.m, threads)
}

// keptRows returns the rows of all shapes, and how many are not measured yet.
func keptRows(dir string, threads int) (rows []denseRow, missing int, err error) {
	for _, s := range denseShapes {
		row, found, err := waiting[denseRow](s.kept(dir, threads))
		switch {
		case err != nil:
			return nil, 0, err
		case found:
			rows = append(rows, row)
		default:
			missing++
		}
	}
	return rows, missing, nil
}

// writeDense writes benchmark-dense.md where all rows are there.
func writeDense(opt options) error {
	var sections strings.Builder
	var routes []denseRow
	for _, threads := range []int{1, 2} {
		rows, missing, err := keptRows(opt.dir, threads)
		if err != nil {
			return err
		}
		if missing > 0 {
			fmt.Fprintf(os.Stderr, "%d rows for %d thread(s) are not measured yet: the page stays\n", missing, threads)
			return nil
		}
		writeSection(&sections, rows, threads)
		routes = rows
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# The strongest dense PCA\n\nMade by `make bench-dense`. Machine: %s. A register-only loop of multiply-adds reaches %.0f GFLOP/s on one core; two cores read %.0f GB/s from memory.\n\n",
		machine(), kernel.Peak(20_000_000), bestBandwidth())
	if opt.note != "" {
		b.WriteString(opt.note + "\n\n")
	}
	b.WriteString(denseText + sections.String())
	b.WriteString("\n## Routes\n\n| (n, d) | route | passes over X | why |\n|---|---|---|---|\n")
	for i, row := range routes {
		fmt.Fprintf(&b, "| %v | %s | %d | %s |\n", denseShapes[i], row.Last.Route, row.Last.Passes, row.Last.Reason)
	}
	return os.WriteFile(filepath.Join(opt.out, "benchmark-dense.md"), []byte(b.String()), 0o644)
}

// writeSection writes the table for a number of threads.
func writeSection(b *strings.Builder, rows []denseRow, threads int) {
	b.WriteString(map[bool]string{
		false: "\n## One thread\n\nSeconds of the processor.\n\n",
		true:  "\n## Two threads\n\nSeconds of the clock.\n\n",
	}[threads > 1])
	b.WriteString("| (n, d) | paper's fit, s | default, s |")
	for _, w := range denseWays {
		fmt.Fprintf(b, " %s ÷ |", w.name)
	}
	b.WriteString(" best float64 ÷ paper's fit | ÷ default |\n|---|---|---|" + strings.Repeat("---|", len(denseWays)+2) + "\n")
	var paper, usual []float64
	for _, row := range rows {
		b.WriteString(row.Line)
		paper, usual = append(paper, row.Best), append(usual, row.Usual)
	}
	fmt.Fprintf(b, "\nOf %d rows the paper's fit is at least as fast as the best in %d, and 1.5 times as fast in %d; the default in %d and %d.\n",
		len(rows), reached(paper, 1), reached(paper, 1.5), reached(usual, 1), reached(usual, 1.5))
}

// reached counts the ratios from least on.
func reached(ratios []float64, least float64) int {
	return lists.Count(ratios, func(r float64) bool { return r >= least })
}

const denseText = `fspca chooses k columns and fits on them; the others compute m dense components, of the
same numbers in memory. The paper's fit is what they do for k columns: the components, the
choice by Algorithm 2, and its components, without a bound (--effort ipu --bound none). The default
also tries a few exchanges and proves an upper bound, which no other does.

Each cell is the other's median time over that of the paper's fit: above 1, fspca is faster.
The last two columns are the best float64 one over the paper's fit and over the default. One
whose components explain less than 99.9 % of what the exact ones do is in brackets and does
not count as the best: four power iterations are too few for a flat spectrum. The tools run
in turn, each in a process of its own, and its first fit is not counted. Times on one thread
are seconds of the processor, which other work on the machine hardly changes; on two they
are those of the clock. m = 10 and k = 100
where nothing else is said; "noise" has a flat spectrum. NumPy's and SciPy's OpenBLAS has as
many threads as fspca.

Where A or the Gram matrix has to be formed, both sides make the same multiplications near the
processor's peak, and the ratio cannot be far above 1. At (62, 4026) the pages of memory
that a new process asks for are some tenth of fspca's time.
`
