package reproduce

import (
	"fmt"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// markdown writes the document without its charts, whose numbers are in its
// tables and in the CSV files.
func (d document) markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", d.Title)
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		for _, p := range s.Text {
			fmt.Fprintf(&b, "\n%s\n", p)
		}
		for _, n := range s.Notes {
			fmt.Fprintf(&b, "\nLeft out: %s\n", n)
		}
		if len(s.Checks) > 0 {
			b.WriteString("\n")
		}
		for _, c := range s.Checks {
			fmt.Fprintf(&b, "- **%s** %s: %s\n", verdict(c), c.Claim, c.Detail)
		}
		for _, t := range s.Tables {
			t.markdown(&b)
		}
	}
	return []byte(b.String())
}

func verdict(c Check) string {
	if c.Holds {
		return "holds"
	}
	return "fails"
}

// markdown writes the table; group titles are joined to the column titles.
func (t Table) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s\n\n", t.Caption)
	header := append([]string(nil), t.Header...)
	at := 0
	for _, g := range t.Groups {
		for i := range g.Span {
			if g.Title != "" {
				header[at+i] = g.Title + " " + header[at+i]
			}
		}
		at += g.Span
	}
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(header, " | "), strings.Repeat("---|", len(header)))
	for _, row := range t.Rows {
		texts := lists.Map(row, Cell.markdown)
		fmt.Fprintf(b, "| %s |\n", strings.Join(texts, " | "))
	}
	if t.Note != "" {
		fmt.Fprintf(b, "\n%s\n", t.Note)
	}
}

// markdown writes the paper's figure in brackets, and what stands out in bold.
func (c Cell) markdown() string {
	s := strings.ReplaceAll(c.Text, "|", `\|`)
	if c.Sub != "" {
		s += " [" + c.Sub + "]"
	}
	if s != "" && (c.Mark == Off || c.Mark == Best) {
		s = "**" + s + "**"
	}
	return s
}
