// Package pattern finds columns by names and patterns. It is the one place that knows what a
// pattern of column names means.
package pattern

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Is reports whether s holds a wildcard: * or ?.
func Is(s string) bool { return strings.ContainsAny(s, "*?") }

// Match reports whether pattern fits the whole of name. * stands for any text, also none, and ? for
// one character; every other character stands for itself, brackets and backslashes included, since
// column names have them. Case matters.
func Match(pattern, name string) bool {
	p, s := []rune(pattern), []rune(name)
	i, j := 0, 0
	star, from := -1, 0 // the last * seen, and where its text ends for now
	for j < len(s) {
		switch {
		case i < len(p) && p[i] == '*':
			star, from = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == s[j]):
			i++
			j++
		case star >= 0: // let the last * take one character more
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// Expand returns the positions of the names that are wanted, ascending and each
// once, and the wanted entries that fit no name, in order. It compares texts in
// Unicode's form NFC, in which equal characters are equal. An entry that is itself
// a name means that name alone, even if it holds a wildcard or a comma; else commas
// divide it into entries, of which those that fit no name come back alone if
// another does.
func Expand(wanted, names []string) (at []int, unmatched []string) {
	e := expansion{names: names, index: make(map[string]int, len(names)), chosen: make([]bool, len(names))}
	for j, name := range names {
		if composed := norm.NFC.String(name); composed != name {
			if _, taken := e.index[composed]; !taken {
				e.index[composed] = j
			}
		}
		e.index[name] = j
	}
	for _, w := range wanted {
		e.add(w)
	}
	for j, c := range e.chosen {
		if c {
			at = append(at, j)
		}
	}
	return at, e.unmatched
}

// Split returns the entries of a list, those with commas divided, for names that are not known.
func Split(wanted []string) []string {
	var entries []string
	for _, w := range wanted {
		for part := range strings.SplitSeq(w, ",") {
			entries = append(entries, strings.TrimSpace(part))
		}
	}
	return entries
}

type expansion struct {
	names     []string
	index     map[string]int
	chosen    []bool
	unmatched []string
}

func (e *expansion) add(wanted string) {
	composed := norm.NFC.String(wanted)
	for _, form := range []string{wanted, composed} {
		if j, ok := e.index[form]; ok {
			e.chosen[j] = true
			return
		}
	}
	if strings.Contains(wanted, ",") {
		parts, before := Split([]string{wanted}), len(e.unmatched)
		for _, part := range parts {
			e.add(part)
		}
		if len(e.unmatched) == before+len(parts) { // none is there: perhaps one name was meant
			e.unmatched = append(e.unmatched[:before], wanted)
		}
		return
	}
	found := false
	if Is(wanted) {
		for j, name := range e.names {
			if Match(composed, norm.NFC.String(name)) {
				e.chosen[j], found = true, true
			}
		}
	}
	if !found {
		e.unmatched = append(e.unmatched, wanted)
	}
}
