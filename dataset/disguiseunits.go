package dataset

import (
	"slices"
	"strings"
)

// magnitudes are letters that multiply the number before them: "1.2k", "3M", "4bn".
var magnitudes = []string{"k", "K", "M", "G", "B", "T", "bn", "Bn", "mn", "Mn", "mio", "Mio", "tn", "Tn"}

// directions are what coordinates have instead of a sign: "52.5N".
var directions = []string{"N", "S", "E", "W"}

// withUnit reads a number with a unit behind it.
func (d *disguised) withUnit(s string) bool {
	m := unitApart.FindStringSubmatch(s)
	if m == nil {
		if m = unitBehind.FindStringSubmatch(s); m == nil {
			return false
		}
		switch d.unit = m[2]; {
		case slices.Contains([]string{"st", "nd", "rd", "th"}, d.unit):
			return false // a name: "5th"
		case slices.Contains(magnitudes, d.unit):
			d.unit = magnitudes[0]
			d.add(magnitude)
			return d.core(m[1])
		case slices.Contains(directions, d.unit) && strings.ContainsAny(m[1], ".,"):
			d.unit = directions[0]
		}
	}
	d.add(unitName)
	return d.core(strings.TrimSpace(m[1]))
}
