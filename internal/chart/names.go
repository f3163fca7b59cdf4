package chart

import (
	"slices"
	"strings"
	"unicode"

	"github.com/fspca/fspca/internal/letters"
	"github.com/fspca/fspca/internal/lists"
)

// textSize is that of the letters of a page, in pixels.
const textSize = 12

// letterSize is about how wide a letter is, as a share of the size of the text. Fonts differ: these are the
// widths of a wide one.
func letterSize(r rune) float64 {
	switch {
	case letters.Joins(r):
		return 0
	case letters.Wide(r) || r >= 0x1f000:
		return 1.05
	case strings.ContainsRune("mwMW%@…", r):
		return 0.95
	case strings.ContainsRune("−+=±<>~", r):
		return 0.84
	case strings.ContainsRune("ijl.,:;'|! ", r):
		return 0.34
	case unicode.IsUpper(r):
		return 0.7
	}
	return 0.64
}

// textWidth is about how wide a text is, in pixels.
func textWidth(text string) float64 {
	sum := 0.0
	for _, r := range text {
		sum += letterSize(r)
	}
	return sum * textSize
}

// fit leaves out the end of a name that is wider than there is room for. The first letter stays.
func fit(name string, room float64) string {
	if textWidth(name) <= room {
		return name
	}
	all := []rune(name)
	return string(all[:max(1, beginning(all, room-textWidth("…")))]) + "…"
}

// beginning is how many of the first letters fit.
func beginning(name []rune, room float64) int {
	for i, r := range name {
		if room -= textSize * letterSize(r); room < 0 {
			return i
		}
	}
	return len(name)
}

// fitAll shortens the names that are wider than there is room for, so that they stay different if that is
// possible: it leaves out their ends, or their middles, or what all of them begin with.
func fitAll(names []string, room float64) []string {
	if !slices.ContainsFunc(names, func(name string) bool { return textWidth(name) > room }) {
		return names
	}
	same := commonBeginning(names, room)
	ways := []func(string) string{
		func(name string) string { return fit(name, room) },
		func(name string) string { return fitMiddle(name, room) },
		func(name string) string { return fitFrom(name, same, room) },
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
func fitMiddle(name string, room float64) string {
	if textWidth(name) <= room {
		return name
	}
	all := []rune(name)
	half := (room - textWidth("…")) / 2
	begin := max(1, beginning(all, half))
	slices.Reverse(all)
	end := len(all) - beginning(all, half)
	slices.Reverse(all)
	return string(all[:begin]) + "…" + string(all[max(begin, end):])
}

// fitFrom leaves out most of what all names begin with: a quarter of the room is for the beginning.
func fitFrom(name string, same int, room float64) string {
	if textWidth(name) <= room {
		return name
	}
	all := []rune(name)
	begin := max(1, beginning(all, room/4))
	if begin >= same {
		return fit(name, room)
	}
	begun := string(all[:begin]) + "…"
	return begun + fit(string(all[same:]), room-textWidth(begun))
}

// commonBeginning is the number of letters with which all names begin that are wider than the room. It ends
// before the word in which they differ.
func commonBeginning(names []string, room float64) int {
	long := lists.Where(names, func(name string) bool { return textWidth(name) > room })
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

// nameRoom is the width that names take beside bars and rows, at most a share of
// the whole.
func nameRoom(names []string, width, share float64) float64 {
	widest := 0.0
	for _, n := range names {
		widest = max(widest, textWidth(n))
	}
	return min(widest+10, width*share)
}
