package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/fspca/fspca/dataset"
)

// Input is what a page shows. The values are those that are printed as JSON; nil
// ones are not there.
type Input struct {
	Title   string
	Command string // that makes the page again
	Shape   []int  // rows and columns of pixels, where the columns of the table are those of an image

	// Columns are the names of all columns of the table, in its order: the pixels of
	// Shape. Nil where the selection chose from all of them.
	Columns []string

	// Table is the table that the columns were chosen from, as it came to the choice, for the
	// correlations of those that were left out; nil where there is none.
	Table *dataset.Frame

	Facts [][2]string // what the page comes from, beside what Run says: names and values

	Selection  any // selector.Summary: the keys of fit --json
	Path       any // the elements of path --json
	Run        any // experiment.Report: report.json
	Evaluation any // selector.Evaluation: evaluate --json
	Scores     *Scores
	Numbers    *Numbers // of a regression; nil for classes
}

// page is the input with its keys read.
type page struct {
	Input
	selection  *selection
	path       []point
	run        *run
	evaluation *evaluation
	column     map[string]int // places of the columns of Table
	left       []told         // see leftColumns
	looked     bool           // whether left is known
}

// section is a part of the page. What is empty is left out.
type section struct {
	ID, Title string
	Text      []string
	Picker    *picker  // before the figures
	Slider    []stop   // likewise
	Figures   []figure // drawings, each with its numbers
	Tables    []table
	Command   string // that makes it again
	Code      string
	Folded    bool // closed until it is opened
}

var (
	//go:embed page.gohtml
	layout string
	//go:embed page.css
	style string
	//go:embed page.js
	script string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
	}).Parse(layout))
)

// Write writes the page. The error is w's, or that of a value that is no JSON.
func Write(w io.Writer, in Input) error {
	p := &page{Input: in}
	for _, part := range []struct {
		what     string
		from, to any
	}{
		{"selection", in.Selection, &p.selection}, {"path", in.Path, &p.path},
		{"run", in.Run, &p.run}, {"evaluation", in.Evaluation, &p.evaluation},
	} {
		if err := convert(part.from, part.to); err != nil {
			return fmt.Errorf("report: %s: %w", part.what, err)
		}
	}
	if err := p.checkShape(); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	sections := slices.Concat(p.warnings(), p.overPath(), p.columns(), p.components(), p.scores(), p.leftOut(),
		p.measured(), p.search(), p.stability(), p.rebuilt(), p.convergence(), p.origin(), p.everything())
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, map[string]any{"Title": p.title(), "Answer": p.answer(), "Sections": sections})
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// convert reads the JSON of a value into the keys that a page knows.
func convert(from, to any) error {
	if from == nil {
		return nil
	}
	b, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, to)
}

func (p *page) title() string {
	switch {
	case p.run != nil && p.run.Name != "":
		return p.run.Name
	case p.Title != "":
		return p.Title
	}
	return "fspca report"
}

// one is a list with a section that has something to show, else an empty one.
func one(s section) []section {
	if len(s.Text) == 0 && len(s.Figures) == 0 && len(s.Tables) == 0 && s.Code == "" && s.Command == "" && len(s.Slider) == 0 {
		return nil
	}
	return []section{s}
}
