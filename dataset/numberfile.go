package dataset

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/fspca/fspca/internal/bounded"
	"github.com/fspca/fspca/internal/kernel"
	"github.com/fspca/fspca/internal/memory"
	"github.com/fspca/fspca/internal/parallel"
)

// numberFile is a file of numbers, row by row or column by column, from which blocks
// of rows are read.
type numberFile struct {
	file   *os.File
	closer io.Closer // what close closes; nil for nothing
	start  int64     // where the numbers start
	header *npyHeader
	fields []int // of the stored columns, those that are wanted, ascending; nil: all
	fresh  bool  // the memory that is read into was not written to yet

	noted writing      // of the file, to see whether it changes
	whole *atomic.Bool // the last row was read: who reads again has the sums of what was read
}

// close removes a temporary file.
func (s *numberFile) close() error {
	if s.closer == nil {
		return nil
	}
	return s.closer.Close()
}

// note keeps what tells whether the file changes.
func (s *numberFile) note() error {
	info, err := s.file.Stat()
	if err == nil {
		s.noted, s.whole = writingOf(info), new(atomic.Bool)
	}
	return err
}

// unchanged returns an error if the file is not as it was; row is where it is read. A change that the system alone
// notes may be that of a name, so in a second reading it is none: there the sums tell whether numbers changed.
func (s *numberFile) unchanged(row int) error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	now := writingOf(info)
	if s.whole.Load() {
		now.noted = s.noted.noted
	}
	if now.size != s.noted.size {
		return fmt.Errorf("the file had %d bytes and has %d when row %d of %d is read: it must not change meanwhile", s.noted.size, now.size, row+1, s.header.rows)
	}
	if what := s.noted.until(now); what != "" {
		return fmt.Errorf("the file was %s before row %d of %d was read: it must not change meanwhile", what, row+1, s.header.rows)
	}
	return nil
}

// load reads rows of the file, and adds them to sum. A number that is not finite is an error; NaN is
// none where it stands for a missing cell.
func (s *numberFile) load(ctx context.Context, from, rows int, dst *mat.Dense, nan bool, sum *kernel.Digest) error {
	if err := s.unchanged(from); err != nil {
		return err
	}
	wrong, err := s.loadAny(ctx, from, rows, dst, sum)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the file became shorter while row %d of %d was read", from+1, s.header.rows)
	}
	s.whole.CompareAndSwap(false, err == nil && from+rows == s.header.rows)
	if err != nil || !wrong {
		return err
	}
	if findNonFinite(dst.Slice(0, rows, 0, dst.RawMatrix().Cols).(*mat.Dense), nan).count > 0 {
		return s.checkFinite(ctx, nan)
	}
	return nil
}

// loadAny reads rows of numbers, adds them to sum, and reports whether one is not finite.
func (s *numberFile) loadAny(ctx context.Context, from, rows int, dst *mat.Dense, sum *kernel.Digest) (wrong bool, err error) {
	a := &npyArray{npyHeader: s.header, ctx: ctx}
	h, raw := s.header, dst.RawMatrix()
	if a.native() && raw.Cols == h.columns && raw.Stride == raw.Cols {
		err := s.loadNative(ctx, from*h.columns, raw.Data[:rows*raw.Cols], sum)
		return !sum.Finite(), err
	}
	err = s.loadOthers(a, from, rows, dst)
	for i := range rows {
		sum.Add(dst.RawRowView(i))
	}
	return a.wrong.Load(), err
}

// loadNative reads numbers that are stored as in memory, from the at-th on: pieces that the cache holds until
// they are summed, each by a goroutine of its own. Copying what the system has is work for more than one.
func (s *numberFile) loadNative(ctx context.Context, at int, numbers []float64, sum *kernel.Digest) error {
	pieces := make([]kernel.Digest, (len(numbers)+npyChunk-1)/npyChunk)
	err := parallel.Each(context.Background(), len(pieces), kernel.Processors(), func(i int) error {
		part := numbers[i*npyChunk : min((i+1)*npyChunk, len(numbers))]
		if s.fresh {
			memory.Populate(part)
		}
		if err := s.readAt(ctx, bytesOf(part), at+i*npyChunk); err != nil {
			return err
		}
		pieces[i].Add(part)
		return nil
	})
	for i := range pieces {
		sum.Merge(&pieces[i])
	}
	return err
}

// loadOthers reads rows of numbers that are stored otherwise than in memory.
func (s *numberFile) loadOthers(a *npyArray, from, rows int, dst *mat.Dense) error {
	h, raw := s.header, dst.RawMatrix()
	if h.columnMajor {
		groups, pieces := (raw.Cols+columnGroup-1)/columnGroup, (rows+npyChunk-1)/npyChunk
		return parallel.Each(context.Background(), groups*pieces, kernel.Processors(), func(i int) error {
			at := i / groups * npyChunk
			hi := min(at+npyChunk, rows)
			return s.loadColumns(a, i%groups*columnGroup, from+at, hi-at, dst.Slice(at, hi, 0, raw.Cols).(*mat.Dense))
		})
	}
	return s.loadRows(a, from, rows, dst)
}

// loadRows reads rows of the columns that are kept.
func (s *numberFile) loadRows(a *npyArray, from, rows int, dst *mat.Dense) (err error) {
	h := s.header
	some := max(1, npyChunk/h.columns)
	numbers, raw := make([]float64, some*h.columns), dst.RawMatrix()
	direct := s.fields == nil && raw.Stride == h.columns
	var room []byte
	for i := 0; i < rows; i += some {
		part := numbers[:min(some, rows-i)*h.columns]
		if direct {
			part = raw.Data[i*h.columns:][:len(part)]
		}
		if room, err = s.convertAt(a, part, (from+i)*h.columns, room); err != nil {
			return err
		}
		for r := 0; r*h.columns < len(part) && !direct; r++ {
			row, to := part[r*h.columns:(r+1)*h.columns], dst.RawRowView(i+r)
			if s.fields == nil {
				copy(to, row)
				continue
			}
			for j, field := range s.fields {
				to[j] = row[field]
			}
		}
	}
	return nil
}

// columnGroup is how many columns of a file that holds columns are read, [npyChunk] rows at most, before
// they are stored: together they fill cache lines of the rows.
const columnGroup = 16

// loadColumns reads columns lo, lo+1, … of dst, a group of them, from a file that holds
// columns.
func (s *numberFile) loadColumns(a *npyArray, lo, from, rows int, dst *mat.Dense) error {
	raw := dst.RawMatrix()
	width := min(columnGroup, raw.Cols-lo)
	numbers := make([]float64, width*rows)
	var room []byte
	for p := range width {
		field := lo + p
		if s.fields != nil {
			field = s.fields[field]
		}
		var err error
		if room, err = s.convertAt(a, numbers[p*rows:(p+1)*rows], field*s.header.rows+from, room); err != nil {
			return err
		}
	}
	for i := range rows {
		row := raw.Data[i*raw.Stride+lo:][:width]
		for p := range row {
			row[p] = numbers[p*rows+i]
		}
	}
	return nil
}

// convertAt reads the numbers of the file from the at-th on. It may use room, and
// returns what it used.
func (s *numberFile) convertAt(a *npyArray, dst []float64, at int, room []byte) ([]byte, error) {
	if s.header.nativeNumbers() {
		err := s.readAt(a.ctx, bytesOf(dst), at)
		a.look(dst)
		return room, err
	}
	need := len(dst) * s.header.size
	if len(room) < need {
		room = make([]byte, need)
	}
	if err := s.readAt(a.ctx, room[:need], at); err != nil {
		return room, err
	}
	return room, a.widen(dst, room, at)
}

func (s *numberFile) readAt(ctx context.Context, p []byte, at int) error {
	if err := bounded.Err(ctx); err != nil {
		return err
	}
	_, err := s.file.ReadAt(p, s.start+int64(at)*int64(s.header.size))
	return err
}

// checkFinite returns the error of a number that is not finite, and how many are
// not, as the reader of the whole array does. Nil if all are missing.
func (s *numberFile) checkFinite(ctx context.Context, nan bool) error {
	whole := *s // others may read meanwhile
	whole.fields = nil
	all := nonFinite{}
	h := s.header
	x := mat.NewDense(min(h.rows, max(1, npyChunk/h.columns)), h.columns, nil)
	for from := 0; from < h.rows; from += x.RawMatrix().Rows {
		rows := min(x.RawMatrix().Rows, h.rows-from)
		if _, err := whole.loadAny(ctx, from, rows, x, new(kernel.Digest)); err != nil {
			return err
		}
		at := findNonFinite(x.Slice(0, rows, 0, h.columns).(*mat.Dense), nan)
		if all.count == 0 {
			all, all.row = at, at.row+from
		} else {
			all.count += at.count
		}
	}
	return all.err(h.rows, h.columns, nan)
}

// nativeHeader is that of numbers as memory holds them.
func nativeHeader(rows, columns int) *npyHeader {
	order := binary.ByteOrder(binary.LittleEndian)
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		order = binary.BigEndian
	}
	return &npyHeader{rows: rows, columns: columns, order: order, kind: 'f', size: 8}
}

// newSpill makes a temporary file that vanishes when it is closed, or, where an
// open file can be removed, whatever happens.
func newSpill() (spooled, error) {
	file, err := os.CreateTemp("", "fspca-*")
	if err != nil {
		return spooled{}, fmt.Errorf("a temporary file (TMPDIR says where): %w", err)
	}
	_ = os.Remove(file.Name())
	return spooled{file}, nil
}

// spillTo makes blocks whose numbers are in a temporary file, which is closed where that fails.
func spillTo(fill func(spooled) (*Blocks, error)) (*Blocks, error) {
	spill, err := newSpill()
	if err != nil {
		return nil, err
	}
	b, err := fill(spill)
	if err != nil {
		spill.Close()
		return nil, err
	}
	return b, nil
}

// errSpill says of an error that it is that of the temporary file.
func errSpill(err error) error {
	return fmt.Errorf("writing the numbers to a temporary file (TMPDIR says where): %w", err)
}
