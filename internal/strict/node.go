package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3" // imported in this file alone: the module is archived, and its successor has another path

	"github.com/fspca/fspca/internal/lists"
)

// Node is one value of a config with the place where it stands. The decoder works
// on nodes: they show how a value was written (`010`, `3.5`, `yes`) and where. A
// decoded Go value no longer does.
type Node struct {
	Kind  Kind
	Tag   string // of a scalar: !!str, !!int, !!float, !!bool, !!null, !!timestamp
	Text  string // of a scalar, as written
	Plain bool   // a scalar without quotes
	At    Place
	Keys  []*Node // of a mapping
	Items []*Node // of a list; of a mapping, the values beside keys
}

// Kind is the form of a node.
type Kind int

// The kinds of node.
const (
	Bad Kind = iota // reported already: nobody complains about it again
	Scalar
	List
	Mapping
)

// Place says where something stands: in a file, or in the text of a --set.
type Place struct {
	file         string // the file's name, or "--set key=value"
	line, column int    // from 1; 0 for --set
}

// String is the place as messages begin with it: file:line:column.
func (p Place) String() string {
	if p.line == 0 {
		return p.file
	}
	return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.column)
}

// Problem returns a mistake at the place, about the value of a path.
func (p Place) Problem(path, message string) Problem {
	return Problem{File: p.file, Line: p.line, Column: p.column, Path: path, Message: message}
}

func (p Place) problem(format string, args ...any) Problem {
	return Problem{File: p.file, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)}
}

// Get returns the value of a mapping's key, nil where there is none.
func (n *Node) Get(key string) *Node {
	if i := n.index(key); i >= 0 {
		return n.Items[i]
	}
	return nil
}

func (n *Node) index(key string) int {
	return slices.IndexFunc(n.Keys, func(k *Node) bool { return k.Text == key })
}

// Put sets a mapping's key, in place of what was there.
func (n *Node) Put(key *Node, value *Node) {
	if i := n.index(key.Text); i >= 0 {
		n.Keys[i], n.Items[i] = key, value
		return
	}
	n.Keys, n.Items = append(n.Keys, key), append(n.Items, value)
}

// Nothing says whether the value is absent: null, or nothing at all.
func (n *Node) Nothing() bool { return n.Kind == Scalar && n.Plain && n.Tag == "!!null" }

// Describe says what a value is, for "expected …, got …".
func (n *Node) Describe() string {
	switch {
	case n.Kind == List:
		return "a list"
	case n.Kind == Mapping:
		return "a mapping"
	case n.Tag == "!!null" && n.Plain:
		return "nothing"
	case n.Tag == "!!str":
		return "the text " + strconv.Quote(shorten(n.Text))
	default:
		return shorten(n.Text)
	}
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}

// maxEntries is the most entries that a config may have. People write some hundred.
const maxEntries = 100_000

// entries returns what a text has no more entries than: each comes with a line, a comma or a bracket.
func entries(b []byte) int {
	return lists.Count(b, func(c byte) bool { return c == '\n' || c == ',' || c == '[' || c == '{' })
}

// Parse reads the one document of a config. What a config may not contain
// (anchors, aliases, merge keys, tags, keys that are no text or come twice,
// more documents) is among the problems; the node is nil where nothing could
// be read.
func (g *Grammar) Parse(file string, b []byte) (*Node, []Problem) {
	if n := entries(b); n > maxEntries {
		return nil, []Problem{Place{file, 1, 1}.problem("the config has %d lines, commas and brackets, and at most %d entries are read: name columns by patterns such as time_*", n, maxEntries)}
	}
	if p := badText(file, b); p != nil {
		return nil, []Problem{*p}
	}
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var doc yaml.Node
	err := decodeDocument(dec, &doc)
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		return nil, []Problem{Place{file, 1, 1}.problem("%s", g.Empty)}
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
		c.problems = append(c.problems, Place{file, next.Line, next.Column}.problem(
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

var (
	yamlLine      = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)
	unknownAnchor = regexp.MustCompile(`unknown anchor '(.*)' referenced`)
	// parserError are the mistakes for which the module counts lines from 0, and
	// means the line where the enclosing mapping or list begins.
	parserError = regexp.MustCompile(`^did not find expected (node content|'-' indicator|key|',' or|<document start>)`)
)

const (
	aliasMessage  = "aliases (*name) are not read in a config: write the value out, and a text that begins with * in quotes"
	anchorMessage = "anchors (&name) are not read in a config: write the value out where it is needed"
	mergeMessage  = "merge keys (<<) are not read in a config: write the keys out"
)

// converter makes nodes of the module's and reports what a config may not hold.
type converter struct {
	file     string
	problems []Problem
}

func (c *converter) report(at Place, format string, args ...any) {
	c.problems = append(c.problems, at.problem(format, args...))
}

func (c *converter) node(y *yaml.Node) *Node {
	n := &Node{At: Place{c.file, y.Line, y.Column}, Tag: y.Tag, Text: y.Value}
	if y.Anchor != "" {
		c.report(n.At, anchorMessage)
	}
	if y.Style&yaml.TaggedStyle != 0 {
		c.report(n.At, "tags (%s) are not read in a config: write the value without one", y.Tag)
		return n
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.Kind = Scalar
		n.Plain = y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	case yaml.SequenceNode:
		n.Kind = List
		for _, item := range y.Content {
			n.Items = append(n.Items, c.node(item))
		}
	case yaml.MappingNode:
		n.Kind = Mapping
		c.mapping(n, y.Content)
	case yaml.AliasNode:
		c.report(n.At, aliasMessage)
	}
	return n
}

func (c *converter) mapping(n *Node, content []*yaml.Node) {
	first := make(map[string]Place, len(content)/2)
	for i := 0; i+1 < len(content); i += 2 {
		key, at := content[i], Place{c.file, content[i].Line, content[i].Column}
		switch {
		case key.Tag == "!!merge":
			c.report(at, mergeMessage)
			continue
		case key.Kind != yaml.ScalarNode || key.Tag == "!!null": // 1 and true are texts as they are written
			c.report(at, "a key must be text, got %s", c.node(key).Describe())
			continue
		}
		k, v := c.node(key), c.node(content[i+1])
		if before, twice := first[k.Text]; twice {
			c.report(at, "the key %q comes twice, first in line %d: keep one", k.Text, before.line)
			continue
		}
		first[k.Text] = at
		n.Keys, n.Items = append(n.Keys, k), append(n.Items, v)
	}
}
