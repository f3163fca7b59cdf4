package dataset

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"
)

// Blocks is a table whose numbers stay on the disk and are read a block of rows
// at a time, as often as one likes. Dims and Read make it a solver.Rows. It is used
// by one goroutine at a time.
type Blocks struct {
	name   string
	file   *os.File
	closer io.Closer // what Close closes; nil for nothing
	start  int64     // where the numbers start
	header *npyHeader
	fields []int // of the stored columns, those that are numbers here; nil: all
	names  []string
	rows   int

	missing missingMarkers
	counts  []int // missing cells of each of the numbers, where they are known
	first   [2]int

	fill []float64 // what stands for a missing cell; nil: NaN
	kept []int     // the rows of the file that are those of the table; nil: all

	others  []Column // of categories, in memory
	reading Reading
	size    int64
	time    time.Time
	room    []byte
}

// ErrNoBlocks is returned (wrapped) for a file that is only read as a whole.
var ErrNoBlocks = errors.New("the format is read as a whole only")

// Blocks opens the table for reading in blocks. An .npy file that is not compressed
// is read where it is, and must not change; the error wraps ErrNoBlocks for other
// arrays and for Parquet and workbooks. Text is read once, as Read does with the
// same errors, and its numbers are written to a temporary file (8 bytes a cell) in
// the system's folder for these, which is gone after Close, or at the end of the
// process. Columns that are categorical are kept in memory.
func (f *File) Blocks(opt ReadOptions) (*Blocks, error) {
	if f.format == nil {
		return nil, errNotOpen
	}
	if err := f.check(&opt); err != nil {
		return nil, err
	}
	if opt.Transpose {
		return nil, &ParseError{File: f.name, Err: fmt.Errorf("transposed: %w", ErrNoBlocks)}
	}
	opt = opt.asRead(f.format.kind, f.format.name)
	switch f.format.kind {
	case arrayReader:
		if file := f.seekable(); file != nil && len(f.layers) == 0 {
			b, err := f.arrayBlocks(file, opt)
			if err != nil {
				return nil, located(f.name, err)
			}
			return b, nil
		}
	case textReader:
		tabs := opt.Delimiter == 0 && f.format.name == "tsv"
		if tabs {
			opt.Delimiter = '\t'
		}
		b, err := f.textBlocks(opt)
		if err == nil && tabs {
			b.reading.Delimiter = ""
		}
		return b, err
	}
	return nil, &ParseError{File: f.name, Err: fmt.Errorf("%s: %w", f.format.name, ErrNoBlocks)}
}

// located names the file in an error that does not.
func located(name string, err error) error {
	var parse *ParseError
	if errors.As(err, &parse) {
		return err
	}
	return &ParseError{File: name, Err: err}
}

// arrayBlocks opens an .npy file.
func (f *File) arrayBlocks(file *os.File, opt ReadOptions) (*Blocks, error) {
	missing := newMarkers(opt.Missing)
	if len(missing.other) > 0 {
		return nil, fmt.Errorf("missing: %q cannot occur in an array of numbers: want NaN or a number", missing.other[0])
	}
	if _, err := file.Seek(f.start, io.SeekStart); err != nil {
		return nil, err
	}
	size, _ := sizeLeft(file)
	h, err := readNPYHeader(file)
	if err != nil {
		return nil, err
	}
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if err := h.checkLength(size - (start - f.start)); err != nil {
		return nil, err
	}
	b := &Blocks{name: f.name, file: file, start: start, header: h, rows: h.rows, missing: missing.rounded(h.bits())}
	names, err := namesOfAxes("", h.rows, h.columns, false, opt)
	if err != nil {
		return nil, err
	}
	b.reading = readingOf(arrayReader, opt)
	if names.columns == nil {
		if names.columns, _, err = opt.placeNames(h.columns); err != nil {
			return nil, err
		}
		b.reading.Columns, b.reading.Label = h.columns, slices.Index(names.columns, opt.Label)+1
	}
	if names.rows != nil {
		b.others = append(b.others, Column{Name: "id", Factor: mergedFactor(names.rows, codesTo(h.rows))})
	}
	bad := &mistakes{file: f.name}
	inner := opt
	inner.ID = "" // a file
	var declared []chosenColumn
	for _, c := range chooseColumns(names.columns, inner, 0, bad) {
		if c.declared {
			declared = append(declared, c)
			continue
		}
		b.fields, b.names = append(b.fields, c.field), append(b.names, c.name)
	}
	if err := bad.err(); err != nil {
		return nil, err
	}
	if err := b.note(); err != nil {
		return nil, err
	}
	return b, b.readDeclared(opt, declared)
}

// codesTo returns 0, 1, …, n−1.
func codesTo(n int) []int32 {
	codes := make([]int32, n)
	for i := range codes {
		codes[i] = int32(i)
	}
	return codes
}

// readDeclared reads the columns of an array that are categories.
func (b *Blocks) readDeclared(opt ReadOptions, columns []chosenColumn) error {
	if len(columns) == 0 {
		return nil
	}
	fields := b.fields
	defer func() { b.fields = fields }()
	bad := &mistakes{file: b.name}
	for _, c := range columns {
		b.fields = []int{c.field}
		x := mat.NewDense(b.rows, 1, nil)
		if _, err := b.Read(opt.ctx, 0, x); err != nil {
			return err
		}
		column := Column{Name: c.name, Factor: factorOf(x.RawMatrix().Data, 1, 0)}
		if i := slices.Index(column.Factor.Codes, Missing); c.label && i >= 0 {
			bad.add(0, 0, c.name, fmt.Errorf("row %d of %d: the label is missing", i+1, b.rows))
		}
		b.others = append(b.others, column)
	}
	return bad.err()
}

// note keeps what tells whether the file changes.
func (b *Blocks) note() error {
	info, err := b.file.Stat()
	if err == nil {
		b.size, b.time = info.Size(), info.ModTime()
	}
	return err
}

// unchanged returns an error if the file is not as it was; row is where it is read.
func (b *Blocks) unchanged(row int) error {
	info, err := b.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != b.size {
		return fmt.Errorf("the file had %d bytes and has %d when row %d of %d is read: it must not change meanwhile", b.size, info.Size(), row+1, b.rows)
	}
	if !info.ModTime().Equal(b.time) {
		return fmt.Errorf("the file was written to before row %d of %d was read: it must not change meanwhile", row+1, b.rows)
	}
	return nil
}

// Close removes the temporary file, if there is one. The file that was opened is
// its opener's to close.
func (b *Blocks) Close() error {
	if b.closer == nil {
		return nil
	}
	return b.closer.Close()
}

// Names returns the names of the columns of numbers.
func (b *Blocks) Names() []string { return slices.Clone(b.names) }

// Others returns the columns of categories, among them the label and the names of
// the rows.
func (b *Blocks) Others() []Column { return slices.Clip(b.others) }

// Reading returns how the table was read, as that of a Frame. Shared: read only.
func (b *Blocks) Reading() Reading { return b.reading }

// Dims returns the number of rows and of columns of numbers.
func (b *Blocks) Dims() (n, d int) { return b.rows, len(b.names) }

// CheckComplete returns a *[MissingCellsError] if a number is missing, as that of
// a Frame does. It reads the numbers where nobody has yet looked.
func (b *Blocks) CheckComplete(ctx context.Context, what string) error {
	if b.counts == nil {
		if err := b.countMissing(ctx); err != nil {
			return err
		}
	}
	e := &MissingCellsError{What: what, Rows: b.rows, Row: b.first[0] + 1}
	for j, count := range b.counts {
		if count > 0 {
			e.Columns, e.Counts = append(e.Columns, b.names[j]), append(e.Counts, count)
		}
	}
	if e.Columns == nil {
		return nil
	}
	e.Column = b.names[b.first[1]]
	return e
}

// countMissing counts the missing cells of an array.
func (b *Blocks) countMissing(ctx context.Context) error {
	d := len(b.names)
	if !b.missing.nan && len(b.missing.numbers) == 0 {
		b.counts = make([]int, d)
		return nil
	}
	counts := &missingCounts{counts: make([]int, d)}
	if err := b.eachRow(ctx, func(_ int, row []float64) { counts.add(row) }); err != nil {
		return err
	}
	b.counts, b.first = counts.counts, counts.first
	return nil
}

// missingCounts counts missing cells of rows that come one after another.
type missingCounts struct {
	counts []int // of the columns
	rows   int
	found  bool
	first  [2]int // row and column of the first
}

func (m *missingCounts) add(values []float64) {
	d := len(m.counts)
	for at := 0; at < len(values); at += d {
		for j, v := range values[at : at+d] {
			if v == v {
				continue
			}
			if !m.found {
				m.found, m.first = true, [2]int{m.rows, j}
			}
			m.counts[j]++
		}
		m.rows++
	}
}

// Read stores rows from, from+1, … in dst, NaN for a missing cell, and returns how
// many these are: as many as dst has or as there are. Errors name the file and the
// row: one that was cut or written to, a number that is not finite.
func (b *Blocks) Read(ctx context.Context, from int, dst *mat.Dense) (int, error) {
	if dst == nil || from < 0 || dst.IsEmpty() {
		return 0, located(b.name, errors.New("want a row of at least 0, and room for at least one"))
	}
	if b.fields == nil && b.header == nil {
		return 0, errNotOpen
	}
	want, d := dst.Dims()
	if columns := len(b.fields); b.fields != nil && d != columns || b.fields == nil && d != b.header.columns {
		return 0, located(b.name, fmt.Errorf("room for %d columns, want %d", d, len(b.names)))
	}
	rows := max(0, min(want, b.rows-from))
	if err := b.unchanged(from); err != nil {
		return 0, located(b.name, err)
	}
	wrong, err := b.loadKept(ctx, from, rows, dst)
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("the file became shorter while row %d of %d was read", from+1, b.rows)
	}
	if err == nil && wrong {
		err = b.checkFinite(ctx)
	}
	if err != nil {
		return 0, located(b.name, err)
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
	return rows, nil
}

// load reads rows of numbers and reports whether one is not finite.
func (b *Blocks) load(ctx context.Context, from, rows int, dst *mat.Dense) (wrong bool, err error) {
	a := &npyArray{npyHeader: b.header, ctx: ctx}
	h, raw := b.header, dst.RawMatrix()
	if h.columnMajor {
		for j := range raw.Cols {
			if err := b.loadColumn(a, j, from, rows, dst); err != nil {
				return false, err
			}
		}
		return a.wrong.Load(), nil
	}
	if a.native() && raw.Cols == h.columns && raw.Stride == raw.Cols {
		numbers := raw.Data[:rows*raw.Cols]
		if err := b.readAt(ctx, bytesOf(numbers), from*h.columns); err != nil {
			return false, err
		}
		a.look(numbers)
		return a.wrong.Load(), nil
	}
	some := max(1, npyChunk/h.columns)
	numbers := make([]float64, some*h.columns)
	for i := 0; i < rows; i += some {
		part := numbers[:min(some, rows-i)*h.columns]
		if err := b.convertAt(ctx, a, part, (from+i)*h.columns); err != nil {
			return false, err
		}
		for r := 0; r*h.columns < len(part); r++ {
			row, to := part[r*h.columns:(r+1)*h.columns], dst.RawRowView(i+r)
			if b.fields == nil {
				copy(to, row)
				continue
			}
			for j, field := range b.fields {
				to[j] = row[field]
			}
		}
	}
	return a.wrong.Load(), nil
}

// loadColumn reads column j of dst from a file that holds columns.
func (b *Blocks) loadColumn(a *npyArray, j, from, rows int, dst *mat.Dense) error {
	field := j
	if b.fields != nil {
		field = b.fields[j]
	}
	numbers := make([]float64, rows)
	if err := b.convertAt(a.ctx, a, numbers, field*b.header.rows+from); err != nil {
		return err
	}
	for i, v := range numbers {
		dst.Set(i, j, v)
	}
	return nil
}

// convertAt reads the numbers of the file from the at-th on.
func (b *Blocks) convertAt(ctx context.Context, a *npyArray, dst []float64, at int) error {
	need := len(dst) * b.header.size
	if len(b.room) < need {
		b.room = make([]byte, need)
	}
	if err := b.readAt(ctx, b.room[:need], at); err != nil {
		return err
	}
	return a.widen(dst, b.room, at)
}

func (b *Blocks) readAt(ctx context.Context, p []byte, at int) error {
	if ctx != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	_, err := b.file.ReadAt(p, b.start+int64(at)*int64(b.header.size))
	return err
}

// checkFinite returns the error of a number that is not finite, and how many are
// not, as the reader of the whole array does. Nil if all are missing.
func (b *Blocks) checkFinite(ctx context.Context) error {
	fields := b.fields
	b.fields = nil
	defer func() { b.fields = fields }()
	all := nonFinite{}
	h := b.header
	x := mat.NewDense(min(h.rows, max(1, npyChunk/h.columns)), h.columns, nil)
	for from := 0; from < h.rows; from += x.RawMatrix().Rows {
		rows := min(x.RawMatrix().Rows, h.rows-from)
		if _, err := b.load(ctx, from, rows, x); err != nil {
			return err
		}
		at := findNonFinite(x.Slice(0, rows, 0, h.columns).(*mat.Dense), b.missing.nan)
		if all.count == 0 {
			all, all.row = at, at.row+from
		} else {
			all.count += at.count
		}
	}
	return all.err(h.rows, h.columns, b.missing.nan)
}

// spilledHeader is that of numbers as memory holds them.
func spilledHeader(rows, columns int) *npyHeader {
	order := binary.ByteOrder(binary.LittleEndian)
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		order = binary.BigEndian
	}
	return &npyHeader{rows: rows, columns: columns, order: order, kind: 'f', size: 8}
}

// Frame returns rows from, from+1, … as a table, as many as count says or as there
// are, with their categories. ID names the column of row names, "" for none.
func (b *Blocks) Frame(ctx context.Context, from, count int, id string) (*Frame, error) {
	rows := min(count, b.rows-from)
	if from < 0 || rows < 1 {
		return nil, located(b.name, fmt.Errorf("there are no rows %d to %d of %d", from+1, from+count, b.rows))
	}
	var x *mat.Dense
	columns := make([]Column, 0, len(b.names)+len(b.others))
	if len(b.names) > 0 {
		x = mat.NewDense(rows, len(b.names), nil)
		if _, err := b.Read(ctx, from, x); err != nil {
			return nil, err
		}
		for _, name := range b.names {
			columns = append(columns, Column{Name: name})
		}
	}
	for _, c := range b.others {
		part := &Factor{Levels: c.Factor.Levels, Codes: c.Factor.Codes[from : from+rows]}
		columns = append(columns, Column{Name: c.Name, Factor: part})
	}
	f, err := Assemble(x, columns, "", nil)
	if err != nil {
		return nil, located(b.name, err)
	}
	return f.takeID(id)
}

// Cells returns about how many numbers the columns of a file hold, and how many
// columns there are, from its header or its first lines; false where they do not tell.
func (f *File) Cells(opt ReadOptions) (rows, columns int, ok bool) {
	if f.format == nil {
		return 0, 0, false
	}
	size := int64(0)
	if file := f.seekable(); file != nil {
		if info, err := file.Stat(); err == nil {
			size = info.Size() - f.start
		}
	}
	start, _ := f.text.Peek(1 << 16)
	switch {
	case f.format.kind == arrayReader && size > 0:
		h, err := readNPYHeader(io.NewSectionReader(bytesReader(start), 0, int64(len(start))))
		if err != nil {
			return 0, 0, false
		}
		return h.rows, h.columns, true
	case f.format.kind == textReader && size > 0 && len(start) > 0:
		if len(f.layers) > 0 {
			size *= compressedText
		}
		lines, fields := shapeOfText(start, opt.Delimiter, f.format.name)
		if lines == 0 {
			return 0, 0, false
		}
		return int(math.Ceil(float64(size) / float64(len(start)) * lines)), fields, true
	}
	return 0, 0, false
}
