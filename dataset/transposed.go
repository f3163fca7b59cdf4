package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/lists"
)

// readTransposed reads delimited text whose columns are the rows of the table: it writes the text
// transposed into memory and has [ReadCSV] read that, so that every rule for a table holds. Lines in
// errors of cells are columns of the file.
func readTransposed(r io.Reader, name string, opt ReadOptions) (*Frame, error) {
	g, err := readTextGrid(r, name, opt)
	if err != nil {
		return nil, err
	}
	notes := g.numberedNames(opt)
	names, err := g.takeNames(opt)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	text, err := g.transposed(names)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	inner := opt
	inner.Transpose, inner.Names, inner.NoHeader, inner.Delimiter = false, "", false, ','
	inner.SkipRows, inner.SkipFooter, inner.SkipLines, inner.Comment, inner.LineLimit = 0, 0, nil, "", math.MaxInt64
	inner.As = nil
	f, err := ReadCSV(text, name+" (transposed)", inner)
	if err != nil {
		return nil, err
	}
	reading := readingOf(opt.kind, opt)
	f.src.reading, f.src.lines, f.src.notes = &reading, nil, append(f.src.notes, notes...)
	if g.header == nil || opt.ID != "" {
		return f, nil
	}
	return f.WithID(f.freeName("id"), g.header)
}

// textGrid is a text by columns, whose cells are all taken as text.
type textGrid struct {
	header []string // nil without one
	texts  [][]string
	codes  [][]int32 // Missing for an empty cell
}

// readTextGrid reads a text whose lines are equally long.
func readTextGrid(r io.Reader, name string, opt ReadOptions) (*textGrid, error) {
	t, err := openCSV(r, name, ReadOptions{Delimiter: opt.Delimiter, NoHeader: opt.NoHeader, SkipRows: opt.SkipRows, SkipFooter: opt.SkipFooter, SkipLines: opt.SkipLines, Comment: opt.Comment,
		LineLimit: opt.LineLimit, ctx: opt.ctx})
	if err != nil {
		return nil, err
	}
	names, err := t.readNames()
	if err != nil {
		return nil, err
	}
	for j := range names {
		t.columns = append(t.columns, chosenColumn{field: j, declared: true})
	}
	t.table = t.source.Read(t.form, t.plan())
	if err := t.stopped(); err != nil {
		return nil, err
	}
	t.noteLines()
	if t.table.Rows == 0 && len(t.bad.list) == 0 {
		t.bad.add(0, 0, "", errors.New("the file has a header but no rows"))
	}
	if err := t.bad.err(); err != nil {
		return nil, err
	}
	if opt.NoHeader {
		names = nil
	}
	return &textGrid{header: names, texts: t.table.Texts, codes: t.table.Codes}, nil
}

// cell returns the text of a cell.
func (g *textGrid) cell(row, column int) string {
	if code := g.codes[column][row]; code != Missing {
		return g.texts[column][code]
	}
	return ""
}

// takeNames takes the column with the names of the table's columns out: the named one, else the
// first unless all of its cells are numbers or empty. Without one the names are x1, x2, …
func (g *textGrid) takeNames(opt ReadOptions) ([]string, error) {
	at := 0
	switch {
	case opt.Names != "" && g.header == nil:
		return nil, errors.New("option names picks a column by its name, and option header says that the columns have no names: leave one of them out")
	case opt.Names != "":
		if at = slices.Index(g.header, cleanText(opt.Names)); at < 0 {
			return nil, withChoice(missingColumns("names", []string{opt.Names}, g.header, ""), g.header)
		}
	case !slices.ContainsFunc(g.texts[0], func(s string) bool { _, kind := parseCell(s); return kind == textCell && s != "" }):
		return numberedNames(len(g.codes[0])), nil
	}
	names := lists.Make(len(g.codes[at]), func(i int) string { return g.cell(i, at) })
	g.texts, g.codes = slices.Delete(g.texts, at, at+1), slices.Delete(g.codes, at, at+1)
	if g.header != nil {
		g.header = slices.Delete(g.header, at, at+1)
	}
	if len(g.codes) == 0 {
		return nil, errors.New("the only column holds the names of the table's columns, and nothing is left for its rows")
	}
	return names, nil
}

// namesOfNames are what the column with the names of features is called, in lower case, beside the names of
// identifiers.
var namesOfNames = []string{"", "gene", "genes", "feature", "features", "probe", "entrez", "entrezid", "geneid", "variable", "name", "names"}

// numberedNames warns of a first column that is taken for a row, but seems to name columns by numbers, as
// Entrez does genes.
func (g *textGrid) numberedNames(opt ReadOptions) []Warning {
	if opt.Names != "" || g.header == nil || len(g.codes) < 2 || len(g.codes[0]) < fewRows {
		return nil
	}
	name := g.header[0]
	if !isIDName(name) && !slices.Contains(namesOfNames, strings.ToLower(name)) {
		return nil
	}
	seen := make(map[float64]bool, len(g.codes[0]))
	for i := range g.codes[0] {
		v, kind := parseCell(g.cell(i, 0))
		if kind != numberCell || v < 0 || v != math.Trunc(v) || seen[v] {
			return nil
		}
		seen[v] = true
	}
	return []Warning{{"W119", "names-as-row", fmt.Sprintf("the first column of the file, %q, seems to name the columns of the transposed table by numbers, and is read as a row: name them by it (option names: %q)", name, name)}}
}

// transposed writes the columns as lines, after the names.
func (g *textGrid) transposed(names []string) (*bytes.Reader, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(names); err != nil {
		return nil, err
	}
	line := make([]string, len(names))
	for j := range g.codes {
		for i := range line {
			line[i] = g.cell(i, j)
		}
		if len(line) == 1 && line[0] == "" { // a blank line would not be read as a row
			w.Flush()
			b.WriteString("\"\"\n")
			continue
		}
		if err := w.Write(line); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return bytes.NewReader(b.Bytes()), w.Error()
}
