package dataset

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/spelling"
)

// The data and their licence are described in builtin/ATTRIBUTION.md.
//
//go:embed builtin/digits.csv.gz builtin/iris.csv builtin/wine.csv builtin/ATTRIBUTION.md
var builtinFiles embed.FS

// builtins are the embedded tables, in the order of their names.
var builtins = []builtin{
	{"digits", "digits.csv.gz", "digit"},
	{"iris", "iris.csv", "species"},
	{"wine", "wine.csv", "cultivar"},
}

type builtin struct{ name, file, label string }

// BuiltinNames returns the names that [Builtin] knows.
func BuiltinNames() []string {
	return lists.Map(builtins, func(b builtin) string { return b.name })
}

// Builtin returns one of the tables that are part of the program, all from the
// UCI Machine Learning Repository under CC BY 4.0 (see [Attribution]):
//
//   - "digits": 1797 handwritten digits of 8×8 pixels, columns p00…p77 (row,
//     column), class "digit";
//   - "iris": 150 flowers, 4 columns, class "species";
//   - "wine": 178 wines, 13 columns, class "cultivar".
func Builtin(name string) (*Frame, error) {
	for _, b := range builtins {
		if b.name != name {
			continue
		}
		text, err := builtinFiles.ReadFile("builtin/" + b.file)
		if err != nil {
			return nil, err
		}
		return ReadCSV(bytes.NewReader(text), "builtin:"+name, ReadOptions{Label: b.label})
	}
	if near := spelling.Nearest(name, BuiltinNames()); near != "" {
		return nil, fmt.Errorf("no builtin table %q: did you mean %q?", name, near)
	}
	return nil, fmt.Errorf("no builtin table %q: there are %s", name, strings.Join(BuiltinNames(), ", "))
}

// Attribution returns the authors and the licence of the builtin tables, and
// what was changed, as Markdown. Anyone who redistributes the tables must
// include it.
func Attribution() string {
	text, err := builtinFiles.ReadFile("builtin/ATTRIBUTION.md")
	if err != nil {
		panic(err) // cannot be: embedded
	}
	return string(text)
}
