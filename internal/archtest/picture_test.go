package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/golden"
	"github.com/fspca/fspca/internal/must"
)

// todayHead is the line of the page behind which the picture of the rooms as they are stands.
const todayHead = "## Today\n"

// TestPicture: docs/rooms.md draws the imports between the rooms as they are.
func TestPicture(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "rooms.md")
	text := string(must.Get(os.ReadFile(path))(t))
	before, _, found := strings.Cut(text, todayHead)
	if !found {
		t.Fatalf("%s has no line %q", path, todayHead)
	}
	golden.Check(t, path, []byte(before+todayHead+"\n"+drawing(packages(t))))
}

// drawing is a picture of the imports as lines. A line that others make up is left out.
func drawing(all []listed) string {
	imports := map[string]map[string]bool{}
	for _, p := range all {
		from := drawn(p.ImportPath)
		for _, imported := range p.Imports {
			to := drawn(imported)
			if from == "" || to == "" || to == from {
				continue
			}
			if imports[from] == nil {
				imports[from] = map[string]bool{}
			}
			imports[from][to] = true
		}
	}
	var lines []string
	for from, to := range imports {
		for target := range to {
			if !around(imports, from, target) {
				lines = append(lines, fmt.Sprintf("  %s --> %s\n", from, target))
			}
		}
	}
	slices.Sort(lines)
	return "```mermaid\ngraph TD\n" + strings.Join(lines, "") + "```\n"
}

// drawn is the box of a package; "" for none. What is internal is left out, but for larger rooms.
func drawn(path string) string {
	path, inside := strings.CutPrefix(path, module+"/")
	for _, whole := range []string{"cmd", "examples", "internal/research"} {
		if inside && within(path, whole) {
			return whole
		}
	}
	larger := []string{"internal/cli", "internal/kernel", "internal/report", "internal/strict", "internal/verify"}
	if !inside || strings.HasPrefix(path, "internal/") && !slices.Contains(larger, path) {
		return ""
	}
	return path
}

// around reports whether a path of several lines leads from one box to another.
func around(imports map[string]map[string]bool, from, target string) bool {
	for middle := range imports[from] {
		if middle != target && (imports[middle][target] || around(imports, middle, target)) {
			return true
		}
	}
	return false
}
