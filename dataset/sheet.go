package dataset

import (
	"fmt"
	"io"

	"github.com/fspca/fspca/internal/bounded"
)

// readSheet reads a sheet of a workbook as the text that it would be exported as, so that every rule
// for a text holds.
func (f *File) readSheet(format Format, opt ReadOptions) (*Frame, error) {
	r, size, err := f.place()
	if err != nil {
		return nil, &ParseError{File: f.name, Err: err}
	}
	text, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				w.CloseWithError(fmt.Errorf("the file is damaged: reading it as %s failed: %v", format.Name, p))
			}
		}()
		w.CloseWithError(format.Sheet(w, r, size, opt.Sheet))
	}()
	inner := opt
	inner.Sheet, inner.Delimiter = "", ','
	frame, err := ReadCSV(text, f.name, inner)
	text.Close() // where the reading stopped early, so does the writing
	<-done
	if stopped := bounded.Err(f.ctx); stopped != nil {
		return nil, &ParseError{File: f.name, Err: stopped}
	}
	if err == nil {
		frame.src.reading.Delimiter = ""
	}
	return frame, err
}
