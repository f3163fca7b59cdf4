package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/words"
)

// newRows are rows for a fitted model.
type newRows struct {
	*dataset.Frame                 // the columns that the model needs, perhaps the label among them
	truth          *dataset.Factor // the label, of which cells may be missing; nil without one
}

// newTable is what DATA holds for a fitted model: rows in memory, or in blocks.
type newTable struct {
	count int             // of rows
	truth *dataset.Factor // the label of all rows; nil without one
	whole *newRows        // nil where the rows are read in blocks

	blocks *dataset.Blocks
	size   int // rows of a block
	label  string
	close  func()
}

// need is what a command reads of DATA and makes of it.
type need struct {
	inputs, categorical []string
	reading             dataset.Reading
	outputs             int    // columns that it makes of a row
	whole               string // what needs all rows in memory; "" for nothing
}

// readFor reads what a fitted model needs of path and nothing else: only its
// inputs, those it knows as categories read as such, and the label if asked for.
// Options that are not given are those that the data of the fit were read with.
func (f *dataFlags) readFor(cmd *cobra.Command, path string, n need, mem *memoryFlag) (*newTable, error) {
	if f.Label != "" && hasName(n.inputs, f.Label) {
		return nil, fmt.Errorf("--label %s: the model needs the column %q, so it cannot be the label", f.Label, f.Label)
	}
	file, opt, err := f.open(cmd.Context(), path)
	if err != nil {
		return nil, err
	}
	left := f.keptFrom(cmd, path, file, opt, n)
	opt.As, opt.Only, opt.LabelOptional = &left, n.inputs, true
	n.setKinds(&opt)
	restore := mem.keepIfGiven()
	t, err := f.readTable(cmd, path, file, opt, n, mem)
	if err != nil {
		restore()
		return nil, errors.Join(err, file.Close())
	}
	t.close = func() {
		if t.blocks != nil {
			t.blocks.Close()
		}
		file.Close()
		restore()
	}
	return t, nil
}

// keptFrom returns how the data of the fit were read, but for what is chosen now, and says what that changes.
func (f *dataFlags) keptFrom(cmd *cobra.Command, path string, file *dataset.File, opt dataset.ReadOptions, n need) dataset.Reading {
	left, differ := n.reading.Override(f.chosen(), opt)
	for _, d := range differ { // which is chosen, so that it is no mistake
		fmt.Fprintf(cmd.ErrOrStderr(), "fspca: %s: %s\n", shown(path), d)
	}
	if lines := left.Lines(); lines != "" && file.Takes("skip_rows") == nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "fspca: %s: %s left out, as of the data of the model (--skip-rows, --skip-footer)\n", shown(path), lines)
	}
	return left
}

// setKinds has the reader take each input as the kind that the model knows.
func (n need) setKinds(opt *dataset.ReadOptions) {
	for _, name := range n.categorical {
		if !slices.Contains(opt.Categorical, name) {
			opt.Categorical = append(slices.Clone(opt.Categorical), name)
		}
	}
	for _, name := range n.inputs {
		if !slices.Contains(n.categorical, name) {
			opt.Numeric = append(opt.Numeric, name)
		}
	}
}

// readTable reads the rows, or opens them for reading in blocks.
func (f *dataFlags) readTable(cmd *cobra.Command, path string, file *dataset.File, opt dataset.ReadOptions, n need, mem *memoryFlag) (*newTable, error) {
	blocks, err := n.open(path, file, opt, mem)
	if err != nil {
		return nil, err
	}
	var frame *dataset.Frame
	var notes []dataset.Warning
	switch {
	case blocks == nil:
		if frame, err = file.Read(opt); err == nil {
			notes = frame.Notes()
		}
	case mem.unsure(file, opt) && !mem.exceeds(n.memory(blocks.Dims())): // now its size is known
		rows, _ := blocks.Dims()
		frame, err = blocks.Frame(cmd.Context(), 0, rows)
		err = errors.Join(err, blocks.Close())
		notes = blocks.Notes()
	}
	if err != nil {
		return nil, err
	}
	if frame != nil {
		t := &newTable{count: frame.Rows(), whole: &newRows{Frame: frame, truth: f.truth(frame)}}
		t.truth = t.whole.truth
		return t, f.say(cmd, path, notes)
	}
	t := &newTable{blocks: blocks, label: f.Label, size: n.block(mem)}
	if err := f.sayBlocks(cmd, path, t, mem); err != nil {
		return nil, errors.Join(err, blocks.Close())
	}
	return t, nil
}

// truth is the label of rows; nil without one.
func (f *dataFlags) truth(rows *dataset.Frame) *dataset.Factor {
	if f.Label == "" {
		return nil
	}
	return rows.Factor(f.Label)
}

// sayBlocks finds what is known of rows before they are read in blocks, and says that they are.
func (f *dataFlags) sayBlocks(cmd *cobra.Command, path string, t *newTable, mem *memoryFlag) error {
	t.count, _ = t.blocks.Dims()
	for _, c := range t.blocks.Others() {
		if f.Label != "" && dataset.SameName(c.Name, f.Label) {
			t.truth = c.Factor
		}
	}
	if err := f.say(cmd, path, t.blocks.Notes()); err != nil {
		return err
	}
	limit, _ := mem.limit()
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "fspca: %s: %s, with the result more than the memory of %s: read in blocks of %s\n",
		shown(path), words.Count(t.count, "row"), memory.Amount(limit), words.Count(min(t.size, t.count), "row"))
	return cli.Failed(err)
}

// open opens DATA for reading in blocks if it, and what is made of it, is larger than the memory; nil
// if it is not.
func (n need) open(path string, file *dataset.File, opt dataset.ReadOptions, mem *memoryFlag) (*dataset.Blocks, error) {
	large := mem.inBlocks(file, opt, func(rows, columns int) int64 {
		if file.Format() != "npy" && file.Format() != "npz" { // of which the others are passed over
			columns = min(columns, len(n.inputs))
		}
		return n.memory(rows, columns)
	})
	if !large {
		return nil, nil
	}
	blocks, err := (*dataset.Blocks)(nil), error(nil)
	if n.whole == "" {
		blocks, err = file.Blocks(opt)
	} else {
		err = at(path, fmt.Errorf("%s: %w", n.whole, errWhole))
	}
	switch {
	case err == nil:
		return blocks, nil
	case !errors.Is(err, dataset.ErrNoBlocks) && !errors.Is(err, errWhole):
		return nil, err
	case mem.bytes == 0 || mem.unsure(file, opt):
		return nil, nil // as much as there is, then
	}
	return nil, tooSmall(err)
}

// memory is what rows of so many columns take with what is made of them.
func (n need) memory(rows, columns int) int64 { return 8 * int64(rows) * int64(columns+n.width()) }

// errWhole is the error of what needs all rows in memory.
var errWhole = errors.New("it needs all rows in memory")

// tooSmall says of a table that is only read as a whole what to do.
func tooSmall(err error) error {
	if errors.Is(err, errWhole) {
		return fmt.Errorf("%w, and --memory is too small for that: raise it", err)
	}
	return fmt.Errorf("%w, and --memory is too small for that: raise it, or write the table as .csv, .npy or .parquet, not transposed", err)
}

// width is about how many numbers a row takes while it is worked on.
func (n need) width() int { return 2*len(n.inputs) + 4*n.outputs }

// block returns how many rows are read at a time: at most 32 MiB with what is made of them, and a quarter of
// what there is.
func (n need) block(mem *memoryFlag) int {
	const most, least, rows = 32 << 20, 1 << 20, 1 << 16
	limit, _ := mem.limit()
	bytes := max(least, min(most, (limit-programMemory)/4))
	return int(max(1, min(rows, bytes/int64(8*(len(n.inputs)+n.width())))))
}

// each calls use with the rows, of which the first is row from of all: once with the whole, or with
// one block after another.
func (t *newTable) each(ctx context.Context, use func(from int, rows *newRows) error) error {
	if t.whole != nil {
		return use(0, t.whole)
	}
	for from := 0; from < t.count; from += t.size {
		frame, err := t.blocks.Frame(ctx, from, t.size)
		if err != nil {
			return err
		}
		rows := &newRows{Frame: frame}
		if t.label != "" {
			rows.truth = frame.Factor(t.label)
		}
		if err := use(from, rows); err != nil {
			return t.ofBlock(err, from, frame.Rows())
		}
		blockDone(from)
	}
	return nil
}

// ofBlock is the error of a block of n rows, said of all rows up to its end.
func (t *newTable) ofBlock(err error, from, n int) error {
	var missing *dataset.MissingCellsError
	if errors.As(err, &missing) {
		missing.Row += from
		missing.Rows, missing.Partial = from+n, from+n < t.count
	}
	return err
}

// blockDone is called after each block of rows; tests change the file, or interrupt.
var blockDone = func(from int) {}

// frames is each for what looks at the rows alone.
func (t *newTable) frames(ctx context.Context) func(use func(*dataset.Frame) error) error {
	return func(use func(*dataset.Frame) error) error {
		return t.each(ctx, func(_ int, rows *newRows) error { return use(rows.Frame) })
	}
}

// beside puts the names of the rows and the label, if there are any, beside a result.
func (r *newRows) beside(result *dataset.Frame, label string) (*dataset.Frame, error) {
	if r.truth != nil {
		var err error
		columns := append(result.Columns(), dataset.Column{Name: label, Factor: r.truth})
		if result, err = dataset.Assemble(result.Numeric(), columns, "", nil); err != nil {
			return nil, err
		}
	}
	return result.WithID(r.ID())
}
