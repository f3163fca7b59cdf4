package main

import (
	"fmt"
	"strings"
)

const (
	chartLines = 20 // of a path that are drawn; of more k every so many
	chartBar   = 56 // letters of a share of 100 %, so that a line has less than 80
)

// eighths are blocks of 1/8 to 7/8 of a letter.
var eighths = []rune("▏▎▍▌▋▊▉")

// drawChart draws a path with letters: for each k a bar for the share of PCA's variance that is
// kept. A mark at the bound on what any k columns keep.
func drawChart(b *strings.Builder, points []pathPoint, bounds []float64) {
	fmt.Fprintf(b, "\n%6s  share of what PCA explains, and | the most that k columns can keep\n", "k")
	every := (len(points) + chartLines - 1) / chartLines
	for i, p := range points {
		if i%every != 0 && i != len(points)-1 {
			continue
		}
		fmt.Fprintf(b, "%6d  %s %5.1f %%\n", p.K, bar(p.NormalizedExplainedVariance, bounds[i]), 100*p.NormalizedExplainedVariance)
	}
}

// bar draws a share, and a bound on it.
func bar(share, bound float64) string {
	steps := min(max(int(share*chartBar*8+0.5), 0), chartBar*8)
	cells := []rune(strings.Repeat("█", steps/8))
	if rest := steps % 8; rest > 0 {
		cells = append(cells, eighths[rest-1])
	}
	for len(cells) <= chartBar {
		cells = append(cells, ' ')
	}
	if at := min(max(int(bound*chartBar+0.5), (steps+7)/8), chartBar); bound > 0 {
		cells[at] = '|'
	}
	return string(cells)
}
