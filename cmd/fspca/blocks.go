package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
	"github.com/fspca/fspca/solver"
	"github.com/fspca/fspca/transformer"
)

// inBlocks reports whether the table of a file is to be read in blocks: if the
// table and the memory that need gives for its shape exceed the limit.
func (m *memoryFlag) inBlocks(file *dataset.File, opt dataset.ReadOptions, need func(rows, columns int) int64) bool {
	limit, known := m.limit()
	if !known {
		return false
	}
	if file.Sparse() { // a cell that is there takes 12 bytes, and no less in the file
		return file.Size() > limit
	}
	rows, columns, ok := file.Cells(opt)
	if !ok { // a stream may hold anything
		return m.bytes != 0
	}
	beside := int64(0)
	if slices.Contains([]string{"csv", "tsv"}, file.Format()) {
		beside = min(textMemory, 16*int64(rows)*int64(columns))
	}
	return m.exceeds(need(rows, columns) + beside)
}

// textMemory is what has to be free beside a table while its text is read; beside a small one less.
const textMemory = 32 << 20

// exceeds reports whether so many bytes and the program need more than the limit.
func (m *memoryFlag) exceeds(bytes int64) bool {
	limit, known := m.limit()
	return known && float64(bytes)+programMemory > float64(limit)
}

// unsure reports whether a limit was given and only reading the file tells its size.
func (m *memoryFlag) unsure(file *dataset.File, opt dataset.ReadOptions) bool {
	_, _, ok := file.Cells(opt)
	return !ok && m.bytes != 0
}

// readBlocks opens DATA for reading in blocks, if it is larger than the memory; nil
// if it is not.
func (f *fitFlags) readBlocks(cmd *cobra.Command, path string, file *dataset.File, opt dataset.ReadOptions, largest int) (*source, error) {
	o := f.Options
	o.Features = max(o.Features, largest)
	o.Reconstruction = o.Reconstruction && f.memory.bytes != 0 // else what is free for them is looked at later
	if f.memory.unsure(file, opt) {
		return f.readUnsure(cmd, path, file, opt, o)
	}
	exceeds := func(o selector.Options) bool {
		return f.memory.inBlocks(file, opt, func(rows, columns int) int64 { return fitMemory(rows, columns, o) })
	}
	if !exceeds(o) {
		return nil, nil
	}
	if rows, columns, ok := file.Cells(opt); ok { // what cannot be says so before it starts
		if err := f.blocksFit(rows, columns, o); err != nil {
			if f.memory.bytes == 0 {
				return nil, nil // as much as there is, then
			}
			plain := o
			if plain.Reconstruction = false; o.Reconstruction && !exceeds(plain) {
				err = fmt.Errorf("--memory %s holds the table and the fit, but not the figures of all columns: raise it, leave them out (--no-reconstruction), or choose fewer (-k)", f.memory.String())
			}
			return nil, f.soonerIn(cmd, path, rows, largest, at(path, err))
		}
	}
	b, err := openedBlocks(path, file, opt)
	switch {
	case errors.Is(err, dataset.ErrNoBlocks) && f.memory.bytes == 0:
		return nil, nil
	case errors.Is(err, dataset.ErrNoBlocks):
		return nil, tooSmall(err)
	case err != nil:
		return nil, err
	}
	return f.completedBlocks(cmd, path, file, b)
}

// soonerIn is sooner for a file that was not read yet: its header is, where it has one.
func (f *fitFlags) soonerIn(cmd *cobra.Command, path string, rows, largest int, err error) error {
	if path == "-" {
		return err
	}
	file, opt, failed := f.data.open(cmd.Context(), path)
	if failed != nil {
		return err
	}
	defer file.Close()
	names, failed := file.Header(opt)
	if failed != nil {
		return err
	}
	return f.sooner(path, names, rows, largest, err)
}

// fitMemory is what a table and its fit take.
func fitMemory(rows, columns int, o selector.Options) int64 {
	shape := solver.Shape{Rows: rows, Columns: columns}
	return selector.DataMemory(shape) + selector.Memory(shape, o)
}

// readUnsure reads a file whose size is known when it has been read: into blocks, and from there into memory if
// the memory holds it. What has no blocks is read into memory, which its limit guards; nil then.
func (f *fitFlags) readUnsure(cmd *cobra.Command, path string, file *dataset.File, opt dataset.ReadOptions, o selector.Options) (*source, error) {
	b, err := openedBlocks(path, file, opt)
	if errors.Is(err, dataset.ErrNoBlocks) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	rows, columns := b.Dims()
	if f.memory.exceeds(fitMemory(rows, columns, o)) {
		if err := f.blocksFit(rows, columns, o); err != nil {
			return nil, errors.Join(f.sooner(path, b.Names(), rows, o.Features, at(path, err)), b.Close())
		}
		return f.completedBlocks(cmd, path, file, b)
	}
	frame, err := b.Frame(cmd.Context(), 0, rows)
	if err := errors.Join(err, b.Close()); err != nil {
		return nil, err
	}
	return f.completedTable(cmd, path, frame, append(slices.Clone(b.Notes()), frame.Warnings()...))
}

// openedBlocks opens DATA of a fit in blocks.
func openedBlocks(path string, file *dataset.File, opt dataset.ReadOptions) (*dataset.Blocks, error) {
	b, err := file.Blocks(opt)
	var text *dataset.TextError
	if errors.As(err, &text) {
		return nil, at(path, notNumbers(text.Columns, text.Example))
	}
	return b, err
}

// completedBlocks is DATA in blocks without missing cells.
func (f *fitFlags) completedBlocks(cmd *cobra.Command, path string, file *dataset.File, b *dataset.Blocks) (*source, error) {
	found, err := b.Warnings(cmd.Context())
	if err == nil {
		err = f.data.say(cmd, path, found)
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if err := f.completeBlocks(cmd, path, b); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	limit, _ := f.memory.limit()
	return &source{blocks: b, bytes: limit, close: func() error { return errors.Join(b.Close(), file.Close()) }}, nil
}

// blocksFit returns an error if a fit of rows in blocks cannot be.
func (f *fitFlags) blocksFit(rows, columns int, o selector.Options) error {
	if f.impute != "" && f.impute != transformer.Mean {
		return fmt.Errorf("--impute %s needs the table in memory, for which --memory is too small: take mean", f.impute)
	}
	if o.Features == 0 { // of a path, or to be found
		o.FeaturesTarget = 1
	}
	limit, _ := f.memory.limit()
	if err := selector.CheckRows(rows, columns, o, limit-programMemory); err != nil {
		var short *memory.Error
		if errors.As(err, &short) {
			return fmt.Errorf("%s needs about %s: raise --memory, leave columns out (--drop), or choose fewer (-k, -m)", strings.TrimPrefix(short.What, "fspca: "), memory.Amount(short.Need+programMemory))
		}
		return err
	}
	return nil
}

// completeBlocks is complete for a table in blocks.
func (f *fitFlags) completeBlocks(cmd *cobra.Command, path string, b *dataset.Blocks) error {
	text := lists.Where(b.Others(), func(c dataset.Column) bool { return f.data.Label == "" || !dataset.SameName(c.Name, f.data.Label) })
	if text != nil {
		return at(path, notNumbers(lists.Map(text, func(c dataset.Column) string { return c.Name }), example(text[0].Factor)))
	}
	ctx := cmd.Context()
	switch {
	case f.impute != "":
		if err := f.weightComplete(cmd, b); err != nil {
			return at(path, err)
		}
		return at(path, b.FillMeans(ctx))
	case f.omitMissing:
		before, _ := b.Dims()
		left, err := b.OmitMissing(ctx)
		if err != nil {
			return at(path, err)
		}
		return f.tellOmitted(cmd, path, left, before)
	}
	return withCure(path, b.CheckComplete(ctx, "fit"))
}

// weightComplete returns an error for missing weights, which are not to be guessed.
func (f *fitFlags) weightComplete(cmd *cobra.Command, b *dataset.Blocks) error {
	if f.Options.Weight == "" {
		return nil
	}
	err := b.CheckComplete(cmd.Context(), "--weight")
	var missing *dataset.MissingCellsError
	if errors.As(err, &missing) && !hasName(missing.Columns, f.Options.Weight) {
		return nil
	}
	return err
}

// openBlocks is open for a table that is read in blocks.
func (f *fitFlags) openBlocks(cmd *cobra.Command, path string, s *selector.FSPCA, d *source, largest int) (done func(), err error) {
	o := s.Options
	o.Features = max(o.Features, largest)
	if err := d.stateBlocks(cmd, path, o); err != nil {
		return nil, err
	}
	p := newProgress(cmd.ErrOrStderr(), f.talk)
	s.Progress = p.of(cmd.Context())
	restore := f.memory.keep()
	return func() {
		restore()
		p.done()
		if f.talk.verbose && p.passes > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "fspca: the rows were read in %s\n", words.Count(p.passes, "pass"))
		}
		_ = d.release()
	}, nil
}

// release closes what the rows are read from, where they are not in memory.
func (d *source) release() error {
	if d.close == nil {
		return nil
	}
	return d.close()
}

// rowsMemory is what a fit of rows in blocks may take.
func (d *source) rowsMemory() int64 {
	if d.bytes == 0 {
		return 0
	}
	return max(1, d.bytes-programMemory)
}

// stateBlocks says of a table in blocks how it is read.
func (d *source) stateBlocks(cmd *cobra.Command, path string, o selector.Options) error {
	n, columns := d.blocks.Dims()
	formed, least := selector.RowsMemory(n, columns, o)
	how, need := "in one pass", formed
	once := columns <= solver.MaxEntriesOrder && formed <= d.rowsMemory()
	if !once {
		how, need = fmt.Sprintf("in about %d passes, more where the spectrum is flat", rowPasses), least
	}
	length, sure := d.estimateBlocks(cmd.Context(), o, once)
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "fspca: %s: %s × %s, %s, more than the memory of %s: read in blocks of rows, %s; the fit needs about %s%s\n",
		shown(path), words.Count(n, "row"), words.Count(columns, "column"), memory.Amount(8*int64(n)*int64(columns)), memory.Amount(d.bytes), how, memory.Amount(need+programMemory), length.say(sure, o.Deadline))
	return cli.Failed(err)
}
