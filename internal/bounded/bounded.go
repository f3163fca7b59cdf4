// Package bounded reads and writes within bounds: until a context ends, and not more than what
// compressed bytes are believed to hold.
package bounded

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// Err returns the error of ctx; nil stands for a context that never ends.
func Err(ctx context.Context) error {
	if ctx == nil {
		return nil
	}
	return ctx.Err()
}

// Reader returns r, of which every read fails once ctx has ended. Of a file that is no regular one,
// such as a pipe, also a read that waits for bytes fails then.
func Reader(ctx context.Context, r io.Reader) io.Reader {
	if ctx == nil || ctx.Done() == nil {
		return r
	}
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
			return &waiting{ctx: ctx, r: r, done: make(chan result, 1)}
		}
	}
	return &reader{ctx, r}
}

type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// waiting reads in a goroutine of its own, which is left behind where the context ends first.
type waiting struct {
	ctx  context.Context
	r    io.Reader
	done chan result
	buf  []byte // of the goroutine
}

type result struct {
	n   int
	err error
}

func (w *waiting) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	if cap(w.buf) < len(p) {
		w.buf = make([]byte, len(p))
	}
	buf := w.buf[:len(p)]
	go func() {
		n, err := w.r.Read(buf)
		w.done <- result{n, err}
	}()
	select {
	case <-w.ctx.Done():
		w.buf = nil // the goroutine may yet write to it
		return 0, w.ctx.Err()
	case got := <-w.done:
		copy(p, buf[:got.n])
		return got.n, got.err
	}
}

// ReaderAt returns r, of which every read fails once ctx has ended.
func ReaderAt(ctx context.Context, r io.ReaderAt) io.ReaderAt {
	if ctx == nil || ctx.Done() == nil {
		return r
	}
	return &readerAt{ctx, r}
}

type readerAt struct {
	ctx context.Context
	r   io.ReaderAt
}

func (r *readerAt) ReadAt(p []byte, at int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.ReadAt(p, at)
}

// Writer returns w, to which every write fails once ctx has ended.
func Writer(ctx context.Context, w io.Writer) io.Writer {
	if ctx == nil || ctx.Done() == nil {
		return w
	}
	return &writer{ctx, w}
}

type writer struct {
	ctx context.Context
	w   io.Writer
}

func (w *writer) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(p)
}

// Open opens a file for reading, unless ctx ends first: a named pipe has to wait for its writer.
func Open(ctx context.Context, path string) (*os.File, error) {
	if ctx == nil || ctx.Done() == nil {
		return os.Open(path)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		file, err := os.Open(path)
		done <- opened{file, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case got := <-done:
		return got.file, got.err
	}
}

// maxStream is the most that ReadFile reads of what is no regular file.
const maxStream = 64e6

// ReadFile returns the content of a file of at most limit bytes; what is the subject of the error
// about a longer one, such as "a config".
func ReadFile(path string, limit int64, what string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return readAll(file, path, limit, what)
}

// ReadFS is ReadFile for a file of a file system.
func ReadFS(fsys fs.FS, name string, limit int64, what string) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(file, name, limit, what)
}

// readAll reads a file and closes it.
func readAll(file fs.File, name string, limit int64, what string) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		limit = min(limit, maxStream)
	}
	tooLong := fmt.Errorf("%s has more than %d MB: %s is shorter; is this the right file?", name, limit/1e6, what)
	if info.Mode().IsRegular() && info.Size() > limit {
		return nil, tooLong
	}
	b, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = tooLong
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// What compressed bytes are believed to hold: some bytes at any rate, and then so many for each of
// them. Tables hold ten times their compressed size, those of zeros and ones a hundred times.
const (
	freeExpansion = 16 << 20
	mostExpansion = 250
)

// Expansion returns the uncompressed r, which fails once it holds more than what the bytes that
// packed counts are believed to: few compressed bytes can claim any number. Total is how many there
// are, 0 where that is not known: it shows early what the whole will come to.
func Expansion(r io.Reader, packed func() int64, total int64) io.Reader {
	return &expansion{r: r, packed: packed, total: total}
}

type expansion struct {
	r      io.Reader
	packed func() int64
	total  int64
	n      int64
}

func (e *expansion) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.n += int64(n)
	if packed := e.packed(); e.n/mostExpansion > packed && float64(e.n)*max(1, float64(e.total)/float64(packed+1)) > freeExpansion {
		return 0, errExpansion
	}
	return n, err
}

var errExpansion = fmt.Errorf("the compressed file holds over %d times its size, more than tables do: if it is one all the same, decompress it first", mostExpansion)

// CheckExpansion returns the error of Expansion for sizes that are declared.
func CheckExpansion(size, packed uint64) error {
	if size > freeExpansion && size/mostExpansion > packed {
		return errExpansion
	}
	return nil
}

// Counter counts the bytes that are read, perhaps by a goroutine of a decompressor.
type Counter struct {
	R io.Reader
	n atomic.Int64
}

// Count is how many bytes were read.
func (c *Counter) Count() int64 { return c.n.Load() }

// Read reads and counts.
func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// Left returns where a reader stands and how many bytes it still has, without moving it; false where that is not
// known, as of a stream.
func Left(r io.Reader) (at, left int64, ok bool) {
	switch r := r.(type) {
	case *os.File:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0, 0, false
		}
		at, err = r.Seek(0, io.SeekCurrent)
		return at, max(0, info.Size()-at), err == nil
	case interface {
		Len() int
		Size() int64
	}: // bytes.Reader, strings.Reader
		return r.Size() - int64(r.Len()), int64(r.Len()), true
	case interface{ Len() int }:
		return 0, int64(r.Len()), true
	}
	return 0, 0, false
}
