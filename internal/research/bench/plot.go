//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fspca/fspca/internal/chart"
)

// writeSweep writes sweep.csv and sweep.svg.
func writeSweep(dir string, points []*point) error {
	var csv strings.Builder
	csv.WriteString("k,fspca_seconds,fspca_steps,algorithm2_octave_seconds,algorithm2_octave_start_seconds\n")
	for _, p := range points {
		fmt.Fprintf(&csv, "%d,%.4f,%d,%.2f,%.2f\n", p.k, medianOf(p.own), p.steps, p.alg2, p.start)
	}
	if err := os.WriteFile(filepath.Join(dir, "sweep.csv"), []byte(csv.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "sweep.svg"), []byte(sweepPlot(points)), 0o644)
}

func sweepPlot(points []*point) string {
	series := func(name, style string, value func(*point) float64) chart.Series {
		s := chart.Series{Name: name, Style: style}
		for _, p := range points {
			if v := value(p); v > 0 {
				s.X, s.Y = append(s.X, float64(p.k)), append(s.Y, v)
			}
		}
		return s
	}
	lines := chart.Lines{
		Caption: "Time of a fit over k (scheme D, d = 5000, m = 10)",
		XLabel:  "k, columns chosen", YLabel: "seconds", LogX: true, LogY: true,
		Series: []chart.Series{
			series(fmt.Sprintf("fspca, ∝ k^%.2f", slope(points)), "first", func(p *point) float64 { return medianOf(p.own) }),
			series("Octave, Alg. 2", "third", func(p *point) float64 { return p.alg2 + p.start }),
			series("its steps alone", "second", func(p *point) float64 { return p.alg2 }),
		},
	}
	var b strings.Builder
	if err := lines.Write(&b, "Seconds of a fit by fspca and by Algorithm 2 in Octave, for k from 100 to 5000, on logarithmic axes."); err != nil {
		panic(err) // a builder takes everything
	}
	return b.String()
}
