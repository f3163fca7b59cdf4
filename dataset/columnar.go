package dataset

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/delimited"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/memory"
)

// Columns is an open file that stores typed columns; see [Format].
type Columns interface {
	Rows() int
	// Columns lists the columns of the file.
	Columns() []ColumnInfo
	// Read reads the columns at the given places: numbers row-major, with NaN for a missing cell,
	// and texts as factors, whose levels may be in any order. Integers may be read as texts.
	Read(numbers, texts []int) (x []float64, factors []*Factor, err error)
}

// ColumnSpiller may be implemented by Columns as well. Then files that are larger than the memory
// can be read too.
type ColumnSpiller interface {
	// Spill passes the cells of the numeric columns at the given places to take: some rows of one
	// column at a time, in any order: cells of the column numbers[i], starting at the given row,
	// with NaN for a missing cell. Several goroutines call take, which may change the cells and does
	// not keep them.
	Spill(numbers []int, take func(i, row int, cells []float64) error) error
}

// ColumnInfo describes one column of a file.
type ColumnInfo struct {
	Name    string
	Text    bool   // it holds text, not numbers
	Integer bool   // it holds integers, which are read as texts too
	Bits    int    // 16 or 32 if it holds floats that are stored in as many bits, else 0
	Problem string // why it cannot be read, such as "holds lists"; "" otherwise
}

// openColumns reads what a file of typed columns says of itself, and chooses the
// columns that are wanted.
func (f *File) openColumns(opt ReadOptions) (*columnTable, error) {
	r, size, err := f.place()
	if err != nil {
		return nil, &ParseError{File: f.name, Err: err}
	}
	file, err := f.format.columns(r, size)
	if err != nil {
		return nil, &ParseError{File: f.name, Err: err}
	}
	if err := bounded.Err(f.ctx); err != nil {
		return nil, &ParseError{File: f.name, Err: err}
	}
	opt.kind = columnReader
	t := &columnTable{file: file, infos: file.Columns(), opt: opt.cleaned()}
	t.bad.file = f.name
	return t, t.choose()
}

// readColumns reads a file of typed columns: only those that are wanted.
func (f *File) readColumns(opt ReadOptions) (*Frame, error) {
	t, err := f.openColumns(opt)
	if err != nil {
		return nil, err
	}
	frame, err := t.frame()
	if stopped := bounded.Err(f.ctx); stopped != nil {
		err = stopped
	}
	if err != nil {
		return nil, located(f.name, err)
	}
	reading := readingOf(columnReader, opt)
	frame.src = provenance{reading: &reading, notes: t.warnings}
	return frame.takeID(cleanText(opt.ID))
}

// columnTable is a file of typed columns on its way to a frame.
type columnTable struct {
	file     Columns
	infos    []ColumnInfo
	opt      ReadOptions
	bad      mistakes
	chosen   []chosenColumn
	numbers  []int // places in the file
	texts    []int
	features []int // those of numbers that are not declared categorical
	declared map[int]bool
	warnings []Warning
}

// choose decides which columns are read, and as what.
func (t *columnTable) choose() error {
	names := lists.Map(t.infos, func(info ColumnInfo) string { return cleanText(info.Name) })
	t.chosen = chooseColumns(names, t.opt, 0, &t.bad)
	t.declared = map[int]bool{}
	for i, c := range t.chosen {
		info := t.infos[c.field]
		if info.Problem != "" {
			t.bad.add(0, 0, c.name, fmt.Errorf("it %s: leave it out (option drop)", info.Problem))
		}
		if c.declared {
			t.declared[c.field] = true
		} else if info.Text {
			t.chosen[i].declared = true
		}
		if info.Text || info.Integer && c.declared {
			t.texts = append(t.texts, c.field)
			continue
		}
		if !c.declared {
			t.features = append(t.features, len(t.numbers))
		}
		t.numbers = append(t.numbers, c.field)
	}
	if t.file.Rows() == 0 && len(t.bad.list) == 0 {
		t.bad.add(0, 0, "", fmt.Errorf("the file has %w", ErrNoRows))
	}
	return t.bad.err()
}

// frame reads the columns and puts them together.
func (t *columnTable) frame() (*Frame, error) {
	cells := int64(t.file.Rows()) * int64(8*len(t.numbers)+4*len(t.texts))
	if err := memory.Check("the table", cells); err != nil {
		return nil, err
	}
	x, factors, err := t.file.Read(t.numbers, t.texts)
	if err != nil {
		return nil, err
	}
	markers, texts := newMarkers(t.opt.Missing), newCSVMarkers(t.opt.Missing, delimited.Notation{})
	absent := markers.apply(x, t.rounded(markers, t.numbers)...)
	cols, class, err := t.columns(x, len(t.numbers), factors, texts)
	if err != nil {
		return nil, err
	}
	if t.opt.As == nil {
		t.warnings = append(t.warnings, t.absent(absent, texts)...)
	}
	return Assemble(keepColumns(x, len(t.numbers), t.features), cols, nameOf(class, t.opt.Label), class)
}

// absent says which markers of missing cells are nowhere, neither among numbers nor in texts.
func (t *columnTable) absent(numbers []string, texts csvMarkers) []Warning {
	return markersAbsent(slices.DeleteFunc(texts.absent(), func(s string) bool {
		return len(newMarkers([]string{s}).numbers) > 0 && !slices.Contains(numbers, s)
	}))
}

// columns returns the columns, of which the texts are in factors and the numbers are width columns
// of x: all of them, or only those that are declared categorical.
func (t *columnTable) columns(x []float64, width int, factors []*Factor, texts csvMarkers) (cols []Column, class *Factor, err error) {
	number, text := 0, 0
	for _, c := range t.chosen {
		col := Column{Name: c.name}
		switch {
		case slices.Contains(t.texts, c.field) && len(factors[text].Levels) > mostTexts && c.name != cleanText(t.opt.ID):
			what := fmt.Errorf("the column has %d different texts, more than %d", len(factors[text].Levels), mostTexts)
			t.bad.add(0, 0, c.name, tooManyTexts(what, c.name))
			text++
			continue
		case slices.Contains(t.texts, c.field) && notUTF8(factors[text].Levels) >= 0:
			level := factors[text].Levels[notUTF8(factors[text].Levels)]
			t.bad.add(0, 0, c.name, fmt.Errorf("it holds binary data (%q is not UTF-8): leave it out (option drop)", clip(level)))
			text++
			continue
		case slices.Contains(t.texts, c.field):
			col.Factor = sortedFactor(factors[text], texts.has)
			if t.infos[c.field].Text && !t.declared[c.field] {
				t.checkTexts(c.name, col.Factor)
			}
			text++
		case c.declared:
			col.Factor = factorOf(x, width, number)
			number++
		case width == len(t.numbers):
			number++
		}
		if !c.label {
			cols = append(cols, col)
			continue
		}
		class = col.Factor
		t.bad.addMissing(c.name, class)
	}
	return cols, class, t.bad.err()
}

// notUTF8 returns the place of the first text that is not UTF-8; -1 if all are.
func notUTF8(texts []string) int {
	return slices.IndexFunc(texts, func(s string) bool { return !utf8.ValidString(s) })
}

// sortedFactor returns a factor with its levels as a text would give them; those that has reports to
// be markers are missing.
func sortedFactor(c *Factor, has func(string) bool) *Factor {
	occurs := lists.Tally(len(c.Levels), c.Codes)
	to := make([]int32, len(c.Levels))
	var texts []string
	for i, level := range c.Levels {
		if occurs[i] == 0 || cleanText(level) == "" || has(level) {
			to[i] = Missing
			continue
		}
		to[i] = int32(len(texts))
		texts = append(texts, level)
	}
	codes := slices.Clone(c.Codes)
	recode(codes, to)
	return mergedFactor(texts, codes)
}
