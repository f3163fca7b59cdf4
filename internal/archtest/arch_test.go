// Package archtest holds the import rules of docs/design.md.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

const module = "github.com/fspca/fspca"

// rooms lists, for each part of the module, which other parts it may import.
// A package belongs to the longest prefix that fits.
var rooms = map[string][]string{
	"internal/kernel":                    {},
	"internal/subspace":                  {"internal/lists"},
	"internal/param":                     {"internal/lists", "internal/spelling"},
	"internal/bestfirst":                 {"internal/kernel"},
	"internal/starts":                    {},
	"internal/oracle":                    {},
	"internal/lists":                     {},
	"internal/letters":                   {"internal/lists"},
	"internal/must":                      {},
	"internal/words":                     {"internal/letters"},
	"internal/chart":                     {"internal/letters", "internal/lists", "internal/words"},
	"internal/report":                    {"internal/lists", "internal/words", "internal/chart", "selector", "dataset"},
	"solver/spectral":                    {"internal/lists", "internal/kernel", "internal/subspace"},
	"solver":                             {"internal/lists", "internal/starts", "internal/bestfirst", "internal/param", "internal/kernel", "internal/subspace", "solver/spectral"},
	"solver/baseline":                    {"internal/lists", "internal/kernel", "internal/starts", "internal/param", "solver", "solver/spectral", "internal/subspace"},
	"solver/reconstruction":              {"internal/lists", "internal/starts", "internal/bestfirst", "internal/param", "internal/subspace", "solver", "solver/spectral", "internal/kernel"},
	"internal/pattern":                   {},
	"internal/verify":                    {},
	"internal/spelling":                  {"internal/lists"},
	"internal/half":                      {},
	"internal/parallel":                  {},
	"internal/files":                     {},
	"internal/bounded":                   {},
	"internal/delimited":                 {"internal/bounded", "internal/memory"},
	"dataset":                            {"internal/lists", "internal/words", "internal/parallel", "internal/kernel", "internal/bounded", "internal/memory", "internal/half", "internal/delimited", "internal/pattern", "internal/spelling", "internal/files"},
	"dataset/parquet":                    {"internal/lists", "internal/parallel", "internal/memory", "dataset", "internal/half", "internal/words"},
	"dataset/xlsx":                       {"dataset", "internal/bounded"},
	"dataset/zstd":                       {"dataset"},
	"internal/memory":                    {},
	"internal/saved":                     {},
	"transformer":                        {"internal/lists", "internal/words", "internal/param", "internal/files", "internal/saved", "dataset", "internal/pattern", "internal/spelling"},
	"transformer/transformertest":        {"internal/lists", "transformer", "dataset"},
	"selector":                           {"internal/lists", "internal/parallel", "internal/param", "internal/kernel", "internal/saved", "solver", "solver/baseline", "solver/reconstruction", "transformer", "dataset", "internal/bounded", "internal/memory", "internal/pattern", "internal/spelling", "internal/files", "internal/words"},
	"internal/strict":                    {"internal/lists", "internal/spelling"},
	"internal/golearn":                   {"dataset", "internal/saved"},
	"pipeline/classifier":                {"internal/lists", "internal/param", "internal/saved", "internal/clone", "internal/files", "internal/kernel", "transformer", "dataset", "internal/golearn", "internal/spelling"},
	"internal/clone":                     {},
	"internal/countdown":                 {},
	"pipeline/classifier/classifiertest": {"internal/lists", "pipeline/classifier", "transformer", "dataset", "internal/countdown", "internal/clone", "internal/must"},
	"pipeline":                           {"internal/lists", "internal/param", "internal/saved", "internal/bounded", "internal/memory", "internal/clone", "pipeline/classifier", "selector", "transformer", "dataset", "internal/golearn", "internal/strict", "internal/spelling", "internal/files"},
	"pipeline/config":                    {"internal/lists", "internal/spelling", "internal/param", "internal/golearn", "pipeline", "selector", "transformer", "dataset", "internal/strict", "internal/bounded", "internal/files", "internal/pattern"},
	"pipeline/experiment":                {"internal/delimited", "internal/letters", "internal/lists", "internal/param", "internal/words", "internal/parallel", "pipeline/config", "pipeline", "selector", "transformer", "dataset", "internal/bounded", "internal/files", "internal/report"},
	"internal/cli":                       {"internal/param", "internal/files", "selector", "solver", "solver/baseline", "dataset"},
	"configs":                            {},
	"internal/golden":                    {},
}

// free lists the parts that may import everything: programs, and what only tests import.
var free = []string{"cmd", "examples", "internal/apitest", "internal/archtest", "internal/faults", "internal/research"}

// owners lists the only parts that may import a module from outside. The
// rest of the imports from outside is free.
var owners = map[string][]string{
	"github.com/sjwhitworth/golearn":   {"dataset", "transformer", "transformer/transformertest", "selector", "pipeline", "internal/golearn", "examples"},
	"gopkg.in/yaml.v3":                 {"internal/strict"},
	"github.com/parquet-go/parquet-go": {"dataset/parquet"},
	"github.com/klauspost/compress":    {"dataset/zstd", "dataset/parquet"}, // which checks what is packed
	"github.com/spf13/cobra":           {"cmd", "internal/cli"},
	"github.com/spf13/pflag":           {"cmd", "internal/cli"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"/...")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// within reports whether path is root or below it.
func within(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

// roomOf returns the longest room that path lies in, or "".
func roomOf(path string) string {
	best := ""
	for room := range rooms {
		if within(path, room) && len(room) > len(best) {
			best = room
		}
	}
	return best
}

// TestDrawn: the picture of docs/design.md has every room.
func TestDrawn(t *testing.T) {
	text := must.Get(os.ReadFile("../../docs/design.md"))(t)
	for room := range rooms {
		if name := path.Base(room) + "/"; !strings.Contains(string(text), name) {
			t.Errorf("docs/design.md does not draw %s", room)
		}
	}
}

func TestArrowsGoDown(t *testing.T) {
	all := packages(t)
	if len(all) < 5 {
		t.Fatalf("only %d packages listed", len(all))
	}
	for _, p := range all {
		path := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		room := roomOf(path)
		unbound := slices.ContainsFunc(free, func(root string) bool { return within(path, root) })
		if room == "" && !unbound {
			t.Errorf("%s has no room: list in `rooms` of internal/archtest what it may import, and draw it in docs/design.md", path)
		}
		for _, imported := range p.Imports {
			if inside, ok := strings.CutPrefix(imported, module+"/"); ok {
				target := roomOf(inside)
				if unbound || target == room {
					continue
				}
				if target == "" || !slices.Contains(rooms[room], target) {
					t.Errorf("%s imports %s: %s may import only %v", path, inside, room, rooms[room])
				}
				continue
			}
			for outside, allowed := range owners {
				if within(imported, outside) && !slices.ContainsFunc(allowed, func(root string) bool { return within(path, root) }) {
					t.Errorf("%s imports %s: only %v may", path, imported, allowed)
				}
			}
		}
	}
}

// TestSolverIsPure: no files, clocks or global randomness in the mathematics.
func TestSolverIsPure(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module+"/")
		if path != "solver" && path != "solver/spectral" && path != "solver/baseline" && path != "solver/reconstruction" {
			continue
		}
		for _, banned := range []string{"os", "time", "log", "log/slog", "net/http", "math/rand"} {
			if slices.Contains(p.Imports, banned) {
				t.Errorf("%s imports %s", path, banned)
			}
		}
	}
}

// TestResearchIsOnTop: only the command, for reproduce, and research itself
// import what shows that the results are right.
func TestResearchIsOnTop(t *testing.T) {
	const research = module + "/internal/research"
	for _, p := range packages(t) {
		if within(p.ImportPath, research) || p.ImportPath == module+"/cmd/fspca" {
			continue
		}
		for _, imported := range p.Imports {
			if within(imported, research) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}
