package dataset

import (
	"fmt"
	"io"

	"github.com/fspca/fspca/internal/bounded"
)

// readSheet reads a sheet of a workbook as the text that it would be exported as, so that every rule
// for a text holds.
func (f *File) readSheet(opt ReadOptions) (frame *Frame, err error) {
	err = f.eachSheetLine(opt, func(text io.Reader, opt ReadOptions) error {
		frame, err = ReadCSV(text, f.name, opt)
		return err
	})
	if err != nil {
		return nil, err
	}
	return frame, nil
}

// eachSheetLine lets read the text of a sheet.
func (f *File) eachSheetLine(opt ReadOptions, read func(text io.Reader, opt ReadOptions) error) error {
	r, size, err := f.place()
	if err != nil {
		return &ParseError{File: f.name, Err: err}
	}
	text, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				w.CloseWithError(fmt.Errorf("the file is damaged: reading it as %s failed: %v", f.format.name, p))
			}
		}()
		w.CloseWithError(f.format.sheet(w, r, size, opt.Sheet))
	}()
	inner := opt
	inner.Sheet, inner.Delimiter, inner.kind = "", ',', sheetReader
	err = read(text, inner)
	text.Close() // where the reading stopped early, so does the writing
	<-done
	if stopped := bounded.Err(f.ctx); stopped != nil {
		return &ParseError{File: f.name, Err: stopped}
	}
	return err
}
