package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPathChart: no line has more than 79 letters, few lines, the last k always, and the mark of the
// bound never on the bar.
func TestPathChart(t *testing.T) {
	for _, n := range []int{2, 20, 21, 157} {
		points, bounds := make([]pathPoint, n), make([]float64, n)
		for i := range points {
			points[i].K, points[i].NormalizedExplainedVariance = i+1, float64(i+1)/float64(n)
			bounds[i] = min(1, points[i].NormalizedExplainedVariance+0.01)
		}
		var b strings.Builder
		drawChart(&b, points, bounds)
		lines := strings.Split(strings.Trim(b.String(), "\n"), "\n")
		if len(lines) > chartLines+2 || !strings.HasSuffix(lines[len(lines)-1], "100.0 %") {
			t.Errorf("%d k: %d lines, the last %q", n, len(lines), lines[len(lines)-1])
		}
		for _, line := range lines {
			if got := utf8.RuneCountInString(line); got > 79 {
				t.Errorf("%d letters: %q", got, line)
			}
		}
		for _, line := range lines[1:] {
			if strings.Count(line, "|") != 1 {
				t.Errorf("no bound in %q", line)
			}
		}
	}
	if got := bar(0.5, 0.5); strings.Count(got, "█") != chartBar/2 || utf8.RuneCountInString(got) != chartBar+1 {
		t.Errorf("half is %q", got)
	}
}
