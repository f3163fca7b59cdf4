package strict

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	// imported in this file alone: the module is archived, and its successor has another path
)

// badText finds the first byte that YAML does not allow: the module reports
// some of them without a line.
func badText(file string, b []byte) *Problem {
	line, column := 1, 1
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			p := Place{file, line, column}.problem("byte %#02x is not UTF-8: save the file as UTF-8", b[i])
			return &p
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f:
			p := Place{file, line, column}.problem("control character %U is not allowed", r)
			return &p
		case r == '\n':
			line, column = line+1, 1
		case i > 0 || r != '\uFEFF':
			column++
		}
		i += size
	}
	return nil
}

// syntaxProblem gives the module's error a column: the first character of the
// line, which is all it knows.
func syntaxProblem(file string, b []byte, err error) Problem {
	message, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	lines := strings.Split(string(b), "\n")
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
		if parserError.MatchString(message) {
			line++
			message += ", in what begins here"
		}
	} else if m := unknownAnchor.FindStringSubmatch(message); m != nil {
		for i, l := range lines {
			if at := strings.Index(l, "*"+m[1]); at >= 0 {
				return Place{file, i + 1, utf8.RuneCountInString(l[:at]) + 1}.problem(aliasMessage)
			}
		}
	}
	line = min(max(line, 1), len(lines))
	if p := unquoted(file, lines, line-1); p != nil && strings.HasPrefix(message, "did not find expected") {
		return *p
	}
	if strings.Contains(message, "tab character") { // in this line or a later one
		line += max(0, slices.IndexFunc(lines[line-1:], tabbed.MatchString))
	}
	text := lines[line-1]
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	cure := cureOf(message)
	if strings.Contains(text[:indent], "\t") {
		cure = ": indent with spaces, not tabs"
	}
	return Place{file, line, indent + 1}.problem("not YAML: %s%s", message, cure)
}

// tabbed is a line that is indented with a tab.
var tabbed = regexp.MustCompile(`^ *\t`)

// cures say what to do about what the module does not understand, by a part of its message.
var cures = []struct{ part, cure string }{
	{"alphabetic or numeric character", "a text that begins with * or & needs quotes"},
	{"mapping values are not allowed", "begin the line at the column of those beside it, and put a text with ': ' in it into quotes"},
	{"could not find expected ':'", "a key has a colon and a space behind it"},
	{"did not find expected key", "begin each key at the column of those beside it, and close quotes and brackets"},
	{"did not find expected '-'", "begin each item of a list with '-' at the same column"},
	{"did not find expected ','", "close the bracket, and put commas between what is in it"},
	{"cannot start any token", "a text that begins with @, %, ` or a tab needs quotes"},
	{"tab character", "indent with spaces, not tabs"},
	{"unexpected end of stream", "close the quotes"},
}

// cureOf is what can be done, behind a colon; "" where that is not known.
func cureOf(message string) string {
	for _, c := range cures {
		if strings.Contains(message, c.part) {
			return ": " + c.cure
		}
	}
	return ""
}

// signsInList finds a text in a list or mapping in brackets that YAML takes for more than a text.
var signsInList = regexp.MustCompile(`(?:^|[\[{,:])\s*([^\s"'\[\]{},#][^\s"'\[\]{},]*\?[^\s"'\[\]{},]*|\?[^\s"'\[\]{},]*|[^\s"'\[\]{},]*\$\{[^}\n]*\}?[^\s"',\]}]*)`)

// unquoted finds a text with ? or ${ in brackets from a line on, which the module fails at without
// saying where.
func unquoted(file string, lines []string, from int) *Problem {
	depth := 0
	for i, line := range lines {
		for _, m := range signsInList.FindAllStringSubmatchIndex(line, -1) {
			text := line[m[2]:m[3]]
			if i < from-1 || depth+brackets(line[:m[2]]) <= 0 {
				continue
			}
			p := Place{file, i + 1, utf8.RuneCountInString(line[:m[2]]) + 1}.problem(
				"not YAML: the text %s needs quotes inside brackets: write \"%s\"", text, text)
			return &p
		}
		depth += brackets(line)
	}
	return nil
}

// brackets counts the brackets that a part of a line opens and does not close.
func brackets(s string) int {
	return strings.Count(s, "[") + strings.Count(s, "{") - strings.Count(s, "]") - strings.Count(s, "}")
}
