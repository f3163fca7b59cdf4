// Package words counts and lists things in sentences.
package words

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/letters"
)

// Count writes a number of things, such as 1 row, 2 rows or 3 passes.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	plural := "s"
	if strings.HasSuffix(thing, "s") {
		plural = "es"
	}
	return fmt.Sprintf("%d %s%s", n, thing, plural)
}

// Of returns the word that goes with one thing, or the one that goes with another number of them.
func Of(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Some joins the first few names, plainly and on one line, and counts the others.
func Some(names []string, most int) string {
	text := letters.Plain(strings.Join(names[:min(len(names), most)], ", "))
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// Quoted is Some with the names in quotes.
func Quoted(names []string, most int) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return Some(quoted, most)
}
