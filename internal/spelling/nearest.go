// Package spelling finds the name that was perhaps meant by one that does not exist: of a column, an
// option or a step.
package spelling

import (
	"slices"
	"strings"
)

// maxDistance keeps Nearest from comparing texts that are no names by their
// length, which takes time in proportion to its square.
const maxDistance = 100

// Nearest returns the name among the given ones that is most like name: one that
// differs only in case, space or punctuation, else the one at the least edit
// distance. That distance is at most a third of the longer name's length, and
// counts insertions, deletions, changes and swaps of neighbours. The first of
// equals; "" when none is near.
func Nearest(name string, among []string) string {
	wanted := fold(name)
	best, bestDistance := "", 0
	for _, candidate := range among {
		c := fold(candidate)
		if slices.Equal(c, wanted) {
			return candidate
		}
		limit := max(len(wanted), len(c)) / 3
		if limit > maxDistance {
			continue
		}
		if best != "" {
			limit = min(limit, bestDistance-1)
		}
		if d := editDistance(wanted, c, limit); d <= limit {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// fold reduces a name to what people tell names apart by: its letters in lower
// case, its digits and its less usual signs.
func fold(s string) []rune {
	folded := strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '_', '-', '.', '"', '\'':
			return -1
		}
		return r
	}, strings.ToLower(s))
	if folded == "" {
		folded = s
	}
	return []rune(folded)
}

// editDistance returns the optimal string alignment distance of a and b if it
// is at most limit, else some number above limit.
func editDistance(a, b []rune, limit int) int {
	if limit < 1 || max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	above, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		least := next[0]
		for j := range b {
			d := row[j] // change, or nothing
			if a[i] != b[j] {
				d++
			}
			d = min(d, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, above[j-1]+1)
			}
			next[j+1] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		above, row, next = row, next, above
	}
	return row[len(b)]
}
