package main

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/fspca/fspca/internal/golden"
)

// TestSweepPicture: docs/sweep.svg is what is drawn of docs/sweep.csv.
func TestSweepPicture(t *testing.T) {
	f, err := os.Open("../../../docs/sweep.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var points []*point
	for _, row := range rows[1:] {
		var v [5]float64
		for i, text := range row {
			if v[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		points = append(points, &point{k: int(v[0]), own: []float64{v[1]}, steps: int(v[2]), alg2: v[3], start: v[4]})
	}
	golden.Check(t, "../../../docs/sweep.svg", []byte(sweepPlot(points)))
}
