package dataset

import (
	"errors"
	"fmt"
	"io"
)

// A FrameWriter writes frames with the same columns, one after another, as one
// table. Close writes what is buffered; it does not close the underlying
// writer.
type FrameWriter interface {
	Write(f *Frame) error
	Close() error
}

// errOtherColumns is the error of a frame that does not go on with those before.
var errOtherColumns = errors.New("the frame has other columns than those before it")

// NewWriter returns a writer of a table with so many rows, in the format of the
// ending of name. It writes the bytes that [WriteAs] writes for the whole table.
// Write or Close returns an error if there are more or fewer rows.
func NewWriter(w io.Writer, name string, rows int) (FrameWriter, error) {
	if rows < 0 {
		return nil, fmt.Errorf("a table of %d rows: want a number of at least 0", rows)
	}
	open, packed, err := writerOf(name)
	if err != nil {
		return nil, err
	}
	t := &tableWriter{rows: rows}
	if len(packed) > 0 {
		inner, err := packed[0].NewWriter(w)
		if err == nil && inner == nil {
			err = noWriter(name)
		}
		if err != nil {
			return nil, err
		}
		w, t.packed = inner, inner
	}
	if t.FrameWriter, err = open(w, rows); err != nil {
		return nil, err
	}
	if t.FrameWriter == nil {
		return nil, noWriter(name)
	}
	return t, nil
}

func noWriter(name string) error {
	return fmt.Errorf("cannot write %s: NewWriter of its format returned no writer", name)
}

// tableWriter counts the rows, and ends the compression.
type tableWriter struct {
	FrameWriter
	packed        io.Closer // nil for none
	rows, written int
	failed        bool
}

// Write adds the rows of f. More rows than were announced are an error.
func (t *tableWriter) Write(f *Frame) error {
	if f == nil {
		return errors.New("there is no frame to write")
	}
	if t.written += f.rows; t.written > t.rows {
		t.failed = true
		return fmt.Errorf("there are more rows than the %d that were announced", t.rows)
	}
	err := t.FrameWriter.Write(f)
	t.failed = t.failed || err != nil
	return err
}

// Close ends the file. Fewer rows than were announced are an error.
func (t *tableWriter) Close() error {
	var errs []error
	switch {
	case t.failed: // of which Write has told
	case t.written < t.rows:
		errs = append(errs, fmt.Errorf("%d rows were written, but %d were announced", t.written, t.rows))
	default:
		errs = append(errs, t.FrameWriter.Close())
	}
	if t.packed != nil {
		errs = append(errs, t.packed.Close())
	}
	return errors.Join(errs...)
}

// writeWhole writes one frame by itself.
func writeWhole(open func(io.Writer, int) (FrameWriter, error), w io.Writer, f *Frame) error {
	if f == nil {
		return errors.New("there is no frame to write")
	}
	out, err := open(w, f.rows)
	if err != nil {
		return err
	}
	if err := out.Write(f); err != nil {
		_ = out.Close() // only to release what it took
		return err
	}
	return out.Close()
}
