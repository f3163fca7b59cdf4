package letters

import (
	"slices"
	"unicode"

	"github.com/fspca/fspca/internal/lists"
)

// A Ruler says how wide a letter is, in the unit of the room there is.
type Ruler func(rune) float64

// Cells is the Ruler of a terminal.
func Cells(r rune) float64 { return float64(cells(r)) }

// Of is the width of a text.
func (size Ruler) Of(text string) float64 {
	sum := 0.0
	for _, r := range text {
		sum += size(r)
	}
	return sum
}

// Fit leaves out the end of a name that is wider than there is room for. The first letter stays.
func (size Ruler) Fit(name string, room float64) string {
	if size.Of(name) <= room {
		return name
	}
	all := []rune(name)
	return string(all[:max(1, size.beginning(all, room-size('…')))]) + "…"
}

// beginning is how many of the first letters fit.
func (size Ruler) beginning(name []rune, room float64) int {
	for i, r := range name {
		if room -= size(r); room < 0 {
			return i
		}
	}
	return len(name)
}

// FitAll shortens the names that are wider than there is room for, so that they stay different if that is
// possible: it leaves out their ends, or their middles, or what all of them begin with.
func (size Ruler) FitAll(names []string, room float64) []string {
	if !slices.ContainsFunc(names, func(name string) bool { return size.Of(name) > room }) {
		return names
	}
	same := size.commonBeginning(names, room)
	ways := []func(string) string{
		func(name string) string { return size.Fit(name, room) },
		func(name string) string { return size.fitMiddle(name, room) },
		func(name string) string { return size.fitFrom(name, same, room) },
	}
	var best []string
	most := 0
	for _, way := range ways {
		short := lists.Map(names, way)
		if different := len(lists.Set(short)); different > most {
			best, most = short, different
		}
	}
	return best
}

// fitMiddle leaves out the middle of a name. Its beginning and its end have half of the room each.
func (size Ruler) fitMiddle(name string, room float64) string {
	if size.Of(name) <= room {
		return name
	}
	all := []rune(name)
	half := (room - size('…')) / 2
	begin := max(1, size.beginning(all, half))
	slices.Reverse(all)
	end := len(all) - size.beginning(all, half)
	slices.Reverse(all)
	return string(all[:begin]) + "…" + string(all[max(begin, end):])
}

// fitFrom leaves out most of what all names begin with: a quarter of the room is for the beginning.
func (size Ruler) fitFrom(name string, same int, room float64) string {
	if size.Of(name) <= room {
		return name
	}
	all := []rune(name)
	begin := max(1, size.beginning(all, room/4))
	if begin >= same {
		return size.Fit(name, room)
	}
	begun := string(all[:begin]) + "…"
	return begun + size.Fit(string(all[same:]), room-size.Of(begun))
}

// commonBeginning is the number of letters with which all names begin that are wider than the room. It ends
// before the word in which they differ.
func (size Ruler) commonBeginning(names []string, room float64) int {
	long := lists.Where(names, func(name string) bool { return size.Of(name) > room })
	same := []rune(long[0])
	for _, name := range long[1:] {
		all := []rune(name)
		n := 0
		for n < min(len(same), len(all)) && same[n] == all[n] {
			n++
		}
		same = same[:n]
	}
	n := len(same)
	for n > 0 && (unicode.IsLetter(same[n-1]) || unicode.IsDigit(same[n-1])) {
		n--
	}
	return n
}
