package chart

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/lists"
)

// TestNamesStayDifferent: names that are cut to the room there is differ where they begin, where they end, or
// after what all of them begin with.
func TestNamesStayDifferent(t *testing.T) {
	all := map[string][]string{"short": {"a", "b"}, "wide": {"温度センサー1", "温度センサー2"}}
	for j := range 12 {
		all["begin"] = append(all["begin"], fmt.Sprintf("%d is the first of a long name", j))
		all["end"] = append(all["end"], fmt.Sprintf("a long name of which the last is %d", j))
		all["inside"] = append(all["inside"], fmt.Sprintf("a long name with number %d in the middle of what is not short", j))
		all["short among long"] = append(all["short among long"], fmt.Sprint(strings.Repeat("much the same ", j), j))
	}
	for what, names := range all {
		short := pixels.FitAll(names, 90)
		if len(lists.Set(short)) != len(names) {
			t.Errorf("%s: %q are not different", what, short)
		}
		for i, name := range short {
			if textWidth(name) > 90+textWidth("…") {
				t.Errorf("%s: %q takes %.0f of 90", what, name, textWidth(name))
			}
			if textWidth(names[i]) <= 90 && name != names[i] {
				t.Errorf("%s: %q has room, and is shortened to %q", what, names[i], name)
			}
		}
	}
	if same := pixels.FitAll([]string{"all of these are one and the same", "all of these are one and the same"}, 60); !strings.HasPrefix(same[0], "all of") {
		t.Errorf("names that are equal lose %q", same[0])
	}
	if got := pixels.Fit("温度センサー温度センサー", 60); strings.Count(got, "") > 6 {
		t.Errorf("%q is wider than 60", got)
	}
}

// TestHeadOfCells: long names of columns stand on end where their cells are narrow, so that each is there; short
// ones lie, and stay within the picture.
func TestHeadOfCells(t *testing.T) {
	head := func(names []string) (upright, lying int, svg string) {
		svg = Heat{Caption: "c", Rows: []string{"row"}, Columns: names, Values: [][]float64{make([]float64, len(names))}, Width: 336}.SVG()
		upright = strings.Count(svg, "rotate(-90)")
		return upright, len(regexp.MustCompile(`<text class="tick" x="[0-9.]+" y="[0-9.]+" text-anchor="middle">`).FindAllString(svg, -1)), svg
	}
	var long, short []string
	for j := range 15 {
		long, short = append(long, fmt.Sprintf("placenta %d", j)), append(short, fmt.Sprint(100+j))
	}
	if upright, lying, svg := head(long); upright != 15 || lying != 0 || !strings.Contains(svg, ">placenta 14<") {
		t.Errorf("of 15 long names %d stand on end and %d lie", upright, lying)
	}
	if upright, lying, _ := head(short); upright != 0 || lying < 5 {
		t.Errorf("of 15 short names %d stand on end and %d lie", upright, lying)
	}
	_, _, svg := head(slices.Repeat([]string{"V37"}, 30))
	for _, m := range regexp.MustCompile(`<text class="tick" x="([0-9.]+)" y="[0-9.]+" text-anchor="middle">`).FindAllStringSubmatch(svg, -1) {
		var x float64
		if _, err := fmt.Sscan(m[1], &x); err != nil || x+textWidth("V37")/2 > 336.1 {
			t.Errorf("a name at %s leaves the picture", m[1])
		}
	}
}

// TestCountedHead: of columns that count, round numbers are written where there is no room for all.
func TestCountedHead(t *testing.T) {
	c := Heat{Width: 400, Rows: []string{"a"}, Values: [][]float64{make([]float64, 98)}}
	for k := range 98 {
		c.Columns = append(c.Columns, strconv.Itoa(k+3))
	}
	var got []string
	for _, m := range regexp.MustCompile(`text-anchor="middle">(\d+)<`).FindAllStringSubmatch(c.SVG(), -1) {
		got = append(got, m[1])
	}
	if text := strings.Join(got, " "); text != "10 20 30 40 50 60 70 80 90 100" {
		t.Errorf("%s are written", text)
	}
}
