// Package surface lists the exported functions and types of the packages that users
// import.
package surface

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// Module is the module's path, with a slash.
const Module = "github.com/fspca/fspca/"

// Packages are those that users import.
var Packages = []string{
	"dataset", "pipeline", "pipeline/classifier", "pipeline/config", "pipeline/experiment", "selector",
	"solver", "solver/baseline", "solver/reconstruction", "solver/spectral", "transformer",
}

// Symbol is an exported function or type.
type Symbol struct {
	Package, Name string
	Func, Generic bool
	Panics        []string // the function, or methods of the type, whose comment says when it panics
}

// Read lists the symbols of the module at root, as the default build has them.
func Read(root string) ([]Symbol, error) {
	var all []Symbol
	for _, p := range Packages {
		dir := filepath.Join(root, p)
		info, err := build.ImportDir(dir, 0)
		if err != nil {
			return nil, err
		}
		panics := map[string][]string{}
		first := len(all)
		for _, name := range info.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			for _, d := range f.Decls {
				all = append(all, declared(p, d, panics)...)
			}
		}
		for i := range all[first:] {
			all[first+i].Panics = panics[all[first+i].Name]
		}
	}
	return all, nil
}

func declared(p string, d ast.Decl, panics map[string][]string) []Symbol {
	var out []Symbol
	switch d := d.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() {
			return nil
		}
		owner := d.Name.Name
		if d.Recv == nil {
			out = append(out, Symbol{Package: p, Name: owner, Func: true, Generic: d.Type.TypeParams != nil})
		} else {
			t := d.Recv.List[0].Type
			if star, ok := t.(*ast.StarExpr); ok {
				t = star.X
			}
			if name, ok := t.(*ast.Ident); ok {
				owner = name.Name
			}
		}
		if strings.Contains(d.Doc.Text(), "anic") {
			panics[owner] = append(panics[owner], d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if t, ok := s.(*ast.TypeSpec); ok && t.Name.IsExported() {
				out = append(out, Symbol{Package: p, Name: t.Name.Name, Generic: t.TypeParams != nil})
			}
		}
	}
	return out
}
