package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3" // imported in this file alone: the module is archived, and its successor has another path
)

// node is one value of a config with the place where it stands. The decoder
// works on nodes, so that it sees how a value was written (`010`, `3.5`, `yes`)
// and where, which a decoded Go value no longer tells.
type node struct {
	kind  nodeKind
	tag   string // of a scalar: !!str, !!int, !!float, !!bool, !!null, !!timestamp
	text  string // of a scalar, as written
	plain bool   // a scalar without quotes
	at    place
	keys  []*node // of a mapping
	items []*node // of a list; of a mapping, the values beside keys
}

type nodeKind int

const (
	badNode nodeKind = iota // reported already: nobody complains about it again
	scalarNode
	listNode
	mappingNode
)

// place says where something stands: in a file, or in the text of a --set.
type place struct {
	file         string // the file's name, or "--set key=value"
	line, column int    // from 1; 0 for --set
}

func (p place) problem(format string, args ...any) Problem {
	return Problem{File: p.file, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)}
}

// get returns the value of a mapping's key, nil where there is none.
func (n *node) get(key string) *node {
	if i := n.index(key); i >= 0 {
		return n.items[i]
	}
	return nil
}

func (n *node) index(key string) int {
	for i, k := range n.keys {
		if k.text == key {
			return i
		}
	}
	return -1
}

// put sets a mapping's key, in place of what was there.
func (n *node) put(key *node, value *node) {
	if i := n.index(key.text); i >= 0 {
		n.keys[i], n.items[i] = key, value
		return
	}
	n.keys, n.items = append(n.keys, key), append(n.items, value)
}

// describe says what a value is, for "expected …, got …".
func (n *node) describe() string {
	switch {
	case n.kind == listNode:
		return "a list"
	case n.kind == mappingNode:
		return "a mapping"
	case n.tag == "!!null" && n.plain:
		return "nothing"
	case n.tag == "!!str":
		return "the text " + strconv.Quote(shorten(n.text))
	default:
		return shorten(n.text)
	}
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}

// parseYAML reads the one document of a config. What a config may not contain
// (anchors, aliases, merge keys, tags, keys that are not text or come twice, a
// second document) is among the problems; the node is nil where nothing could
// be read.
func parseYAML(file string, b []byte) (*node, []Problem) {
	if p := badText(file, b); p != nil {
		return nil, []Problem{*p}
	}
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var doc yaml.Node
	err := decodeDocument(dec, &doc)
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		return nil, []Problem{place{file, 1, 1}.problem("the config is empty: it needs version, data and steps")}
	case err != nil:
		return nil, []Problem{syntaxProblem(file, b, err)}
	}
	c := converter{file: file}
	root := c.node(doc.Content[0])
	var next yaml.Node
	switch err := decodeDocument(dec, &next); {
	case errors.Is(err, io.EOF):
	case err != nil:
		c.problems = append(c.problems, syntaxProblem(file, b, err))
	default:
		c.problems = append(c.problems, place{file, next.Line, next.Column}.problem(
			"a second document begins here: a config is one document, put the other into a file of its own"))
	}
	return root, c.problems
}

// decodeDocument turns a panic of the YAML module into an error.
func decodeDocument(dec *yaml.Decoder, n *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	return dec.Decode(n)
}

// badText finds the first byte that YAML does not allow: the module reports
// some of them without a line.
func badText(file string, b []byte) *Problem {
	line, column := 1, 1
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			p := place{file, line, column}.problem("byte %#02x is not UTF-8: save the file as UTF-8", b[i])
			return &p
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f:
			p := place{file, line, column}.problem("control character %U is not allowed", r)
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

var (
	yamlLine      = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)
	unknownAnchor = regexp.MustCompile(`unknown anchor '(.*)' referenced`)
	// parserError are the mistakes for which the module counts lines from 0, and
	// means the line where the enclosing mapping or list begins.
	parserError = regexp.MustCompile(`^did not find expected (node content|'-' indicator|key|',' or|<document start>)`)
)

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
				return place{file, i + 1, utf8.RuneCountInString(l[:at]) + 1}.problem(aliasMessage)
			}
		}
	}
	line = min(max(line, 1), len(lines))
	text := lines[line-1]
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	if strings.Contains(text[:indent], "\t") {
		message += " (indent with spaces, not tabs)"
	}
	return place{file, line, indent + 1}.problem("not YAML: %s", message)
}

const (
	aliasMessage  = "aliases (*name) are not read in a config: write the value out"
	anchorMessage = "anchors (&name) are not read in a config: write the value out where it is needed"
	mergeMessage  = "merge keys (<<) are not read in a config: write the keys out"
)

// converter makes nodes of the module's and reports what a config may not hold.
type converter struct {
	file     string
	problems []Problem
}

func (c *converter) report(at place, format string, args ...any) {
	c.problems = append(c.problems, at.problem(format, args...))
}

func (c *converter) node(y *yaml.Node) *node {
	n := &node{at: place{c.file, y.Line, y.Column}, tag: y.Tag, text: y.Value}
	if y.Anchor != "" {
		c.report(n.at, anchorMessage)
	}
	if y.Style&yaml.TaggedStyle != 0 {
		c.report(n.at, "tags (%s) are not read in a config: write the value without one", y.Tag)
		return n
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.kind = scalarNode
		n.plain = y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	case yaml.SequenceNode:
		n.kind = listNode
		for _, item := range y.Content {
			n.items = append(n.items, c.node(item))
		}
	case yaml.MappingNode:
		n.kind = mappingNode
		c.mapping(n, y.Content)
	case yaml.AliasNode:
		c.report(n.at, aliasMessage)
	}
	return n
}

func (c *converter) mapping(n *node, content []*yaml.Node) {
	for i := 0; i+1 < len(content); i += 2 {
		key, at := content[i], place{c.file, content[i].Line, content[i].Column}
		switch {
		case key.Tag == "!!merge":
			c.report(at, mergeMessage)
			continue
		case key.Kind != yaml.ScalarNode || key.Tag != "!!str":
			c.report(at, "a key must be text, got %s", c.node(key).describe())
			continue
		}
		k, v := c.node(key), c.node(content[i+1])
		if first := n.index(k.text); first >= 0 {
			c.report(at, "the key %q comes twice, first in line %d: keep one", k.text, n.keys[first].at.line)
			continue
		}
		n.keys, n.items = append(n.keys, k), append(n.items, v)
	}
}
