package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// draw returns the chart, and fails the test if it is no well-formed XML.
func draw(t *testing.T, c Path) string {
	t.Helper()
	var b strings.Builder
	must.OK(t, c.Write(&b))
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return b.String()
		} else if err != nil {
			t.Fatalf("no XML: %v\n%s", err, &b)
		}
	}
}

func TestChart(t *testing.T) {
	c := Path{Components: 2, Columns: 9, Points: []PathPoint{
		{K: 2, Share: 0.3, Bound: 0.3, Features: []string{"a", "b<&"}, Names: map[string]float64{"a": 0.7, "b<&": 0.3}},
		{K: 3, Share: 0.5, Bound: 0.55, Features: []string{"a", "c", strings.Repeat("long", 20)}, Names: map[string]float64{"a": 0.5, "c": 0.4, strings.Repeat("long", 20): 0.1}},
	}}
	got := draw(t, c)
	for text, times := range map[string]int{
		`class="cell"`: 5, `class="dot"`: 2, `class="name"`: 4, "b&lt;&amp;": 2, "k = 3: 50.00 %, at most 55.00 %": 1,
		"prefers-color-scheme:dark": 1, "longlong…": 0, "chosen 50.0 %": 1, "best ≤ 55.0 %": 1,
	} {
		if n := strings.Count(got, text); n != times {
			t.Errorf("%q stands there %d times, want %d", text, n, times)
		}
	}
	if strings.Contains(got, "NaN") || strings.Contains(regexp.MustCompile("<title>.*?</title>").ReplaceAllString(got, ""), strings.Repeat("long", 8)) {
		t.Errorf("the picture is\n%s", got)
	}
}

// One k alone, and more columns than there is room for.
func TestChartExtremes(t *testing.T) {
	if got := draw(t, Path{Components: 1, Columns: 3, Points: []PathPoint{{K: 1, Share: 1, Bound: 1, Features: []string{"a"}, Names: map[string]float64{"a": 1}}}}); strings.Contains(got, "NaN") {
		t.Error("a single k has no place")
	}
	p := PathPoint{K: 100, Share: 0.2, Bound: 0.9, Names: map[string]float64{}}
	for i := range 100 {
		p.Features = append(p.Features, fmt.Sprint("x", i))
		p.Names[p.Features[i]] = 0.01
	}
	if got := draw(t, Path{Components: 1, Columns: 100, Points: []PathPoint{p}}); strings.Count(got, `class="name"`) != mostRows || !strings.Contains(got, "and 40 more columns") {
		t.Error("not as many columns as there is room for, or the others are not counted")
	}
}

// TestShade: a column that carries more is never fainter, at the same k or another.
func TestShade(t *testing.T) {
	c := Path{Components: 1, Columns: 80, Points: []PathPoint{
		{K: 5, Share: 0.3, Bound: 0.3, Features: []string{"a", "b"}, Names: map[string]float64{"a": 0.33, "b": 0.1}},
		{K: 60, Share: 0.5, Bound: 0.55, Features: []string{"a", "c"}, Names: map[string]float64{"a": 0.23, "c": 0.05}},
	}}
	var shares, opacities []float64
	for _, m := range regexp.MustCompile(`opacity="([\d.]+)"><title>\w: ([\d.]+) %`).FindAllStringSubmatch(draw(t, c), -1) {
		opacity, _ := strconv.ParseFloat(m[1], 64)
		share, _ := strconv.ParseFloat(m[2], 64)
		shares, opacities = append(shares, share), append(opacities, opacity)
	}
	if len(shares) != 4 {
		t.Fatalf("%d cells", len(shares))
	}
	for i := range shares {
		for j := range shares {
			if shares[i] > shares[j] && opacities[i] <= opacities[j] {
				t.Errorf("%v %% has the opacity %v, %v %% has %v", shares[i], opacities[i], shares[j], opacities[j])
			}
		}
	}
}

// TestWrittenK: of many k those that are round numbers are written, besides the ends; of few all of them.
func TestWrittenK(t *testing.T) {
	for _, tc := range []struct {
		from, to, by int
		want         string
	}{
		{3, 100, 1, "3 20 40 60 80 100"},
		{2, 9, 1, "2 3 4 5 6 7 8 9"},
		{3, 99, 2, "3 17 31 45 59 73 99"}, // no round number among them
	} {
		p := Path{Components: 1, Columns: 200}
		for k := tc.from; k <= tc.to; k += tc.by {
			p.Points = append(p.Points, PathPoint{K: k, Share: 0.5, Bound: 0.6})
		}
		var b strings.Builder
		must.OK(t, p.Write(&b))
		var got []string
		for _, m := range regexp.MustCompile(`y="306" text-anchor="middle">(\d+)<`).FindAllStringSubmatch(b.String(), -1) {
			got = append(got, m[1])
		}
		if text := strings.Join(got, " "); text != tc.want {
			t.Errorf("%d to %d: %s, want %s", tc.from, tc.to, text, tc.want)
		}
	}
}
