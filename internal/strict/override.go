package strict

import (
	"strconv"
	"strings"
)

// override puts the text of one --set, "steps.fspca.features=30", into a config:
// a path of keys with the value after the first '='. A list takes an index from
// 0. Objects that are not there are made. The value is YAML and is checked like the
// rest of the config.
func (g *Grammar) override(root *Node, set string) []Problem {
	at := Place{file: "--set " + set}
	path, value, ok := strings.Cut(set, "=")
	path = strings.TrimSpace(path)
	if !ok || path == "" {
		return []Problem{at.problem("expected key=value, like %s", g.Example)}
	}
	v, problems := g.parseValue(at, value)
	if v == nil {
		return problems
	}
	keys := strings.Split(path, ".")
	if root.Kind != Mapping {
		return nil // the file itself is reported
	}
	slot, p := g.descend(root, keys, at)
	if p != nil {
		return append(problems, *p)
	}
	*slot = *v
	return problems
}

// parseValue reads the value; an empty one is YAML's null, so it is "nothing".
func (g *Grammar) parseValue(at Place, value string) (*Node, []Problem) {
	if strings.TrimSpace(value) == "" {
		return &Node{Kind: Scalar, Tag: "!!null", Plain: true, At: at}, nil
	}
	v, problems := g.Parse("", []byte(value))
	for i := range problems {
		problems[i].File, problems[i].Line, problems[i].Column = at.file, 0, 0
	}
	if v != nil {
		relocate(v, at)
	}
	return v, problems
}

func relocate(n *Node, at Place) {
	n.At = at
	for _, c := range n.Keys {
		relocate(c, at)
	}
	for _, c := range n.Items {
		relocate(c, at)
	}
}

// descend walks to the value that the keys name and makes what is missing.
func (g *Grammar) descend(n *Node, keys []string, at Place) (*Node, *Problem) {
	fail := func(format string, args ...any) (*Node, *Problem) {
		p := at.problem(format, args...)
		return nil, &p
	}
	if g.Route != nil {
		routed, message := g.Route(n, keys)
		if message != "" {
			return fail("%s", message)
		}
		keys = routed
	}
	for i, key := range keys {
		so := strings.Join(keys[:i], ".")
		if n.Kind == Scalar && n.Plain && n.Tag == "!!null" {
			n.Kind, n.Tag = Mapping, "!!map"
		}
		switch n.Kind {
		case Mapping:
			n = child(n, key, at)
		case List:
			j, err := strconv.Atoi(key)
			if err != nil || j < 0 || j >= len(n.Items) {
				return fail("%s is a list of %d: expected an index from 0, got %q", so, len(n.Items), key)
			}
			n = n.Items[j]
		default:
			return fail("%s is %s: it has no keys", so, n.Describe())
		}
	}
	return n, nil
}

// child is the value of a key, made as nothing where the key is new.
func child(n *Node, key string, at Place) *Node {
	if v := n.Get(key); v != nil {
		return v
	}
	v := &Node{Kind: Scalar, Tag: "!!null", Plain: true, At: at}
	n.Put(&Node{Kind: Scalar, Tag: "!!str", Text: key, Plain: true, At: at}, v)
	return v
}
