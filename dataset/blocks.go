package dataset

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/internal/memory"
)

// Blocks is a table whose numbers stay on disk and are read in blocks of rows, any
// number of times. Dims and Read make it a solver.Rows. Several goroutines may read
// at once; all else is for one at a time.
type Blocks struct {
	name    string
	numbers numberFile
	rows    int
	columns []Column // in the order of the file; numbers have a nil Factor
	names   []string // of the numbers

	className string
	class     *Factor
	idName    string
	ids       *Factor // names of the rows; nil without

	missing missingMarkers
	counts  []int // missing cells of each of the numbers, where they are known
	first   [2]int

	fill []float64  // what stands for a missing cell; nil: NaN
	src  provenance // whose rows are those of the file that are read
}

// ErrNoBlocks is returned (wrapped) for a file that can only be read as a whole.
var ErrNoBlocks = errors.New("the format can only be read as a whole")

// Blocks opens the table for reading in blocks. An uncompressed .npy file is read
// in place, and must not change. Everything else is read once, with the errors of
// Read. Its numbers are written to a file in the system's temporary folder: 8
// bytes a cell, or as many as the array has. Very many columns that lie one after
// another in their file are copied as well, row by row. Close or the end of the process
// removes the file. A file that is written to meanwhile is an error. Categorical
// columns are kept in memory. The error wraps ErrNoBlocks for sparse rows and for
// transposed tables.
func (f *File) Blocks(opt ReadOptions) (*Blocks, error) {
	opt, err := f.ready(opt)
	if err != nil {
		return nil, err
	}
	if opt.Transpose {
		return nil, &ParseError{File: f.name, Err: fmt.Errorf("transposed: %w", ErrNoBlocks)}
	}
	if f.format.blocks == nil {
		return nil, &ParseError{File: f.name, Err: fmt.Errorf("%s: %w", f.format.name, ErrNoBlocks)}
	}
	b, err := f.format.blocks(f, opt)
	if err != nil {
		return nil, located(f.name, err)
	}
	if err := b.turn(opt.ctx); err != nil {
		return nil, located(f.name, errors.Join(err, b.Close()))
	}
	if what := f.opened.until(f.written()); what != "" {
		return nil, located(f.name, errors.Join(fmt.Errorf("the file was %s while it was read: it must not change meanwhile", what), b.Close()))
	}
	return b, nil
}

// writing tells when a file was last written to, and its size then: also where that time was set back.
type writing struct{ size, time, noted int64 }

func writingOf(info os.FileInfo) writing {
	return writing{info.Size(), info.ModTime().UnixNano(), files.Changed(info)}
}

// until says what happened to a file that is like now; "" for nothing.
func (w writing) until(now writing) string {
	switch {
	case now == w:
		return ""
	case now.size == w.size && now.time == w.time:
		return "written to, renamed, linked or given other rights"
	}
	return "written to"
}

// written is the last writing to a file that is at hand.
func (f *File) written() writing {
	if file := f.seekable(); file != nil {
		if info, err := file.Stat(); err == nil {
			return writingOf(info)
		}
	}
	return writing{}
}

// located names the file in an error that does not.
func located(name string, err error) error {
	var parse *ParseError
	var text *TextError
	if errors.As(err, &parse) || errors.As(err, &text) {
		return err
	}
	return &ParseError{File: name, Err: err}
}

// addColumn adds the next column of the file; a nil factor is one of numbers.
func (b *Blocks) addColumn(name string, factor *Factor, opt ReadOptions) {
	switch {
	case factor == nil:
		b.names = append(b.names, name)
	case name == opt.ID:
		b.idName, b.ids = name, factor
		return
	case name == opt.Label && !opt.LabelOptional:
		b.className, b.class = name, factor
		return
	}
	b.columns = append(b.columns, Column{Name: name, Factor: factor})
}

// Close removes the temporary file, if there is one. It does not close the file
// that the blocks were opened from.
func (b *Blocks) Close() error { return b.numbers.close() }

// Names returns the names of the columns of numbers.
func (b *Blocks) Names() []string { return slices.Clone(b.names) }

// Others returns the columns of categories, among them the label.
func (b *Blocks) Others() []Column {
	others := slices.DeleteFunc(slices.Clone(b.columns), func(c Column) bool { return c.Factor == nil })
	if b.class != nil {
		others = append(others, Column{Name: b.className, Factor: b.class})
	}
	return others
}

// Reading returns how the table was read, as that of a Frame. Shared: read only.
func (b *Blocks) Reading() Reading { return b.src.how() }

// Notes returns the warnings of the reader about the file.
func (b *Blocks) Notes() []Warning { return b.src.notes }

// Dims returns the number of rows and of columns of numbers.
func (b *Blocks) Dims() (n, d int) { return b.rows, len(b.names) }

// Frame returns up to count rows, starting at row from, as a table with categories,
// row names and class.
func (b *Blocks) Frame(ctx context.Context, from, count int) (*Frame, error) {
	rows := min(count, b.rows-from)
	if from < 0 || rows < 1 {
		return nil, located(b.name, fmt.Errorf("there are no rows %d to %d of %d", from+1, from+count, b.rows))
	}
	var x *mat.Dense
	if len(b.names) > 0 {
		x = mat.NewDense(rows, len(b.names), memory.Numbers(rows*len(b.names)))
		if _, err := b.Read(ctx, from, x); err != nil {
			return nil, err
		}
	}
	columns := slices.Clone(b.columns)
	for j, c := range columns {
		columns[j].Factor = c.Factor.between(from, rows)
	}
	f, err := Assemble(x, columns, b.className, b.class.between(from, rows))
	if err != nil {
		return nil, located(b.name, err)
	}
	return b.placed(f, from)
}

// placed says which rows of the file those of f are, from the row from on.
func (b *Blocks) placed(f *Frame, from int) (*Frame, error) {
	f.src = b.src.subset(lists.Make(f.rows, func(i int) int { return from + i }))
	f.src.notes = nil // which are of the whole
	if b.ids == nil {
		return f, nil
	}
	ids := lists.Make(f.rows, func(i int) string { return b.ids.Text(from + i) })
	return f.WithID(f.freeName(b.idName), ids)
}

// between returns some of the rows of a factor, nil of nil. Of very many levels only
// those that occur in them are kept.
func (c *Factor) between(from, rows int) *Factor {
	if c == nil {
		return nil
	}
	codes := c.Codes[from : from+rows]
	if len(c.Levels) <= 4*rows {
		return &Factor{Levels: c.Levels, Codes: codes}
	}
	used := slices.Clone(codes)
	slices.Sort(used)
	used = slices.Compact(used)
	if len(used) > 0 && used[0] == Missing {
		used = used[1:]
	}
	part := &Factor{Levels: make([]string, len(used)), Codes: make([]int32, rows)}
	for i, code := range used {
		part.Levels[i] = c.Levels[code]
	}
	for i, code := range codes {
		part.Codes[i] = Missing
		if at, ok := slices.BinarySearch(used, code); ok {
			part.Codes[i] = int32(at)
		}
	}
	return part
}

// Read stores rows from, from+1, … in dst, with NaN for a missing cell, and
// returns their number: the rows of dst, or as many as are left. Errors name the
// file and the row: a file that was changed, a number that is not finite.
func (b *Blocks) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	n, _, err := b.ReadSum(ctx, from, dst)
	return n, err
}

// ReadSum is Read. It also returns a checksum of the numbers, as the file has them: while the file and
// the columns and rows that are read stay, the same call gives the same sum. It is computed while the
// processor's cache holds what was read, and costs much less than reading.
func (b *Blocks) ReadSum(ctx context.Context, from int, dst *mat.Dense) (n int, sum uint64, err error) {
	if dst == nil || from < 0 || dst.IsEmpty() {
		return 0, 0, located(b.name, errors.New("want a row of at least 0, and room for at least one"))
	}
	if b.numbers.header == nil {
		return 0, 0, errNotOpen
	}
	want, d := dst.Dims()
	if d != len(b.names) {
		return 0, 0, located(b.name, fmt.Errorf("room for %d columns, want %d", d, len(b.names)))
	}
	rows := max(0, min(want, b.rows-from))
	var digest kernel.Digest
	if err := b.loadKept(ctx, from, rows, dst, &digest); err != nil {
		return 0, 0, located(b.name, err)
	}
	b.complete(dst, rows)
	return rows, digest.Sum(), nil
}

// complete puts NaN, or what was filled in, for missing cells.
func (b *Blocks) complete(dst *mat.Dense, rows int) {
	if len(b.missing.numbers) == 0 && b.fill == nil {
		return
	}
	for i := range rows {
		row := dst.RawRowView(i)
		b.missing.apply(row)
		for j, v := range b.fill {
			if row[j] != row[j] {
				row[j] = v
			}
		}
	}
}

// loadKept loads rows of the table, of which some of the file may be left out: what is between them is read as
// well, as much at a time as there is room for, for many small readings take longer.
func (b *Blocks) loadKept(ctx context.Context, from, rows int, dst *mat.Dense, sum *kernel.Digest) error {
	if b.src.rows == nil {
		return b.numbers.load(ctx, from, rows, dst, b.missing.nan, sum)
	}
	_, d := dst.Dims()
	kept := b.src.rows[from : from+rows] // ascending
	for i := 0; i < rows; {
		first := kept[i]
		room := dst.Slice(i, i+min(rows-i, kept[rows-1]-first+1), 0, d).(*mat.Dense)
		read, _ := room.Dims()
		if err := b.numbers.load(ctx, first, read, room, b.missing.nan, sum); err != nil {
			return err
		}
		for start := i; i < rows && kept[i] < first+read; i++ {
			if to := i - start; to < kept[i]-first {
				copy(room.RawRowView(to), room.RawRowView(kept[i]-first))
			}
		}
	}
	return nil
}
