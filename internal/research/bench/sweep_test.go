//go:build linux

package main

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/fspca/fspca/internal/golden"
	"github.com/fspca/fspca/internal/must"
)

// TestSweepPicture: docs/sweep.svg is what is drawn of docs/sweep.csv.
func TestSweepPicture(t *testing.T) {
	f := must.Get(os.Open("../../../docs/sweep.csv"))(t)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(t)
	var points []*point
	for _, row := range rows[1:] {
		var v [5]float64
		for i, text := range row {
			v[i] = must.Get(strconv.ParseFloat(text, 64))(t)
		}
		points = append(points, &point{k: int(v[0]), own: []float64{v[1]}, steps: int(v[2]), alg2: v[3], start: v[4]})
	}
	golden.Check(t, "../../../docs/sweep.svg", []byte(sweepPlot(points)))
}
