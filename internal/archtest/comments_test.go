package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fspca/fspca/internal/must"
)

// mostWords is the number of words that a sentence of a comment may have.
const mostWords = 25

var sentenceEnd = regexp.MustCompile(`[.:;!?]["”')]?\s+|\n\s*\n|\n\s+- `)

// formulas is the file whose sentences are a proof of formulas, which count as words.
const formulas = "../../solver/soft.go"

// eachFile calls look with every source file but those of tests.
func eachFile(t *testing.T, look func(path string, files *token.FileSet, f *ast.File)) {
	t.Helper()
	must.OK(t, filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
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
		if err == nil {
			look(filepath.ToSlash(path), files, f)
		}
		return err
	}))
}

// short reports the sentences of a text that are long.
func short(t *testing.T, at token.Position, text string) {
	t.Helper()
	for _, s := range sentenceEnd.Split(prose(text), -1) {
		if n := len(strings.Fields(s)); n > mostWords {
			t.Errorf("%s: a sentence of %d words, want at most %d: %s", at, n, mostWords, strings.Join(strings.Fields(s), " "))
		}
	}
}

// TestComments: every exported function, method and type has a comment, in the rooms of users also a method of a
// type that is not exported. No sentence of any comment is long.
func TestComments(t *testing.T) {
	eachFile(t, func(path string, files *token.FileSet, f *ast.File) {
		for _, c := range f.Comments {
			if path != formulas {
				short(t, files.Position(c.Pos()), c.Text())
			}
		}
		if f.Name.Name == "main" {
			return
		}
		inner := strings.HasPrefix(path, "../../internal/") || strings.HasPrefix(path, "../../cmd/")
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
	})
}

// TestTexts: no sentence of a help text, an error or another text of a program is long.
func TestTexts(t *testing.T) {
	texts := 0
	eachFile(t, func(path string, files *token.FileSet, f *ast.File) {
		if strings.Contains(path, "internal/kernel/gen/") || strings.Contains(path, "internal/research/") {
			return // programs, and tables
		}
		ast.Inspect(f, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text := must.Get(strconv.Unquote(literal.Value))(t)
			if literal.Value[0] == '"' {
				text = strings.ReplaceAll(text, "\n", "\n\n") // its lines are not filled
			}
			short(t, files.Position(literal.Pos()), strings.ReplaceAll("\n"+text, "\n  ", "\n\t"))
			texts++
			return true
		})
	})
	if texts < 5000 {
		t.Errorf("only %d texts were looked at", texts)
	}
}

// prose is a comment or a text without the lines of code in it.
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
