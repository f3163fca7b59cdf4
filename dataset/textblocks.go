package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fspca/fspca/internal/lists"
)

// rereader reads a table as a whole that was read before; nil if it cannot be read again.
type rereader func(opt ReadOptions) (*Frame, error)

// textBlocks reads text into a temporary file.
func (f *File) textBlocks(opt ReadOptions) (*Blocks, error) {
	var again rereader
	if f.seekable() != nil && f.readAsText() && !f.recoded {
		again = f.readText
	}
	return f.spillText(f.rawText(), opt, again)
}

// sheetBlocks is textBlocks for the sheet of a workbook.
func (f *File) sheetBlocks(opt ReadOptions) (b *Blocks, err error) {
	again := func(o ReadOptions) (*Frame, error) {
		o.Sheet = opt.Sheet
		return f.readSheet(o)
	}
	err = f.eachSheetLine(opt, func(text io.Reader, opt ReadOptions) error {
		b, err = f.spillText(text, opt, again)
		return err
	})
	if err != nil && b != nil {
		err = errors.Join(err, b.Close())
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// spillText reads text whose numbers go to a temporary file.
func (f *File) spillText(text io.Reader, opt ReadOptions, again rereader) (*Blocks, error) {
	opt = opt.cleaned()
	if opt.Names != "" {
		return nil, errNamesAlone
	}
	t, err := openCSV(text, f.name, opt)
	if err != nil {
		return nil, err
	}
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	return spillTo(func(spill spooled) (*Blocks, error) { return f.spillTable(t, spill, again) })
}

// spillTable writes the numbers of the text to the temporary file.
func (f *File) spillTable(t *csvTable, spill spooled, again rereader) (*Blocks, error) {
	width := t.features()
	counts := &missingCounts{counts: make([]int, width)}
	t.table = t.source.Spill(t.form, t.plan(), func(values []float64) error {
		if width == 0 {
			return nil
		}
		counts.add(values)
		if _, err := spill.Write(bytesOf(values)); err != nil {
			return errSpill(err)
		}
		return nil
	})
	if err := t.stopped(); err != nil {
		return nil, err
	}
	if t.table.Err != nil { // what follows may be garbage
		t.noteLines()
		return nil, t.bad.err()
	}
	if err := t.spilledTexts(again); err != nil {
		return nil, err
	}
	columns, err := t.judge()
	if err != nil {
		return nil, err
	}
	b := f.spilled(t, spill, counts, columns)
	return b, b.numbers.note()
}

// features counts the columns of numbers.
func (t *csvTable) features() int {
	return lists.Count(t.columns, func(c chosenColumn) bool { return !c.declared })
}

// spilled makes the blocks of a table whose numbers are in the temporary file.
func (f *File) spilled(t *csvTable, spill spooled, counts *missingCounts, columns []*csvColumn) *Blocks {
	reading := t.reading()
	b := &Blocks{name: f.name, rows: t.table.Rows, numbers: numberFile{file: spill.File, closer: spill, header: nativeHeader(t.table.Rows, len(counts.counts))},
		counts: counts.counts, first: counts.first, missing: missingMarkers{nan: true},
		src: provenance{reading: &reading, notes: t.warnings, lines: t.table.Lines()}}
	if t.opt.As == nil {
		b.src.notes = append(b.src.notes, markersAbsent(t.markers.absent())...)
	}
	for _, c := range columns {
		var factor *Factor
		if c.declared {
			factor = mergedFactor(c.levels, t.table.Codes[c.place])
		}
		b.addColumn(c.name, factor, t.opt)
	}
	return b
}

// spilledTexts returns an error for columns of numbers that hold texts: what the
// reader of the whole table says of these columns, if it can be read again.
func (t *csvTable) spilledTexts(again rereader) error {
	var names, examples []string
	for i, c := range t.columns {
		if texts := t.table.Texts[i]; !c.declared && len(texts) > 0 && len(names) < maxReported {
			names, examples = append(names, c.name), append(examples, texts[0])
		}
	}
	if len(names) == 0 {
		return nil
	}
	if again != nil {
		opt := t.opt
		opt.Only = names
		opt.Drop, opt.Categorical, opt.ID = nil, nil, ""
		opt.Numeric = slices.DeleteFunc(slices.Clone(opt.Numeric), func(name string) bool { return !slices.Contains(names, name) })
		frame, err := again(opt)
		if err != nil {
			return err
		}
		for j, name := range names {
			if c := frame.Factor(name); c != nil {
				return &TextError{Column: name, Example: examples[j], Columns: names}
			}
		}
	}
	return &TextError{Column: names[0], Example: examples[0], Columns: names}
}

// TextError reports columns of text in a table that is read in blocks of numbers.
type TextError struct {
	Column  string   // the first of them
	Example string   // a text in it
	Columns []string // all, at most 20
}

// Error names the columns and what to do.
func (e *TextError) Error() string {
	more := ""
	if len(e.Columns) > 1 {
		more = fmt.Sprintf(" (%d such columns)", len(e.Columns))
	}
	return fmt.Sprintf("column %q holds text (%q)%s: rows in blocks are numbers; leave such columns out with drop, declare them categorical, or read the table as a whole",
		e.Column, clip(e.Example), more)
}
