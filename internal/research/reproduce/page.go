package reproduce

import (
	"bytes"
	_ "embed" // the page's template
	"html/template"

	"github.com/fspca/fspca/internal/chart"
)

//go:embed page.gohtml
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"svg": func(c chart.Lines) template.HTML { return template.HTML(c.SVG()) },
}).Parse(pageText))

// html writes the document as one page that needs no other file.
func (d document) html() ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
