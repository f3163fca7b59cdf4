package reproduce

import (
	"bytes"
	_ "embed" // the page's template
	"html/template"

	"github.com/fspca/fspca/internal/chart"
)

//go:embed page.gohtml
var pageText string

// The widths for which each chart is drawn, in pixels: of a card on a desk and in a hand.
const (
	wide   = 500
	narrow = 310
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	// chart escapes its texts
	"wide":   func(c chart.Lines) template.HTML { return template.HTML(c.At(wide)) },
	"narrow": func(c chart.Lines) template.HTML { return template.HTML(c.At(narrow)) },
}).Parse(pageText))

// html writes the document as one page that needs no other file.
func (d document) html() ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
