package dataset

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/files"
)

// A File is a file or stream that is open for reading and whose format is known: by the option
// Format, by its first bytes, or by the ending of its name. It is read once, and then closed.
type File struct {
	name   string // in errors
	path   string // on the disk; "" where there is none
	raw    io.Reader
	ctx    context.Context // that ends the reading; nil: none
	count  *bounded.Counter
	size   int64   // of raw; 0 when not known
	opened writing // what written was
	format *format

	text    *bufio.Reader // what is in the layers of compression
	layers  []string      // the compressions that were taken off
	recoded bool          // from UTF-16 or UTF-32
	start   int64         // where raw started, if it is a regular file
	spool   *os.File      // the copy of a stream
	spooled int64         // its size
	closers []io.Closer   // to close, the last first
}

// Open opens a file; see [OpenReader] for its format.
func Open(path, format string) (*File, error) {
	return OpenContext(context.Background(), path, format)
}

// OpenContext is Open with a context; if ctx ends, reading the file returns the context's error.
func OpenContext(ctx context.Context, path, format string) (*File, error) {
	file, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	f, err := openStream(ctx, file, path, path, format)
	if err != nil {
		file.Close()
		return nil, err
	}
	f.closers = append([]io.Closer{file}, f.closers...)
	return f, nil
}

// OpenReader detects the format of r; errors call it name. Compressed data (gzip, bzip2, zip of one
// file, and registered compressions) are decompressed, and UTF-16 and UTF-32 are decoded. The
// format is the given one if it is not ""; it is an error if the first bytes show another.
// Otherwise the first bytes decide, then the ending of the name. A name without an ending means
// CSV.
//
// Formats that need random access (Parquet, workbooks, zip) are first copied to a temporary file
// unless r is a file. The caller closes r.
func OpenReader(r io.Reader, name, format string) (*File, error) {
	return OpenReaderContext(context.Background(), r, name, format)
}

// OpenReaderContext is OpenReader with a context; if ctx ends, reading returns the context's error.
func OpenReaderContext(ctx context.Context, r io.Reader, name, format string) (*File, error) {
	if files.Absent(r) {
		return nil, files.ErrNoReader
	}
	return openStream(ctx, r, name, "", format)
}

func openStream(ctx context.Context, r io.Reader, name, path, format string) (*File, error) {
	f := &File{name: name, path: path, raw: r, ctx: ctx}
	if file, ok := r.(*os.File); ok {
		f.start, _ = file.Seek(0, io.SeekCurrent)
	}
	_, f.size, _ = bounded.Left(r)
	f.opened = f.written()
	f.count = &bounded.Counter{R: bounded.Reader(ctx, r)}
	f.text = bufio.NewReaderSize(f.count, 1<<16)
	if err := f.identify(format); err != nil {
		f.Close()
		return nil, located(name, err)
	}
	return f, nil
}

// Close releases the resources of the reader.
func (f *File) Close() error {
	var errs []error
	for i := len(f.closers) - 1; i >= 0; i-- {
		errs = append(errs, f.closers[i].Close())
	}
	f.closers = nil
	return errors.Join(errs...)
}

// Format returns the name of the file's format, such as "csv"; "" if the File was not opened.
func (f *File) Format() string {
	if f.format == nil {
		return ""
	}
	return f.format.name
}

// errNotOpen is the error of a File that neither Open nor OpenReader has made.
var errNotOpen = errors.New("the file is not open: make it by Open or OpenReader")

// Sparse reports whether the file holds sparse rows, which ReadSparse reads.
func (f *File) Sparse() bool { return f.format != nil && f.format.sparse != nil }

// NamedByFiles reports whether the options ID and Names are files, since the format has no names.
func (f *File) NamedByFiles() bool {
	return f.format != nil && slices.Contains([]readerKind{arrayReader, arraysReader, indexReader, marketReader}, f.format.kind)
}

// Takes returns an error that lists those of the options, by their YAML names, that do not
// apply to the file's format. Read and ReadSparse apply it to the options that are not zero.
func (f *File) Takes(options ...string) error {
	if f.format == nil {
		return errNotOpen
	}
	return refuseOptions(f.format.kind, f.format.name, f.name, options)
}

// Read reads the table; see [Read].
func (f *File) Read(opt ReadOptions) (*Frame, error) {
	if f.Sparse() {
		s, err := f.ReadSparse(opt)
		if err != nil {
			return nil, err
		}
		frame, err := s.Dense()
		if err != nil {
			return nil, &ParseError{File: f.name, Err: err}
		}
		return frame, nil
	}
	opt, err := f.ready(opt)
	if err != nil {
		return nil, err
	}
	return f.format.read(f, opt)
}

// ReadSparse reads sparse rows; see the function of the same name.
func (f *File) ReadSparse(opt ReadOptions) (*Sparse, error) {
	if f.format != nil && !f.Sparse() {
		return nil, &ParseError{File: f.name, Err: fmt.Errorf("the format %s is not one of sparse rows: want svmlight or mtx", f.format.name)}
	}
	opt, err := f.ready(opt)
	if err != nil {
		return nil, err
	}
	return f.format.sparse(f, opt)
}

// ready returns the options as the reader of the file takes them, with its context. It refuses those that do
// not apply.
func (f *File) ready(opt ReadOptions) (ReadOptions, error) {
	if f.format == nil {
		return opt, errNotOpen
	}
	opt.ctx = f.ctx
	if err := bounded.Err(f.ctx); err != nil {
		return opt, &ParseError{File: f.name, Err: err}
	}
	if err := checkOptions(f.format.kind, f.format.name, f.name, opt); err != nil {
		return opt, err
	}
	return opt.asRead(f.format.kind, f.format.name), nil
}

// stream returns what is to be read from the start: the file itself where nothing was taken off, so
// that readers know its size.
func (f *File) stream() io.Reader { return f.fromStart(len(f.layers) == 0) }

// rawText returns what is to be read as text from the start: also a gzip file as it is, whose readers
// know how much of it they have read.
func (f *File) rawText() io.Reader { return f.fromStart(f.readAsText()) }

// readAsText reports whether readers of text take the file as it is.
func (f *File) readAsText() bool {
	return len(f.layers) == 0 || slices.Equal(f.layers, []string{"gzip"})
}

// fromStart returns the file itself where readers take it as it is, else what is in it.
func (f *File) fromStart(asItIs bool) io.Reader {
	if file := f.seekable(); file != nil && asItIs && !f.recoded {
		if _, err := file.Seek(f.start, io.SeekStart); err == nil {
			return file
		}
	}
	return f.text
}

// seekable returns the regular file that is read, if it is one.
func (f *File) seekable() *os.File {
	file, ok := f.raw.(*os.File)
	if !ok {
		return nil
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return file
}

// place returns the content for reading at any place. A stream is copied to a temporary file, which
// Close removes.
func (f *File) place() (io.ReaderAt, int64, error) {
	r, size, err := f.findPlace()
	if err != nil {
		return nil, 0, err
	}
	return bounded.ReaderAt(f.ctx, r), size, nil
}

// findPlace returns the file itself if it can be read at any place, else a temporary copy.
func (f *File) findPlace() (io.ReaderAt, int64, error) {
	if file := f.seekable(); file != nil && len(f.layers) == 0 {
		size := f.Size()
		return io.NewSectionReader(file, f.start, size), size, nil
	}
	if f.spool != nil {
		return f.spool, f.spooled, nil
	}
	start, _ := f.text.Peek(sniffed)
	if g := f.format; g != nil && (g.is != nil && !g.is(start) || g.kind == arraysReader && !isZip(start)) {
		return nil, 0, f.errStart()
	}
	return f.spoolUp()
}

// spoolUp copies a stream to a temporary file.
func (f *File) spoolUp() (io.ReaderAt, int64, error) {
	spool, err := newSpill()
	if err != nil {
		return nil, 0, err
	}
	f.closers = append(f.closers, spool)
	size, err := io.Copy(spool.File, io.LimitReader(f.text, maxSpool+1))
	if err == nil && size > maxSpool {
		err = fmt.Errorf("it has more than %d GiB: save it as a file, and read that", maxSpool>>30)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("copying the stream to a temporary file: %w", cutShort(err))
	}
	f.spool, f.spooled = spool.File, size
	return f.spool, size, nil
}

// maxSpool is the most bytes of a stream that are copied to a temporary file.
const maxSpool = 16 << 30

// spooled is a temporary file that vanishes when it is closed.
type spooled struct{ *os.File }

// Close closes and removes the file.
func (s spooled) Close() error {
	err := s.File.Close()
	if gone := os.Remove(s.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

func cutShort(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut short: %w", err)
	}
	return err
}

// hasEnding reports whether a name says anything of a format: not that of a stream or a device.
func hasEnding(path string) bool {
	_, ending := endingOf(filepath.Base(path))
	return ending != "" && !strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/proc/")
}
