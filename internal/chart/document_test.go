package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestDocuments: what is written stands alone, is well-formed, is named for
// those who cannot see it, and has no text below 11 pixels where it is 390 pixels wide.
func TestDocuments(t *testing.T) {
	lines := Lines{Caption: "a < b & c", XLabel: "k", YLabel: "seconds", LogX: true, LogY: true, Series: []Series{
		{Name: "one <1>", Style: "first", X: []float64{100, 1000}, Y: []float64{0.1, 3}},
		{Name: "two", Style: "second", Dashed: true, X: []float64{100, 1000}, Y: []float64{0.2, 30}},
	}}
	path := Path{Components: 1, Columns: 3, Points: []PathPoint{{K: 1, Share: 0.5, Bound: 0.7, Features: []string{"a"}, Names: map[string]float64{"a": 1}}}}
	for name, write := range map[string]func(io.Writer) error{
		"lines": func(w io.Writer) error { return lines.Write(w, "what is seen") },
		"path":  path.Write,
	} {
		var b strings.Builder
		must.OK(t, write(&b))
		svg := b.String()
		for d := xml.NewDecoder(strings.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, svg)
			}
		}
		for _, want := range []string{`<title id="title">`, `<desc id="about">`, "prefers-color-scheme:dark", `role="img"`, `xmlns="http://www.w3.org/2000/svg"`} {
			if strings.Count(svg, want) != 1 {
				t.Errorf("%s: %q stands there %d times", name, want, strings.Count(svg, want))
			}
		}
		for _, size := range regexp.MustCompile(`(\d+)px`).FindAllStringSubmatch(svg, -1) {
			wide, _ := strconv.ParseFloat(regexp.MustCompile(`viewBox="0 0 ([\d.]+)`).FindStringSubmatch(svg)[1], 64)
			if n, err := strconv.ParseFloat(size[1], 64); err != nil || n*390/wide < 11 {
				t.Errorf("%s: text of %s", name, size[0])
			}
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: a number is missing", name)
		}
	}
}
