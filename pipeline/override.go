package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// override puts the text of one --set, "steps.fspca.features=30", into a config:
// a path of keys with the value after the first '='. A list takes an index from
// 0; in the list of steps the name of a step does as well. Objects that are not
// there are made. The value is YAML and is checked like the rest of the config.
func override(root *node, set string) []Problem {
	at := place{file: "--set " + set}
	path, value, ok := strings.Cut(set, "=")
	path = strings.TrimSpace(path)
	if !ok || path == "" {
		return []Problem{at.problem("expected key=value, like split.seed=7 or steps.fspca.features=30")}
	}
	v, problems := parseValue(at, value)
	if v == nil {
		return problems
	}
	keys := strings.Split(path, ".")
	if root.kind != mappingNode {
		return nil // the file itself is reported
	}
	slot, p := descend(root, keys, at)
	if p != nil {
		return append(problems, *p)
	}
	*slot = *v
	return problems
}

// parseValue reads the value; an empty one is YAML's null, so it is "nothing".
func parseValue(at place, value string) (*node, []Problem) {
	if strings.TrimSpace(value) == "" {
		return &node{kind: scalarNode, tag: "!!null", plain: true, at: at}, nil
	}
	v, problems := parseYAML("", []byte(value))
	for i := range problems {
		problems[i].File, problems[i].Line, problems[i].Column = at.file, 0, 0
	}
	if v != nil {
		relocate(v, at)
	}
	return v, problems
}

func relocate(n *node, at place) {
	n.at = at
	for _, c := range n.keys {
		relocate(c, at)
	}
	for _, c := range n.items {
		relocate(c, at)
	}
}

// descend walks to the value that the keys name and makes what is missing.
func descend(n *node, keys []string, at place) (*node, *Problem) {
	fail := func(format string, args ...any) (*node, *Problem) {
		p := at.problem(format, args...)
		return nil, &p
	}
	keys, message := stepKeys(n, keys)
	if message != "" {
		return fail("%s", message)
	}
	for i, key := range keys {
		so := strings.Join(keys[:i], ".")
		if n.kind == scalarNode && n.plain && n.tag == "!!null" {
			n.kind, n.tag = mappingNode, "!!map"
		}
		switch n.kind {
		case mappingNode:
			n = child(n, key, at)
		case listNode:
			j, err := strconv.Atoi(key)
			if err != nil || j < 0 || j >= len(n.items) {
				return fail("%s is a list of %d: expected an index from 0, got %q", so, len(n.items), key)
			}
			n = n.items[j]
		default:
			return fail("%s is %s: it has no keys", so, n.describe())
		}
	}
	return n, nil
}

// child is the value of a key, made as nothing where the key is new.
func child(n *node, key string, at place) *node {
	if v := n.get(key); v != nil {
		return v
	}
	v := &node{kind: scalarNode, tag: "!!null", plain: true, at: at}
	n.put(&node{kind: scalarNode, tag: "!!str", text: key, plain: true, at: at}, v)
	return v
}

// stepKeys makes steps.fspca.features of any config steps.1.fspca.features, and
// gives a step that is a plain name a mapping to put options into.
func stepKeys(root *node, keys []string) ([]string, string) {
	steps := root.get("steps")
	if len(keys) < 2 || keys[0] != "steps" || steps == nil || steps.kind != listNode {
		return keys, ""
	}
	names := make([]string, len(steps.items))
	for i, item := range steps.items {
		names[i] = item.text
		if item.kind == mappingNode && len(item.keys) > 0 {
			names[i] = item.keys[0].text
		}
	}
	i, err := strconv.Atoi(keys[1])
	if err != nil {
		var message string
		if i, message = stepIndex(names, keys[1]); message != "" {
			return nil, message
		}
		keys = slices.Insert(slices.Clone(keys), 1, strconv.Itoa(i))
	}
	if i < 0 || i >= len(names) || len(keys) == 2 {
		return keys, ""
	}
	if keys[2] != names[i] {
		return nil, fmt.Sprintf("steps.%d is %s: expected steps.%d.%s.…, got %q", i, names[i], i, names[i], keys[2])
	}
	if item := steps.items[i]; item.kind == scalarNode {
		key := *item
		*item = node{kind: mappingNode, tag: "!!map", at: item.at}
		item.put(&key, &node{kind: scalarNode, tag: "!!null", plain: true, at: item.at})
	}
	return keys, ""
}

// stepIndex finds the one step of a name.
func stepIndex(names []string, name string) (int, string) {
	var places []string
	for i, n := range names {
		if n == name {
			places = append(places, "steps."+strconv.Itoa(i))
		}
	}
	switch len(places) {
	case 1:
		return slices.Index(names, name), ""
	case 0:
		return 0, fmt.Sprintf("there is no step %q among %s%s", name, listing(names, "and"), suggestion(name, names))
	}
	return 0, fmt.Sprintf("the step %s comes %d times: say %s", name, len(places), listing(places, "or"))
}
