package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fspca/fspca/internal/must"
)

func TestTicks(t *testing.T) {
	for _, tc := range []struct {
		got, want []float64
	}{
		{linearTicks(0, 1, 5), []float64{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}},
		{linearTicks(-0.4, 30.9, 8), []float64{0, 5, 10, 15, 20, 25, 30}},
		{linearTicks(31000, 37500, 6), []float64{31000, 32000, 33000, 34000, 35000, 36000, 37000}},
		{logTicks(-2.2, 0.1), []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1}},
		{logTicks(-3.1, 1.1), []float64{0.001, 0.01, 0.1, 1, 10}},
	} {
		if d := cmp.Diff(tc.want, tc.got); d != "" {
			t.Error(d)
		}
	}
	for v, want := range map[float64]string{0: "0", math.Copysign(0, -1): "0", 0.6000000000000001: "0.6", -5: "−5", 1150000: "1\u2009150\u2009000", 36000: "36\u2009000"} {
		if got := tickLabel(v + 0); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}

var nameAt = regexp.MustCompile(`class="name" x="[\d.]+" y="([\d.]+)">([^<]+)<`)

// Names stand in the order of the lines' ends, apart and inside the drawing.
func TestNamesDoNotOverlap(t *testing.T) {
	var c Lines
	for i := range 9 {
		c.Series = append(c.Series, Series{Name: strconv.Itoa(i), Style: "ipu", X: []float64{0, 1}, Y: []float64{0, 1 - 0.001*float64(i)}})
	}
	c.Series = append(c.Series, Series{Name: "low", Style: "go", X: []float64{0, 1}, Y: []float64{0, 0}})
	found := nameAt.FindAllStringSubmatch(c.SVG(), -1)
	if len(found) != 10 {
		t.Fatalf("%d names", len(found))
	}
	last := math.Inf(-1)
	for i, f := range found {
		y := must.Get(strconv.ParseFloat(f[1], 64))(t)
		if y-last < labelGap-0.11 || y < 0 || y > chartHeight {
			t.Errorf("name %s at %v after %v", f[2], y, last)
		}
		if want := strconv.Itoa(i); i < 9 && f[2] != want {
			t.Errorf("name %d is %s", i, f[2])
		}
		last = y
	}
}

func TestGapsAndFallsAreDrawn(t *testing.T) {
	c := Lines{Series: []Series{{Name: "a < b", Style: "soap", X: []float64{0, 1, 2, 3}, Y: []float64{1, math.NaN(), 3, 2}, Falls: []int{3}}}}
	svg := c.SVG()
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("a number is missing: %s", svg)
	}
	if n := strings.Count(svg, `class="fall"`); n != 1 {
		t.Errorf("%d falls are marked", n)
	}
	if n := strings.Count(svg, `class="point"`); n != 3 {
		t.Errorf("%d points are drawn", n)
	}
	line := regexp.MustCompile(`class="line" d="([^"]*)"`).FindStringSubmatch(svg)[1]
	if strings.Count(line, "M") != 2 || strings.Count(line, "L") != 1 {
		t.Errorf("the gap is not left out: %s", line)
	}
	if !strings.Contains(svg, "a &lt; b") {
		t.Error("the name is not escaped")
	}
	if svg := (Lines{}).SVG(); strings.Contains(svg, "NaN") {
		t.Errorf("an empty chart has no numbers: %s", svg)
	}
}

// TestClosePoints: the points of a line are hidden where they would cover it, those without a line are not.
func TestClosePoints(t *testing.T) {
	for points, hidden := range map[int]int{10: 0, 200: 200} {
		line := Series{Style: "first", Name: "line"}
		for i := range points {
			line.X, line.Y = append(line.X, float64(i)), append(line.Y, float64(i%7))
		}
		loose := line
		loose.Loose = true
		svg := Lines{Series: []Series{line, loose}}.SVG()
		if n := strings.Count(svg, `class="point close"`); n != hidden {
			t.Errorf("%d points of %d are hidden, want %d", n, points, hidden)
		}
		if n := strings.Count(svg, `<title>`); n < 2*points {
			t.Errorf("%d of %d points say their value", n, 2*points)
		}
	}
}
