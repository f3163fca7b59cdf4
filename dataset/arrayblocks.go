package dataset

import (
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/lists"
)

// arrayBlocks opens an .npy file: where it is, or a copy of what is compressed or
// comes from a stream.
func (f *File) arrayBlocks(opt ReadOptions) (*Blocks, error) {
	file := f.seekable()
	if file == nil || len(f.layers) > 0 {
		return spillArray(f.text, f.name, opt)
	}
	if _, err := file.Seek(f.start, io.SeekStart); err != nil {
		return nil, err
	}
	_, size, _ := bounded.Left(file)
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
	return openArray(numberFile{file: file, start: start, header: h}, f.name, opt)
}

// memberBlocks opens an array of an .npz, of which the numbers are copied: so the
// checksum of the archive is looked at.
func (f *File) memberBlocks(opt ReadOptions) (b *Blocks, err error) {
	err = f.eachArray(opt, func(r io.Reader, name string, opt ReadOptions) error {
		b, err = spillArray(r, name, opt)
		return err
	})
	return b, err
}

// spillArray copies the numbers of a stream to a temporary file, as they are.
func spillArray(r io.Reader, name string, opt ReadOptions) (*Blocks, error) {
	r = bounded.Reader(opt.ctx, r)
	h, err := readNPYHeader(r)
	if err != nil {
		return nil, located(name, err)
	}
	b, err := spillTo(func(spill spooled) (*Blocks, error) { return copyArray(r, spill, h, name, opt) })
	if err != nil {
		return nil, located(name, err)
	}
	return b, nil
}

func copyArray(r io.Reader, spill spooled, h *npyHeader, name string, opt ReadOptions) (*Blocks, error) {
	source := &sourceReader{r: r}
	got, err := io.Copy(spill.File, io.LimitReader(source, h.bytes()+1))
	switch {
	case source.err != nil:
		return nil, cutShort(source.err)
	case err != nil:
		return nil, errSpill(err)
	}
	if err := h.checkLength(got); err != nil {
		return nil, err
	}
	return openArray(numberFile{file: spill.File, closer: spill, header: h}, name, opt)
}

// sourceReader keeps the error of reading, so that it can be told from errors of writing.
type sourceReader struct {
	r   io.Reader
	err error
}

// Read reads from r and keeps the error, unless it is the end.
func (s *sourceReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// openArray makes the blocks of a file of numbers.
func openArray(numbers numberFile, name string, opt ReadOptions) (*Blocks, error) {
	h := numbers.header
	missing, err := arrayMarkers(opt.Missing)
	if err != nil {
		return nil, err
	}
	b := &Blocks{name: name, numbers: numbers, rows: h.rows, missing: missing.rounded(h.bits())}
	reading := readingOf(arrayReader, opt)
	b.src.reading = &reading
	names, err := namesOfAxes("", h.rows, h.columns, false, opt)
	if err != nil {
		return nil, err
	}
	if names.columns == nil {
		if names.columns, reading.Label, b.src.notes, err = opt.placeNames(h.columns); err != nil {
			return nil, err
		}
		reading.Columns = h.columns
	}
	if err := b.numbers.note(); err != nil {
		return nil, err
	}
	if err := b.chooseArray(names.columns, opt); err != nil {
		return nil, err
	}
	if names.rows != nil {
		b.idName, b.ids = "id", &Factor{Levels: names.rows, Codes: lists.Upto[int32](h.rows)}
	}
	return b, nil
}

// chooseArray chooses among the columns of an array, and reads those that are
// categories.
func (b *Blocks) chooseArray(names []string, opt ReadOptions) error {
	bad := &mistakes{file: b.name}
	inner := opt
	inner.ID = "" // a file
	chosen := chooseColumns(names, inner, 0, bad)
	if err := bad.err(); err != nil {
		return err
	}
	fields := []int{}
	for _, c := range chosen {
		var factor *Factor
		if c.declared {
			var err error
			if factor, err = b.readDeclared(c.field, opt); err != nil {
				return err
			}
			if c.label {
				bad.addMissing(c.name, factor)
			}
		} else {
			fields = append(fields, c.field)
		}
		b.addColumn(c.name, factor, inner)
	}
	b.numbers.fields = fields
	return bad.err()
}

// readDeclared reads a column of numbers that are categories.
func (b *Blocks) readDeclared(field int, opt ReadOptions) (*Factor, error) {
	numbers := b.numbers
	numbers.fields = []int{field}
	x := mat.NewDense(b.rows, 1, nil)
	if err := numbers.load(opt.ctx, 0, b.rows, x, b.missing.nan, new(kernel.Digest)); err != nil {
		return nil, err
	}
	b.missing.apply(x.RawMatrix().Data)
	return factorOf(x.RawMatrix().Data, 1, 0), nil
}
