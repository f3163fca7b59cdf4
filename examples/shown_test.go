package examples

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// shownPackages are those of which an example uses every exported type by its name.
var shownPackages = []string{
	"transformer", "selector", "pipeline", "pipeline/classifier", "pipeline/config", "pipeline/experiment",
	"dataset", "solver", "solver/reconstruction", "solver/baseline", "solver/spectral",
}

// TestShown: every exported type of these packages is used, by its name, in an example whose output
// is compared, or has one that is called after it.
func TestShown(t *testing.T) {
	texts := exampleTexts(t)
	for _, dir := range shownPackages {
		name := filepath.Base(dir)
		for _, typ := range exportedTypes(t, filepath.Join("..", dir)) {
			if !mentions(texts, name+"."+typ) && !mentions(texts, "func Example"+typ) {
				t.Errorf("%s.%s is in no example", name, typ)
			}
		}
	}
}

// exampleTexts are the files with examples, and the programs of this folder.
func exampleTexts(t *testing.T) []string {
	t.Helper()
	var texts []string
	must.OK(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(path, "example_test.go") || strings.HasPrefix(path, "../examples/") && strings.HasSuffix(path, ".go") {
			b, err := os.ReadFile(path)
			texts = append(texts, string(b))
			return err
		}
		return nil
	}))
	return texts
}

func mentions(texts []string, name string) bool {
	for _, text := range texts {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, name)
			if !found {
				break
			}
			if after == "" || !token.IsIdentifier("x"+after[:1]) {
				return true
			}
			rest = after
		}
	}
	return false
}

// exportedTypes are the types that a package declares for others.
func exportedTypes(t *testing.T, dir string) []string {
	t.Helper()
	files := must.Get(filepath.Glob(dir + "/*.go"))(t)
	var types []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))(t)
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					if s := s.(*ast.TypeSpec); s.Name.IsExported() {
						types = append(types, s.Name.Name)
					}
				}
			}
		}
	}
	if len(types) < 3 {
		t.Fatalf("%s: only %d types were found", dir, len(types))
	}
	return types
}
