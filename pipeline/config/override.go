package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fspca/fspca/internal/strict"
)

// route rewrites the path of an override: the keys of a grid have a point in them,
// and a step may be called by its name.
func route(root *strict.Node, keys []string) ([]string, string) {
	if len(keys) > 3 && keys[0] == "search" && keys[1] == "grid" {
		return []string{"search", "grid", strings.Join(keys[2:], ".")}, ""
	}
	return stepKeys(root, keys)
}

// stepKeys makes steps.fspca.features of any config steps.1.fspca.features, and
// gives a step that is a plain name a mapping to put options into.
func stepKeys(root *strict.Node, keys []string) ([]string, string) {
	steps := root.Get("steps")
	if len(keys) < 2 || keys[0] != "steps" || steps == nil || steps.Kind != strict.List {
		return keys, ""
	}
	names := namesIn(steps)
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
	if item := steps.Items[i]; item.Kind == strict.Scalar {
		key := *item
		*item = strict.Node{Kind: strict.Mapping, Tag: "!!map", At: item.At}
		item.Put(&key, &strict.Node{Kind: strict.Scalar, Tag: "!!null", Plain: true, At: item.At})
	}
	return keys, ""
}

// namesIn are the names of the steps that a list holds.
func namesIn(steps *strict.Node) []string {
	names := make([]string, len(steps.Items))
	for i, item := range steps.Items {
		names[i] = item.Text
		if item.Kind == strict.Mapping && len(item.Keys) > 0 {
			names[i] = item.Keys[0].Text
		}
	}
	return names
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
		return 0, fmt.Sprintf("there is no step %q among %s%s", name, strict.Listing(names, "and"), strict.Suggest(name, names))
	}
	return 0, fmt.Sprintf("the step %s comes %d times: say %s", name, len(places), strict.Listing(places, "or"))
}
