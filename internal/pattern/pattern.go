// Package pattern finds columns by names and patterns. It is the one place that knows what a
// pattern of column names means.
package pattern

import "strings"

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

// Expand returns the positions of the names that are wanted, ascending and each once, and the
// wanted entries that fit no name, in order. An entry that is itself a name means that name alone,
// even if it holds a wildcard.
func Expand(wanted, names []string) (at []int, unmatched []string) {
	index := make(map[string]int, len(names))
	for j, name := range names {
		index[name] = j
	}
	chosen := make([]bool, len(names))
	for _, w := range wanted {
		if j, ok := index[w]; ok {
			chosen[j] = true
			continue
		}
		found := false
		if Is(w) {
			for j, name := range names {
				if Match(w, name) {
					chosen[j], found = true, true
				}
			}
		}
		if !found {
			unmatched = append(unmatched, w)
		}
	}
	for j, c := range chosen {
		if c {
			at = append(at, j)
		}
	}
	return at, unmatched
}
