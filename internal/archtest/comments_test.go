package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// mostWords is the number of words that a sentence of a comment may have.
const mostWords = 25

var sentenceEnd = regexp.MustCompile(`[.:;!?]["”')]?\s+|\n\s*\n|\n\s+- `)

// formulas is the file whose sentences are a proof of formulas, which count as words.
const formulas = "../../solver/soft.go"

// TestComments: every exported function, method and type has a comment, in the rooms of users also a method of a
// type that is not exported. No sentence of any comment is long.
func TestComments(t *testing.T) {
	root := filepath.Join("..", "..")
	must.OK(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, c := range f.Comments {
			for _, s := range sentenceEnd.Split(prose(c.Text()), -1) {
				if n := len(strings.Fields(s)); n > mostWords && filepath.ToSlash(path) != formulas {
					t.Errorf("%s: a sentence of %d words, want at most %d: %s", files.Position(c.Pos()), n, mostWords, strings.Join(strings.Fields(s), " "))
				}
			}
		}
		if f.Name.Name == "main" {
			return nil
		}
		inner := strings.HasPrefix(path, filepath.Join(root, "internal")) || strings.HasPrefix(path, filepath.Join(root, "cmd"))
		check := func(name *ast.Ident, doc *ast.CommentGroup) {
			if !name.IsExported() {
				return
			}
			if doc == nil {
				t.Errorf("%s: %s has no comment", files.Position(name.Pos()), name.Name)
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || !inner || receiverIsExported(d.Recv) {
					check(d.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						doc := s.Doc
						if doc == nil {
							doc = d.Doc
						}
						check(s.Name, doc)
					}
				}
			}
		}
		return nil
	}))
}

// prose is a comment without the lines of code in it.
func prose(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "\t") {
			line = "\n"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// receiverIsExported reports whether a method is of an exported type.
func receiverIsExported(recv *ast.FieldList) bool {
	of := recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported()
}
