package report

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// blindness are what eyes without one kind of cones see of linear red, green and blue: G. M. Machado, M. M. Oliveira
// and L. A. F. Fernandes, A physiologically-based model for simulation of color vision deficiency, 2009.
var blindness = map[string][3][3]float64{
	"nothing": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"red":     {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"green":   {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"blue":    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen is a colour as CIE L*a*b*, in which equal distances look about equal.
func seen(t *testing.T, hex string, eyes [3][3]float64) [3]float64 {
	t.Helper()
	var linear, left [3]float64
	for i := range 3 {
		v := float64(must.Get(strconv.ParseUint(hex[2*i:2*i+2], 16, 8))(t)) / 255
		if linear[i] = v / 12.92; v > 0.04045 {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i, row := range eyes {
		left[i] = min(1, max(0, row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2]))
	}
	f := func(r, g, b float64) float64 { return math.Cbrt(r*left[0] + g*left[1] + b*left[2]) }
	x, y, z := f(0.4339, 0.3762, 0.1899), f(0.2126, 0.7152, 0.0722), f(0.0177, 0.1095, 0.8728)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// TestColoursApart: points have five shapes and ten colours. Two colours of one shape look different to all eyes, in
// light and in dark.
func TestColoursApart(t *testing.T) {
	sets := regexp.MustCompile(`(?m)^--c0:.*$`).FindAllString(style, -1)
	if len(sets) != 2 {
		t.Fatalf("%d sets of colours, want those for light and dark", len(sets))
	}
	for _, set := range sets {
		colours := regexp.MustCompile(`--c\d:#([0-9a-f]{6})`).FindAllStringSubmatch(set, -1)
		if len(colours) != 10 {
			t.Fatalf("%d colours, want 10", len(colours))
		}
		for without, eyes := range blindness {
			for i := range 5 {
				a, b := seen(t, colours[i][1], eyes), seen(t, colours[i+5][1], eyes)
				if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < 25 {
					t.Errorf("to eyes that lack %s, #%s and #%s differ by %.0f alone", without, colours[i][1], colours[i+5][1], d)
				}
			}
		}
	}
}
