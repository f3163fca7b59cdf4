package delimited

import (
	"fmt"
	"slices"
)

// A Record is one of the first records of the text.
type Record struct {
	Fields []string
	Line   int // from 1
	end    int // in the text
	lines  int // up to its end
}

// mostHeadCells is how many cells Head looks at, in leastHead records at least.
const (
	mostHeadCells = 100_000
	leastHead     = 4

	// mostFields is how many cells a record may have: each takes over a hundred bytes until the table
	// is made, and a line of 64 MiB could have 32 million.
	mostFields = 1 << 22
)

var errFields = fmt.Errorf("the line has more than %d cells: a table that wide is read from .npy or sparse rows; or is the delimiter another?", mostFields)

// Head returns up to n records without consuming them. It returns fewer if the text
// or the first block ends, or if the records have very many cells. A *SyntaxError
// is returned only if it is in the first one.
func (s *Source) Head(form Format, n int) ([]Record, error) {
	f := form.compile()
	for {
		records, err := s.head(f, n)
		if len(records) == 0 && err == nil && s.eof && s.err != nil {
			return nil, s.err
		}
		if len(records) > 0 || err != nil || s.eof {
			return records, err
		}
		if s.tooLong(len(s.text()), s.text()) {
			if long, ok := s.err.(*LongError); ok {
				long.Line = s.line
			}
			return nil, s.err
		}
		s.fillMore() // only blank lines so far, or part of a record
	}
}

// head is Head for what was read already.
func (s *Source) head(f *format, n int) ([]Record, error) {
	whole := len(s.text())
	if !s.eof || s.err != nil { // the last record may go on
		if whole = f.cut(s.text()); whole == 0 && s.err != nil {
			return nil, s.err
		}
	}
	buf := endLine(slices.Clone(s.rest[:front+whole]))
	c := scanner{format: f, stop: len(buf), at: front, carried: -1}
	c.buf = slices.Grow(buf, back)[:len(buf)+back]
	var records []Record
	var texts []byte // of the cells of a record
	var ends []int
	cells := 0
	for len(records) < n && (cells < mostHeadCells || len(records) < leastHead) && c.skipBlank() {
		r := Record{Line: s.line + c.record}
		texts, ends = texts[:0], ends[:0]
		for last := false; !last; {
			var text []byte
			text, last = c.cell()
			if len(ends) == mostFields {
				return nil, &SyntaxError{s.line + c.record, errFields}
			}
			texts, ends = append(texts, text...), append(ends, len(texts)+len(text))
		}
		if c.err != nil {
			if len(records) == 0 {
				return nil, &SyntaxError{s.line + c.err.Line, c.err.Err}
			}
			break
		}
		r.Fields, r.end, r.lines = cellsOf(string(texts), ends), c.at-front, c.line
		records = append(records, r)
		cells += len(r.Fields)
	}
	return records, nil
}

// cellsOf returns the parts of a text that end there: one string holds them all.
func cellsOf(text string, ends []int) []string {
	cells := make([]string, len(ends))
	start := 0
	for i, end := range ends {
		cells[i], start = text[start:end], end
	}
	return cells
}

// Skip passes over the text up to the end of a record that Head returned.
func (s *Source) Skip(r Record) {
	s.drop(min(r.end, len(s.text())))
	s.line += r.lines
}
