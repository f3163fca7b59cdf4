package reproduce

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// TestContrast: text has a contrast of at least 4.5 with the ground it stands on, and lines 3, by
// light and dark; and no text of a chart is smaller than 11 pixels.
func TestContrast(t *testing.T) {
	blocks := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(pageText, -1)
	if len(blocks) != 2 {
		t.Fatalf("%d sets of colours, want two", len(blocks))
	}
	grounds := map[string][]string{"ink": {"paper", "card"}, "soft": {"paper", "card"}, "off": {"card", "off-bg"}, "good": {"card", "good-bg"}, "go": {"paper"}}
	lines := []string{"ipu", "go", "thorough", "exact", "soap", "srt", "tpower", "tpower_deflation", "cssp", "convex_relaxation", "bound", "plain", "faint"}
	for i, block := range blocks {
		light := map[string]float64{}
		for _, m := range regexp.MustCompile(`--([\w-]+): #(\w{6})`).FindAllStringSubmatch(block[1], -1) {
			light[m[1]] = luminance(t, m[2])
		}
		check := func(ink, ground string, least float64) {
			a, b := light[ink]+0.05, light[ground]+0.05
			if ratio := max(a, b) / min(a, b); !(ratio >= least) {
				t.Errorf("set %d: %s on %s has the contrast %.2f, want %v", i, ink, ground, ratio, least)
			}
		}
		for ink, on := range grounds {
			for _, ground := range on {
				check(ink, ground, 4.5)
			}
		}
		for _, line := range lines {
			check(line, "card", 3)
		}
	}
	sizes := regexp.MustCompile(`svg text[^{]*\{[^}]*?(\d+)px`).FindAllStringSubmatch(pageText, -1)
	if len(sizes) == 0 {
		t.Error("the text of charts has no size")
	}
	for _, m := range sizes {
		if n, err := strconv.Atoi(m[1]); err != nil || n < 11 {
			t.Errorf("a chart has text of %s pixels", m[1])
		}
	}
}

// luminance is that of WCAG 2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	v := must.Get(strconv.ParseUint(hex, 16, 32))(t)
	l := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(v>>(16-8*i)&255) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		l += weight * c
	}
	return l
}
