package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// compressedText is how much longer than its file compressed text is taken to be.
const compressedText = 4

// bytesReader returns what reads b at any place.
func bytesReader(b []byte) io.ReaderAt { return bytes.NewReader(b) }

// shapeOfText returns how many lines the start of a text has, perhaps not whole, and
// the fields of its second line, or of its only one.
func shapeOfText(start []byte, delimiter rune, format string) (lines float64, fields int) {
	comma := []byte(",")
	switch {
	case delimiter == Whitespace:
		comma = []byte(" ")
	case delimiter != 0:
		comma = []byte(string(delimiter))
	case format == "tsv":
		comma = []byte("\t")
	}
	all := bytes.SplitN(start, []byte("\n"), 3)
	line := all[0]
	if len(all) == 3 {
		line = all[1]
	}
	return float64(bytes.Count(start, []byte("\n"))) + 1, bytes.Count(line, comma) + 1
}

// textBlocks reads text into a temporary file.
func (f *File) textBlocks(opt ReadOptions) (*Blocks, error) {
	opt = opt.cleaned()
	if opt.Names != "" {
		return nil, &ParseError{File: f.name, Err: errors.New("option names says which column has the names of the columns of a transposed table: it needs the option transpose")}
	}
	t, err := openCSV(f.rawText(), f.name, opt)
	if err != nil {
		return nil, err
	}
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	spill, err := newSpill()
	if err != nil {
		return nil, &ParseError{File: f.name, Err: err}
	}
	b, err := f.spillText(t, spill)
	if err != nil {
		spill.Close()
		return nil, err
	}
	return b, nil
}

// newSpill makes a temporary file that vanishes when it is closed, or, where an
// open file can be removed, whatever happens.
func newSpill() (spooled, error) {
	file, err := os.CreateTemp("", "fspca-*")
	if err != nil {
		return spooled{}, fmt.Errorf("a temporary file for the numbers: %w", err)
	}
	_ = os.Remove(file.Name())
	return spooled{file}, nil
}

// spillText writes the numbers of the text to the temporary file.
func (f *File) spillText(t *csvTable, spill spooled) (*Blocks, error) {
	var names []string
	for _, c := range t.columns {
		if !c.declared {
			names = append(names, c.name)
		}
	}
	counts := &missingCounts{counts: make([]int, len(names))}
	t.table = t.source.Spill(t.form, t.plan(), func(values []float64) error {
		if len(names) == 0 {
			return nil
		}
		counts.add(values)
		if _, err := spill.Write(bytesOf(values)); err != nil {
			return fmt.Errorf("writing the numbers to a temporary file: %w", err)
		}
		return nil
	})
	if err := t.stopped(); err != nil {
		return nil, err
	}
	text, err := f.spilledTexts(t)
	if err != nil {
		return nil, err
	}
	columns, err := t.judge()
	if err != nil {
		return nil, err
	}
	b := &Blocks{name: f.name, file: spill.File, closer: spill, header: spilledHeader(t.table.Rows, len(names)), names: names, rows: t.table.Rows,
		counts: counts.counts, first: counts.first, others: text, missing: missingMarkers{nan: true}}
	b.reading = t.reading()
	for _, c := range columns {
		if c.declared {
			b.others = append(b.others, Column{Name: c.name, Factor: mergedFactor(c.levels, t.table.Codes[c.place])})
		}
	}
	return b, b.note()
}

// spilledTexts returns an error for columns of numbers that hold texts: what the
// reader of the whole table says of these columns, if the text can be read again.
func (f *File) spilledTexts(t *csvTable) ([]Column, error) {
	var names, examples []string
	for i, c := range t.columns {
		if texts := t.table.Texts[i]; !c.declared && len(texts) > 0 && len(names) < maxReported {
			names, examples = append(names, c.name), append(examples, texts[0])
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	if f.seekable() != nil && (len(f.layers) == 0 || slices.Equal(f.layers, []string{"gzip"})) && !f.recoded {
		opt := t.opt
		opt.Only = names
		opt.Drop, opt.Categorical, opt.ID = nil, nil, ""
		opt.Numeric = slices.DeleteFunc(slices.Clone(opt.Numeric), func(name string) bool { return !slices.Contains(names, name) })
		frame, err := ReadCSV(f.rawText(), f.name, opt)
		if err != nil {
			return nil, err
		}
		for j, name := range names {
			if c := frame.Factor(name); c != nil {
				return nil, &TextError{Column: name, Example: examples[j], Columns: names}
			}
		}
	}
	return nil, &TextError{Column: names[0], Example: examples[0], Columns: names}
}

// TextError reports columns of text in a table that is read in blocks of numbers.
type TextError struct {
	Column  string   // the first of them
	Example string   // a text in it
	Columns []string // all, at most 20
}

// Error names the columns and what to do.
func (e *TextError) Error() string {
	return fmt.Sprintf("column %q holds text (%q), and %s such columns: rows in blocks are numbers; leave them out with drop, declare them categorical, or read the table as a whole",
		e.Column, clip(e.Example), fmt.Sprint(len(e.Columns)))
}
